"""Everything that is known of a position scheme, in one record. The scheme's own file fills the record."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import torch

from embedviz.positions.common import check_pairs

Kind = Literal["none", "add", "rotate", "bias", "relative"]
# What a scheme has for positions and distances that training never met: an error, new values of a formula, the last row
# of a table, or nothing, as positions are left out.
PastTraining = Literal["ends", "formula", "last row", "nothing"]


@dataclass(frozen=True)
class Heads:
    """What a layer of H heads of d dimensions hands to its scheme; all arrays have one floating dtype.

    queries, keys: (H, N, d) of the last N of T tokens, and (H, T, d), as they are multiplied for the scores.
    places: the position of each token, whole numbers (T,). own: the scheme's own tables by name. root: the number by
        which queries times keys are divided. causal: True if a token sees only itself and the tokens before it.
    """

    queries: np.ndarray
    keys: np.ndarray
    places: np.ndarray
    own: dict[str, np.ndarray]
    root: np.floating
    causal: bool

    @property
    def rows(self) -> slice:
        """Where the tokens that have queries are among all T."""
        return slice(len(self.places) - self.queries.shape[1], None)


@dataclass(frozen=True)
class OwnTable:
    """A table that a layer has because of its scheme.

    draw: makes the untrained table from output_dim, n_heads and a generator. share: where the part of one head lies
        in the table: its d "columns", its "row" or its "column"; None if all heads share the table.
    """

    name: str
    draw: Callable[[int, int, torch.Generator], torch.Tensor]
    share: Literal["columns", "row", "column"] | None = None


class Learned(NamedTuple):
    """How many numbers a model learns for a scheme: those that all layers share, and those of each layer."""

    once: int = 0
    each_layer: int = 0


@dataclass(frozen=True)
class Sizes:
    """The sizes of a model, as far as what it learns for its positions depends on them.

    context_length: the rows of a learned table of positions.
    """

    n_layers: int
    output_dim: int
    n_heads: int
    context_length: int


GPT2 = Sizes(n_layers=12, output_dim=768, n_heads=12, context_length=1024)  # Radford et al. 2019, small


@dataclass(frozen=True)
class Lines:
    """A scheme's lines in a PyTorch program of attention, in the order in which they come.

    added: what positions add to the vectors `x`. turned: what they do to `q` and `k`. inside: what goes into the
    scores `s` before the division by the root. after: what is added to the scores after it. outputs: what goes into
    the outputs `o`. The lines may use the distances `steps`, key - query, and the positions `at`.
    """

    added: tuple[str, ...] = ()
    turned: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Program:
    """The parts that a scheme gives to the programs that visitors can download.

    added: Compare's lines that return the positional vectors of `n_tokens`, with the fields {scale} and
        {output_dim}; empty if there are none. tables: from "is there a causal mask?" to the lines before Attention's
        function: own tables, and what `layer` calls. layer: the lines of all heads.
    """

    added: tuple[str, ...] = ()
    tables: Callable[[bool], tuple[str, ...]] = lambda causal: ()
    layer: Lines = Lines()


@dataclass(frozen=True)
class Scheme:
    """All that is known about a scheme. Its texts are marked here, and translated when they are shown.

    kind: what it changes. "none": nothing; "add": the vector that it is added to; "rotate": query and key;
        "bias": the score, by a number of its own; "relative": the score, by vectors of the distance.
    seen_in: the page and the view that show it, such as "relative/shift".
    added: for a scheme that adds vectors, makes the positional vectors, (T, D), or fewer rows if there are no more,
        from T positions, output_dim and a function that gives the first n rows of the learned table.
    own: its tables in a layer, in the order in which they are drawn.
    turned: turns queries and keys, (H, T, d), by their positions, (T,), into those that are multiplied for the scores.
    score: what goes into the scores beside queries times keys, (H, N, T) or what broadcasts to it, as divided as it
        is to be. n_terms: how many products a score is the sum of; the root is that of n_terms d.
    outputs: from own tables, weights (H, N, T) and all positions, (T,), to what goes into the outputs beside weights
        times values, (H, N, d).
    learns: how many numbers a model of some sizes learns for it. past_training: what it has in longer texts.
    program: its lines in the programs to take along.
    """

    name: str
    title: str
    kind: Kind
    has_end: bool = False  # True if there is no vector for a position past context_length
    even_output_dim: bool = False  # True if dimensions come in pairs
    even_head_dim: bool = False  # True if those of each head must
    paper: str = ""
    seen_in: str = ""
    added: Callable[[np.ndarray, int, Callable[[int], np.ndarray]], np.ndarray] | None = None
    own: tuple[OwnTable, ...] = ()
    turned: Callable[[np.ndarray, np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]] | None = None
    score: Callable[[Heads], np.ndarray] | None = None
    n_terms: int = 1
    outputs: Callable[[dict[str, np.ndarray], np.ndarray, np.ndarray], np.ndarray] | None = None
    learns: Callable[[Sizes], Learned] = lambda model: Learned()
    past_training: PastTraining = "nothing"
    program: Program = Program()

    def check_width(self, output_dim: int) -> None:
        """Raise EmbedvizError if the scheme needs pairs of dimensions, and these make none."""
        if self.even_output_dim:
            check_pairs(self.title, output_dim)

    def n_learned(self, model: Sizes) -> int:
        """How many numbers a whole model of these sizes learns for the scheme."""
        once, each_layer = self.learns(model)
        return once + model.n_layers * each_layer
