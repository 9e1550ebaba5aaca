"""Which question of the site's own language two sentences are asked, and what is right."""

import pytest

from embedviz.text import grammar
from embedviz.text.questions import asked, question_of, right_word
from embedviz.text.samples import usual_pair

CAT, MAT = "the cat sat on the mat", "the mat sat on the cat"
ITEMS = (*grammar.LEARNED, *grammar.HELD_OUT)


@pytest.mark.parametrize(
    ("texts", "question"),
    [
        ((CAT, MAT), ", who sat ?"),
        ((CAT, "on the mat the cat sat"), ", who sat ?"),
        ((CAT, CAT), ", who sat ?"),
        (("the dog bites the man", "the man bites the dog"), ", who bites ?"),
        (("  the dog   bites the man ", "the man bites the dog"), ", who bites ?"),
        ((CAT, "the mat stood on the cat"), ""),
        ((CAT, "the dog bites the man"), ""),
        ((CAT, "the cat sat on the cat"), ""),
        ((CAT, "the mat sat on"), ""),
        (("The cat sat on the mat", MAT), ""),
        ((f"{CAT} , who sat ?", f"{MAT} , who sat ?"), ""),
        (("", ""), ""),
        (("my brother hates the dog", "the dog hates my brother"), ""),
    ],
)
def test_a_question_is_asked_only_if_both_sentences_can_be_asked_it(texts, question):
    for both in (texts, texts[::-1]):
        assert question_of(both) == question
        assert asked(both) == [f"{text.strip()} {question}".strip() for text in both]


def test_the_usual_pair_can_be_asked_who_sat_and_has_two_answers():
    pair = usual_pair()
    read = asked([pair.a, pair.b])
    assert read == [f"{CAT} , who sat ?", f"{MAT} , who sat ?"]
    assert [right_word(text.split()) for text in read] == ["cat", "mat"]


def test_each_sentence_of_the_language_can_be_asked_and_the_answer_is_that_of_its_item():
    for item in ITEMS:
        said, answer = " ".join(item[: item.index(",")]), item[-2]
        assert right_word(item[:-2]) == answer
        (read,) = asked([said])
        assert read.startswith(f"{said} , who ")
        assert right_word(read.split()) in item[: item.index(",")]


def test_what_is_no_question_of_the_language_has_no_answer():
    for text in (CAT, "", "the cat sat on the mat , who stood ?", "the cat sat on the cat , who sat ?"):
        assert right_word(text.split()) is None
