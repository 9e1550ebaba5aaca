"""Numbers as they stand in a sentence."""

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def three_digits(value: float) -> str:
    """Three significant digits, and nothing but "0" for zero."""
    return "0" if value == 0 else f"{value:.3g}"


def in_print(value: float, form: str = ".2f") -> str:
    """A number in this form, with a minus sign as in print; what is -0.0 has none."""
    return f"{value + 0.0:{form}}".replace("-", "−")


def power_of_ten(exponent: int) -> str:
    """10 and its exponent in raised digits, which need no markup: "10⁻⁷"."""
    return f"10{str(exponent).translate(_RAISED)}"
