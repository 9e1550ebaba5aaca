"""Arrays in, `Figure` out; one file for each family of pictures.

Colours are roles such as `var(--token-3)` or `var(--ink)`: the page that shows a figure puts in the
colours of its theme, so that light and dark need no second figure. What the page needs beyond Plotly
stands in a trace's `meta`: `ids`, the token ID of each row or point (it links the pictures), and
`start`, the data before positions are added (it animates them).
A layout's `meta.narrow` replaces parts of the layout where there is little room. Figures of a training have more:
`frames` in a trace's `meta`, `names` and `headings` in the layout's; `drift.py` says what they are.
"""
