"""What a figure shows now, in words, for those who cannot see it."""

import numpy as np

from embedviz.comparison import Comparison
from embedviz.scene import Scene


def extent(*tables: np.ndarray) -> str:
    """The smallest and the largest of their numbers."""
    numbers = np.concatenate([np.ravel(table) for table in tables])
    return f"from {numbers.min():.3g} to {numbers.max():.3g}" if numbers.size else "none"


def vectors(c: Comparison) -> str:
    """Of the three heatmaps."""
    parts = ("token_embeddings", "positional_embeddings", "input_embeddings")
    token, place, total = (extent(getattr(c.a, part), getattr(c.b, part)) for part in parts)
    return (
        f"Heatmaps of {len(c.a.tokens)} token vectors of sentence A and {len(c.b.tokens)} of sentence B with "
        f"{c.a.spec.output_dim} dimensions: token embeddings, {token}, plus positional embeddings, {place}, equal "
        f"input embeddings, {total}."
    )


def points(scene: Scene) -> str:
    """Of the scatter plot."""
    shares = ", ".join(f"{share:.0%}" for share in scene.explained)
    arrows = np.concatenate([scene.inputs_a - scene.tokens_a, scene.inputs_b - scene.tokens_b])
    lengths = np.linalg.norm(arrows, axis=1)
    moved = f", {lengths.min():.3g} to {lengths.max():.3g} long" if lengths.size else ""
    return (
        f"Scatter plot of {len(scene.tokens_a) + len(scene.tokens_b)} tokens in {len(scene.explained)} principal "
        f"components, which carry {shares} of the variance; an arrow leads from each token vector to its "
        f"input vector{moved}."
    )


def distances(c: Comparison) -> str:
    """Of the two matrices."""
    closest = "" if c.closest_after is None else f" The closest of those that differ are {c.closest_after:.3g} apart."
    return (
        f"Distances between tokens of A and of B, before and after positions are added. Of {c.n_shared} pairs with "
        f"one ID, {c.n_same_before} are at distance 0 before and {c.n_same_after} after.{closest}"
    )
