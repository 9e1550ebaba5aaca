"""What the first visitor should not wait for."""

import gc


def warm_up() -> None:
    gc.collect()
    gc.freeze()
