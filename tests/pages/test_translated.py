"""No text is left out: in a language made of the template, what stays in ASCII is no text of the interface."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from embedviz.base.locale.extract import ROOT
from embedviz.models.architectures import ARCHITECTURES
from embedviz.models.checkpoints import CHECKPOINTS
from embedviz.positions import SCHEMES
from embedviz.text.grammar import CLASSES, VOCABULARY
from embedviz.text.samples import pairs
from embedviz.text.tokens import TOKENIZERS
from embedviz.vectors.lookup import MODELS
from embedviz.vectors.sources import SOURCES
from pages.models.ideas_words import IDEAS
from tests.pages.translated_pages import words
from tests.pseudo import write

LEFT_OUT = "Ready pairs"  # of the translation, to see what a text that nobody marked looks like
# What PyTorch and Python's regular expressions say stands there in their own words.
PYTORCH = re.compile(
    r"IndexError: index out of range in self|The size of tensor a .* non-singleton dimension \d"
    r"|missing \\\) at position 1"
)
ALLOWED = {
    "what visitors typed": "the The cat sat on mat dog bites man no",
    "words of the small GPT and their classes": " ".join([*VOCABULARY, *CLASSES]),
    "words of a small table, and bytes": "brown dog fox jumps lazy over xf",
    "ready pairs in the language whose tag it has": " ".join(f"{pair.a} {pair.b}" for pair in pairs("de")),
    "tokenizers": " ".join(TOKENIZERS),
    "schemes and their papers": " ".join(f"{each.name} {each.paper}" for each in SCHEMES.values())
    + " Shaw Transformer-XL DeBERTa RoPE ALiBi",
    "models of the page Models, and where their rows were read": " ".join(
        f"{each.name} {each.config} {each.size} {each.scaling} {' '.join(each.sources)}"
        for each in ARCHITECTURES.values()
    ),
    "newer ideas and their papers": " ".join(f"{each.name} {each.paper}" for each in IDEAS),
    "sources and models": " ".join(
        [*SOURCES, *(each.title for each in CHECKPOINTS.values()), *(each.name for each in MODELS)]
    ),
    "parameters, in the words of PyTorch": "vocab_size output_dim context_length max_length stride batch_size shuffle "
    "drop_last seed lower_case position nn.Embedding float32 float16 interleaved half",
    "methods and measures": "PCA t-SNE UMAP cosine euclidean",
    "scalings of RoPE, and models with a part of it": "YaRN LongRoPE Llama Phi GPT-NeoX DeepSeek Gemma",
    "units and formats": "kB MB GB CSV NPZ PNG SVG vectors.tsv metadata.tsv vocabulary.npz",
    "options of Plotly and of Streamlit": "previous toggle tour models",
    "what the slider moves, as its script calls it": "amount snapshot",
}


def found(path: Path) -> dict[str, list[str]]:
    """Every text with ASCII words on every page in the language of the catalogue."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.pages.translated_pages"],
        env=os.environ | {"EMBEDVIZ_LANGUAGE": str(path)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def test_every_text_on_every_page_is_in_the_catalogue(tmp_path):
    write(tmp_path / "xx.po", but=LEFT_OUT)
    on_pages = found(tmp_path / "xx.po")
    allowed = {word for group in ALLOWED.values() for word in words(group)}
    left = [
        (where, text)
        for where, texts in on_pages.items()
        for text in texts
        if text != LEFT_OUT and set(words(PYTORCH.sub("", text))) - allowed
    ]
    assert not left, left[:20]
    # What the check reads is what the pages show: a token on each, and a text that is in no catalogue where it belongs.
    assert len(on_pages) > 40
    assert any("the cat sat on the mat" in text for text in on_pages["compare"])
    assert {where for where, texts in on_pages.items() if LEFT_OUT in texts} >= {"compare", "attention"}
