"""What the page "Training" shows of a run: words, positions, and what order is worth."""

import math
from collections.abc import Sequence

import streamlit as st

from embedviz import drift
from embedviz.figures.drift import Curve, loss_curves, position_tables, word_drift
from embedviz.run import Run
from embedviz.ui import presenting
from embedviz.ui.cards import Card, cards
from embedviz.ui.player import player
from embedviz.ui.plot import show

_HEIGHT = "clamp(19rem, calc(100vh - 22rem), 42rem)"
ORDER = ("in order", "without positions", "shuffled")


def snapshots(run: Run) -> None:
    """The slider through the snapshots of a finished run."""
    player(snapshot_labels(run), str(hash(run.settings)), key="snapshots")


def snapshot_labels(run: Run) -> list[str]:
    """What each snapshot is called."""
    return [
        f"step {step:,} of {run.settings.steps:,}, loss {loss:.2f}"
        for step, loss in zip(run.steps.tolist(), run.held_out.tolist(), strict=True)
    ]


def words(runs: Sequence[Run]) -> None:
    """Token vectors that drift into classes, and the loss that drives them."""
    run = runs[0]
    found = drift.words(run)
    cards(about_words(run, found), key="about_words")
    left, right = st.columns([1.9, 1])
    with left:
        drawn = (found.points, found.explained, run.vocabulary, found.classes, run.steps.tolist())
        figure = word_drift(*drawn, is_large=presenting.is_on())
        show(figure, key="words", alt=words_alternative(run, found), height=_HEIGHT)
    with right:
        _losses(run)


def _losses(run: Run) -> None:
    curve = Curve("", run.losses, run.steps, run.held_out)
    figure = loss_curves([curve], run.settings.steps, math.log(len(run.vocabulary)), run.is_finished)
    alt = f"The loss on held-out windows by step: from {run.held_out[0]:.2f} to {run.held_out[-1]:.2f}."
    show(figure, key="loss", alt=alt, height=_HEIGHT, is_aside=True)


def about_words(run: Run, found: drift.Words) -> list[Card]:
    """The loss, the nearest neighbours, and the lengths, before and after."""
    return [
        _loss(run),
        *([_neighbours(run, found)] if not run.settings.text else []),
        Card(
            f"Mean length {found.lengths[0]:.2f} → {found.lengths[-1]:.2f}",
            f"Of {len(run.vocabulary):,} token vectors in {run.tokens.shape[2]} dimensions. They began as random "
            "numbers with a standard deviation of 0.02.",
        ),
    ]


def _loss(run: Run) -> Card:
    first, last, n = float(run.held_out[0]), float(run.held_out[-1]), len(run.vocabulary)
    return Card(
        f"Loss {first:.2f} → {last:.2f}",
        f"On {'windows' if run.settings.text else 'sentences'} held out of the training, in nats a word. Giving each "
        f"of the {n:,} words the same chance costs ln {n:,} = {math.log(n):.2f}.",
        "same" if last < first else "different",
    )


def _neighbours(run: Run, found: drift.Words) -> Card:
    before, after = int(found.same_class[0]), int(found.same_class[-1])
    return Card(
        f"Same-class neighbour: {before} → {after} of {found.counted}",
        f"Words whose nearest word, by cosine over all {run.tokens.shape[2]} dimensions, is of their class. Nobody "
        "told the model the classes.",
        "same" if after > before else "plain",
    )


def words_alternative(run: Run, found: drift.Words) -> str:
    """Of the scatter plots."""
    shares = " and ".join(f"{share:.0%}" for share in found.explained)
    return (
        f"Scatter plots of {len(run.vocabulary)} token vectors before training and after {run.steps[-1]} steps, in two "
        f"principal components of the latter, which carry {shares} of their variance. Mean length "
        f"{found.lengths[0]:.2f} before, {found.lengths[-1]:.2f} after."
    )


def positions(runs: Sequence[Run]) -> None:
    """The positional table and the similarity of its rows."""
    run = runs[0]
    found = drift.positions(run)
    cards(about_positions(run, found), key="about_positions")
    figure = position_tables(run.positions, found.similarity, run.steps.tolist())
    alt = (
        f"The positional table, {run.positions.shape[1]} positions by {run.positions.shape[2]} dimensions, and the "
        f"cosine of each pair of its rows, before training and after {run.steps[-1]} steps. Neighbours: "
        f"{found.near[0]:.2f} before, {found.near[-1]:.2f} after."
    )
    show(figure, key="positions_drift", alt=alt, height=_HEIGHT)


def about_positions(run: Run, found: drift.Positions) -> list[Card]:
    """The similarity of near and of far positions, and the lengths, before and after."""
    half = run.positions.shape[1] // 2
    if not run.settings.positions:
        text = "Positions are switched off, so this table takes no part and keeps its first random numbers."
        return [_loss(run), Card("Not used", text)]
    return [
        Card(
            f"Neighbours: cosine {_signed(found.near[0])} → {_signed(found.near[-1])}",
            "Mean over each position and the next.",
            "same" if found.near[-1] > found.near[0] else "plain",
        ),
        Card(
            f"Far apart: cosine {_signed(found.far[0])} → {_signed(found.far[-1])}",
            f"Mean over positions at least {half} apart.",
        ),
        Card(
            f"Mean length {found.lengths[0]:.2f} → {found.lengths[-1]:.2f}",
            f"Of {run.positions.shape[1]} positional vectors. Nobody told the model which positions are neighbours.",
        ),
    ]


def order(runs: Sequence[Run]) -> None:
    """The losses of three runs that differ in one thing each."""
    cards(about_order(runs), key="about_order")
    curves = [Curve(name, run.losses, run.steps, run.held_out) for name, run in zip(ORDER, runs, strict=True)]
    figure = loss_curves(curves, runs[0].settings.steps, math.log(len(runs[0].vocabulary)))
    ends = ", ".join(f"{name} {run.held_out[-1]:.2f}" for name, run in zip(ORDER, runs, strict=True))
    show(figure, key="order", alt=f"Held-out loss of three runs by step. At the end: {ends}.", height=_HEIGHT)


def about_order(runs: Sequence[Run]) -> list[Card]:
    """What shuffling costs, what leaving positions out costs, and why the latter is so little."""
    plain, without, shuffled = (float(run.held_out[-1]) for run in runs)
    return [
        Card(
            f"Shuffling costs {_signed(shuffled - plain)} nats a word",
            f"Loss {shuffled:.2f} with the words of each sentence shuffled, {plain:.2f} in order: as if it chose among "
            f" {math.exp(shuffled):.1f} words instead of {math.exp(plain):.1f}.",
            "different" if shuffled > plain else "plain",
        ),
        Card(
            f"No positions cost {_signed(without - plain)}",
            f"Loss {without:.2f} without positional embeddings, {plain:.2f} with them.",
            "different" if without > plain else "plain",
        ),
        Card(
            "Without positions, not without order",
            "Each word names the next one and sees only itself and those before it. That alone puts the loss "
            f"{shuffled - without:.2f} below that of shuffled sentences.",
        )
        if without < shuffled
        else Card("Order is no help here", "The loss without positions is no lower than with words shuffled."),
    ]  # fmt: skip


def _signed(number: float) -> str:
    """Two decimals, and a minus sign as in print."""
    return f"{number:.2f}".replace("-", "−")


VIEWS = {"Words": words, "Positions": positions, "Order": order}
