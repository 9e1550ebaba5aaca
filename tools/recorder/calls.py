"""Run in a tree: prints what its package `embedviz` offers to callers, and what calls of it give, as JSON."""

import base64
import dataclasses
import inspect
import json
import re
from collections.abc import Callable

import numpy as np

import embedviz as ev

_TEXT, _OTHER = "the cat sat on the mat", "on the mat the cat sat"
_LONG = "It was the best of times, it was the worst of times: so the cat sat on the mat, and the dog did not. " * 3

_POSITIONS = ("SCHEMES", "Scheme", *ev.positions.SCHEMES)


def main() -> None:
    """Print everything."""
    print(
        json.dumps(
            {
                "names": sorted(ev.__all__),
                "version": ev.__version__,
                "signatures": {name: _about(getattr(ev, name)) for name in sorted(ev.__all__)},
                "positions": {name: _public(getattr(ev.positions, name)) for name in sorted(_POSITIONS)},
                "schemes": {name: _plain(dataclasses.asdict(scheme)) for name, scheme in ev.positions.SCHEMES.items()},
                "calls": {name: _plain(call()) for name, call in CALLS.items()},
                "errors": {name: _error(call) for name, call in MISTAKES.items()},
            }
        )
    )


def _about(thing: object) -> dict:
    """The signature, the fields and the public members of a function or class, or of a module's functions."""
    if inspect.ismodule(thing):
        return {"names": sorted(thing.__all__)}
    found: dict[str, object] = {"signature": _signature(thing), "doc": inspect.getdoc(thing)}
    if dataclasses.is_dataclass(thing):
        found["fields"] = [[field.name, _anywhere(field.type), _default(field)] for field in dataclasses.fields(thing)]
    if inspect.isclass(thing):
        found["members"] = sorted(name for name in dir(thing) if not name.startswith("_"))
        found["bases"] = [base.__name__ for base in thing.__mro__]
    return found


def _signature(thing: Callable) -> str:
    try:
        return _anywhere(inspect.signature(thing))
    except ValueError:  # an exception has none
        return ""


def _default(field: dataclasses.Field) -> str:
    return "none" if field.default is dataclasses.MISSING else _anywhere(repr(field.default))


def _anywhere(thing: object) -> str:
    """What is written of a thing, whichever modules of ours it names and wherever in memory its functions lie."""
    return re.sub(r"\bembedviz(\.[a-z_]\w*)*\.(?=[A-Z])| at 0x[0-9a-f]+", "", str(thing))


def _public(thing: object) -> object:
    """The functions and values of a module of `positions`."""
    if not inspect.ismodule(thing):
        return type(thing).__name__
    own = {name: value for name, value in vars(thing).items() if not name.startswith("_")}
    return {
        name: _anywhere(inspect.signature(value) if inspect.isfunction(value) else repr(value))
        for name, value in sorted(own.items())
        if (inspect.isfunction(value) and value.__module__ == thing.__name__) or name.isupper()
    }


def _plain(value: object) -> object:  # noqa: PLR0911 one for each kind
    """Numbers, texts, lists; arrays in full; of objects their public fields and properties."""
    if isinstance(value, np.ndarray):
        data = np.ascontiguousarray(value)
        if not np.issubdtype(data.dtype, np.number):
            return {"of": str(data.dtype), "values": data.tolist()}
        return {"$dtype": data.dtype.str, "shape": value.shape, "data": base64.b64encode(data.tobytes()).decode()}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    if dataclasses.is_dataclass(value):
        names = [name for name in dir(value) if not name.startswith("_")]
        parts = {name: getattr(value, name) for name in names}
        return {name: _plain(part) for name, part in parts.items() if not callable(part)}
    return value if value is None or isinstance(value, (str, int, float, bool)) else _anywhere(repr(value))


def _error(call: Callable[[], object]) -> list[str]:
    try:
        call()
    except Exception as error:  # noqa: BLE001 whatever it raises is what a caller sees
        return [type(error).__name__, str(error)]
    return ["no error", ""]


