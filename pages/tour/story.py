"""What the tour tells: two sentences on their whole way, and what two other kinds of models make of them."""

from dataclasses import dataclass
from functools import cached_property

from embedviz.layers.trace import Trace
from embedviz.text.samples import usual_pair
from embedviz.ui.whole_way.pair import Asked, WholeWay, whole_way_of

ROPE, NO_POSITIONS = "small-gpt-rope", "small-gpt-none-2"  # the other kinds


@dataclass(frozen=True)
class Story:
    """Two sentences and a model. What follows from them is computed when a step first needs it."""

    asked: Asked

    @cached_property
    def way(self) -> WholeWay:
        """The sentences on their way through the model."""
        return whole_way_of(self.asked)

    @property
    def on(self) -> Trace:
        """With positions."""
        return self.way.full

    @property
    def off(self) -> Trace:
        """Without positions, if the model has any."""
        return self.way.traces[min(self.way.traces)]

    @property
    def n_copies(self) -> tuple[int, int]:
        """How many tokens of A have an identical copy in B, before and after positions are added."""
        return len(self.on.pairs), int((~self.on.copies_differ[:, 0]).sum())

    @property
    def adds_positions(self) -> bool:
        """Whether the model has vectors of positions that it adds."""
        return any(rows.positional_embeddings.any() for rows in self.on.rows)

    @property
    def is_two_orders(self) -> bool:
        """Whether the sentences have the same tokens in two orders."""
        a, b = self.on.a.tokens.ids, self.on.b.tokens.ids
        return a != b and sorted(a) == sorted(b)

    @property
    def pair(self) -> tuple[int, int] | None:
        """Where a token of A stands and where its copy in B does: at two positions if there is such a pair."""
        return min(self.on.pairs, key=lambda pair: pair[0] == pair[1], default=None)

    @cached_property
    def rope(self) -> WholeWay:
        """The same through a model that adds nothing, and turns queries and keys instead."""
        return self._through(ROPE)

    @cached_property
    def no_positions(self) -> WholeWay:
        """The same through a model that has no positions at all, but a causal mask and two layers."""
        return self._through(NO_POSITIONS)

    def _through(self, model: str) -> WholeWay:
        """The small models know few words: where they lack some, a pair of the site's own goes through them."""
        pair = usual_pair()
        return whole_way_of(Asked(self.asked.texts if self.way.question else (pair.a, pair.b), model))
