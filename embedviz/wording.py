"""Words around numbers."""


def counted(n: int, one: str, many: str = "") -> str:
    """The number and its noun: "1 row", "2 rows"; `many` where the plural takes more than an s."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"
