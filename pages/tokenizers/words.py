"""What several tokenizers make of one text, in words. Every sentence follows from the Segmentation that it is given."""

from collections import Counter
from collections.abc import Sequence

from embedviz.base.i18n import _, first_and_more, joined, label_value, listed, ngettext, numeral, paragraph
from embedviz.models import is_name
from embedviz.text.model_tokenizers import model_tokens
from embedviz.text.segmentation import Cut, Segmentation
from embedviz.text.variants import reasons, variants
from embedviz.text.visible import quoted
from embedviz.ui.components.cards.cards import Card


def about_segmentation(segmentation: Segmentation) -> list[Card]:
    """Cards on the fewest tokens, the cuts, bytes, what models add, and words of several IDs; none without text."""
    if not segmentation.text:
        return []
    return [
        _counts(segmentation.cuts),
        *([_cuts(segmentation)] if len(segmentation.cuts) > 1 else []),
        *_bytes(segmentation),
        *_models(segmentation),
        *_variants(segmentation),
    ]


def about_pair(a: Segmentation, b: Segmentation) -> list[Card]:
    """Cards on both sentences: whose tokens are the same ones in both, and why a word has two IDs; bytes; models."""
    if not a.text or not b.text:
        return []
    cuts = [*zip(a.cuts, b.cuts, strict=True)]
    same = [sorted(one.tokens.ids) == sorted(other.tokens.ids) for one, other in cuts]
    names = _names(a.cuts)
    sizes = (
        _("{name} {a:,} and {b:,}", name=name, a=len(one.tokens), b=len(other.tokens))
        for name, (one, other) in zip(names, cuts, strict=True)
    )
    counts = _("Tokens of A and of B: {counts}.", counts=listed(sizes))
    others = [name for name, is_same in zip(names, same, strict=True) if not is_same]
    if not others:
        title = _("The same IDs in both sentences, in another order") if _are_apart(cuts) else _("The same IDs twice")
        first = Card(title, counts, "same")
    else:
        title = _("Not the same IDs in both sentences: {tokenizers}", tokenizers=joined(others))
        first = Card(title, paragraph([counts, *_why_others(cuts, prefix_space=a.prefix_space)]), "different")
    return [first, *_bytes(a, b), *_models(a)]


def _are_apart(cuts: Sequence[tuple[Cut, Cut]]) -> bool:
    return any(one.tokens.ids != other.tokens.ids for one, other in cuts)


def _why_others(cuts: Sequence[tuple[Cut, Cut]], *, prefix_space: bool) -> list[str]:
    named = [(one.tokens.tokenizer, variant) for one, other in cuts for variant in variants(one.tokens, other.tokens)]
    sentences = reasons([variant for _, variant in named], [f"{name} " for name, _ in named])
    if not prefix_space and any(variant.by_space for _, variant in named):
        sentences.append(_("Try “Add prefix space”."))
    return sentences


def _counts(cuts: Sequence[Cut]) -> Card:
    fair = [cut for cut in cuts if cut.tokens.tokenizer != "words"] or cuts
    numbers = [len(cut.tokens) for cut in fair]
    low, high = min(numbers), max(numbers)
    text = paragraph((_sizes(cuts), *_unfair(cuts)))
    if len(fair) == 1:
        title = ngettext("{n:,} token", "{n:,} tokens", low)
        return Card(title if len(cuts) == 1 else label_value(_names(fair)[0], title), text)
    if low == high:
        return Card(ngettext("{n:,} token each", "{n:,} tokens each", low), text)
    fewest = _with(fair, low)
    return Card(
        _("Fewest tokens, “words” aside: {tokenizers}", tokenizers=fewest)
        if len(fair) < len(cuts)
        else _("Fewest tokens: {tokenizers}", tokenizers=fewest),
        _("Most: {tokenizers}. {text}", tokenizers=_with(fair, high), text=text),
    )


def _sizes(cuts: Sequence[Cut]) -> str:
    """Say how many IDs each tokenizer has. Some of these IDs may stand for no token."""
    sizes = listed(f"{cut.tokens.tokenizer} {numeral(cut.tokens.vocab_size)}" for cut in cuts)
    return _("IDs in the vocabularies: {sizes}.", sizes=sizes)


