"""The map of a vocabulary as PyTorch code that runs as it is."""

from embedviz.maps import View
from embedviz.spec import Spec


def pytorch_vocabulary(spec: Spec, vocab_size: int, view: View, *, id_: int, metric: str, k: int) -> str:
    """A short program that prints the share of the variance of three exact principal components, then the
    `k` nearest tokens to token `id_`: its ID and how near it is. An axis between two tokens prints the
    share of the variance along it first.
    """
    return "\n".join(
        [
            "import torch",
            "",
            f"torch.manual_seed({spec.seed})",
            f"weight = torch.nn.Embedding({vocab_size}, {spec.output_dim}).weight.detach()",
            f"x = weight[{list(view.only)}]" if view.only else "x = weight",
            *(["x = torch.nn.functional.normalize(x - x.mean(dim=0), dim=1)"] if view.sphereize else []),
            "covariance = torch.cov(x.T.double(), correction=0)",
            *_axes(view),
            "print([round(share, 6) for share in shares])",
            "",
            *_nearest(id_, metric, k),
            "",
        ]
    )


def _axes(view: View) -> list[str]:
    if view.method != "axis":
        return [
            "values, axes = torch.linalg.eigh(covariance)",
            "shares = (values.flip(0)[:3] / values.sum()).tolist()",
            "points = (x - x.mean(dim=0)) @ axes.flip(1)[:, :3].float()",
        ]
    start, end = view.ends
    return [
        f"axis = torch.nn.functional.normalize((weight[{end}] - weight[{start}]).double(), dim=0)",
        "rest = torch.eye(len(axis), dtype=torch.float64) - torch.outer(axis, axis)",
        "values, axes = torch.linalg.eigh(rest @ covariance @ rest)",
        "along = axis @ covariance @ axis",
        "shares = (torch.stack([along, *values.flip(0)[:2]]) / covariance.trace()).tolist()",
    ]


def _nearest(id_: int, metric: str, k: int) -> list[str]:
    if metric == "cosine":
        near, first = f"torch.nn.functional.cosine_similarity(weight, weight[{id_}], dim=1)", "-1"
    else:
        near, first = f"(weight - weight[{id_}]).norm(dim=1)", "float('inf')"
    return [
        f"near = {near}",
        f"near[{id_}] = {first}",
        f"values, ids = near.topk({k}, largest={metric == 'cosine'})",
        "for other, value in zip(ids.tolist(), values.tolist()):",
        '    print(other, f"{value:.4f}")',
    ]
