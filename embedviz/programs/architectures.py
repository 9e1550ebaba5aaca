"""The facts of the page "Models" as programs that read them from transformers' configuration classes.

These programs need the transformers library, and say so. They load no model and no network is used.
"""

import json
from collections.abc import Sequence

from embedviz.models.architectures import ARCHITECTURES, DRAWN, Architecture

_HEAD = """# This program needs the transformers library: pip install transformers
import transformers
"""
# The attributes under which configurations state a fact. The first that is there counts.
_ATTRIBUTES = {
    "layers": ["no_rope_layers", "layer_types", "attention_layers", "num_hidden_layers"],
    "base": ["rope_parameters"],
    "scaling": ["rope_parameters"],
    "rotated": ["qk_rope_head_dim", "rotary_dim", "rope_parameters"],
    "window": ["local_attention", "attention_chunk_size", "sliding_window", "window_size", "attention_window"],
    "trained": ["max_position_embeddings", "n_positions", "max_seq_len"],
    "extended": ["max_position_embeddings"],
}
_LAYERS = '''
# Here the code of the model, and not its configuration, turns queries and keys only in layers that have a window.
only_near = {"Command A"}

def layers(name, config):
    """What each layer sees, its window, and whether its queries and keys turn."""
    n_layers = config.num_hidden_layers + (config.num_decoder_layers if config.is_encoder_decoder else 0)
    sees = getattr(config, "layer_types", None) or ["full_attention"] * n_layers
    turns = getattr(config, "no_rope_layers", None) or [hasattr(config, "rope_parameters")] * n_layers
    windows = {
        "sliding_attention": getattr(config, "sliding_window", None),
        "chunked_attention": getattr(config, "attention_chunk_size", None),
    }
    for kind, turn in zip(sees, turns):
        turn = turn and kind != "linear_attention" and not (name in only_near and kind == "full_attention")
        yield kind, windows.get(kind) or "-", "RoPE" if turn else "no RoPE"

for name, config in configs.items():
    for (kind, window, turn), n in Counter(layers(name, config)).items():
        print(name, n, kind, window, turn, sep=" | ")
'''


def pytorch_layers() -> str:
    """A program that prints each kind of layer of the models drawn: how many, what they see, window and RoPE."""
    configs = "\n".join(f"    {json.dumps(name)}: {_made(ARCHITECTURES[name])}," for name in DRAWN)
    return f"from collections import Counter\n\n{_HEAD}\nconfigs = {{\n{configs}\n}}{_LAYERS}"


def pytorch_table(models: Sequence[Architecture]) -> str:
    """A program that prints what configuration classes state of these models, except where only papers do."""
    rows = "\n".join(
        f"    ({json.dumps(model.name)}, {_made(model)}, {json.dumps(_facts(model))}),"
        for model in models
        if model.held
    )
    names = "\n".join(f"    {json.dumps(fact)}: {json.dumps(found)}," for fact, found in _ATTRIBUTES.items())
    return f"""{_HEAD}
attributes = {{  # the first that a configuration has counts
{names}
}}
rows = [
{rows}
]
for name, config, facts in rows:
    print(name)
    for fact in facts:
        stated = {{name: getattr(config, name, None) for name in attributes[fact]}}
        print("   ", fact, *next((name, value) for name, value in stated.items() if value is not None))
"""


def _facts(model: Architecture) -> list[str]:
    """What the class states. Where it states how RoPE is stretched, the trained length stands there too."""
    facts = model.held.split()
    return [fact for fact in facts if fact != "trained" or "scaling" not in facts]


def _made(model: Architecture) -> str:
    size = ", ".join(f"{name}={value}" for name, value in model.size)
    return f"transformers.{model.config}({size})"
