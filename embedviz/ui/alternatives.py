"""What a figure shows now, in words, for those who cannot see it."""

from embedviz.comparison import Comparison
from embedviz.scene import Scene


def vectors(c: Comparison) -> str:
    """Of the three heatmaps."""
    return (
        f"Heatmaps of {len(c.a.tokens)} token vectors of sentence A and {len(c.b.tokens)} of sentence B with "
        f"{c.a.spec.output_dim} dimensions: token embedding plus positional embedding equals input embedding."
    )


def points(scene: Scene) -> str:
    """Of the scatter plot."""
    shares = ", ".join(f"{share:.0%}" for share in scene.explained)
    return (
        f"Scatter plot of {len(scene.tokens_a) + len(scene.tokens_b)} tokens in {len(scene.explained)} principal "
        f"components, which carry {shares} of the variance; an arrow leads from each token vector to its input vector."
    )


def distances(c: Comparison) -> str:
    """Of the two matrices."""
    closest = "" if c.closest_after is None else f" The closest of those that differ are {c.closest_after:.3g} apart."
    return (
        f"Distances between tokens of A and of B, before and after positions are added. Of {c.n_shared} pairs with "
        f"one ID, {c.n_same_before} are at distance 0 before and {c.n_same_after} after.{closest}"
    )
