"""Models from 2017 to 2022: positions are added, then scores get biases, and the first of them rotate."""

from embedviz.models.architectures.record import (
    Architecture,
    Layer,
    Stack,
    alike,
    configuration,
    length,
    mixed,
    rope,
    rope_of,
)

_LEARNED = Layer("learned")

FIRST_YEARS = (
    Architecture(
        "Transformer", 2017,
        (Stack((Layer("sinusoidal"),), 6, both_ways=True), Stack((Layer("sinusoidal"),), 6)),
        ("Vaswani et al. 2017",),
    ),
    Architecture(
        "GPT", 2018, alike(_LEARNED), (configuration("openai"), "Radford et al. 2018"),
        trained=512, config="OpenAIGPTConfig", held="trained",
    ),
    Architecture("Music Transformer", 2018, alike(Layer("shaw")), ("Huang et al. 2018",)),
    Architecture(
        "BERT", 2018, alike(_LEARNED, 12, both_ways=True), (configuration("bert"), "Devlin et al. 2018"),
        trained=length("bert"), config="BertConfig", held="layers trained",
    ),
    Architecture(
        "GPT-2", 2019, alike(_LEARNED, 12), (configuration("gpt2"), "Radford et al. 2019"),
        trained=length("gpt2"), config="GPT2Config", held="layers trained",
    ),
    Architecture("Transformer-XL", 2019, alike(Layer("transformer_xl")), ("Dai et al. 2019",)),
    Architecture(
        "XLNet", 2019, alike(Layer("transformer_xl")), ("models/xlnet/modeling_xlnet.py", "Yang et al. 2019"),
        trained=512, config="XLNetConfig",
    ),
    Architecture(
        "T5", 2019, (Stack((Layer("t5"),), 6, both_ways=True), Stack((Layer("t5"),), 6)),
        (configuration("t5"), "Raffel et al. 2019"), config="T5Config", held="layers",
    ),
    Architecture("GPT-3", 2020, mixed(_LEARNED, Layer("learned", "near")), ("Brown et al. 2020",), trained=2048),
    Architecture(
        "Longformer", 2020, alike(Layer("learned", "near", 512), both_ways=True),
        (configuration("longformer"), "Beltagy et al. 2020"),
        trained=4096, config="LongformerConfig", held="window",
    ),
    Architecture(
        "DeBERTa", 2020, alike(Layer("deberta"), both_ways=True), (configuration("deberta"), "He et al. 2020"),
        trained=512, config="DebertaConfig", held="trained",
    ),
    Architecture(
        "GPT-Neo", 2021, mixed(_LEARNED, Layer("learned", "near", 256)), (configuration("gpt_neo"),),
        trained=length("gpt_neo"), config="GPTNeoConfig", held="layers window trained",
    ),
    Architecture(
        "RoFormer", 2021, alike(rope(1e4), both_ways=True),
        ("models/roformer/modeling_roformer.py", "Su et al. 2021"), config="RoFormerConfig",
    ),
    Architecture(
        "GPT-J", 2021, alike(rope(1e4, rotated=0.25)), (configuration("gptj"), "models/gptj/modeling_gptj.py"),
        trained=2048, config="GPTJConfig", held="rotated trained",
    ),
    Architecture("PaLM", 2022, alike(rope()), ("Chowdhery et al. 2022",)),
    Architecture(
        "GPT-NeoX-20B", 2022, alike(rope_of("gpt_neox")), (configuration("gpt_neox"), "Black et al. 2022"),
        trained=length("gpt_neox"), config="GPTNeoXConfig", held="base rotated trained",
    ),
    Architecture(
        "OPT", 2022, alike(_LEARNED), (configuration("opt"), "Zhang et al. 2022"),
        trained=length("opt"), config="OPTConfig", held="trained",
    ),
    Architecture(
        "BLOOM", 2022, alike(Layer("alibi"), 70), ("models/bloom/modeling_bloom.py", "Scao et al. 2022"),
        trained=2048, config="BloomConfig", size=(("n_layer", 70),), held="layers",
    ),
)  # fmt: skip
