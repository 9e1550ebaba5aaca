"""Many sentences as a program that runs as it is and prints how far each is from each other one."""

from collections.abc import Sequence

from embedviz.models import hub_model
from embedviz.programs.compare import vectors_of
from embedviz.programs.layers import loading, scaled_by
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
    return "\n".join([_COUNTER, loading(source), *ids, _MEASURE + _read_by(source) + _both(layer)])


def pytorch_small(settings: TrainingSettings, sentences: Sequence[Tokens], layer: int | None) -> str:
    """The same of a bundled run of the small GPT."""
    words = _listed("sentences", [each.texts for each in sentences])
    return "\n".join([_COUNTER, *reading(settings), *words, _MEASURE + _SMALL + _both(layer)])


def _listed(name: str, lists: Sequence[Sequence], notes: Sequence[Sequence] = ()) -> list[str]:
    notes = [f"  # {note!r}" for note in notes] or [""] * len(lists)
    return [f"{name} = [", *(f"    {each!r},{note}" for each, note in zip(lists, notes, strict=True)), "]"]


def _read_by(source: str) -> str:
    """The function that reads with positions off and on; a model with ALiBi can only be read in one way."""
    if hook := scaled_by(source, "has_positions"):
        return _HOOKED.format(hook=hook)
    is_fixed = hub_model(source).layout().scheme == "alibi"
    return _FIXED if is_fixed else _TURNED


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
_HOOKED = """
def read(ids, has_positions):
    hook = {hook}
    found = run(ids)[0]
    hook.remove()
    return found
"""
_TURNED = """
def read(ids, has_positions):
    return run(ids, position_ids=torch.arange(len(ids))[None] * has_positions)[0]  # RoPE turns by nothing at 0
"""
_FIXED = """
def read(ids, has_positions):
    return run(ids)[0]  # ALiBi takes no positions
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
