"""No text is left out: in a language made of the template, what stays in ASCII is no text of the interface."""

import json
import os
import re
import subprocess
import sys

import pytest

from embedviz.checkpoints import CHECKPOINTS
from embedviz.extraction import ROOT
from embedviz.grammar import CLASSES, VOCABULARY
from embedviz.positions import SCHEMES
from embedviz.sources import SOURCES
from embedviz.spec import TOKENIZERS
from tests.pseudo import write
from tests.translated_pages import words

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
    "tokenizers": " ".join(TOKENIZERS),
    "schemes, their papers and models": " ".join(
        f"{each.name} {each.paper} {' '.join(each.used_by)}" for each in SCHEMES.values()
    )
    + " Shaw Transformer-XL DeBERTa RoPE ALiBi",
    "sources and models": " ".join([*SOURCES, *(each.title for each in CHECKPOINTS.values())]),
    "parameters, in the words of PyTorch": "vocab_size output_dim context_length max_length stride batch_size shuffle "
    "drop_last seed lower_case position nn.Embedding float32 float16 interleaved half",
    "methods and measures": "PCA t-SNE UMAP cosine euclidean",
    "units and formats": "kB MB GB CSV NPZ PNG SVG vectors.tsv metadata.tsv vocabulary.npz",
    "options of Plotly and of Streamlit": "previous toggle tour",
}


@pytest.fixture(scope="module")
def found(tmp_path_factory) -> dict[str, list[str]]:
    """Every text with ASCII words on every page in the pseudo language."""
    path = tmp_path_factory.mktemp("pseudo") / "xx.po"
    write(path, but=LEFT_OUT)
    done = subprocess.run(
        [sys.executable, "-m", "tests.translated_pages"],
        env=os.environ | {"EMBEDVIZ_LANGUAGE": str(path)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def test_every_text_on_every_page_is_in_the_catalogue(found):
    allowed = {word for group in ALLOWED.values() for word in words(group)}
    left = [
        (where, text)
        for where, texts in found.items()
        for text in texts
        if text != LEFT_OUT and set(words(PYTORCH.sub("", text))) - allowed
    ]
    assert not left, left[:20]


def test_a_text_that_is_in_no_catalogue_is_seen(found):
    """Left out of the translation, one stays English, and is found on the pages that have it."""
    assert {where for where, texts in found.items() if LEFT_OUT in texts} >= {"compare", "attention"}


def test_the_pages_were_there(found):
    """A token on each: what the check reads is what the pages show."""
    assert len(found) > 40
    assert any("the cat sat on the mat" in text for text in found["compare"])
