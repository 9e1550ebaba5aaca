"""The challenges, one record each, in the order in which they follow each other."""

from collections.abc import Callable
from dataclasses import dataclass

from embedviz.base.i18n import N_
from embedviz.teaching import checks


@dataclass(frozen=True)
class Challenge:
    """A task on a view.

    name: in the address. at: the page and the view, as "compare/pairs". title, task, hints, why: marked texts; why:
    what the reader has found, once it is solved. is_solved: asked with what the view has computed. start: what the
    address says when the challenge begins; a parameter without a value gets its usual one.
    """

    name: str
    at: str
    title: str
    task: str
    hints: tuple[str, ...]
    why: str
    is_solved: Callable[..., bool]
    start: str = ""


CHALLENGES = (
    Challenge(
        "two-stay", "compare/pairs", N_("Exactly two stay"),
        N_("In B, put the tokens of A into another order in which exactly two stay identical with positions."),
        (N_("A token stays identical where A and B have the same token at the same position."),
         N_("Make B the same as A, so that all stay. Then move tokens of B and watch the count with positions."),
         N_("Two tokens that change places leave all others where they are.")),
        N_("The sums of token and position are the same only where both the token and the position are the same."),
        checks.two_stay, "position=&position_scale=",
    ),
    Challenge(
        "two-cuts", "tokenizers/", N_("One word, different tokens"),
        N_("Write a text with the same word twice, of which GPT-2 makes different tokens."),
        (N_("To GPT-2, a space before a word is part of the word’s token."),
         N_("Which word of a text has no space before it?"),
         N_("Begin a text with a word, and let the same word come again later.")),
        N_("One of the two has no space before it, and the space is part of a token. “Add prefix space” puts one "
           "before the first word."),
        checks.two_cuts, "cut=text&text=&leading_space=",
    ),
    Challenge(
        "past-the-end", "positions/end", N_("Break the learned table"),
        N_("Find the shortest text for which the learned table has no row."),
        (N_("Each token needs the row of its position, and the rows are numbered from 0."),
         N_("A table of 64 rows ends with row 63. How long is the first text that needs row 64?")),
        N_("A table of L rows ends with row L − 1. A text of one token more needs row L, which the table has not; the "
           "formula beside it goes on."),
        checks.one_row_missing, "length=&context_length=&source=",
    ),
    Challenge(
        "same-answer", "next_word/", N_("Two orders, one answer"),
        N_("A small GPT without positions tells these two orders apart. Find two orders of the same words that it "
           "can’t tell apart."),
        (N_("Each word sees itself and the words before it. The last word sees all, and says what comes next."),
         N_("Without positions, a word sees which words there are, and how many of each. Which word sees the same in "
            "both orders?"),
         N_("End both prompts with the same word, and put the words before it into any order.")),
        N_("Both prompts end with the same word, and it sees the same words before it. In one layer without positions "
           "these are a multiset, whatever their order."),
        checks.same_answer,
        "sentences=own&gpt=none&gpt_seed=&positions="
        "&a=the+cat+sat+on+the+mat&b=mat+the+on+sat+cat+the",
    ),
    Challenge(
        "say-mat", "next_word/", N_("Make it say “mat”"),
        N_("Make the small GPT say “mat” after A, where another noun is the right answer."),
        (N_("The words can stay as they are: change their positions."),
         N_("With one layer, only positions tell the model where each noun stands."),
         N_("Exchange the positions of the two nouns.")),
        N_("No word of A has changed: the answer follows the positions that the words have."),
        checks.says_mat,
        "sentences=&asked_for=&noun=&rest=&where=&verb=&other_noun=&gpt=&gpt_seed=&positions=&way=",
    ),
)  # fmt: skip
