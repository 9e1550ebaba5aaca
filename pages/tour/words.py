"""What each step of the tour says, title and words: every sentence follows from the visitor's own two sentences."""

from embedviz.base.i18n import _, first_and_more, joined, ngettext, paragraph
from embedviz.text.visible import has_spaces, in_words, visible
from embedviz.ui.whole_way.pair import MOST, WholeWay
from embedviz.ui.whole_way.words import headline, where_order_enters
from pages.tour.story import Story


def question(story: Story) -> tuple[str, str]:
    """The question of the tour."""
    goal = _("A language model, a program that goes on with a text, sees numbers. Where is the order in them?")
    return _("Where does word order enter?"), paragraph([_what_they_share(story), goal])


def _what_they_share(story: Story) -> str:
    if not story.on.pairs:
        return _("Type the same words into A and B, in another order.")
    if story.on.a.tokens.ids == story.on.b.tokens.ids:
        return _("A and B are the same text. In another order, its words may say something else.")
    if not story.is_two_orders:
        return _("A and B have different words; the tour is about the same ones in another order.")
    if has_spaces(story.asked.texts[0]):
        return _("A and B have the same words in another order.")
    return _("A and B have the same characters in another order.")


def tokens(story: Story) -> tuple[str, str]:
    """Both texts become tokens, each of which has a number."""
    said = [
        _("A token is a word or another piece of text."),
        _("Each row is a token of A with its copy in B; the numbers are their positions, counted from 0."),
    ]
    if story.way.question:
        said.append(_("“{question}” is added to both, for the model to answer.", question=story.way.question))
    if story.way.is_cut:
        said.append(_("The tour follows the first {most}.", most=MOST))
    return _("A model reads tokens"), paragraph(said)


def same(story: Story) -> tuple[str, str]:
    """Tokens with the same ID have the same vector, and none of them says where it stands."""
    if not story.on.pairs:
        return _without_copies()
    n, of = story.n_copies[0], len(story.on.a.tokens)
    said = [_("Each token of the vocabulary has a number, its ID, which picks its row of a table.")]
    if n == of:
        said.append(_("Each token of A is in B, too, with the same row, bit for bit: one strip stands for both."))
    else:
        said.append(_("A token that is in B, too, has the same row there, bit for bit; the others are in A alone."))
    return _identical(n, of), paragraph([*said, _("No row says where its token stands.")])


def _identical(n: int, n_pairs: int) -> str:
    return ngettext(
        "{n} of {of} tokens is identical in A and B", "{n} of {of} tokens are identical in A and B", n, of=n_pairs
    )


def _without_copies() -> tuple[str, str]:
    return _("No copies"), _("No token of A has the ID of a token of B, so there are no copies to compare.")


def without(story: Story) -> tuple[str, str]:
    """What the model makes of both as long as nothing says where a token stands."""
    title, off = headline(story.off, is_on=False), story.off
    if not (off.is_one_answer and off.answers and len(off.a.attentions) == 1 and story.is_two_orders):
        return title, where_order_enters(off)
    return title, _(
        "This model has one layer. “{last}” gathers from the same vectors in both orders, and none of them says which "
        "word came first.",
        last=visible(off.a.tokens.texts[-1]),
    )


def positions(story: Story) -> tuple[str, str]:
    """A second table has a row for each position."""
    if not story.adds_positions:
        return _("No second table, for positions"), paragraph([
            _("This model adds nothing to the vectors of its tokens."),
            _("Where it reads positions at all, it does so later, inside attention."),
        ])  # fmt: skip
    title, rows = _("A second table, for positions"), _("It has a row for each position, whichever token stands there.")
    if not story.pair:
        return title, rows
    (i, j), texts = story.pair, story.on.a.tokens.texts
    token = in_words(texts[i])
    gets = _("{token} gets row {i} in A and row {j} in B.", token=token, i=i, j=j)
    if i == j:
        gets = _("{token} gets row {i} in both sentences.", token=token, i=i)
    return title, paragraph([rows, gets])


