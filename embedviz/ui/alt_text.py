"""Texts that say in words what a figure shows now, for those who cannot see it."""

import numpy as np

from embedviz.base.i18n import _, first_and_more, joined, ngettext, paragraph
from embedviz.training.drift import Positions, Words
from embedviz.training.run import Run
from embedviz.vectors.copies import Copies
from embedviz.vectors.projection import Scene

_MOST_NAMED = 12  # pairs


def extent(*tables: np.ndarray) -> str:
    """Return the smallest and the largest number of these arrays."""
    numbers = np.concatenate([np.ravel(table) for table in tables])
    return _("from {low:.3g} to {high:.3g}", low=numbers.min(), high=numbers.max()) if numbers.size else _("none")


def order(copies: Copies) -> str:
    """The text alternative of the lines between two sentences."""
    places = [f"A{i}–B{j}" for i, j in copies.pairs]
    crossing = sum(j > later for n, (_i, j) in enumerate(copies.pairs) for _k, later in copies.pairs[n + 1 :])
    if not copies.pairs:
        return _("No line: no token of A has a copy in B.")
    return ngettext(
        "{n} line leads from a token of A to its copy in B: {places}. Lines cross {crossing} times.",
        "{n} lines lead from tokens of A to their copies in B: {places}. Lines cross {crossing} times.",
        len(copies.pairs),
        places=first_and_more(places, _MOST_NAMED, joined),
        crossing=crossing,
    )


def strips(copies: Copies) -> str:
    """The name of the list of pairs: what each of them shows before and after positions are added."""
    c = copies.comparison
    distances = [float(c.after.distances[i, j]) for i, j in copies.pairs]
    if not distances:
        return _("No pairs: no token of A has a copy in B.")
    said = _("Pairs of copies: before positions are added, the difference is 0 in each of {n}.", n=len(distances))
    apart = _("After, they are {low:.3g} to {high:.3g} apart.", low=min(distances), high=max(distances))
    unrelated = copies.comparison.unrelated
    beside = _("Unrelated tokens are {apart:.3g} apart.", apart=unrelated.after) if unrelated else ""
    return paragraph([said, apart, beside])


def points(scene: Scene) -> str:
    """The text alternative of the scatter plot."""
    shares = joined([f"{share:.0%}" for share in scene.explained])
    arrows = np.concatenate([scene.inputs_a - scene.tokens_a, scene.inputs_b - scene.tokens_b])
    lengths = np.linalg.norm(arrows, axis=1)
    drawn = _(
        "Scatter plot of {n_tokens} tokens in {n_axes} principal components, which carry {shares} of the "
        "variance; an arrow leads from each token vector to its input vector.",
        n_tokens=len(scene.tokens_a) + len(scene.tokens_b),
        n_axes=len(scene.explained),
        shares=shares,
    )
    moved = (
        _("The arrows are {low:.3g} to {high:.3g} long.", low=lengths.min(), high=lengths.max()) if lengths.size else ""
    )
    return paragraph([drawn, moved])


def words(run: Run, words: Words) -> str:
    """The text alternative of the scatter plot."""
    shares = joined([f"{share:.0%}" for share in words.explained])
    drawn = _(
        "Scatter plot of {n} token vectors in their two principal components, which carry {shares} of their variance.",
        n=len(run.vocabulary),
        shares=shares,
    )
    if not run.has_begun:
        return drawn
    moved = _("A trail leads to each from where it was before training, {n_steps} steps ago.", n_steps=run.steps[-1])
    return paragraph([drawn, moved])


def positions(run: Run, positions: Positions) -> str:
    """The text alternative of the cosines of the positional table."""
    n = run.positions.shape[1]
    if not run.has_begun:
        return _(
            "The cosine of each pair of {n} positional vectors before training. Neighbours: {before:.2f}.",
            n=n,
            before=positions.near[0],
        )
    return _(
        "The cosine of each pair of {n} positional vectors, before training and after {n_steps} steps. Neighbours: "
        "{before:.2f} before, {after:.2f} after.",
        n=n,
        n_steps=run.steps[-1],
        before=positions.near[0],
        after=positions.near[-1],
    )
