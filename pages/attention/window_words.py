"""What the page "Attention" says of windows: every sentence here follows from the numbers it is given."""

from collections.abc import Sequence

from embedviz.attention.windows import NEVER, Windowed
from embedviz.base.i18n import _, full_stop, ngettext, paragraph
from embedviz.ui.components.cards.cards import Card


def about_window(windowed: Windowed, head: int, n_layers: int) -> list[Card]:
    """How many tokens one sees, through how many layers the first reaches the last, and what must be kept."""
    return [_seen(windowed, head), _through_layers(windowed, n_layers), _kept(windowed)]


def _seen(windowed: Windowed, head: int) -> Card:
    size = windowed.window
    if size >= windowed.n_tokens:
        why = _("The sentence is no longer than the window, {window}, so here it changes nothing.", window=size)
        return Card(_("The window covers the sentence"), why)
    seen = _("It sees itself alone.")
    if size > 1:
        seen = ngettext("It sees itself and {n} before it.", "It sees itself and {n} before it.", size - 1)
    whole = _("Without a window the last token sees all {n}.", n=windowed.n_tokens)
    share = {"share": windowed.hidden(head), "head": head + 1}
    hidden = _("Head {head} then gives {share:.0%} of its weight to tokens that the window hides.", **share)
    title = ngettext("A token sees at most {n} token", "A token sees at most {n} tokens", windowed.most_seen)
    return Card(title, paragraph([seen, whole, hidden]))


def _through_layers(windowed: Windowed, n_layers: int) -> Card:
    if windowed.for_last == NEVER:
        alone = _("A token that sees itself alone learns nothing of the others, however many layers there are.")
        return Card(_("The first token never reaches the last"), alone, "different")
    if windowed.n_tokens == 1:
        return Card(_("One token has no other to reach"), _("Type a longer sentence to see how far a window reaches."))
    title = ngettext(
        "The first token reaches the last after {n} layer",
        "The first token reaches the last after {n} layers",
        windowed.for_last,
    )
    step = ngettext(
        "Tokens pass on what they have gathered: each layer reaches {n} token farther back.",
        "Tokens pass on what they have gathered: each layer reaches {n} tokens farther back.",
        windowed.window - 1,
    )
    tone = "same" if windowed.for_last <= n_layers else "different"
    return Card(title, paragraph([step, _reached(windowed, n_layers)]), tone)


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
    text = ngettext(
        "To write on, a layer with this window keeps the keys and values of {n} token, however long the text grows. A "
        "layer without a window keeps those of all.",
        "To write on, a layer with this window keeps the keys and values of {n} tokens at most, however long the text "
        "grows. A layer without a window keeps those of all.",
        windowed.window,
    )
    return Card(_("{kept} of {n} keys and values to keep", kept=kept, n=windowed.n_tokens), text)


def who_has_windows() -> str:
    """Which models have a window, as transformers' configuration classes and Mistral 7B's paper say."""
    return _(
        "Mistral 7B (2023) has a window of 4,096 tokens in each of its 32 layers, which together can in theory pass "
        "something on from 32 × 4,095 = 131,040 tokens back. gpt-oss has one of 128 in every second layer, and Gemma "
        "3 has one in five of every six; their other layers see everything."
    )


def window_in_words(cards: Sequence[Card], windowed: Windowed, head: int, n_layers: int) -> str:
    """The text alternative of the two panels: what the cards say of them."""
    what = _(
        "Attention weights of head {head}, {n} by {n} tokens, with a window of {window}, and after how many of "
        "{n_layers} layers each token reaches each other one.",
        head=head + 1,
        n=windowed.n_tokens,
        window=windowed.window,
        n_layers=n_layers,
    )
    return paragraph([what, *(full_stop(card.title) for card in cards)])
