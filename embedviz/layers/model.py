"""From a model's files to layers that can be run. What transformers would make up, or cannot do, is refused."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING

import torch

from embedviz.base.errors import EmbedvizError
from embedviz.base.settings import configured
from embedviz.models import families
from embedviz.models.families import Layout
from embedviz.models.full_weights import FullWeights

if TYPE_CHECKING:
    from transformers import PreTrainedConfig, PreTrainedModel

# What a config.json may say that is not about the layers. transformers would look for code or other files, patch its
# classes, or make a list of labels that is as long as somebody likes.
_NOT_LAYERS = (
    *("attn_implementation", "auto_map", "experts_implementation", "fusion_config", "per_layer_config"),
    *("quantization_config", "transformers_weights", "name_or_path", "dtype", "torch_dtype", "return_dict"),
    *("id2label", "label2id", "num_labels", "problem_type", "output_attentions", "output_hidden_states"),
)
_N_LAYERS = ("num_hidden_layers", "n_layer", "n_layers", "num_layers")


@dataclass(frozen=True)
class Model:
    """A model in memory, in float32, that only computes. nbytes: how much memory its numbers take."""

    module: "PreTrainedModel"
    layout: Layout
    nbytes: int


def library() -> ModuleType:
    """transformers, with its parts that make models. It is not to speak to whoever reads the server's log."""
    import transformers  # noqa: PLC0415 takes seconds, which a server spends after it has begun to answer

    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    for each in ("AutoModel", "AutoModelForCausalLM"):
        getattr(transformers, each)  # which is imported only now
    return transformers


def needed_bytes(whole: FullWeights) -> int:
    """The memory that a model takes.

    Raises EmbedvizError if this server gives models less, or if it is a model whose layers are not run here, and
    Unavailable for a broken file.
    """
    layout_of(whole.values())
    return check_size(4 * whole.n_numbers())


def layout_of(values: Mapping[str, object]) -> Layout:
    """What a config.json says. Raises EmbedvizError if it is that of a model whose layers are not run here."""
    found = families.layout(values)
    if found.kind == "encoder-decoder":
        raise EmbedvizError(
            "it reads one text and writes another. Choose a model that reads one text, such as GPT-2 or BERT."
        )
    return found


def check_size(nbytes: int) -> int:
    """The bytes, if this server gives models so many. Raises EmbedvizError otherwise."""
    limit = configured().forward_mib * 2**20
    if not limit:
        raise EmbedvizError("this server runs no models. On a machine of your own, leave EMBEDVIZ_FORWARD_MIB out.")
    if nbytes > limit:
        raise EmbedvizError(
            "that takes {size:,.0f} MiB of memory; the limit of this server is {limit:,.0f}. Choose a smaller model, "
            "or set EMBEDVIZ_FORWARD_MIB to {needed} or more.",
            size=nbytes / 2**20,
            limit=limit / 2**20,
            needed=nbytes // 2**20 + 1,
        )
    return nbytes


def load(whole: FullWeights) -> Model:
    """Read a model.

    Raises EmbedvizError as `needed_bytes` does, if a tensor is missing, or if transformers cannot make the model.
    """
    nbytes = needed_bytes(whole)
    values = whole.values()
    layout = families.layout(values)
    _check_layers(values, len(whole.shapes()))
    try:
        module, lacking = _built_model(values, layout, whole)
    except EmbedvizError:
        raise
    except Exception as error:  # a config.json can be wrong in more ways than one can name
        said = f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"
        raise EmbedvizError("transformers cannot make a model of these files ({error}).", error=said) from error
    if lacking:
        raise _without(lacking[0])
    return Model(module, layout, nbytes)


def _built_model(
    values: Mapping[str, object], layout: Layout, whole: FullWeights
) -> tuple["PreTrainedModel", list[str]]:
    """The model, and the names of the tensors that its files lack, which transformers fills with random numbers."""
    transformers = library()
    config = _config(transformers, values)
    auto = transformers.AutoModelForCausalLM if layout.kind == "causal" else transformers.AutoModel
    with torch.device("meta"):  # without numbers: only their shapes are asked for
        empty = auto.from_config(config, attn_implementation="eager")
    check_size(4 * sum(each.numel() for each in (*empty.parameters(), *empty.buffers())))
    module, report = type(empty).from_pretrained(
        None,  # no folder, so that nothing is looked for in it: the tensors have been read already
        config=config,
        state_dict=whole.tensors(),
        dtype=torch.float32,
        attn_implementation="eager",
        ignore_mismatched_sizes=True,  # they are refused below, with a tensor's name
        output_loading_info=True,
        local_files_only=True,
        use_safetensors=True,
    )
    lacking = {*report["missing_keys"], *(name for name, *_shapes in report["mismatched_keys"])}
    return module, sorted(name for name in lacking if not name.startswith("pooler."))  # which comes after the layers


def _config(transformers: ModuleType, values: Mapping[str, object]) -> "PreTrainedConfig":
    kept = {key: value for key, value in values.items() if key not in _NOT_LAYERS and not key.startswith("_")}
    config = transformers.AutoConfig.for_model(**kept)
    config.use_cache = False
    return config


def _check_layers(values: Mapping[str, object], n_tensors: int) -> None:
    """Refuse more layers than there can be, before lists are made that are as long."""
    for key in _N_LAYERS:
        if isinstance(n := values.get(key), int) and n > n_tensors:
            raise _without(f"{key} {n}")
    if isinstance(part := values.get("text_config"), Mapping):
        _check_layers(part, n_tensors)


def _without(name: str) -> EmbedvizError:
    return EmbedvizError(
        "its files lack tensors that its config.json calls for, or have them in another shape, such as {name}. Copy "
        "all files again, or choose another model.",
        name=name,
    )
