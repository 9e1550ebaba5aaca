"""Models of 2023 and 2024: nearly all rotate, bases grow, and windows come in."""

from embedviz.models.architectures.record import Architecture, Layer, alike, configuration, length, mixed, rope, rope_of

_LLAMA = "models/llama/convert_llama_weights_to_hf.py"
_LLAMA_3 = (_LLAMA, "meta-llama/llama-models: llama3/args.py", "Grattafiori et al. 2024")

OPEN_MODELS = (
    Architecture(
        "LLaMA", 2023, alike(rope_of("llama")), (configuration("llama"), _LLAMA, "Touvron et al. 2023"),
        trained=length("llama"), config="LlamaConfig", held="base trained",
    ),
    Architecture(
        "Pythia", 2023, alike(rope_of("gpt_neox")), (configuration("gpt_neox"), "Biderman et al. 2023"),
        trained=length("gpt_neox"), config="GPTNeoXConfig", held="base rotated trained",
    ),
    Architecture(
        "MPT", 2023, alike(Layer("alibi")), (configuration("mpt"),),
        trained=length("mpt"), config="MptConfig", held="trained",
    ),
    Architecture(
        "Falcon", 2023, alike(rope_of("falcon")), (configuration("falcon"), "Almazrouei et al. 2023"),
        trained=length("falcon"), config="FalconConfig", held="base trained",
    ),
    Architecture(
        "Falcon-RW", 2023, alike(Layer("alibi")),
        (configuration("falcon"), "tiiuae/falcon-rw-1b: config.json", "Penedo et al. 2023"),
        trained=length("falcon"), config="FalconConfig", held="trained",
    ),
    Architecture("Llama 2", 2023, alike(rope(1e4)), (_LLAMA, "Touvron et al. 2023"), trained=4096),
    Architecture(
        "Code Llama", 2023, alike(rope(1e6)), (_LLAMA, "Rozière et al. 2023"), trained=4096, extended=16_384,
    ),
    Architecture(
        "Phi-1", 2023, alike(rope(1e4, rotated=0.5)), (configuration("phi"), "Gunasekar et al. 2023"),
        trained=2048, config="PhiConfig", held="base rotated trained",
    ),
    Architecture(
        "StableLM 3B", 2023, alike(rope(1e4, rotated=0.25)), (configuration("stablelm"),),
        trained=4096, config="StableLmConfig", held="base rotated trained",
    ),
    Architecture(
        "Mistral 7B", 2023, alike(rope_of("mistral", "near", window=4096)),
        (configuration("mistral"), "huggingface/transformers: model_doc/mistral.md", "Jiang et al. 2023"),
        trained=8192, config="MistralConfig", held="base window",
    ),
    Architecture(
        "Mixtral 8x7B", 2024, alike(rope(1e6)), (configuration("mixtral"), "Jiang et al. 2024"),
        trained=32_768, config="MixtralConfig", held="base",
    ),
    Architecture(
        "OLMo", 2024, alike(rope(1e4)), (configuration("olmo"), "Groeneveld et al. 2024"),
        trained=2048, config="OlmoConfig", held="base trained",
    ),
    Architecture("Command R", 2024, alike(rope()), ("models/cohere/modeling_cohere.py",), config="CohereConfig"),
    Architecture(
        "Jamba", 2024,
        mixed(*[Layer("none", "state")] * 4, Layer("none"), *[Layer("none", "state")] * 3),
        (configuration("jamba"), "Lieber et al. 2024"),
        extended=262_144, config="JambaConfig", held="layers extended",
    ),
    Architecture(
        "Llama 3", 2024, alike(rope(5e5), 32), _LLAMA_3,
        trained=8192, config="LlamaConfig", held="layers",
    ),
    Architecture(
        "Phi-3-mini", 2024, alike(rope_of("phi3")),
        (configuration("phi3"), "microsoft/Phi-3-mini-128k-instruct: config.json", "Abdin et al. 2024"),
        scaling="longrope", trained=length("phi3"), extended=131_072, config="Phi3Config", held="base trained",
    ),
    Architecture(
        "GLM-4 9B", 2024, alike(rope(rotated=0.5)), (configuration("glm"), "GLM Team 2024"),
        extended=131_072, config="GlmConfig", held="rotated extended",
    ),
    Architecture(
        "Gemma 2", 2024, mixed(rope_of("gemma2", "near", window=4096), rope_of("gemma2")),
        (configuration("gemma2"), "Gemma Team 2024"),
        trained=length("gemma2"), config="Gemma2Config", held="layers base window trained",
    ),
    Architecture(
        "Llama 3.1", 2024, alike(rope(5e5)), (*_LLAMA_3, "meta-llama/llama-models: llama3/model.py"),
        scaling="llama3", factor=8, trained=8192, extended=131_072, config="LlamaConfig",
    ),
    Architecture(
        "Granite 3.0", 2024, alike(rope()), ("models/granite/modeling_granite.py",), config="GraniteConfig",
    ),
    Architecture(
        "OLMo 2", 2024, alike(rope(5e5)),
        ("models/olmo2/modeling_olmo2.py", "allenai/OLMo: OLMo2-7B-stage1.yaml", "OLMo Team 2025"),
        trained=4096, config="Olmo2Config",
    ),
    Architecture(
        "Qwen2.5", 2024, alike(rope(1e6)),
        (configuration("qwen2"), "Qwen/Qwen2.5-32B-Instruct: README.md", "Qwen/Qwen2.5-7B-Instruct: config.json",
         "Yang et al. 2024"),
        scaling="yarn", factor=4, trained=length("qwen2"), extended=131_072, config="Qwen2Config", held="trained",
    ),
    Architecture(
        "ModernBERT", 2024,
        mixed(rope_of("modernbert"), *[rope_of("modernbert", "near", window=128)] * 2, both_ways=True),
        (configuration("modernbert"), "AnswerDotAI/ModernBERT: modernbert-base-pretrain.yaml",
         "Warner et al. 2024"),
        trained=1024, extended=length("modernbert"), config="ModernBertConfig", held="layers base window extended",
    ),
    Architecture(
        "DeepSeek-V3", 2024, alike(rope_of("deepseek_v3"), 61),
        (configuration("deepseek_v3"), "deepseek-ai/DeepSeek-V3: config.json", "DeepSeek-AI 2024"),
        scaling="yarn", factor=40, trained=length("deepseek_v3"), extended=163_840, config="DeepseekV3Config",
        held="layers base trained rotated",
    ),
)  # fmt: skip
