"""What a figure shows now, in words, for those who cannot see it."""

import numpy as np

from embedviz.comparison import Comparison
from embedviz.scene import Scene
from embedviz.texts import _


def extent(*tables: np.ndarray) -> str:
    """The smallest and the largest of their numbers."""
    numbers = np.concatenate([np.ravel(table) for table in tables])
    return _("from {low:.3g} to {high:.3g}", low=numbers.min(), high=numbers.max()) if numbers.size else _("none")


def vectors(c: Comparison) -> str:
    """Of the three heatmaps."""
    parts = ("token_embeddings", "positional_embeddings", "input_embeddings")
    token, place, total = (extent(getattr(c.a, part), getattr(c.b, part)) for part in parts)
    return _(
        "Heatmaps of {n_a} token vectors of sentence A and {n_b} of sentence B with {n_dims} dimensions: "
        "token embeddings, {token}, plus positional embeddings, {place}, equal input embeddings, {total}.",
        n_a=len(c.a.tokens),
        n_b=len(c.b.tokens),
        n_dims=c.a.spec.output_dim,
        token=token,
        place=place,
        total=total,
    )


def points(scene: Scene) -> str:
    """Of the scatter plot."""
    shares = ", ".join(f"{share:.0%}" for share in scene.explained)
    arrows = np.concatenate([scene.inputs_a - scene.tokens_a, scene.inputs_b - scene.tokens_b])
    lengths = np.linalg.norm(arrows, axis=1)
    moved = _(", {low:.3g} to {high:.3g} long", low=lengths.min(), high=lengths.max()) if lengths.size else ""
    return _(
        "Scatter plot of {n_tokens} tokens in {n_axes} principal components, which carry {shares} of the "
        "variance; an arrow leads from each token vector to its input vector{moved}.",
        n_tokens=len(scene.tokens_a) + len(scene.tokens_b),
        n_axes=len(scene.explained),
        shares=shares,
        moved=moved,
    )


def distances(c: Comparison) -> str:
    """Of the two matrices."""
    closest = (
        ""
        if c.closest_after is None
        else " " + _("The closest of those that differ are {closest:.3g} apart.", closest=c.closest_after)
    )
    return _(
        "Distances between tokens of A and of B, before and after positions are added. Of {total} pairs "
        "with one ID, {n} are at distance 0 before and {n_same_after} after.{closest}",
        total=c.n_shared,
        n=c.n_same_before,
        n_same_after=c.n_same_after,
        closest=closest,
    )
