"""The bars of the page "Models": every model is counted once, in its year and in its kind."""

from embedviz.figures.schemes.models_by_year import models_by_year
from tests.figures.drawn import to_plotly

WORDS = {"add": "added", "rotate": "turned", "mixed": "turned, some not", "none": "nothing"}
MODELS = [(2020, "add", "b"), (2023, "rotate", "c"), (2020, "add", "a"), (2023, "mixed", "d"), (2021, "rotate", "e")]


def test_every_model_is_in_the_bar_of_its_year_and_kind():
    figure = models_by_year(MODELS, WORDS)
    assert len(to_plotly(figure).data) == 3  # of a kind that no model has, there is neither a bar nor a word
    drawn = {trace["name"]: trace for trace in figure.data}
    assert list(drawn) == ["added", "turned", "turned, some not"]
    bars = {name: (trace["x"].tolist(), trace["y"].tolist(), trace["customdata"]) for name, trace in drawn.items()}
    assert bars == {
        "added": ([2020], [2], ["a<br>b"]),
        "turned": ([2021, 2023], [1, 1], ["e", "c"]),
        "turned, some not": ([2023], [1], ["d"]),
    }
    assert drawn["added"]["text"] == ["2"]
    assert drawn["turned"]["text"] == ["", ""]
    assert figure.layout["barmode"] == "stack"
    low, high = figure.layout["xaxis"]["range"]
    assert low < 2020
    assert high > 2023


def test_each_kind_looks_different():
    looks = [str(trace["marker"]) for trace in models_by_year(MODELS, WORDS).data]
    assert len(set(looks)) == len(looks)
