"""Small tokenizers of the kinds that models have, made by the library `tokenizers`, as their files tokenizer.json."""

import json
from collections.abc import Callable
from functools import cache

from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from embedviz.base.errors import Unavailable

CORPUS = [
    "the cat sat on the mat", "on the mat the cat sat", "The dog bites the man, and the man bites the dog!",
    "unbelievable believing unbelievers sing singing", "a café in Zürich, ten naïve cats", "3,000 cats & 12 dogs",
]  # fmt: skip
_QUIET = {"show_progress": False}


def _byte_level() -> Tokenizer:
    """Like Llama 3's: each letter stands for a byte, and a special token begins the text."""
    found = Tokenizer(models.BPE())
    found.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    found.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    special = ["<|begin_of_text|>", "<|end_of_text|>"]
    trainer = trainers.BpeTrainer(vocab_size=330, special_tokens=special, initial_alphabet=alphabet, **_QUIET)
    found.train_from_iterator(CORPUS, trainer)
    begin = processors.TemplateProcessing(
        "<|begin_of_text|> $A", special_tokens=[("<|begin_of_text|>", found.token_to_id("<|begin_of_text|>"))]
    )
    found.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=True), begin])
    return found


def _roberta() -> Tokenizer:
    """Like RoBERTa's: it puts a space before the text itself."""
    found = _byte_level()
    found.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    begin, end = (("<|end_of_text|>", 1), ("<|begin_of_text|>", 0))
    found.post_processor = processors.RobertaProcessing(begin, end, trim_offsets=True, add_prefix_space=True)
    return found


def _word_pieces() -> Tokenizer:
    """Like BERT's: lower case, no accents, [CLS] and [SEP]; its file asks for padding and truncation."""
    found = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    found.normalizer = normalizers.BertNormalizer(lowercase=True)
    found.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    found.decoder = decoders.WordPiece()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    found.train_from_iterator(CORPUS, trainers.WordPieceTrainer(vocab_size=120, special_tokens=special, **_QUIET))
    found.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    found.enable_padding(length=16)
    found.enable_truncation(4)
    return found


def _unigram() -> Tokenizer:
    """Like T5's: SentencePiece's letter for a space, NFKC, and </s> at the end."""
    found = Tokenizer(models.Unigram())
    found.normalizer = normalizers.NFKC()
    found.pre_tokenizer = pre_tokenizers.Metaspace()
    found.decoder = decoders.Metaspace()
    special = ["<pad>", "</s>", "<unk>"]
    trainer = trainers.UnigramTrainer(vocab_size=90, special_tokens=special, unk_token="<unk>", **_QUIET)
    found.train_from_iterator(CORPUS, trainer)
    found.post_processor = processors.TemplateProcessing("$A </s>", special_tokens=[("</s>", 1)])
    return found


def _byte_fallback(prepend: bool) -> Tokenizer:
    vocab = {token: n for n, token in enumerate(["<unk>", "<s>", "</s>", *(f"<0x{n:02X}>" for n in range(256))])}
    for token in ["▁", *"abcdefghimnosty", "▁t", "he", "▁the", "▁c", "at", "▁cat", "▁▁"]:
        vocab[token] = len(vocab)
    merges = [("▁", "t"), ("h", "e"), ("▁t", "he"), ("▁", "c"), ("a", "t"), ("▁c", "at"), ("▁", "▁")]
    found = Tokenizer(models.BPE(vocab, merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    steps = [*([normalizers.Prepend("▁")] if prepend else []), normalizers.Replace(" ", "▁")]
    found.normalizer = normalizers.Sequence(steps)
    found.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    found.add_special_tokens(["<unk>", "<s>", "</s>"])
    return found


def _llama() -> Tokenizer:
    """Like Llama 2's: bytes such as <0xF0> where no letter is known, and <s> before the text."""
    found = _byte_fallback(prepend=True)
    found.post_processor = processors.TemplateProcessing("<s> $A", special_tokens=[("<s>", 1)])
    return found


def _gemma() -> Tokenizer:
    """Like Gemma's: the same without a space of its own, and runs of spaces as added tokens."""
    found = _byte_fallback(prepend=False)
    found.add_tokens([AddedToken("▁▁", normalized=False), AddedToken("\n\n", normalized=False)])
    return found


_KINDS: dict[str, Callable[[], Tokenizer]] = {
    "byte-level": _byte_level,
    "roberta": _roberta,
    "word-pieces": _word_pieces,
    "unigram": _unigram,
    "llama": _llama,
    "gemma": _gemma,
}
NAMES = tuple(f"test/{kind}" for kind in _KINDS)


@cache
def tokenizer_json(name: str) -> bytes:
    """The file of the tokenizer "test/kind", in the place of `HubModel.tokenizer_json`."""
    if name not in NAMES:
        away(name)
    return _KINDS[name.removeprefix("test/")]().to_str().encode()


def reference(name: str) -> Tokenizer:
    """The library's own tokenizer of this file, which neither pads nor truncates."""
    found = Tokenizer.from_str(tokenizer_json(name).decode())
    found.no_padding()
    found.no_truncation()
    found.encode_special_tokens = True
    return found


def changed(name: str, **sections: object) -> bytes:
    """The file with other sections."""
    return json.dumps(json.loads(tokenizer_json(name)) | sections).encode()


def away(name: str) -> bytes:
    """A Hub that has no tokenizer."""
    raise Unavailable(f"The Hub does not have {name}.")
