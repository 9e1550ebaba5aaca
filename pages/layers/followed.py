"""What a model makes of both sentences of the view "copies", and of a third one beside them."""

from dataclasses import dataclass

from embedviz.layers.copies import CopySimilarity, copy_similarity
from embedviz.ui.inputs.model_runs import LanguageModel, PairOutput, read_pair
from embedviz.vectors.forward import Forward


@dataclass(frozen=True)
class Followed:
    """What a model makes of both sentences. without: of them with positions off, where the model can be run so.

    unrelated: what it makes of a sentence that has nothing to do with them, after the same change of positions as B.
    """

    model: LanguageModel
    both: PairOutput
    unrelated: Forward | None
    similarity: CopySimilarity
    without: CopySimilarity | None

    @property
    def n_layers(self) -> int:
        """How many layers the model has."""
        return len(self.similarity.other_cosines) - 1


def follow(model: LanguageModel, texts: list[str], change: str, shift: int) -> Followed:
    """Let a model read both sentences with this change of their positions. shift: by how many places, if they move."""
    both = read_pair(model, texts, change, shift)
    text = model.unrelated(texts)
    unrelated = model.read(text, both.changes[1], shift) if text else None
    off = read_pair(model, texts, "off") if model.can_move and change != "off" else None
    return Followed(
        model,
        both,
        unrelated,
        copy_similarity(both.a, both.b, unrelated),
        copy_similarity(off.a, off.b) if off else None,
    )
