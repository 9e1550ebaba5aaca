"""The words that explain a view: what to look at, why it matters, and what the field's terms mean."""

import html
from collections.abc import Iterable
from dataclasses import dataclass

import streamlit as st

from embedviz.base.i18n import N_, _, translated

# Each term and its meaning, by the name that pages use for it. The whole site uses the same words for a term.
TERMS = {
    "token": (N_("Token"), N_("A piece of text that a model reads as one unit: a word, a part of a word, or a sign.")),
    "id": (N_("Token ID"), N_("The number of a token in the tokenizer's list, by which a model knows it.")),
    "subwords": (N_("Subword"), N_(
        "A token that is part of a word: rare words are put together from a few subwords, so a list of limited length "
        "can spell any text.")),
    "byte": (N_("Byte"), N_(
        "One of the 256 values that every text file is made of. Letters such as é and 猫 take two to four of them, and "
        "a tokenizer that has no token for such a letter spells its bytes.")),
    "prefix_space": (N_("Prefix space"), N_(
        "A space that is put before the first word of a text. A byte-pair tokenizer has one token for a word at the "
        "very start, and another one for the same word after a space.")),
    "special": (N_("[CLS] and [SEP]"), N_(
        "Tokens that BERT and its kind put at the beginning and at the end of a text. They stand for no word.")),
    "vocabulary": (N_("Vocabulary"),
        N_("All tokens that a tokenizer knows; vocab_size is their number, or a little more.")),
    "vector": (N_("Token vector"),
        N_("The list of numbers that stands for a token inside a model, also called its embedding.")),
    "dimension": (N_("Dimension"), N_("One place in a vector: a list of 256 numbers has 256 dimensions.")),
    "table": (N_("Embedding table"),
        N_("One row of numbers for each token ID; a lookup copies the row and computes nothing.")),
    "one_hot": (N_("One-hot vector"),
        N_("Zeros with a single 1 at the place of the ID. Multiplied with the table, it gives the row of that ID.")),
    "position": (N_("Position"), N_("The place of a token in its text, counted from 0.")),
    "positional": (N_("Positional vector"),
        N_("A vector that stands for a position and not for a token; older models add it to the token vector.")),
    "input": (N_("Input vector"),
        N_("What enters a model's first layer: here the token vector plus the positional vector.")),
    "distance": (N_("Distance"),
        N_("How far apart two vectors lie: the root of the sum of the squared differences of their numbers.")),
    "cosine": (N_("Cosine similarity"),
        N_("How much two vectors point the same way: 1 for the same direction, 0 for a right angle, −1 for opposite.")),
    "rms": (N_("Root mean square"), N_(
        "The square root of the mean of the squares. The root mean square distance of unlike tokens says how far apart "
        "they are on average, and other distances are measured by it.")),
    "mean": (N_("Mean"), N_("The average of several vectors, dimension by dimension.")),
    "pca": (N_("PCA"), N_(
        "Principal component analysis: the picture of vectors in two or three dimensions that keeps as much of "
        "their differences as it can.")),
    "variance": (N_("Share of the variance"),
        N_("How much of all differences between the vectors an axis of the picture shows; the rest cannot be seen.")),
    "layout": (N_("t-SNE"), N_(
        "A way to lay out vectors so that close ones stay close where possible; distances between far groups "
        "mean little.")),
    "attention": (N_("Attention"),
        N_("The part of a model in which each token gathers information from others, weighted by how well they fit.")),
    "query": (N_("Query"), N_("A vector computed from a token that says what it looks for in the others.")),
    "key": (N_("Key"), N_("A vector computed from a token by which the queries of others find it.")),
    "value": (N_("Value"),
        N_("A vector computed from a token that holds what it hands on to those that attend to it.")),
    "score": (N_("Score"),
        N_("How well a query fits a key: the sum of the products of their numbers, usually divided by √d.")),
    "weights": (N_("Attention weights"), N_(
        "The scores of one token, turned by the softmax into shares between 0 and 1 that together make 1, or less "
        "where a head has a learned sink.")),
    "head": (N_("Head"),
        N_("One of several attentions that a layer computes side by side, each with queries and keys of its own.")),
    "mask": (N_("Causal mask"),
        N_("It lets each token attend only to itself and to those before it, as models that write text do.")),
    "residual": (N_("Residual connection"), N_(
        "A layer's input is added to its output. The random layer on the page Attention leaves this out, to show "
        "attention alone.")),
    "scheme": (N_("Position scheme"),
        N_("The way in which a model is told where its tokens stand. Not to tell it at all is a scheme too.")),
    "sinusoidal": (N_("Sinusoidal positions"), N_(
        "Positional vectors from a formula: each pair of dimensions is the sine and the cosine of the position, at a "
        "speed of its own.")),
    "absolute": (N_("Absolute position"), N_("The place itself, counted from the beginning of the text.")),
    "relative": (N_("Relative position"),
        N_("How far two tokens are from each other, wherever in the text they stand.")),
    "rope": (N_("RoPE"),
        N_("Rotary positions: queries and keys are turned by an angle that grows with their position.")),
    "pair": (N_("Pair of dimensions"),
        N_("Two dimensions of a query or a key that RoPE turns together, like the hand of a clock.")),
    "base": (N_("Base of RoPE"), N_(
        "The number, often 10,000, from which the speed of each pair is computed. A larger base makes slow pairs "
        "slower.")),
    "scaling": (N_("RoPE scaling"), N_(
        "A change of the pairs' speeds that is meant to let a model read longer texts than those of its training, as a "
        "rule after some more training.")),
    "partial": (N_("Partial rotation"),
        N_("RoPE on some of the dimensions only. The others are the same at every position.")),
    "context": (N_("Context length"), N_(
        "How many tokens a model reads at once, at most: context_length, or max_position_embeddings in its "
        "configuration. With a learned table it is the number of rows; with RoPE it is what the makers allow.")),
    "layer": (N_("Layer"), N_(
        "One round of attention and computation. A model has many, and each begins with what the one before has "
        "made.")),
    "sliding_window": (N_("Sliding window"), N_(
        "A mask that lets each token attend only to a fixed number of tokens near it: in models that write text, to "
        "the latest ones, itself among them.")),
    "sink": (N_("Attention sink"), N_(
        "A place that takes weight which no token deserves: the first tokens of a text, or a number that a head has "
        "learned.")),
    "bias": (N_("Bias"), N_(
        "A number that is added to a score; with ALiBi and T5 it depends on the head and on how far away the other "
        "token stands, in T5 also on which side. It does not depend on what the tokens are.")),
    "bucket": (N_("Bucket"), N_("A range of distances that share one learned number, as in T5.")),
    "wavelength": (N_("Wavelength"), N_("After how many positions a sine or a cosine repeats itself.")),
    "batch": (N_("Batch"), N_("Several windows of text that a model learns from in one step.")),
    "window": (N_("Window"), N_("As many tokens in a row as the model is shown at once: max_length.")),
    "stride": (N_("Stride"), N_("How many tokens further the next window begins.")),
    "target": (N_("Target"), N_("The token that the model should have predicted: the one that comes next.")),
    "padding": (N_("Padding"), N_("Tokens without meaning that make shorter texts as long as the longest of a batch.")),
    "intervention": (N_("Intervention"), N_(
        "A change that is made inside a model while it reads, such as taking its positions away, to see what depends "
        "on it.")),
    "probe": (N_("Probe"), N_(
        "A small model that learns to read one thing, such as the position, from another model's vectors. It is tested "
        "on texts from which it did not learn.")),
    "training": (N_("Training"),
        N_("Many small changes to a model's numbers, which together make its predictions less wrong.")),
    "gradient": (N_("Gradient"),
        N_("For each number of a model, how the loss would change with it; training steps the other way.")),
    "loss": (N_("Loss"), N_(
        "How surprised a model is by the word that really comes next: minus the logarithm of the probability that it "
        "gave to it.")),
    "nats": (N_("Nat"),
        N_("The unit of the loss: one nat means that the right word got a probability of 1/e, about 37 %.")),
    "neighbour": (N_("Neighbour"), N_("A token whose vector is among those nearest to another's.")),
}  # fmt: skip


@dataclass(frozen=True)
class Guide:
    """Of a view: what to look at, why that matters (both marked), and its terms by name, with a space between."""

    look: str
    why: str
    terms: str


def glossary(names: Iterable[str]) -> None:
    """Show what these terms mean, and below them the list of all other terms."""
    own = list(names)
    opened = st.popover(_("Glossary"), icon=":material/dictionary:", key="glossary", on_change="rerun")
    if opened.open:  # closed, it costs an edit nothing
        others = sorted(TERMS.keys() - set(own), key=lambda name: translated(TERMS[name][0]).casefold())
        heading = html.escape(_("All other terms"))
        opened.html(f"{_listed(own)}<h3>{heading}</h3>{_listed(others)}")


def _listed(names: Iterable[str]) -> str:
    rows = (map(html.escape, map(translated, TERMS[name])) for name in names)
    return f"<dl>{''.join(f'<dt>{term}</dt><dd>{meaning}</dd>' for term, meaning in rows)}</dl>"
