"""Arrays in, `Figure` out; one file for each family of pictures.

Colours are roles such as `var(--kind-add)` or `var(--ink)`. The page that shows a figure puts in the
colours of its theme, so that light and dark need no second figure. A trace's `meta` holds what the page
needs beyond Plotly: `ids`, the token ID of each row or point, which links the pictures, and `start`, the
data before positions are added, from which the page animates them.
The layout's `meta` holds what each panel needs (`figure.py`). Figures of a training run also have
`frames` in a trace's `meta`, and `names` and `headings` in the layout's `meta`; `drift.py` says what they are.
"""
