"""The training on screen as one program that runs as it is and prints the same losses."""

import inspect
import re
from types import ModuleType

from embedviz.text import grammar
from embedviz.text.tokens import WORD_PATTERN
from embedviz.training import model
from embedviz.training.corpus import N_SENTENCES
from embedviz.training.train import BATCH_SIZE, LEARNING_RATE, TrainingSettings


def pytorch_training(settings: TrainingSettings) -> str:
    """A program that prints each step and the loss of its batch. It needs torch."""
    return "\n".join([*training_imports(settings), *training_lines(settings), _SAY_LOSS, ""])


def training_imports(settings: TrainingSettings) -> list[str]:
    """What a program with `training_lines` imports."""
    return gpt_imports("import random", *(["import re"] if settings.text else []))


def gpt_imports(*standard: str, reads: bool = False) -> list[str]:
    """What a program with `model_source` imports. standard: more of Python's own modules. reads: if it reads a run."""
    load = ["from safetensors.torch import load_file"] if reads else []
    own = ["import math", *standard, "from dataclasses import dataclass"]
    return [*own, "", "import torch", *load, "from torch import nn", "from torch.nn import functional"]


def training_lines(settings: TrainingSettings) -> list[str]:
    """The lines that train `gpt` on words of `vocabulary`; the last of them are those of a loop, which may go on."""
    return [
        "",
        "torch.set_num_threads(1)  # with more the last digits differ",
        f"SEED, STEPS, CONTEXT_LENGTH = {settings.seed}, {settings.steps}, {settings.context_length}",
        *(_own_text(settings) if settings.text else _grammar(settings)),
        "ids = torch.tensor([vocabulary.index(word) for sentence in sentences for word in sentence])",
        *([_HELD_OUT] if settings.text or settings.kind != "who" else []),
        "starts = torch.arange(len(ids) - CONTEXT_LENGTH)",
        *([] if settings.text else [_SENTENCE_STARTS]),
        "",
        "",
        model_source(),
        "",
        "",
        "generator = torch.Generator().manual_seed(SEED)",
        f"gpt = GPT({shape_line(settings)}, generator)",
        f"optimizer = torch.optim.AdamW(gpt.parameters(), lr={LEARNING_RATE}, fused=True)",
        "window = torch.arange(CONTEXT_LENGTH + 1)",
        "for step in range(1, STEPS + 1):",
        f"    chosen = torch.randint(len(starts), ({BATCH_SIZE},), generator=generator)",
        "    loss = gpt.loss(ids[starts[chosen, None] + window])",
        "    optimizer.zero_grad()",
        "    loss.backward()",
        "    optimizer.step()",
    ]


_NAMES = {"sentences": ("sentence", "VOCABULARY"), "who": ("who", "WHO_VOCABULARY")}
_SAY_LOSS = '    print(step, f"{loss.item():.4f}")'
_HELD_OUT = "ids = ids[: len(ids) - max(len(ids) // 10, CONTEXT_LENGTH + 1)]  # the rest is held out"
_SENTENCE_STARTS = 'starts = starts[torch.cat([torch.tensor([True]), ids[: len(starts) - 1] == vocabulary.index(".")])]'


def model_source() -> str:
    """The small GPT, as this project has it."""
    return _source(model)


def grammar_source() -> str:
    """The small grammar, as this project has it."""
    return _source(grammar)


def _source(module: ModuleType) -> str:
    """A module of ours without its first lines: what it imports stands at the top of the program."""
    text = inspect.getsource(module)
    body = re.split(r"^(?=@dataclass|CLASSES)", text, maxsplit=1, flags=re.MULTILINE)[1]
    return body.strip()


def _grammar(settings: TrainingSettings) -> list[str]:
    made, vocabulary = _NAMES[settings.kind]
    return [
        "",
        grammar_source(),
        "",
        "",
        "generator = random.Random(SEED)",
        f"vocabulary = list({vocabulary})",
        f"sentences = [{made}(generator) for _ in range({N_SENTENCES})]",
        *_shuffled(settings),
    ]


def _own_text(settings: TrainingSettings) -> list[str]:
    return [
        "",
        "generator = random.Random(SEED)",
        f"words = re.findall({WORD_PATTERN!r}, {settings.text!r})",
        "vocabulary = sorted(set(words))",
        "sentences = [[]]",
        "for word in words:",
        "    sentences[-1].append(word)",
        '    if word in (".", "!", "?"):',
        "        sentences.append([])",
        *_shuffled(settings),
    ]


def _shuffled(settings: TrainingSettings) -> list[str]:
    if not settings.shuffled:
        return []
    return [
        "for sentence in sentences:  # the mark at the end stays",
        '    n = len(sentence) - (sentence[-1:] != [] and sentence[-1] in (".", "!", "?"))',
        "    sentence[:n] = generator.sample(sentence[:n], n)",
    ]


def shape_line(settings: TrainingSettings) -> str:
    """The sizes of the model, in a program that knows `vocabulary` and CONTEXT_LENGTH."""
    return (
        f"Shape(len(vocabulary), CONTEXT_LENGTH, {settings.output_dim}, n_layers={settings.n_layers}, "
        f'positions="{settings.positions}", tied={settings.tied})'
    )