def _compared(**spec: object) -> ev.Comparison:
    shared = ev.Spec(**spec)
    return ev.compare(ev.embed(_TEXT, shared), ev.embed(_OTHER, shared))


def _vectors(n: int = 40, n_dims: int = 16) -> np.ndarray:
    return np.random.default_rng(7).standard_normal((n, n_dims)).astype(np.float32)


_SMALL = {"output_dim": 16, "context_length": 64}
_WORDS = tuple(sorted(set(_TEXT.split())))
CALLS: dict[str, Callable[[], object]] = {
    **{f"tokenize {name}": lambda name=name: ev.tokenize(_TEXT, name) for name in ("gpt2", "cl100k_base", "words")},
    "tokenize o200k_base emoji": lambda: ev.tokenize("A cat 🐈 is 猫, and 👩\u200d💻.", "o200k_base"),
    "tokenize without a space": lambda: ev.tokenize(_TEXT, "gpt2", False),
    "tokenize lower case": lambda: ev.tokenize("The cat THE", "words", lower_case=True),
    "tokenize special": lambda: ev.tokenize("a<|endoftext|>b", "gpt2", allow_special=True),
    "tokenize head": lambda: ev.tokenize(_LONG).head(3),
    "tokenize empty": lambda: ev.tokenize(""),
    "Spec": ev.Spec,
    "Spec trained": lambda: ev.Spec(source="trained"),
    "Spec gpt2": lambda: ev.Spec(source="gpt2"),
    **{
        f"embed {name}": lambda name=name: ev.embed(_TEXT, ev.Spec(position=name, **_SMALL))
        for name in ev.positions.SCHEMES
    },
    "embed scaled": lambda: ev.embed(_TEXT, ev.Spec(scale_embeddings=True, position_scale=0.5, seed=9, **_SMALL)),
    "embed trained": lambda: ev.embed("the cat sat on the mat", ev.Spec(source="trained")),
    "embed words": lambda: ev.embed(_TEXT, ev.Spec(tokenizer="words", vocabulary=_WORDS, **_SMALL)),
    "compare": _compared,
    "compare sinusoidal": lambda: _compared(position="sinusoidal", **_SMALL),
    "compare none": lambda: _compared(position="none", **_SMALL),
    "project": lambda: ev.project(_vectors()),
    "project 3": lambda: ev.project(_vectors(), n=3, fit_on=_vectors(30)),
    "project tall": lambda: ev.project(_vectors(400, 8), n=3),
    "project one": lambda: ev.project(_vectors(1, 8)),
    "batches": lambda: list(ev.batches(_LONG)),
    "batches shuffled": lambda: list(ev.batches(_LONG, "words", 4, 6, 2, shuffle=True, seed=5, drop_last=False)),
    **{
        f"self_attention {name}": lambda name=name: ev.self_attention(
            ev.embed(_TEXT, ev.Spec(position=name, **_SMALL)), 2
        )
        for name in ev.positions.SCHEMES
    },
    "self_attention causal": lambda: ev.self_attention(ev.embed(_TEXT, ev.Spec(**_SMALL)), 4, causal=True),
    "sinusoidal": lambda: ev.positions.sinusoidal.table(20, 8),
    "sinusoidal half": lambda: ev.positions.sinusoidal.table(20, 8, base=100.0, layout="half", dtype=np.float64),
    "sinusoidal rows": lambda: ev.positions.sinusoidal.rows(np.array([0, 5, 1000]), 8),
    "sinusoidal speeds": lambda: ev.positions.sinusoidal.angular_speeds(8),
    "rope": lambda: ev.positions.rope.rotate(_vectors(6, 8), range(6)),
    "rope interleaved": lambda: ev.positions.rope.rotate(_vectors(6, 8), range(6), 500.0, "interleaved"),
    "rope frequencies": lambda: ev.positions.rope.frequencies(8, scaling={"rope_type": "linear", "factor": 4.0}),
    "alibi slopes": lambda: [ev.positions.alibi.slopes(n) for n in (1, 4, 6, 12)],
    "alibi bias": lambda: ev.positions.alibi.bias(5, 3),
    "t5": lambda: ev.positions.t5.bucket(np.arange(-200, 200)),
    "t5 one way": lambda: ev.positions.t5.bucket(np.arange(-200, 200), False, 16, 64),
    "shaw": lambda: ev.positions.shaw.index(np.arange(-20, 20), 4),
    "deberta": lambda: ev.positions.deberta.delta(-np.arange(-20, 20), 4),
    "none": lambda: ev.positions.none.table(3, 4),
}
_PLAIN = ev.Spec(**_SMALL)
MISTAKES: dict[str, Callable[[], object]] = {
    "tokenize": lambda: ev.tokenize(_TEXT, "bpe"),
    "tokenize unknown word": lambda: ev.tokenize("a b", "words", vocabulary=("a",)),
    "Spec tokenizer": lambda: ev.Spec(tokenizer="bpe"),
    "Spec source": lambda: ev.Spec(source="gpt5"),
    "Spec position": lambda: ev.Spec(position="absolute"),
    "Spec output_dim": lambda: ev.Spec(output_dim=0),
    "Spec output_dim type": lambda: ev.Spec(output_dim=2.5),
    "Spec odd": lambda: ev.Spec(output_dim=255, position="sinusoidal"),
    "Spec seed": lambda: ev.Spec(seed=-1),
    "Spec context_length": lambda: ev.Spec(context_length=10**6),
    "Spec position_scale": lambda: ev.Spec(position_scale=float("nan")),
    "Spec prefix_space": lambda: ev.Spec(prefix_space="yes"),
    "Spec vocabulary": lambda: ev.Spec(vocabulary=("a", "a")),
    "Spec vocabulary type": lambda: ev.Spec(vocabulary=["a"]),
    "Spec of a source": lambda: ev.Spec(source="trained", output_dim=64),
    "embed too long": lambda: ev.embed(_TEXT, ev.Spec(context_length=3)),
    "compare": lambda: ev.compare(ev.embed(_TEXT, _PLAIN), ev.embed(_TEXT, ev.Spec(seed=1, **_SMALL))),
    "project method": lambda: ev.project(_vectors(), "lda"),
    "project n": lambda: ev.project(_vectors(), n=4),
    "project tsne n": lambda: ev.project(_vectors(), "tsne", n=3),
    "project tsne few": lambda: ev.project(_vectors(3), "tsne"),
    "project umap basis": lambda: ev.project(_vectors(), "umap", fit_on=_vectors()),
    "batches short": lambda: ev.batches("the cat"),
    "batches size": lambda: ev.batches(_LONG, batch_size=0),
    "batches stride": lambda: ev.batches(_LONG, stride=-1),
    "batches tokenizer": lambda: ev.batches(_LONG, "bpe"),
    "self_attention heads": lambda: ev.self_attention(ev.embed(_TEXT, _PLAIN), 3),
    "self_attention no heads": lambda: ev.self_attention(ev.embed(_TEXT, _PLAIN), 0),
    "sinusoidal": lambda: ev.positions.sinusoidal.table(4, 3),
    "sinusoidal layout": lambda: ev.positions.sinusoidal.table(4, 4, layout="thirds"),
    "rope": lambda: ev.positions.rope.rotate(_vectors(6, 7), range(6)),
    "rope positions": lambda: ev.positions.rope.rotate(_vectors(6, 8), range(5)),
    "rope base": lambda: ev.positions.rope.rotate(_vectors(6, 8), range(6), -1.0),
    "rope numbers": lambda: ev.positions.rope.rotate(np.arange(8), range(6)),
    "alibi slopes": lambda: ev.positions.alibi.slopes(0),
    "alibi bias": lambda: ev.positions.alibi.bias(0, 2),
    "t5": lambda: ev.positions.t5.bucket(np.array([0.5])),
    "t5 buckets": lambda: ev.positions.t5.bucket(np.arange(3), num_buckets=1),
    "t5 distance": lambda: ev.positions.t5.bucket(np.arange(3), max_distance=4),
    "shaw": lambda: ev.positions.shaw.index(np.arange(3), -1),
    "deberta": lambda: ev.positions.deberta.delta(np.arange(3), 0),
}

if __name__ == "__main__":
    main()
