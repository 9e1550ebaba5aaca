"""Projection mode (`?present=1`), for a hall that looks at a screen from afar, and controls that a link hides."""

import streamlit as st

from embedviz.ui.component import ASSETS

_PARAMETERS = ("present", "hide")
_WITHOUT_CONTROLS = (ASSETS / "controls.css").read_text(encoding="utf-8")
_PROJECTION = (ASSETS / "present.css").read_text(encoding="utf-8")

# What `?hide=` may name, apart from the key of a control: parts of the site, and all controls of a page at once.
_PARTS = {"pages": '[data-testid="stTopNav"]', "share": ".st-key-share"}
_ALL = "all"
_NAMES = """
a alone along amount axes b base batch batch_size bring causal cell_position cell_window code colour compute
context context_length dims download drop_last find from head ids iterations kind layout leading_space length
list long lower_case map max_length metric min_dist more n_heads n_layers n_neighbors output_dim own pair
pair_number part pasted perplexity picked_dimension picked_position place position position_scale positions
prefix_space reach ready_text regex relative sample scale_embeddings seed sentence shift short show shuffle
shuffled snapshots source sphereize steps stride swapped table_dims table_rows text tied to token token_at
tokenizer tokenizers train trained upload used view
"""
CONTROLS = frozenset(_NAMES.split())


def is_on() -> bool:
    """True if the page is meant for a projector."""
    return st.query_params.get("present") == "1"


def start() -> None:
    """Turn the mode on; for callbacks."""
    st.query_params["present"] = "1"


def leave() -> None:
    """Turn the mode off; for callbacks."""
    st.query_params.pop("present", None)


def carry(page: str) -> None:
    """Take the mode and what is hidden along to another page, since Streamlit empties the address there.

    On one page the address has the last word, so that the browser's Back button leaves the mode.
    """
    last, kept = st.session_state.get("carried", (page, {}))
    if page != last:
        for name in kept.keys() - st.query_params.keys():
            st.query_params[name] = kept[name]
    now = {name: st.query_params[name] for name in _PARAMETERS if name in st.query_params}
    st.session_state["carried"] = (page, now)


def hidden() -> list[str]:
    """What `?hide=` names, in order, without what nobody knows: a visitor's text never gets into the style sheet."""
    named = {name.strip() for part in st.query_params.get_all("hide") for name in part.split(",")}
    return sorted(named & (CONTROLS | _PARTS.keys() | {_ALL}))


def style() -> str:
    """What the site's style sheet gets in addition: nothing unless the address asks for it."""
    projection, names = is_on(), hidden()
    sheets = [_PROJECTION] if projection else []
    if projection or _ALL in names:
        sheets.append(_WITHOUT_CONTROLS)
    return "".join([*sheets, *(_hiding(name) for name in names if name != _ALL)])


def _hiding(name: str) -> str:
    """Hide a part of the site, or a control and the column in which it stands alone."""
    one = _PARTS.get(name, f".st-key-{name}")
    alone = f'[data-testid="stColumn"]:has(> [data-testid="stVerticalBlock"] > :is({one}, :has(> {one})):only-child)'
    return f"{one}, {alone} {{ display: none !important; }}"
