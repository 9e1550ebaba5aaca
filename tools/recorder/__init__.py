"""Records what every view of every page shows, from outside, and compares two such recordings.

It knows nothing of the project's modules, so that it can record trees that lay them out differently.
It visits pages as the tests do, with `tests/session.py`, `tests/ask.py` and `tests/payload.py`.
"""
