"""Which position scheme a family of models has, from config.json.

Each function takes a Config and gives what was found, or raises EmbedvizError for a value that cannot be.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import N_
from embedviz.models.families.config import Config, mapping, one_of, positive

MAX_LAYERS = 10_000
MAX_DIMS = 2**20
MAX_BASE = 1e15
_ROPE_TYPES = ("default", "linear", "dynamic", "yarn", "longrope", "llama3")  # those of modeling_rope_utils.py
_LAYER_TYPES = ("full_attention", "sliding_attention")


@dataclass(frozen=True)
class SchemeFound:
    """name: a key of positions.SCHEMES. settings: its numbers, which stand in the sentences, marked texts."""

    name: str
    sentences: tuple[str, ...]
    settings: Mapping[str, object] = field(default_factory=dict)


FindScheme = Callable[[Config], SchemeFound]

_LEARNED = N_("{model} adds a learned vector for each position; its table has {context_length:,} of them.")
_WAVES = N_("{model} adds sines and cosines for each position; its table has {context_length:,} such vectors.")
_ROPE = N_("{model} adds nothing to the vectors: it turns queries and keys inside attention (RoPE, base {theta:,.0f}).")
_TWO_BASES = N_("In layers that see only a window of the text, the base is {local_theta:,.0f}.")
_ONE_BASE = N_("Layers that see only a window of the text have the same base.")
_PARTLY = N_("It turns {rotated:,} of the {head_dim:,} dimensions of each head.")
RESCALED = N_("Its angles are changed, so that it can read longer texts, by the rule “{rope_type}”.")
_WITHOUT = N_("In {without:,} of {layers:,} layers it leaves positions out.")
_ALIBI = N_(
    "{model} adds nothing to the vectors: inside attention it lowers each score, the more the further apart the two "
    "tokens are (ALiBi)."
)
_T5 = N_(
    "{model} adds nothing to the vectors: inside attention each head adds a learned number to each score. The distance "
    "from one token to the other, sorted into {buckets:,} buckets, says which number."
)


def learned(config: Config) -> SchemeFound:
    """A learned table, one vector for each position."""
    return SchemeFound("learned", (_LEARNED,))


def absolute(config: Config) -> SchemeFound:
    """A learned table. Files from before transformers 5 may ask for vectors of distances instead."""
    one_of("position_embedding_type", config.value("position_embedding_type"), ("absolute",))
    return learned(config)


def learned_or_sinusoidal(config: Config) -> SchemeFound:
    """DistilBERT's table, which may have been filled with sines and cosines instead of learned."""
    return SchemeFound("sinusoidal", (_WAVES,)) if config.flag("sinusoidal_pos_embds") else learned(config)


def rope(config: Config, base: str = "rope_theta", renamed: Mapping[str, str] = MappingProxyType({})) -> SchemeFound:
    """RoPE in all layers, on all dimensions of a head.

    base: the name that older files give to the base. renamed: types of RoPE that the class takes for another.
    """
    parameters = _parameters(config)
    if any(layer_type in parameters for layer_type in _LAYER_TYPES):
        raise EmbedvizError("rope_parameters in config.json must be the same for all layers of this model.")
    rope_type = _rope_type(parameters, renamed)
    settings = {"theta": _theta(config, parameters, base), "share": 1.0, "rope_type": rope_type}
    return SchemeFound("rope", (_ROPE, *_rescaled(rope_type)), settings)


def partial_rope(
    config: Config,
    base: str = "rope_theta",
    share: str = "partial_rotary_factor",
    renamed: Mapping[str, str] = MappingProxyType({}),
) -> SchemeFound:
    """RoPE on a share of the dimensions of each head: that of Phi-3 and GPT-NeoX. share: its name in older files."""
    given = _parameters(config).get("partial_rotary_factor", config.value(share))
    head_dim = _head_dim(config)
    return _partly(rope(config, base, renamed), int(head_dim * positive(share, given, 1.0)), head_dim)


def partial_rope_of_deepseek(config: Config) -> SchemeFound:
    """RoPE on the dimensions of each head that DeepSeek's attention keeps for it."""
    rotated, rest = (config.whole(f"qk_{part}_head_dim", 1, MAX_DIMS) for part in ("rope", "nope"))
    return _partly(rope(config), rotated, rotated + rest)


