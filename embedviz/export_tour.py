"""The program behind each step of the tour, as the other pages have it."""

from dataclasses import replace

from embedviz.embedding import embed_tokens
from embedviz.export import pytorch_compare
from embedviz.export_attention import pytorch_attention
from embedviz.export_relative import pytorch_shift
from embedviz.program import pytorch_training
from embedviz.tour_facts import N_HEADS, Facts


def pytorch_step(name: str, facts: Facts) -> str:
    """Attention, the shift test, the training, or the two sentences compared."""
    if name == "Attention" and facts.attended:
        a, b = (
            embed_tokens(each.tokens, replace(each.spec, position="none")) for each in (facts.shown.a, facts.shown.b)
        )
        return pytorch_attention(a, b, N_HEADS, 0, causal=True)
    if name == "Distance":
        return pytorch_shift(facts.sentence)
    if name == "Training":
        return pytorch_training(facts.run.settings)
    return pytorch_compare(facts.comparison.a, facts.comparison.b)
