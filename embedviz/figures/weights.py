"""Which tokens attend to which tokens in two sentences, and how far apart their outputs are."""

import numpy as np

from embedviz.base.i18n import N_, _, translated
from embedviz.figures import theme
from embedviz.figures.axes import in_order, sentence_names, token_axis
from embedviz.figures.distances import cell_frames
from embedviz.figures.theme import Figure

_TITLES = (N_("A: attention weights"), N_("B: attention weights"), N_("distance of outputs"))
_MAX_NUMBERS = 8
_SMALL = 0.05  # where all numbers are smaller, two decimals would say nothing
_WIDTH, _GAP = 0.262, 0.107
_LARGE_WIDTH, _LARGE_GAP = 0.22, 0.17  # for large type, which needs more room between the panels
_HIGH, _BETWEEN = 0.25, 0.125  # on a phone, where the panels stand one above the other
_SIDES = ((0, 0), (1, 1), (0, 1))  # rows and columns of each panel: 0 is A, 1 is B


def attention_maps(
    weights: tuple[np.ndarray, np.ndarray],
    distances: np.ndarray,
    shared: np.ndarray,
    ids: tuple[list[int], list[int]],
    texts: tuple[list[str], list[str]],
    *,
    is_large: bool = False,
) -> Figure:
    """Three panels: the weights of A, (T_A, T_A), those of B, (T_B, T_B), and the output distances, (T_A, T_B).

    Weights are NaN where they are masked. Rows are queries, columns are keys. A frame marks pairs that share a token
    ID. is_large: True for large type, with one colour bar.
    """
    names = sentence_names(texts)
    values = (*weights, distances)
    limit = float(distances.max(initial=0)) or 1.0
    width, gap = (_LARGE_WIDTH, _LARGE_GAP) if is_large else (_WIDTH, _GAP)
    spans = [(n * (width + gap), n * (width + gap) + width) for n in range(3)]
    tops = [1 - n * (_HIGH + _BETWEEN) for n in range(3)]
    titles = [*map(translated, _TITLES)]
    return theme.figure(
        [_matrix(values[n], n, [names[k] for k in _SIDES[n]], [ids[k] for k in _SIDES[n]]) for n in range(3)],
        **_axes(names, ids, [(span, (0, 1)) for span in spans]),
        coloraxis=theme.sequential(1.0, showscale=False)
        if is_large
        else theme.sequential(1.0, colorbar=theme.colour_bar(spans[1][1] + 0.002, nticks=4)),
        coloraxis2=theme.sequential(limit, colorbar=theme.colour_bar(1.005, nticks=4)),
        plot_bgcolor=theme.GRID,  # shows where a mask leaves no weight
        margin={"l": 90, "r": 50, "t": 30, "b": 74},
        shapes=cell_frames(shared, 2),
        annotations=[theme.heading(t, sum(spans[n]) / 2, xanchor="center") for n, t in enumerate(titles)],
        meta={
            "narrow": {
                **_axes(names, ids, [((0, 1), (max(top - _HIGH, 0), top)) for top in tops]),
                "coloraxis": theme.sequential(1.0, showscale=False),
                "coloraxis2": theme.sequential(limit, showscale=False),
                "margin": {"l": 86, "r": 8, "t": 30, "b": 74},
                "annotations": [theme.heading(t, 0.5, tops[n], xanchor="center") for n, t in enumerate(titles)],
                "height": "58rem",
            }
        },
    )


def _matrix(values: np.ndarray, n: int, names: list[list[str]], ids: list[list[int]]) -> dict:
    what = _("distance") if n == 2 else _("weight")
    has_numbers = max(values.shape) <= _MAX_NUMBERS and np.nanmax(values, initial=0) >= _SMALL
    return {
        "type": "heatmap", "name": translated(_TITLES[n]), "z": values.astype(np.float32), "y": names[0], "x": names[1],
        "xaxis": f"x{n + 1}", "yaxis": f"y{n + 1}", "coloraxis": "coloraxis2" if n == 2 else "coloraxis",
        "hoverongaps": False, "xgap": 1, "ygap": 1,
        "texttemplate": "%{z:.2f}" if has_numbers else None,
        "meta": {"ids": ids[0], "column_ids": ids[1]},
        "hovertemplate": f"%{{y}}, %{{x}}<br>{what} <b>%{{z:.4~g}}</b>{theme.NO_EXTRA}",
    }  # fmt: skip


def _axes(names: list[list[str]], ids: tuple[list[int], list[int]], domains: list[tuple]) -> dict:
    colours = theme.token_colours([*ids[0], *ids[1]])
    axes: dict = {}
    for n, ((rows, columns), (across, down)) in enumerate(zip(_SIDES, domains, strict=True)):
        axes[f"xaxis{n + 1}"] = {
            "domain": list(across), "anchor": f"y{n + 1}", "tickangle": -45,
            **token_axis(names[columns], ids[columns], colours), **in_order(names[columns]),
        }  # fmt: skip
        axes[f"yaxis{n + 1}"] = {
            "domain": list(down), "anchor": f"x{n + 1}", "autorange": "reversed",
            **token_axis(names[rows], ids[rows], colours), **in_order(names[rows]),
        }  # fmt: skip
    return axes
