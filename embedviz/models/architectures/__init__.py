"""Which positions published models have, and where each fact was read: `data/architectures.toml`, by name."""

from embedviz.models.architectures.reading import read
from embedviz.models.architectures.record import Architecture, Layer, kinds

ARCHITECTURES: dict[str, Architecture] = {each.name: each for each in read()}
# Those whose layers are drawn side by side, each as a strip.
DRAWN = (
    "GPT-2 small", "BERT base", "BLOOM 176B", "Llama 3.1 8B", "Gemma 3 27B", "Command A", "Llama 4 Scout",
    "gpt-oss-120b", "Granite 4.0 H Small", "Kimi Linear 48B-A3B", "DeepSeek-V3.2", "Qwen3.5 397B-A17B",
)  # fmt: skip

__all__ = ["ARCHITECTURES", "DRAWN", "Architecture", "Layer", "kinds"]
