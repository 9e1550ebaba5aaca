"""Models since 2025: most layers see only what is near, or keep a state, and some have no positions."""

from embedviz.models.architectures.record import Architecture, Layer, alike, configuration, length, mixed, rope, rope_of

_NONE = Layer("none")
_STATE = Layer("none", "state")
_LLAMA_4 = mixed(*[rope(5e5, sees="chunk", window=8192)] * 3, _NONE, n_layers=48)
_LLAMA_4_FILES = (configuration("llama4"), "models/llama4/convert_llama4_weights_to_hf.py")

OF_TODAY = (
    Architecture(
        "MiniMax-Text-01", 2025, mixed(*[_STATE] * 7, rope(1e7, rotated=0.5)),
        ("MiniMax-AI/MiniMax-01: README.md", "MiniMax 2025"), extended=1_000_000,
    ),
    Architecture(
        "Gemma 3", 2025, mixed(*[rope_of("gemma3_text", "near", window=1024)] * 5, rope_of("gemma3_text"), n_layers=34),
        (configuration("gemma3"), "models/gemma3/convert_gemma3_weights.py", "Gemma Team 2025"),
        scaling="linear", factor=8, trained=32_768, extended=length("gemma3_text"), config="Gemma3TextConfig",
        size=(("num_hidden_layers", 34), ("sliding_window", 1024)), held="layers base window extended",
    ),
    Architecture(
        "Command A", 2025, mixed(*[rope(sees="near", window=4096)] * 3, _NONE, n_layers=40),
        (configuration("cohere2"), "models/cohere2/modeling_cohere2.py", "Cohere 2025"),
        config="Cohere2Config", held="layers window",
    ),
    Architecture(
        "Llama 4 Scout", 2025, _LLAMA_4, _LLAMA_4_FILES,
        trained=262_144, extended=10_485_760, config="Llama4TextConfig", held="layers base window",
    ),
    Architecture(
        "Llama 4 Maverick", 2025, _LLAMA_4, _LLAMA_4_FILES,
        trained=262_144, extended=1_048_576, config="Llama4TextConfig", held="layers base window",
    ),
    Architecture(
        "Qwen3", 2025, alike(rope(1e6)), (configuration("qwen3"), "Qwen Team 2025"),
        scaling="yarn", factor=4, trained=length("qwen3"), extended=131_072, config="Qwen3Config", held="trained",
    ),
    Architecture(
        "SmolLM3", 2025, mixed(*[rope()] * 3, _NONE, n_layers=36), (configuration("smollm3"),),
        config="SmolLM3Config", held="layers",
    ),
    Architecture(
        "Gemma 3n", 2025, mixed(*[rope(1e4, sees="near", window=512)] * 4, rope(1e6)),
        (configuration("gemma3n"),),
        trained=32_768, config="Gemma3nTextConfig", held="layers base window trained",
    ),
    Architecture(
        "EXAONE 4.0 32B", 2025, mixed(*[rope(sees="near", window=4096)] * 3, _NONE),
        (configuration("exaone4"), "models/exaone4/modeling_exaone4.py"),
        config="Exaone4Config", held="layers window",
    ),
    Architecture(
        "GLM-4.5", 2025, alike(rope(1e6, rotated=0.5)), (configuration("glm4_moe"), "GLM-4.5 Team 2025"),
        trained=4096, extended=131_072, config="Glm4MoeConfig", held="rotated extended",
    ),
    Architecture(
        "gpt-oss", 2025,
        mixed(rope_of("gpt_oss", "near", window=128, sinks=True), rope_of("gpt_oss", sinks=True), n_layers=36),
        (configuration("gpt_oss"), "models/gpt_oss/modeling_gpt_oss.py"),
        scaling="yarn", factor=32, trained=4096, extended=length("gpt_oss"), config="GptOssConfig",
        held="layers base window scaling trained extended",
    ),
    Architecture(
        "Qwen3-Next", 2025, mixed(*[_STATE] * 3, rope(rotated=0.25), n_layers=48),
        (configuration("qwen3_next"),), config="Qwen3NextConfig", held="layers rotated",
    ),
    Architecture(
        "Apertus", 2025, alike(rope(1.2e7)), (configuration("apertus"),),
        scaling="llama3", factor=8, trained=8192, extended=65_536, config="ApertusConfig",
        held="base scaling trained extended",
    ),
    Architecture(
        "Kimi Linear", 2025, mixed(*[_STATE] * 3, _NONE), (configuration("kimi_linear"), "Kimi Team 2025"),
        extended=1_048_576, config="KimiLinearConfig", held="extended",
    ),
    Architecture(
        "Olmo 3", 2025, mixed(*[rope(5e5, sees="near", window=4096)] * 3, rope(5e5)),
        (configuration("olmo3"), "facebookresearch/fairseq2: olmo/config.py", "Olmo Team 2025"),
        scaling="yarn", factor=8, trained=8192, extended=65_536, config="Olmo3Config", held="layers base window",
    ),
    Architecture(
        "Ministral 3", 2025, alike(rope(1e6)), (configuration("ministral3"),),
        scaling="yarn", factor=16, trained=16_384, extended=262_144, config="Ministral3Config",
        held="base scaling trained extended",
    ),
    Architecture(
        "Gemma 4", 2026,
        mixed(*[rope(1e4, sees="near", window=512)] * 5, rope(1e6, rotated=0.25)), (configuration("gemma4"),),
        scaling="proportional", extended=131_072, config="Gemma4TextConfig",
        held="layers base window rotated extended",
    ),
)  # fmt: skip
