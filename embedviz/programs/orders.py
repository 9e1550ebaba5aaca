"""Many sentences as a program that runs as it is and prints how far each is from each other one."""

from collections.abc import Sequence

from embedviz.programs.compare import vectors_of
from embedviz.programs.layers import loading, offset_of
from embedviz.programs.next_word import reading
from embedviz.text.tokens import Tokens
from embedviz.training.train import TrainingSettings
from embedviz.vectors.embedding import Embedded


def pytorch_distances(sentences: Sequence[Embedded]) -> str:
    """A program that prints, for each sentence, its distances from all of them, without positions and then with them.

    The vectors of a sentence lie side by side, token by token; a token that a sentence lacks is zeros there.
    """
    ids = _listed("sentences", [each.tokens.ids for each in sentences], [each.tokens.texts for each in sentences])
    return "\n".join([_COUNTER, *vectors_of(sentences[0]), "", *ids, _MEASURE + _SUMS])


def pytorch_model(source: str, sentences: Sequence[Tokens], layer: int | None) -> str:
    """The same of a real model's vectors after a layer, 0 for its input; None for the mean vectors at its end."""
    ids = _listed("sentences", [each.ids for each in sentences], [each.texts for each in sentences])
    off = _OFF.format(position=offset_of(source))
    return "\n".join([_COUNTER, loading(source), *ids, _MEASURE + off + _both(layer)])


def pytorch_small(settings: TrainingSettings, sentences: Sequence[Tokens], layer: int | None) -> str:
    """The same of a bundled run of the small GPT."""
    words = _listed("sentences", [each.texts for each in sentences])
    return "\n".join([_COUNTER, *reading(settings), *words, _MEASURE + _SMALL + _both(layer)])


def _listed(name: str, lists: Sequence[Sequence], notes: Sequence[Sequence] = ()) -> list[str]:
    notes = [f"  # {note!r}" for note in notes] or [""] * len(lists)
    return [f"{name} = [", *(f"    {each!r},{note}" for each, note in zip(lists, notes, strict=True)), "]"]


def _both(layer: int | None) -> str:
    laid = "{0: found[-1].mean(0).double()}" if layer is None else f"side_by_side(ids, found[{layer}])"
    return _READ.format(laid=laid)


_COUNTER = "from collections import Counter"
_MEASURE = """

def side_by_side(ids, vectors):
    seen, places = Counter(), {}
    for id, vector in zip(ids, vectors):
        places[id, seen[id]] = vector.double()  # the first copy of an ID from the left is its first one
        seen[id] += 1
    return places


def distance(a, b):
    zero = torch.zeros_like(next(iter(a.values())))
    return sum((a.get(place, zero) - b.get(place, zero)).square().sum() for place in {*a, *b}).sqrt()

"""
_SUMS = """
for stage, name in ((0, "without positions"), (1, "with positions")):
    laid = [side_by_side(ids, embed(ids)[stage]) for ids in sentences]
    for a in laid:
        print(name, *(f"{distance(a, b):.4f}" for b in laid))
"""
_OFF = """
def read(ids, has_positions):
    more = {{}} if has_positions else {{"position_ids": torch.full((1, len(ids)), {position})}}
    return run(ids, **more)[0]
"""
_SMALL = """
def read(words, has_positions):
    places = torch.eye(CONTEXT_LENGTH)[: len(words)]  # the n-th word stands at position n
    return run(words, places * has_positions)[0]
"""
_READ = """

for name, has_positions in (("positions off", False), ("as trained", True)):
    laid = []
    for ids in sentences:
        found = read(ids, has_positions)
        laid.append({laid})
    for a in laid:
        print(name, *(f"{{distance(a, b):.4f}}" for b in laid))
"""
