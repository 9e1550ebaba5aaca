"""What a run of the small GPT says next, also if words stand at other positions than in training."""

import threading
from dataclasses import replace

import numpy as np
import torch
from cachetools import LRUCache, cached

from embedviz.base.arrays import read_only
from embedviz.base.errors import EmbedvizError
from embedviz.text.tokens import Tokens, tokenize
from embedviz.training.model import GPT
from embedviz.training.placement import AS_TRAINED, Placement
from embedviz.training.run import Run
from embedviz.training.train import shape
from embedviz.vectors.forward import Forward


def forward(run: Run, text: str, placement: Placement = AS_TRAINED) -> Forward:
    """A text of words through the model as it was at the run's last snapshot; tokens in the order of the model's list.

    Raises EmbedvizError if the text has no words, more words than the model has positions, or a word that it does not
    know.
    """
    return read(run, tokenize(text, "words", vocabulary=run.vocabulary), placement)


def read(run: Run, tokens: Tokens, placement: Placement = AS_TRAINED) -> Forward:
    """The same of words that are cut already, by the run's vocabulary."""
    if not tokens.ids:
        raise EmbedvizError("Type at least one word, for the model to say what comes next.")
    places, listed = placement.places(len(tokens), run.settings.context_length), placement.listed(len(tokens))
    model = gpt(run)
    ids = torch.tensor([tokens.ids])[:, listed]
    states, attentions, values, logits = run_model(model, ids, torch.tensor(places[listed]))
    tokens = replace(
        tokens, **{name: [getattr(tokens, name)[n] for n in listed] for name in ("ids", "texts", "spans", "partial")}
    )
    lengths = torch.cat(values).norm(dim=-1)  # (n_layers, H, T)
    arrays = (torch.cat(states), torch.cat(attentions), logits[0].softmax(dim=-1), lengths)
    return Forward(tokens, *(read_only(each.numpy()) for each in arrays))


def _scaled_key(run: Run, tokens: Tokens, scales: tuple[float, ...]) -> tuple:
    return run.key, tokens.text, tuple(tokens.ids), scales


# A letter that is typed changes one of two sentences.
@cached(LRUCache(32), key=_scaled_key, lock=threading.Lock())
def read_scaled(run: Run, tokens: Tokens, scales: tuple[float, ...]) -> list[Forward]:
    """The same with each of these shares of the positions, in one pass, which takes little longer than one share."""
    if not tokens.ids:
        raise EmbedvizError("Type at least one word, for the model to say what comes next.")
    n, most = len(tokens), run.settings.context_length
    places = torch.tensor(np.stack([Placement(scale=scale).places(n, most) for scale in scales]))  # (S, T, L)
    model = gpt(run)
    states, attentions, values, logits = run_model(model, torch.tensor([tokens.ids] * len(scales)), places)
    parts = (torch.stack(states, 1), torch.stack(attentions, 1), logits.softmax(dim=-1))
    lengths = torch.stack(values, 1).norm(dim=-1)  # (S, n_layers, H, T)
    return [Forward(tokens, *(read_only(each.numpy()) for each in of)) for of in zip(*parts, lengths, strict=True)]


@cached(LRUCache(16), key=lambda run: run.key, lock=threading.Lock())
def gpt(run: Run) -> GPT:
    """The model as it was at the run's last snapshot. Nobody may change it, since all visitors share it."""
    model = GPT(shape(run.settings, len(run.vocabulary)), torch.Generator()).requires_grad_(False)
    for name, values in model.named_parameters():
        values.copy_(torch.tensor(run.weights[name]))
    return model


@torch.no_grad()
def run_model(
    model: GPT, ids: torch.Tensor, places: torch.Tensor
) -> tuple[list[torch.Tensor], list[torch.Tensor], list[torch.Tensor], torch.Tensor]:
    """IDs (B, T) at their places, (T, L) or (B, T, L), through the model.

    Returns the hidden states, n_layers + 1 of (B, T, D), with the last of them normed; the weights of the heads,
    n_layers of (B, H, T, T); their values, n_layers of (B, H, T, D/H); and the logits after the last word, (B, V).
    """
    x, at = model.enter(ids, places)
    states, attentions, values = [x], [], []
    for block in model.blocks:
        q, k, v = block.heads(x, at)
        x = block.leave(x, q, k, v)
        states.append(x)
        attentions.append(block.weights(q, k))
        values.append(v)
    states[-1] = model.norm(x)
    return states, attentions, values, model.head(states[-1][:, -1])
