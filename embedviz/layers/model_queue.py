"""The line in which models run: one run at a time, in a thread of its own, and each model is loaded once.

Visitors' pages wait here without their turn (`base/concurrency/script_lock.py`), so that the server goes on with the
others. A page has one run in line at most. The run of who types on is taken out of the line, or it ends before the
model's next layer.
"""

import gc
import math
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar, cast

import cachetools
import numpy as np
import torch

from embedviz.base import log
from embedviz.base.arrays import read_only
from embedviz.base.checks import check_finite
from embedviz.base.concurrency.script_lock import wait_for
from embedviz.base.errors import EmbedvizError, Unavailable
from embedviz.base.i18n import N_
from embedviz.base.settings import configured
from embedviz.layers import model
from embedviz.layers.model import Model
from embedviz.models import full_weights
from embedviz.models.full_weights import FullWeights
from embedviz.vectors.sources import OWN

MOST = 100  # runs in line; with MiniLM, the last of them waits for some two seconds
# The modules that make values, by name, and of how many parts of their output these are the last, as in GPT-2 of
# queries, keys and values. Other models have the three in other orders.
_VALUES = {"value": 1, "v_lin": 1, "v_proj": 1, "c_attn": 3}
_NOT_RUN = N_("The layers of {model} cannot be run: {error}")
worker = ThreadPoolExecutor(1, "layers")
_asked: set[Future] = set()  # the runs in line
loaded_models = cachetools.LRUCache[FullWeights, Model](
    math.inf, getsizeof=lambda model: model.nbytes
)  # used in the line alone
_lengths: list[torch.Tensor] = []  # of the value vectors in the run that goes on; in the line alone
_Result = TypeVar("_Result")
_unwanted = threading.local()  # is_set: says whether nobody wants the run that goes on; in the line alone


@dataclass(frozen=True)
class BatchOutput:
    """What a model made of B texts of T tokens each: read-only float32 arrays.

    hidden_states: (n_layers + 1, B, T, D), what enters the first layer, then what leaves each of them.
    attentions: (n_layers, B, H, T, T), the weights with which each token (a row) sees the others.
    next_word: (B, V), the probability of each token after the last one; None for encoders.
    value_lengths: (n_layers, B, H, T), how long each head's value vector of each token is; None where it is not known.
    """

    hidden_states: np.ndarray
    attentions: np.ndarray
    next_word: np.ndarray | None = None
    value_lengths: np.ndarray | None = None


@contextmanager
def named(source: str) -> Iterator[None]:
    """Name the model in an error."""
    try:
        yield
    except EmbedvizError as error:
        raise type(error)(_NOT_RUN, model=source, error=error) from error


def find(source: str) -> FullWeights:
    """The model's files. Raises EmbedvizError, which names the model, if it is none, or is not whole here."""
    if source in OWN or not isinstance(source, str):
        raise EmbedvizError("The source {source} has no layers. Name a model, such as gpt2.", source=source)
    with named(source):
        return full_weights.find(source)


def run(whole: FullWeights, ids: np.ndarray, positions: np.ndarray | None = None, scale: float = 1.0) -> BatchOutput:
    """Run a model on token IDs (B, T), whole numbers.

    positions: (T,), the position of each token, for all texts; None for 0, 1, 2 and so on. scale: what the positional
    vectors are multiplied by, or with RoPE the positions, and so the angles.
    Raises EmbedvizError, which names the model, for a model that cannot be run, or not in this way, and if there are
    MOST runs in line already.
    """
    return in_line(whole, compute, ids, positions, scale)


def in_line(whole: FullWeights, work_of: Callable[..., _Result], *about: object) -> _Result:
    """Do what needs a model when its turn has come, in the line's thread: `work_of(whole, *about, unwanted)`.

    unwanted: an event, which is set once nobody wants the result any more. Raises as `run` does.
    """
    if len(_asked) >= MOST:
        log.refused("layers", waiting=len(_asked))
        raise Unavailable("{n} others wait for a model to read their texts. Try again in a moment.", n=len(_asked))
    unwanted = threading.Event()
    work = worker.submit(work_of, whole, *about, unwanted)
    _asked.add(work)
    work.add_done_callback(_asked.discard)
    try:
        with named(whole.name):
            return wait_for(work)
    finally:
        unwanted.set()
        work.cancel()
        del work  # which holds an error that holds this frame


def count() -> int:
    """How many runs go on or wait."""
    return len(_asked)