def after(story: Story) -> tuple[str, str]:
    """How many copies are still the same once positions are added."""
    if not story.on.pairs:
        return _without_copies()
    (before, kept), of = story.n_copies, len(story.on.a.tokens)
    said = [_("Input vector = token vector + positional vector.") if story.adds_positions else _("Nothing was added.")]
    if story.adds_positions:
        said.append(_stays(story))
    if kept < before:
        said.append(_("Order has entered: at another position a token has another input vector."))
    return _identical(kept, of), paragraph(said)


def _stays(story: Story) -> str:
    """Copies at the same position."""
    texts = story.on.a.tokens.texts
    staying = [i for i, j in story.on.pairs if i == j]
    if not staying:
        return ""
    if len(staying) == len(texts):
        return _("Each token of A stands at the same position in B, so its vectors are identical.")
    moved = list(dict.fromkeys(in_words(texts[i]) for i in range(len(texts)) if i not in staying))
    if set(moved) & {in_words(texts[i]) for i in staying}:
        return ""  # a word stays at one place and moves at another
    return _(
        "All but {tokens} are identical in A and B: same token, same position.", tokens=first_and_more(moved, 3, joined)
    )


def attention(story: Story) -> tuple[str, str]:
    """What the last token looks at, or which copies part in the layers."""
    gathers = _("In attention, each token gathers from itself and from others, most from those that fit it.")
    if not story.on.pairs:
        return _("What attention makes of it"), gathers
    if story.way.is_encoder or len(story.on.a.attentions) > 1:
        n, of = int(story.on.copies_differ[:, -1].sum()), len(story.on.pairs)
        title = ngettext("{n} of {of} copies comes out different", "{n} of {of} copies come out different", n, of=of)
        return title, paragraph([gathers, _("A copy that has not moved parts, too, once its neighbours are others.")])
    layer, head = story.way.head
    texts, weights = [], []
    for each in (story.on.a, story.on.b):
        row = each.attentions[layer, head, -1]  # (T,)
        texts.append(in_words(each.tokens.texts[int(row.argmax())]))
        weights.append(float(row.max()))
    last = visible(story.on.a.tokens.texts[-1])
    title = _("“{last}” looks at {a} in A and at {b} in B", last=last, a=texts[0], b=texts[1])
    if texts[0] == texts[1]:
        title = _("“{last}” looks at {a} in both", last=last, a=texts[0])
    shares = _(
        "The width of a coloured line is its weight: {a:.2f} of 1 in A, {b:.2f} in B.", a=weights[0], b=weights[1]
    )
    return title, paragraph([gathers, shares])


def next_word(story: Story) -> tuple[str, str]:
    """What comes out."""
    on, way = story.on, story.way
    if not (way.reader and on.answers):
        said = _("The two sentence vectors have a cosine of {alike:.3f}; 1 is the same direction.", alike=on.alike)
    else:
        best = way.reader.texts([int(each.argmax()) for each in on.answers], len(on.answers[0]))
        a, b = (visible(text) for text in best)
        said = _("The likeliest word after A is “{a}”, after B “{b}”.", a=a, b=b)
    return headline(on, is_on=True), said


def rope(story: Story) -> tuple[str, str]:
    """Where order enters if nothing is added."""
    return _headline_and_place(story.rope)


def mask(story: Story) -> tuple[str, str]:
    """Where order enters if there are no positions at all."""
    title, said = _headline_and_place(story.no_positions)
    end = _("In these three models, order enters at the positions, inside attention, or by the mask.")
    return title, paragraph([said, end])


def why_another_pair(story: Story) -> str:
    """Why another pair is drawn where the visitor's own is one that the small models cannot read."""
    return "" if story.way.question else _("This small model lacks words of yours, so the pair is the site's own.")


def _headline_and_place(way: WholeWay) -> tuple[str, str]:
    return headline(way.full, is_on=True), where_order_enters(way.full)
