"""What the page "Attention" says of windows and sinks: every sentence follows from the numbers it is given."""

import math

import numpy as np

from embedviz.attention.windows import NEVER, Sinks, Windowed
from embedviz.base.i18n import _, ngettext, paragraph
from embedviz.base.numbers import in_print
from embedviz.ui.components.cards.cards import Card


def about_window(windowed: Windowed, head: int, n_layers: int) -> list[Card]:
    """How many tokens one sees, through how many layers the first reaches the last, and what must be kept."""
    return [_seen(windowed, head), _through_layers(windowed, n_layers), _kept(windowed)]


def _seen(windowed: Windowed, head: int) -> Card:
    if windowed.window >= windowed.n_tokens:
        return Card(_("The window covers the sentence"), _covered(windowed))
    return Card(
        ngettext("A token sees at most {n} token", "A token sees at most {n} tokens", windowed.most_seen),
        paragraph(
            [
                ngettext("Itself and the {n} before it.", "Itself and the {n} before it.", windowed.window - 1)
                if windowed.window > 1
                else _("Itself alone."),
                _("Without a window the last token sees all {n}.", n=windowed.n_tokens),
                _(
                    "It then gives {share:.0%} of its weight in head {head} to tokens that the window hides.",
                    share=windowed.hidden(head),
                    head=head + 1,
                ),
            ]
        ),
    )


def _covered(windowed: Windowed) -> str:
    return _(
        "The window is {window} tokens wide and {n} tokens are shown, so here the window changes nothing.",
        window=windowed.window,
        n=windowed.n_tokens,
    )


def _through_layers(windowed: Windowed, n_layers: int) -> Card:
    if windowed.for_last == NEVER:
        return Card(
            _("The last never hears of the first"),
            _("A token that sees itself alone learns nothing of the others, however many layers there are."),
            "different",
        )
    if windowed.n_tokens == 1:
        return Card(_("One token has nothing to hear of"), _("Type a longer sentence to see how far a window reaches."))
    title = ngettext(
        "The last hears of the first after {n} layer",
        "The last hears of the first after {n} layers",
        windowed.for_last,
    )
    step = ngettext(
        "Tokens pass on what they have heard: each layer reaches {n} token farther back.",
        "Tokens pass on what they have heard: each layer reaches {n} tokens farther back.",
        windowed.window - 1,
    )
    tone = "same" if windowed.for_last <= n_layers else "different"
    return Card(title, f"{step} {_reached(windowed, n_layers)}", tone)


def _reached(windowed: Windowed, n_layers: int) -> str:
    if windowed.for_last <= n_layers:
        return ngettext("{n} layer is enough here.", "{n} layers are enough here.", n_layers)
    return ngettext(
        "After {n} layer the last token knows nothing of those before A{first}.",
        "After {n} layers the last token knows nothing of those before A{first}.",
        n_layers,
        first=windowed.farthest(n_layers),
    )


def _kept(windowed: Windowed) -> Card:
    kept = min(windowed.window, windowed.n_tokens)
    return Card(
        _("{kept} of {n} keys and values to keep", kept=kept, n=windowed.n_tokens),
        ngettext(
            "To write on, a layer with this window keeps the keys and values of {n} token, however long the text "
            "grows. A layer without a window keeps those of all.",
            "To write on, a layer with this window keeps the keys and values of {n} tokens at most, however long the "
            "text grows. A layer without a window keeps those of all.",
            windowed.window,
        ),
    )


def who_has_windows() -> str:
    """Which models have a window, as transformers' configuration classes and Mistral 7B's paper say."""
    return _(
        "Mistral 7B (2023) has a window of 4,096 tokens in each of its 32 layers, which together reach 32 × 4,095 = "
        "131,040 tokens back. gpt-oss has one of 128 in every second layer, and Gemma 3 has one in five of every six; "
        "their other layers see everything."
    )


def window_in_words(windowed: Windowed, head: int, n_layers: int) -> str:
    """What the two panels show, for those who cannot see them."""
    said = _(
        "Attention weights of head {head}, {n} by {n} tokens, with a window of {window}: a token sees at most {most}; "
        "the largest weight after the first row is {largest}.",
        head=head + 1,
        n=windowed.n_tokens,
        window=windowed.window,
        most=windowed.most_seen,
        largest=in_print(float(windowed.alone.weights[head, 1:].max(initial=0))),
    )
    pairs = int(((windowed.needed != NEVER) & (windowed.needed <= n_layers)).sum())
    reached = ngettext(
        "After {n} layer a token has heard of another, or of itself, in {pairs} of the {total} pairs on and below the "
        "diagonal.",
        "After {n} layers a token has heard of another, or of itself, in {pairs} of the {total} pairs on and below the "
        "diagonal.",
        n_layers,
        pairs=pairs,
        total=windowed.n_tokens * (windowed.n_tokens + 1) // 2,
    )
    return paragraph([said, reached, _last_in_words(windowed)])


