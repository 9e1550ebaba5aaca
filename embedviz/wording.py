"""Words around numbers."""

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def power_of_ten(exponent: int) -> str:
    """10 and its exponent in raised digits, which need no markup: "10⁻⁷"."""
    return f"10{str(exponent).translate(_RAISED)}"
