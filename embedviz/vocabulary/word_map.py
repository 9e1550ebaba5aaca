"""The map that comes with the app: words of MiniLM, laid out once by t-SNE, each with its nearest neighbours.

`python -m embedviz.vocabulary.word_map` makes `data/minilm_words.npz` again, which takes some minutes. It needs the
model, which `make minilm` brings.
"""

import io
import re
from dataclasses import dataclass
from functools import cache

import numpy as np

from embedviz.base import data_files
from embedviz.base.arrays import read_only
from embedviz.base.checks import short
from embedviz.base.errors import EmbedvizError
from embedviz.models.minilm import MINILM
from embedviz.vectors import tables
from embedviz.vectors.neighbours import Neighbours, nearest
from embedviz.vectors.spec import Spec
from embedviz.vocabulary.linear_map import Map, map_of
from embedviz.vocabulary.vocabulary import KINDS, Vocabulary, vocabulary

MODEL = "MiniLM"
PERPLEXITY, SEED, N_NEIGHBOURS = 30, 0, 10
N_WORDS = 15_000  # those with the lowest IDs, which are the most frequent, roughly; more make the file too large
_WHOLE = re.compile("[a-z]{2,}")
_FILE = "minilm_words.npz"
_N_IDS = 30_522  # of MiniLM's tokenizer
_STEPS = 10_000  # in which a cosine is kept
_SIDE, _WIDE = 65_535, 100  # the longer side of the map, in the steps in which points are kept, and as it is drawn


class Words(Vocabulary):
    """MiniLM's tokens by their IDs; those that are not on the map have no text."""

    def find(self, text: str) -> int:
        """The ID of a word, in small letters or capitals, or `#4937`. Raises EmbedvizError if it is not on the map."""
        word = text.replace("␣", " ").strip().lower()
        found = self._checked(word[1:]) if re.fullmatch("#[0-9]+", word) else self._ids.get(word)
        if found is None or not self.texts[found]:
            raise EmbedvizError(
                "{text} is not on this map, which has whole words of {model} alone. Type a word such as {word}.",
                text=short(text),
                model=self.tokenizer,
                word="cat",
            )
        return found


@dataclass(frozen=True)
class WordMap:
    """The map of N words.

    tokens: MiniLM's vocabulary, with the texts of these words. points: their IDs, and where they are drawn.
    neighbours: the IDs of the ten words whose vectors have the largest cosine with that of each, the nearest first,
    int64 of shape (N, 10). cosines: float64 of shape (N, 10), with four decimals.
    """

    tokens: Words
    points: Map
    neighbours: np.ndarray
    cosines: np.ndarray

    def near(self, id_: int) -> Neighbours:
        """The neighbours of the word with this ID."""
        row = int(np.searchsorted(self.points.ids, id_))
        return Neighbours(self.neighbours[row], self.cosines[row], "cosine")


@cache
def word_map() -> WordMap:
    """The map, read once. Raises SetupError if its file is missing or damaged."""
    with np.load(io.BytesIO(data_files.read(_FILE)), allow_pickle=False) as file:
        ids, points, rows, steps = (file[name] for name in ("ids", "points", "neighbours", "cosines"))
        words = file["words"].tobytes().decode("ascii").split("\n")
    ids, steps = ids.cumsum(dtype=np.int64), steps.cumsum(axis=1)
    drawn = map_of(ids.tolist(), points * (_WIDE / _SIDE), np.full(2, np.nan))
    return WordMap(_tokens(ids, words), drawn, read_only(ids[rows]), read_only(steps / _STEPS))


def _tokens(ids: np.ndarray, words: list[str]) -> Words:
    texts = dict(zip(ids.tolist(), words, strict=True))
    lengths = np.array([len(texts.get(id_, "")) for id_ in range(_N_IDS)], np.int32)
    kinds = np.where(lengths > 0, KINDS.index("word, no space"), KINDS.index("unused")).astype(np.uint8)
    return Words(MODEL, tuple(texts.get(id_, "") for id_ in range(_N_IDS)), read_only(kinds), read_only(lengths))


def measure() -> dict[str, np.ndarray]:
    """Compute the arrays of the file from MiniLM's token table.

    ids: of each how much larger it is than the one before, int16 (N,). words: their texts, one a line, as bytes.
    points: uint16 (N, 2). neighbours: places in ids, uint16 (N, 10). cosines: times 10,000, of each how much larger it
    is than the one before, int16 (N, 10). Such differences are small, so that they take less room.
    """
    spec = Spec(source=MINILM.repository)
    tokens = vocabulary(spec)
    ids = [id_ for id_, text in enumerate(tokens.texts) if _WHOLE.fullmatch(text)][:N_WORDS]
    rows = tables.token_table(len(tokens), spec)[ids]  # (N, D)
    near = [nearest(row, rows, N_NEIGHBOURS, exclude=(n,)) for n, row in enumerate(rows)]
    cosines = np.array([each.values for each in near])
    points = _laid_out(rows)
    points -= points.min(axis=0)
    return {
        "ids": np.diff(ids, prepend=0).astype(np.int16),
        "words": np.frombuffer("\n".join(tokens.texts[id_] for id_ in ids).encode("ascii"), np.uint8),
        "points": (points * (_SIDE / points.max())).round().astype(np.uint16),
        "neighbours": np.array([each.ids for each in near], np.uint16),
        "cosines": np.diff((cosines * _STEPS).round(), axis=1, prepend=0).astype(np.int16),
    }


def _laid_out(rows: np.ndarray) -> np.ndarray:
    """Points by t-SNE (van der Maaten and Hinton 2008), (N, 2). Among vectors of length 1, near is a large cosine."""
    from sklearn.manifold import TSNE  # noqa: PLC0415 takes a second, and no server needs it

    directions = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return TSNE(perplexity=PERPLEXITY, init="pca", random_state=SEED, n_jobs=-1, verbose=1).fit_transform(directions)


def main() -> None:
    """Lay out the words and write the file."""
    np.savez_compressed(data_files.DATA / _FILE, allow_pickle=False, **measure())
    data_files.seal()


if __name__ == "__main__":
    main()
