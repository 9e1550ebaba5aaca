"""How well a word's position can be read from its vector inside a run of the small GPT, layer by layer."""

import threading

import numpy as np
import torch
from cachetools import LRUCache, cached

from embedviz.base.arrays import read_only
from embedviz.training.corpus import corpus
from embedviz.training.next_word import gpt, look
from embedviz.training.run import Run
from embedviz.vectors.probing import Probe, guess_of, position_error

N_FITTED, N_TESTED = 200, 100  # windows of context_length words


@cached(LRUCache(64), key=lambda run: (run.settings, int(run.steps[-1])), lock=threading.Lock())
def probe(run: Run) -> Probe:
    """The Probe of a run at its last snapshot.

    Windows begin anywhere in the text, so that no word gives its position away. The function is fitted on windows that
    the run has learned from, and tested on windows of the text that was held out.
    """
    settings = run.settings
    text = corpus(settings.text, settings.context_length, settings.seed, settings.shuffled)
    fitted, tested = _states(run, text.training, N_FITTED), _states(run, text.held_out, N_TESTED)
    places = np.arange(settings.context_length)
    errors = [
        position_error(x, np.tile(places, N_FITTED), y, np.tile(places, N_TESTED))
        for x, y in zip(fitted, tested, strict=True)
    ]
    return Probe(read_only(np.array(errors, np.float32)), guess_of(places))


def _states(run: Run, ids: torch.Tensor, n_windows: int) -> list[np.ndarray]:
    """The hidden states of windows of L words, n_layers + 1 of (n_windows * L, D)."""
    length = run.settings.context_length
    starts = torch.randint(len(ids) - length + 1, (n_windows, 1), generator=torch.Generator().manual_seed(0))
    states, _attentions, _logits = look(gpt(run), ids[starts + torch.arange(length)], torch.eye(length))
    return [each.flatten(0, 1).numpy() for each in states]
