"""Words around numbers."""

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def counted(n: int, one: str, many: str = "") -> str:
    """The number and its noun: "1 row", "2 rows"; `many` where the plural takes more than an s."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def power_of_ten(exponent: int) -> str:
    """10 and its exponent in raised digits, which need no markup: "10⁻⁷"."""
    return f"10{str(exponent).translate(_RAISED)}"
