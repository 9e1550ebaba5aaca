"""Everything that parses text or bytes either gives what it promises or says in words what is wrong."""

import json
import os
import re
from unittest.mock import patch

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

import embedviz as ev
from embedviz.base.errors import EmbedvizError, Unavailable
from embedviz.base.pages import PAGES
from embedviz.base.settings import PREFIX, ROOT, Settings, read
from embedviz.models.header import Version, entries_of, header_length, tensor
from embedviz.text import samples, uploaded
from embedviz.text.token_ids import encode
from embedviz.text.tokens import TOKENIZERS, prefixed
from embedviz.training import corpus
from embedviz.vectors import lookup
from embedviz.vectors.batches import Loader
from embedviz.vectors.own import vector_files
from embedviz.vectors.spec import Spec
from tests.pages.controls import BAD, go, red
from tests.pages.site import visit
from tests.text.test_coverage import MADE, check_spans, cut

ANY_TEXT = st.text(st.characters(codec=None, categories=None), max_size=200)  # lone surrogates too
MARKUP = st.sampled_from(
    [
        "<|endoftext|>",
        "<script>",
        "**",
        "$x$",
        ":material/edit:",
        "![](http://example.org)",
        "\u202e",
        "👨‍👩‍👧",
        "e\u0301",
    ]
)
TEXTS = st.lists(ANY_TEXT | MARKUP, max_size=6).map("".join)
# Whatever is called a key in the pages, which is more than stands in addresses, and what the shell reads from them.
_SOURCES = [*(ROOT / "embedviz/ui").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]
_NAMED = {key for path in _SOURCES for key in re.findall(r'key="(\w+)"', path.read_text("utf-8"))}
KEYS = sorted(_NAMED.union({"view", "present", "hide", "embed", "embed_options", "head_dim"}))
WILD = st.sampled_from([*BAD.values(), "0", "0x10", "null", "½"])


def allowed_to_fail(act, *errors: type[Exception]):
    """What `act` gives, or None if it says in words what is wrong."""
    try:
        return act()
    except (EmbedvizError, *errors) as error:
        said = str(error)
    assert said.strip()
    return None


@given(TEXTS, st.sampled_from(TOKENIZERS), st.booleans())
def test_tokens(text, tokenizer, prefix_space):
    tokens = ev.tokenize(text, tokenizer, prefix_space)
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert len(tokens.ids) == len(tokens.texts) == len(tokens.spans)
    assert all(0 <= id_ < tokens.vocab_size for id_ in tokens.ids)
    assert all(0 <= start <= end <= len(whole) for start, end in tokens.spans)
    assert [start for start, _ in tokens.spans] == sorted(start for start, _ in tokens.spans)
    if tokenizer == "words":
        assert tokens.texts == [whole[start:end] for start, end in tokens.spans]
    else:
        assert samples.encoding(tokenizer).decode(tokens.ids) == prefixed(whole, prefix_space)


@given(st.sampled_from(sorted(MADE)), st.text(st.characters(codec="utf-8"), max_size=60))
def test_tokens_of_models(which, text):
    """Whatever a tokenizer does to a text, its tokens lie within it and in order."""
    pieces, spans = cut(MADE[which], text)
    assert len(pieces) == len(spans)
    check_spans(text, spans)


@given(TEXTS | st.text("0123456789+-,; []()\n", max_size=60))
def test_ids(text):
    ids = allowed_to_fail(lambda: lookup.parse_ids(text))
    assert ids is None or ids == tuple(
        int(word) for word in text.strip().strip("[]()").replace(",", " ").replace(";", " ").split()
    )


