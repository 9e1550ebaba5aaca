"""The factors that LongRoPE's search found for one model, and what stands in for those of other sizes.

LongRoPE (Ding et al. 2024) searches a factor for every pair of every model. These are the published ones of
Phi-3.5-mini (microsoft/Phi-3.5-mini-instruct, config.json), which has 48 pairs and goes from 4,096 to 131,072 tokens, a
factor of 32.
"""

import json

import numpy as np

from embedviz.base import data_files

_PUBLISHED = json.loads(data_files.read("longrope.json"))
FACTOR, LONG, SHORT = (_PUBLISHED[name] for name in ("factor", "long", "short"))


def resampled(published: list[float], factor: float, n_pairs: int) -> list[float]:
    """Published factors for another factor and another number of pairs: a stand-in, since no search was made for them.

    Between two pairs the logarithm goes in a straight line. For 32 and 48 pairs these are the published factors.
    """
    at = np.linspace(0, len(published) - 1, n_pairs)
    logarithms = np.interp(at, np.arange(len(published)), np.log(published))
    return np.exp(logarithms * np.log(factor) / np.log(FACTOR)).tolist()
