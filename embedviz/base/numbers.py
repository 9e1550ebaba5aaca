"""Numbers as they stand in a sentence, in the visitor's language."""

from embedviz.base.i18n import numeral

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def three_digits(value: float) -> str:
    """A number with three significant digits; zero is just "0"."""
    return "0" if value == 0 else numeral(value, ".3g")


def in_print(value: float, form: str = ".2f") -> str:
    """A number in this format, with a minus sign as in print. What rounds to 0 gets no sign."""
    return numeral(value, f"z{form}").replace("-", "−")


def power_of_ten(exponent: int) -> str:
    """A power of ten with its exponent in raised digits, which need no markup: "10⁻⁷"."""
    return f"10{str(exponent).translate(_RAISED)}"
