"""Run as a script it says in one sentence what is missing for the tests in other browsers."""

import sys

from tests.browsers import firefox, webkit


def missing() -> list[str]:
    """What to install, a sentence for each browser that is not there or too old."""
    return [browser.NEEDED for browser in (firefox, webkit) if not browser.is_there()]


if __name__ == "__main__" and missing():
    sys.exit("\n".join(missing()))