def rope_by_layer_type(config: Config, base: str, local_base: str, rescaled: tuple[str, ...]) -> SchemeFound:
    """RoPE with one base in layers that see the whole text, and another in those that see only a window of it.

    base, local_base: the names that older files give to the two. rescaled: the kinds of layer that their
    rope_scaling is for.
    """
    parameters = config.part("rope_parameters")
    scaling = config.part("rope_scaling")
    whole, window = (
        dict(mapping(kind, parameters.get(kind))) | (dict(scaling) if kind in rescaled else {}) for kind in _LAYER_TYPES
    )
    rope_type, theta, local = _rope_type(whole), _theta(config, whole, base), _theta(config, window, local_base)
    settings = {"theta": theta, "local_theta": local, "share": 1.0, "rope_type": rope_type}
    second = _ONE_BASE if theta == local else _TWO_BASES
    return SchemeFound("rope", (_ROPE, second, *_rescaled(rope_type)), settings)


def rope_in_some_layers(config: Config) -> SchemeFound:
    """RoPE, but not in SmolLM3's layers that leave positions out: those with a 0 in the list, or every fourth."""
    found, layers = rope(config), config.whole("num_hidden_layers", 1, MAX_LAYERS)
    given = config.value("no_rope_layers")
    if given is None:
        without = layers // config.whole("no_rope_layer_interval", 1, 2**31)
    elif isinstance(given, list | tuple) and len(given) >= layers and all(each in (0, 1) for each in given):
        without = sum(not each for each in given[:layers])
    else:
        raise EmbedvizError(
            "no_rope_layers in config.json must be a list of zeros and ones, one for each of {n:,} layers.", n=layers
        )
    settings = dict(found.settings) | {"without": without, "layers": layers}
    return SchemeFound("rope", (*found.sentences, *((_WITHOUT,) if without else ())), settings)


def alibi(config: Config) -> SchemeFound:
    """ALiBi."""
    return SchemeFound("alibi", (_ALIBI,))


def alibi_of_mpt(config: Config) -> SchemeFound:
    """ALiBi. Transformers reads every MPT model as if it had it; one that says it has none is none that it reads."""
    if config.part("attn_config").get("alibi", True) is not True:
        raise EmbedvizError("config.json says that this MPT model has no ALiBi. Only MPT models with it can be read.")
    return alibi(config)


def rope_or_alibi(config: Config) -> SchemeFound:
    """Falcon's: older models have ALiBi."""
    return alibi(config) if config.flag("alibi") else rope(config)


def t5_biases(config: Config) -> SchemeFound:
    """T5's biases."""
    buckets = config.whole("relative_attention_num_buckets", 1, 2**20)
    max_distance = config.whole("relative_attention_max_distance", 1, 2**31)
    return SchemeFound("t5", (_T5,), {"buckets": buckets, "max_distance": max_distance})


def _parameters(config: Config) -> Mapping[str, object]:
    """The parameters of RoPE. Older files have them as rope_scaling, which counts if a file has both."""
    scaling = config.part("rope_scaling")
    return scaling or config.part("rope_parameters")


def _theta(config: Config, parameters: Mapping[str, object], base: str) -> float:
    return positive("rope_theta", parameters.get("rope_theta", config.value(base)), MAX_BASE)


def _rope_type(parameters: Mapping[str, object], renamed: Mapping[str, str] = MappingProxyType({})) -> str:
    given = parameters.get("rope_type", parameters.get("type", "default"))
    return one_of("rope_type", renamed.get(given, given) if isinstance(given, str) else given, _ROPE_TYPES)


def _head_dim(config: Config) -> int:
    """The dimensions of a head, from config.json or as a share of hidden_size."""
    if config.value("head_dim") is not None:
        return config.whole("head_dim", 1, MAX_DIMS)
    hidden_size = config.whole("hidden_size", 1, MAX_DIMS)
    return hidden_size // config.whole("num_attention_heads", 1, hidden_size)


def _partly(hits: SchemeFound, rotated: int, head_dim: int) -> SchemeFound:
    settings = dict(hits.settings) | {"share": rotated / head_dim, "rotated": rotated, "head_dim": head_dim}
    return SchemeFound("rope", hits.sentences if rotated == head_dim else (*hits.sentences, _PARTLY), settings)


def _rescaled(rope_type: str) -> tuple[str, ...]:
    return () if rope_type == "default" else (RESCALED,)
