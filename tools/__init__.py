"""Tools for those who work on embedviz; they may use what `tests` has, and no test but their own imports them."""