def warm_up() -> None:
    """Make a server's line ready, in which transformers is imported now: nobody waits for it who asks for no model."""
    worker.submit(torch.set_num_threads, max(1, (os.cpu_count() or 1) // 2))  # the others are for the pages
    worker.submit(model.library)
    worker.submit(gc.freeze)  # it never changes, so that Python need not look for waste in it time and again


def compute(
    whole: FullWeights, ids: np.ndarray, positions: np.ndarray | None, scale: float, unwanted: threading.Event
) -> BatchOutput:
    """Run a model as `run` does, in the line's thread. unwanted: is set once nobody wants the run any more."""
    loaded = ready(whole, unwanted)
    if positions is None and scale != 1 and not loaded.layout.position:
        positions = np.arange(ids.shape[1])
    _check(loaded, ids, positions)
    given = model_inputs(loaded, ids, positions, scale)
    _lengths.clear()
    with torch.inference_mode(), scaled(loaded, scale):
        said = loaded.module(**given, output_hidden_states=True, output_attentions=True, return_dict=True)
        if said.hidden_states[0].shape != said.hidden_states[-1].shape:  # as in OPT-350m
            raise EmbedvizError("its vectors are of another width after the last layer. Choose another model.")
        arrays = {"hidden_states": torch.stack(said.hidden_states), "attentions": torch.stack(said.attentions)}
        if len(_lengths) == len(said.attentions):
            per_head = torch.stack(_lengths).transpose(-2, -1)  # (n_layers, B, heads with keys and values, T)
            n_heads = arrays["attentions"].shape[2]
            arrays["value_lengths"] = per_head.repeat_interleave(n_heads // per_head.shape[2], dim=2)
        if loaded.layout.kind == "causal":
            arrays["next_word"] = said.logits[:, -1].softmax(-1)  # (B, V)
    for each in arrays.values():
        check_finite(each.numpy())
    return BatchOutput(**{name: read_only(each.numpy()) for name, each in arrays.items()})


def model_inputs(loaded: Model, ids: np.ndarray, positions: np.ndarray | None, scale: float) -> dict[str, Any]:
    """What the model is given.

    The mask of ones is not for nothing. Without one, transformers takes a position that doesn't follow the one before
    for the beginning of another text, and hides the texts from each other.
    """
    given: dict[str, Any] = {"input_ids": torch.tensor(ids), "attention_mask": torch.ones(ids.shape, dtype=torch.int64)}
    if positions is not None:
        given["position_ids"] = _position_ids(loaded, positions, scale).expand(ids.shape)
    if loaded.layout.kind == "causal":
        given["logits_to_keep"] = 1  # those after the last token
    return given


def ready(whole: FullWeights, unwanted: threading.Event) -> Model:
    """The model, in the line's thread. Its runs end before the next layer once this event is set."""
    _unwanted.is_set = unwanted.is_set
    return _loaded(whole)


def _loaded(whole: FullWeights) -> Model:
    """The model, from memory or loaded. Those used longest ago make room for it before."""
    if (known := loaded_models.get(whole)) is not None:
        return known
    needed = model.needed_bytes(whole)
    while loaded_models and loaded_models.currsize + needed > configured().forward_mib * 2**20:
        loaded_models.popitem()
    loaded_models[whole] = model.load(whole)
    _measure_values(loaded_models[whole])
    for each in loaded_models[whole].module.modules():
        if isinstance(each, torch.nn.ModuleList):
            for layer in each:
                layer.register_forward_pre_hook(_go_on)
    return loaded_models[whole]


def _go_on(*_about: object) -> None:
    """Go on to the next layer, unless nobody wants it."""
    if _unwanted.is_set():
        raise CancelledError


def _check(loaded: Model, ids: np.ndarray, positions: np.ndarray | None) -> None:
    """Refuse positions for a model that takes none, and a run whose results would take too much memory."""
    if positions is not None and loaded.layout.scheme == "alibi":
        raise EmbedvizError(
            "it takes no positions. Inside attention it lowers each score by the distance between two tokens (ALiBi), "
            "so that it can only be run as it was trained."
        )
    config = loaded.module.config.get_text_config()
    n_texts, n_tokens = ids.shape
    n_rows = (config.num_hidden_layers + 1) * n_texts * n_tokens
    model.check_size(4 * n_rows * (config.hidden_size + config.num_attention_heads * n_tokens))


def _position_ids(loaded: Model, positions: np.ndarray, scale: float) -> torch.Tensor:
    """The positions as the model's class takes them, (T,)."""
    layout = loaded.layout
    if not layout.position:
        return torch.tensor(positions) if scale == 1 else torch.tensor(positions * scale, dtype=torch.float32)
    adds_it_itself = loaded.module.config.model_type == "opt"
    return torch.tensor(positions + (0 if adds_it_itself else layout.offset))


def _measure_values(loaded: Model) -> None:
    """Let each layer note the lengths of its value vectors in `_lengths`, (B, T, heads with keys and values)."""
    config = loaded.module.config.get_text_config()
    n_heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads

    def measure(n_parts: int, _module: torch.nn.Module, _inputs: object, output: torch.Tensor) -> None:
        _lengths.append(output.chunk(n_parts, -1)[-1].unflatten(-1, (n_heads, -1)).norm(dim=-1))

    for name, module in loaded.module.named_modules():
        if n_parts := _VALUES.get(name.rpartition(".")[2]):
            module.register_forward_hook(partial(measure, n_parts))


@contextmanager
def scaled(loaded: Model, scale: float) -> Iterator[None]:
    """Multiply the vectors of the positional table while this lasts."""
    if scale == 1 or not loaded.layout.position:
        yield
        return
    table = loaded.module.base_model.get_submodule(loaded.layout.position.removesuffix(".weight"))
    hook = table.register_forward_hook(lambda _module, _given, rows: cast("torch.Tensor", rows) * scale)
    try:
        yield
    finally:
        hook.remove()
