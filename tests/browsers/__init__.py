"""The main road of every page in stock Firefox and stock WebKit; `make browsers` goes it."""