def _unfair(cuts: Sequence[Cut]) -> list[str]:
    """Say why "words" is in no comparison: its vocabulary was made from the same text that it cuts."""
    return [
        ngettext(
            "“words” knows only this text's words and drops spaces, so its {n:,} token is no fair comparison.",
            "“words” knows only this text's words and drops spaces, so its {n:,} tokens are no fair comparison.",
            len(cut.tokens),
        )
        for cut in cuts
        if cut.tokens.tokenizer == "words"
    ]


def _with(cuts: Sequence[Cut], n: int) -> str:
    names = joined([name for name, cut in zip(_names(cuts), cuts, strict=True) if len(cut.tokens) == n])
    return listed([names, numeral(n)])


def _cuts(segmentation: Segmentation) -> Card:
    n_shared, n_differing = len(segmentation.shared), len(segmentation.differing)
    places = ngettext("{n:,} place", "{n:,} places", n_differing or n_shared)
    if not n_differing:
        text = _("All of these tokenizers cut between characters at {places}.", places=places)
        return Card(_("The same cuts"), text, "same")
    cuts = ngettext("{n:,} cut", "{n:,} cuts", n_shared + n_differing)
    title = _("Only some tokenizers make {n_differing:,} of {cuts}", n_differing=n_differing, cuts=cuts)
    text = _("A blue line marks {places} between characters where some of them cut and others do not.", places=places)
    return Card(title, text, "different")


def _bytes(*texts: Segmentation) -> list[Card]:
    """Say which characters are spelled in bytes, and which tokenizer needs the fewest tokens for them."""
    places = [frozenset[int]().union(*(cut.split for cut in each.cuts)) for each in texts]
    if not any(places):
        return []
    needed = Counter[str]()
    for each, split in zip(texts, places, strict=True):
        for cut in each.cuts:
            if cut.tokens.tokenizer != "words":
                needed[cut.tokens.tokenizer] += sum(any(n in split for n in range(*span)) for span in cut.tokens.spans)
    characters = list(
        dict.fromkeys(each.text[n] for each, split in zip(texts, places, strict=True) for n in sorted(split))
    )
    shown = first_and_more([quoted(each) for each in characters], join=joined)
    title = ngettext("{shown} is cut into bytes", "{shown} are cut into bytes", len(characters), shown=shown)
    text = _(
        "A tokenizer that has no token for a character spells its bytes, which stand in one frame. Tokens needed: "
        "{needed}.",
        needed=listed(f"{name} {numeral(n)}" for name, n in sorted(needed.items(), key=lambda each: each[1])),
    )
    return [Card(title, text, "note")]


def _models(segmentation: Segmentation) -> list[Card]:
    """Say what the tokenizers of models do that the others do not: add special tokens, and need no space."""
    names = [name for name in _names(segmentation.cuts) if is_name(name)]
    said = [sentence for name in names if segmentation.special_tokens for sentence in _added(name)]
    no_use = [name for name in names if segmentation.prefix_space and not model_tokens.tokenizer(name).prefix_means]
    if no_use:
        said += [
            _(
                "“Add prefix space” changes nothing for {tokenizers}: there spaces are left out, or one stands before "
                "the first word anyway.",
                tokenizers=joined(no_use),
            )
        ]
    return [Card(_("A model's own habits"), paragraph(said), "note")] if said else []


def _added(name: str) -> list[str]:
    """A sentence on the special tokens that a tokenizer adds, if it adds any."""
    tokens = model_tokens.tokenizer(name).adds
    if not tokens:
        return []
    return [
        ngettext(
            "{tokenizer} adds {tokens} to the text, which counts as a token.",
            "{tokenizer} adds {tokens} to the text, which count as tokens.",
            len(tokens),
            tokenizer=name,
            tokens=joined([quoted(token) for token in tokens]),
        )
    ]


def _variants(segmentation: Segmentation) -> list[Card]:
    named = [(cut.tokens.tokenizer, variant) for cut in segmentation.cuts for variant in variants(cut.tokens)]
    if not named:
        return []
    sentences = reasons([variant for _, variant in named], [f"{name} " for name, _ in named])
    if not segmentation.prefix_space and any(variant.by_space for _, variant in named):
        sentences.append(_("Try “Add prefix space”."))
    several = any(len(variant.forms) > 2 for _, variant in named)
    return [Card(_("One word, several IDs") if several else _("One word, two IDs"), paragraph(sentences), "note")]


def _names(cuts: Sequence[Cut]) -> list[str]:
    return [cut.tokens.tokenizer for cut in cuts]