def _last_in_words(windowed: Windowed) -> str:
    if windowed.for_last == NEVER:
        return _("The last never hears of the first.")
    return ngettext(
        "The last hears of the first after {n} layer.",
        "The last hears of the first after {n} layers.",
        windowed.for_last,
    )


def about_sinks(sinks: Sinks, head: int) -> list[Card]:
    """Where the last token's weight goes with a window alone, with the first tokens kept, and with a learned sink."""
    return [_alone(sinks.windowed, head), _first_kept(sinks, head), _learned(sinks, head)]


def _alone(windowed: Windowed, head: int) -> Card:
    if windowed.window >= windowed.n_tokens:
        return Card(_("The window hides nothing"), _covered(windowed))
    return Card(
        _("The window takes {share:.0%} from the last token", share=windowed.hidden(head)),
        _("So much of its weight lay on tokens that are hidden now.") + " " + _shared_out(windowed, head),
        "different",
    )


def _shared_out(windowed: Windowed, head: int) -> str:
    grown = windowed.grown(head)
    if not math.isfinite(grown):
        return _("All of it is shared out anew, and what is left in view sums to 1.")
    return _(
        "The softmax shares it out among those in view: each of their weights is {grown:.3g} times as large, and they "
        "sum to 1 again.",
        grown=grown,
    )


def _first_kept(sinks: Sinks, head: int) -> Card:
    if not sinks.n_gained:
        return Card(
            _("No first token comes back"),
            _("The last token already sees the first tokens that are kept.")
            if sinks.n_first
            else _("None is kept. StreamingLLM (2023) keeps four."),
        )
    title = ngettext(
        "Keeping {n} first token gives it {share:.0%}",
        "Keeping {n} first tokens gives them {share:.0%}",
        sinks.n_gained,
        share=sinks.on_first(head),
    )
    said = _(
        "This share is of the last token's weight. StreamingLLM (2023) keeps the first tokens since trained models put "
        "much weight on them, whatever the text says. This layer is untrained: here they are tokens like others."
    )
    return Card(title, said)


def _learned(sinks: Sinks, head: int) -> Card:
    sums = sinks.sums(head)
    taken = 1 - sums
    return Card(
        _("The learned sink takes {shares}", shares=_span(taken)),
        _(
            "Each head of gpt-oss (2025) has learned one more logit, here {sink}. Its weight is dropped, so those of a "
            "token sum to {sums}. All weights of a token shrink alike.",
            sink=in_print(sinks.sink, ".1f"),
            sums=_numbers(sums),
        ),
    )


def _span(shares: np.ndarray) -> str:
    low, high = f"{shares.min():.0%}", f"{shares.max():.0%}"
    return low if low == high else _("{low} to {high}", low=low, high=high)


def _numbers(sums: np.ndarray) -> str:
    low, high = in_print(float(sums.min())), in_print(float(sums.max()))
    return low if low == high else _("{low} to {high}", low=low, high=high)


def as_made_here() -> str:
    """What is simpler here than in the models."""
    return _(
        "Here one number is the sink of every head, and kept tokens keep their positions. In gpt-oss each head has its "
        "own number; StreamingLLM counts the positions anew within what is kept."
    )


def sinks_in_words(sinks: Sinks, head: int) -> str:
    """What the three panels show, for those who cannot see them."""
    said = _(
        "Attention weights of head {head}, {n} by {n} tokens, three times. With a window of {window} alone the weights "
        "of each token sum to 1.",
        head=head + 1,
        n=sinks.windowed.n_tokens,
        window=sinks.windowed.window,
    )
    kept = ngettext(
        "With {n} first token kept, the last token gives {share:.0%} of its weight to what it did not see before.",
        "With {n} first tokens kept, the last token gives {share:.0%} of its weight to what it did not see before.",
        sinks.n_first,
        share=sinks.on_first(head),
    )
    learned = _(
        "With a learned sink of {sink} the weights of a token sum to {sums}, and the sink has the rest.",
        sink=in_print(sinks.sink, ".1f"),
        sums=_numbers(sinks.sums(head)),
    )
    return paragraph([said, kept, learned])