@given(st.binary(max_size=300) | TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_uploads(data):
    text = allowed_to_fail(lambda: uploaded.read_text(data))
    if text is None:
        return
    marked = data.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff"))
    assert marked or text.encode() in (data, data.removeprefix(b"\xef\xbb\xbf"))
    for tokenizer in ("gpt2", "words"):
        tokens = encode(text, tokenizer)
        loader = allowed_to_fail(lambda tokens=tokens: Loader(tokens, batch_size=2, max_length=3, stride=2))
        first = next(iter(loader), None) if loader else None
        assert first is None or np.array_equal(first.inputs[0], tokens.ids[:3])
    allowed_to_fail(lambda: corpus.check_text(text, 4))


@given(
    st.binary(max_size=300) | TEXTS.map(lambda text: text.encode("utf-8", "replace")),
    st.sampled_from(["tsv", "csv", "npz", "npy", "safetensors"]),
)
def test_vectors_of_ones_own(data, kind):
    file = allowed_to_fail(lambda: vector_files.read(f"mine.{kind}", data))
    if file and file.likely[0]:
        source = allowed_to_fail(lambda: vector_files.source_from(file, *file.likely))
        assert source is None or np.isfinite(source.token_table()).all()
    texts = allowed_to_fail(lambda: vector_files.read_texts("metadata.tsv", data))
    assert texts is None or all(isinstance(each, str) for each in texts.texts)


@st.composite
def headers(draw) -> bytes:
    """A right header with some of it replaced."""
    entry = {"dtype": "F32", "shape": [50_257, 768], "data_offsets": [0, 154_389_504]}
    other = {"dtype": "F32", "shape": [1024, 768], "data_offsets": [154_389_504, 157_535_232]}
    entries = {"wte.weight": entry, "wpe.weight": other}
    anything = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
        max_leaves=4,
    )
    for _ in range(draw(st.integers(0, 2))):
        target = draw(st.sampled_from([entries, entry, other]))
        target[draw(st.sampled_from([*target, "", "__metadata__"]))] = draw(anything)
    text = json.dumps(entries).encode()
    place = draw(st.integers(0, len(text)))
    return text[:place] + draw(st.binary(max_size=3)) + text[place + draw(st.integers(0, 3)) :]


@given(st.binary(max_size=12), headers(), st.integers(0, 2**33))
def test_safetensors_headers(head, header, file_size):
    allowed_to_fail(lambda: header_length(head, file_size), Unavailable)
    size = 8 + len(header) + 157_535_232
    entries = allowed_to_fail(lambda: entries_of(header), Unavailable)
    version = Version("", "", "", size)
    for name in entries or ():
        table = allowed_to_fail(lambda name=name: tensor(entries, name, 8 + len(header), "file", version), Unavailable)
        assert table is None or 8 + len(header) <= table.start <= table.start + table.nbytes <= size


@given(st.dictionaries(st.sampled_from([*Settings.model_fields, "nothing"]), st.text(max_size=20), max_size=3))
def test_settings(chosen):
    variables = {PREFIX + name.upper(): value.replace("\0", "") for name, value in chosen.items()}
    clean = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    encodable = {name: value.encode("utf-8", "replace").decode() for name, value in variables.items()}
    with patch.dict(os.environ, clean | encodable, clear=True):
        found = allowed_to_fail(read)
    assert found is None or "nothing" not in chosen


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "tokenizer": st.sampled_from(TOKENIZERS) | ANY_TEXT,
            "output_dim": st.integers() | WILD,
            "seed": st.integers() | st.floats(),
            "position": ANY_TEXT | st.sampled_from(["rope", "sinusoidal", "none"]),
            "position_scale": st.floats() | WILD,
            "context_length": st.integers() | st.none(),
            "source": ANY_TEXT | st.sampled_from(["trained", "gpt2"]),
        },
    )
)
@example({"tokenizer": "gpt2", "source": "trained"})  # found here: a default counts as left out, and the source decides
def test_specs(chosen):
    spec = allowed_to_fail(lambda: Spec(**chosen))
    if spec:
        fixed = spec.origin.decided
        taken = {name for name in fixed if chosen.get(name) == getattr(Spec, name)}
        assert all(getattr(spec, name) == (fixed if name in taken else chosen)[name] for name in chosen)


QUERIES = st.dictionaries(
    st.sampled_from(KEYS), WILD | TEXTS.map(lambda text: text.encode("utf-8", "replace")), max_size=6
)


@settings(max_examples=15)
@given(st.sampled_from(PAGES), QUERIES, QUERIES)
def test_addresses(page, query, later):
    """Whatever stands in the address, a page comes, and no traceback on it; nor on the next address of the session."""
    at = visit(page.name, **query)
    assert not at.exception, red(at)
    assert not go(at, later).exception, red(at)
    assert len(at.main)
