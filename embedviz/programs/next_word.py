"""The next word as the small GPT says it, as a program that runs as it is and prints the same numbers."""

import inspect
from collections.abc import Iterator, Sequence

from embedviz.programs.training import gpt_imports, model_source, shape_line, training_imports, training_lines
from embedviz.text.tokens import tokenize
from embedviz.training.bundled import BUNDLED
from embedviz.training.corpus import words_of
from embedviz.training.next_word import run_model
from embedviz.training.placement import Placement
from embedviz.training.train import TrainingSettings

N_SHOWN = 5  # words
Placed = tuple[Sequence[str], Placement]  # the words of a sentence, and where they stand


def pytorch_next_word(settings: TrainingSettings, prompts: Sequence[tuple[str, Placement]]) -> str:
    """A program that prints the likeliest next words of each text, and where heads look. It reads a bundled run."""
    name = next((name for name, known in BUNDLED.items() if known == settings), None)
    lines = [
        *(_read(settings, name) if name else [*training_imports(settings), *training_lines(settings)]),
        _RUN_MODEL,
        _PRINTED,
    ]
    for text, placement in prompts:
        lines += [
            f"words = {tokenize(text, 'words').texts}",
            "ids = torch.tensor([[vocabulary.index(word) for word in words]])",
            *_places(placement),
            'print(*said(ids, places), sep="\\n")',
        ]
    return "\n".join([*lines, ""])


_RUN_MODEL = f"\n\n{inspect.getsource(run_model)}\n"
_PRINTED = f"""\
def said(ids, places):
    _states, attentions, _values, logits = run_model(gpt, ids, places)
    for chance, id_ in zip(*logits[0].softmax(dim=-1).topk(min({N_SHOWN}, len(vocabulary)))):
        yield f"{{vocabulary[id_]!r}} {{chance:.4f}}"
    for n, weights in enumerate(attentions, 1):
        for head, row in enumerate(weights[0, :, -1], 1):  # from the last word to each word
            yield " ".join([f"layer {{n}} head {{head}}", *(f"{{weight:.4f}}" for weight in row)])


"""


def _read(settings: TrainingSettings, name: str) -> list[str]:
    return [
        *gpt_imports(reads=True),
        "",
        f"CONTEXT_LENGTH = {settings.context_length}",
        f"vocabulary = {list(words_of(settings.text))}",
        "",
        "",
        model_source(),
        "",
        "",
        f"gpt = GPT({shape_line(settings)}, torch.Generator())",
        f'weights = load_file("data/training/{name}.safetensors")  # of the project',
        "with torch.no_grad():",
        "    for name, values in gpt.named_parameters():",
        "        values.copy_(weights[name])",
    ]


def _places(placement: Placement) -> Iterator[str]:
    """The lines that make `places`, and the order of the list."""
    if not placement.scale:
        yield "places = torch.zeros(len(words), CONTEXT_LENGTH)  # no word has a position"
    elif placement.positions:
        yield f"places = torch.eye(CONTEXT_LENGTH)[{list(placement.positions)}]  # the position of each word"
    else:
        yield "places = torch.eye(CONTEXT_LENGTH)[: len(words)]  # the n-th word stands at position n"
    if placement.exchanged:
        one, other = placement.exchanged
        there, back = f"places[[{one}, {other}]]", f"places[[{other}, {one}]]"
        yield f"{there} = {1 - placement.share!r} * {there} + {placement.share!r} * {back}"
    if placement.order:
        yield f"order = {list(placement.order)}  # of the list; each word takes its position along"
        yield "ids, places = ids[:, order], places[order]"


def pytorch_states(
    settings: TrainingSettings, a: Placed, b: Placed, pairs: Sequence[tuple[int, int]], unrelated: Placed | None = None
) -> str:
    """A program that prints the same of a bundled run as `pytorch_copies` of a model. a, b: words, and their places."""
    runs = _runs(settings, {"a": a, "b": b} | ({"unrelated": unrelated} if unrelated else {}))
    return "\n".join([*runs, "", cosines_of(pairs, has_unrelated=unrelated is not None)])


def pytorch_weights(settings: TrainingSettings, a: Placed, b: Placed, layer: int, head: int) -> str:
    """The same as `pytorch_head`, of a bundled run."""
    return "\n".join([*_runs(settings, {"a": a, "b": b}), "", weights_of(layer, head)])


def reading(settings: TrainingSettings) -> list[str]:
    """The lines that read a bundled run, and `run(words, places)`, which gives what that of `layers.loading` gives."""
    return [
        *_read(settings, next(name for name, known in BUNDLED.items() if known == settings)),
        _RUN_MODEL,
        "def run(words, places):",
        "    ids = torch.tensor([[vocabulary.index(word) for word in words]])",
        "    states, attentions, _values, _logits = run_model(gpt, ids, places)",
        "    return torch.cat(states), torch.cat(attentions)  # (n_layers + 1, T, D), (n_layers, H, T, T)",
        "",
        "",
    ]


def _runs(settings: TrainingSettings, sentences: dict[str, Placed]) -> list[str]:
    """The lines that read a bundled run, and run the sentences' words at their places."""
    lines = reading(settings)
    for sentence, (words, placement) in sentences.items():
        lines += [
            f"words = {list(words)}",
            *_places(placement),
            f"states_{sentence}, weights_{sentence} = run(words, places)",
        ]
    return lines


def cosines_of(pairs: Sequence[tuple[int, int]], *, has_unrelated: bool) -> str:
    """The lines that print the cosines of pairs and of sentences, from `states_a`, `states_b`, `states_unrelated`."""
    unrelated = """\
for states in (states_a, states_b):
    print(f"{torch.cosine_similarity(states[-1].mean(0), states_unrelated[-1].mean(0), dim=0):.3f}")
"""
    return f"""\
for i, j in {list(pairs)}:  # a token of A and its copy in B
    print(i, j, *(f"{{x:.3f}}" for x in torch.cosine_similarity(states_a[:, i], states_b[:, j], dim=-1)))
print(f"{{torch.cosine_similarity(states_a[-1].mean(0), states_b[-1].mean(0), dim=0):.3f}}")
""" + (unrelated if has_unrelated else "")


def weights_of(layer: int, head: int) -> str:
    """The lines that print the weights of one head, from `weights_a` and `weights_b`."""
    return f"""\
for row in [*weights_a[{layer}, {head}], *weights_b[{layer}, {head}]]:  # layers and heads count from 0 here
    print(*(f"{{weight:.4f}}" for weight in row))
"""
