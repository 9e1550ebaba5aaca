"""The views of the page "Relative" by their names in the address. Each is in a file of its own."""

from pages.relative.distance import distance
from pages.relative.lengths import longer
from pages.relative.schemes import table_of_schemes
from pages.relative.scores import scores
from pages.relative.shift import shift
from pages.relative.t5_view import learned_by_t5

VIEWS = {
    "scores": scores,
    "shift": shift,
    "distance": distance,
    "t5": learned_by_t5,
    "lengths": longer,
    "schemes": table_of_schemes,
}
