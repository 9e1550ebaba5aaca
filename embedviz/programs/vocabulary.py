"""The map of a vocabulary as PyTorch code that runs as it is."""

from dataclasses import dataclass

from embedviz.vectors.spec import Spec
from embedviz.vocabulary.token_map import View


@dataclass(frozen=True)
class Asked:
    """Whose `k` nearest tokens are listed: those of token `id`, without itself."""

    id: int
    metric: str
    k: int


def pytorch_vocabulary(spec: Spec, vocab_size: int, view: View, asked: Asked | None) -> str:
    """A program that prints the axes' shares of the variance, and then the ID of each neighbour and how near it is."""
    return "\n".join(
        [
            "import torch",
            "",
            f"torch.manual_seed({spec.seed})",
            f"weight = torch.nn.Embedding({vocab_size}, {spec.output_dim}).weight.detach()",
            *_vectors(view),
            *_axes(view),
            "print([round(share, 6) for share in shares])",
            *(_nearest(asked) if asked else []),
            "",
        ]
    )


def _vectors(view: View) -> list[str]:
    rows = f"weight[{list(view.only)}]" if view.only else "weight"
    if not view.sphereize:
        return [f"x = {rows}.double()"]
    return [f"x = {rows}.double()", "x = torch.nn.functional.normalize(x - x.mean(dim=0), dim=1)"]


def _axes(view: View) -> list[str]:
    covariance = ["x = x - x.mean(dim=0)", "covariance = x.T @ x / len(x)"]
    if view.method != "axis":
        return [
            *covariance,
            "values, axes = torch.linalg.eigh(covariance)",
            "points = x @ axes.flip(1)[:, :2]",
            "shares = (values.flip(0)[:2] / values.sum()).tolist()",
        ]
    start, end = view.ends
    return [
        *covariance,
        f"axis = torch.nn.functional.normalize((weight[{end}] - weight[{start}]).double(), dim=0)",
        "rest = torch.eye(len(axis), dtype=torch.float64) - torch.outer(axis, axis)",
        "values, _ = torch.linalg.eigh(rest @ covariance @ rest)",
        "shares = [axis @ covariance @ axis, values[-1]]",
        "shares = [(share / covariance.trace()).item() for share in shares]",
    ]


def _nearest(asked: Asked) -> list[str]:
    """Cosine similarity falls and is largest first; the distance rises."""
    largest = asked.metric == "cosine"
    cosine = "torch.nn.functional.cosine_similarity(weight.double(), query.double(), dim=1)"
    return [
        "",
        f"query = weight[{asked.id}]",
        f"near = {cosine if largest else '(weight.double() - query.double()).norm(dim=1)'}",
        f"near[{asked.id}] = {-2 if largest else 'torch.inf'}  # itself",
        f"values, ids = near.topk({asked.k}, largest={largest})",
        "for id_, value in zip(ids.tolist(), values.tolist()):",
        '    print(id_, f"{value:.4f}")',
    ]
