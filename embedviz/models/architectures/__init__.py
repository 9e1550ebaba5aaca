"""Which positions published models have: one table, by name and from the oldest, for the page "Models"."""

from embedviz.models.architectures.first_years import FIRST_YEARS
from embedviz.models.architectures.of_today import OF_TODAY
from embedviz.models.architectures.open_models import OPEN_MODELS
from embedviz.models.architectures.record import Architecture, Layer, Stack, kinds

ARCHITECTURES: dict[str, Architecture] = {each.name: each for each in (*FIRST_YEARS, *OPEN_MODELS, *OF_TODAY)}
# Those whose layers are drawn, each as a strip.
DRAWN = (
    "GPT-2", "BERT", "T5", "BLOOM", "Llama 3", "Llama 4 Scout", "SmolLM3", "Gemma 3", "gpt-oss", "DeepSeek-V3",
    "Qwen3-Next", "Command A",
)  # fmt: skip

__all__ = ["ARCHITECTURES", "DRAWN", "Architecture", "Layer", "Stack", "kinds"]
