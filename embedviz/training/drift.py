"""A training run prepared for pictures: how its words drift, and how its positions take shape."""

import threading
from dataclasses import dataclass

import numpy as np
from cachetools import LRUCache, cached

from embedviz.base.i18n import N_
from embedviz.text import grammar
from embedviz.training.run import Run
from embedviz.vectors.position_tables import cosines
from embedviz.vectors.projection import project

# The classes of the site's own language, whose source is a program too and so marks nothing.
_CLASSES = (N_("determiner"), N_("noun"), N_("verb-rest"), N_("preposition"), N_("verb-act"), N_("participle"),
            # Translators: The class of the words that make a question, "who" and "is".
            N_("question"))  # fmt: skip
_MARKS = frozenset(".,:;?!_\"()'") | {"--"}


@dataclass(frozen=True)
class Words:
    """The token vectors of a run at its S snapshots, as points in one basis.

    points: float32 array of shape (S, V, 2), all in the PCA basis of the last snapshot, so that a move on
        screen is a move of the vector. Each axis points the way it did one snapshot before, so that the map of
        a run that goes on does not turn over from one look to the next.
    explained: share of the last snapshot's variance that each axis carries, shape (2,).
    classes: the class of each of the V words; those of the reader's own text are "word" or "mark".
    same_class: at each snapshot, how many words have a nearest neighbour, by cosine over all D dimensions,
        of their own class; int array of shape (S,). counted: the number of words that are counted. A word that is
        alone in its class is left out.
    """

    points: np.ndarray
    explained: np.ndarray
    classes: tuple[str, ...]
    same_class: np.ndarray
    counted: int


@dataclass(frozen=True)
class Positions:
    """The positional table of a run at its S snapshots.

    similarity: cosine of each pair of positions, float32 array of shape (S, L, L).
    near, far: the mean cosine of neighbouring positions, and of positions at least half the table apart, (S,).
    """

    similarity: np.ndarray
    near: np.ndarray
    far: np.ndarray


# The result is cached: many visitors look at the same run, several times a second while it goes on.
@cached(LRUCache(64), key=lambda run: (run.settings, run.tokens.tobytes()), lock=threading.Lock())
def words(run: Run) -> Words:
    """The Words of a run, which show how they drift."""
    n_snapshots, vocab_size, _n_dims = run.tokens.shape
    projection = project(run.tokens.reshape(n_snapshots * vocab_size, -1), fit_on=run.tokens[-1])
    bases = [*(project(table).components for table in run.tokens[:-1]), projection.components]
    points = projection.points * _turned(bases)
    classes = tuple(_class_of(word, run.settings.text) for word in run.vocabulary)
    counted = [n for n, name in enumerate(classes) if classes.count(name) > 1]
    return Words(
        points.reshape(n_snapshots, vocab_size, 2),
        projection.explained,
        classes,
        np.array([same_class(table, classes)[counted].sum() for table in run.tokens]),
        len(counted),
    )


def _turned(bases: list[np.ndarray]) -> np.ndarray:
    """The direction, 1 or -1, of both axes of the last of S bases, (2, D), if no axis turns over on the way there."""
    axes = np.stack(bases)  # (S, 2, D)
    agreement = (axes[1:] * axes[:-1]).sum(axis=2)  # (S - 1, 2)
    return np.where(agreement < 0, -1, 1).prod(axis=0).astype(np.float32)


def same_class(table: np.ndarray, classes: tuple[str, ...]) -> np.ndarray:
    """Whether the nearest other row of each row, by cosine, has the same class: bool array of shape (V,)."""
    similarity = cosines(table)
    np.fill_diagonal(similarity, -np.inf)
    nearest = similarity.argmax(axis=1)
    return np.array([classes[n] == name for n, name in zip(nearest, classes, strict=True)])


def positions(run: Run) -> Positions:
    """The Positions of a run, which show how its positional table takes shape."""
    similarity = np.stack([cosines(table) for table in run.positions]).astype(np.float32)  # (S, L, L)
    length = similarity.shape[1]
    apart = np.abs(np.subtract.outer(np.arange(length), np.arange(length)))
    return Positions(
        similarity, similarity[:, apart == 1].mean(axis=1), similarity[:, apart >= length // 2].mean(axis=1)
    )


def _class_of(word: str, text: str) -> str:
    if not text:
        return grammar.CLASS_OF[word]
    return N_("mark") if word in _MARKS else N_("word")
