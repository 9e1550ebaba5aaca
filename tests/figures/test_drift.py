"""The figures of a training: on a narrow screen its panels stand below each other."""

import numpy as np

from embedviz.figures.trained_positions import position_tables


def test_panels_of_the_positional_table_have_the_whole_width_of_a_narrow_screen():
    random = np.random.default_rng(0)
    tables, similarity = random.normal(size=(3, 5, 6)), random.normal(size=(3, 5, 5))
    figure = position_tables(tables.astype(np.float32), similarity.astype(np.float32), [0, 1, 2])
    narrow = figure.layout["meta"]["narrow"]
    assert [narrow[f"xaxis{n}"]["domain"] for n in range(1, 5)] == [[0, 1]] * 4
    edges = [edge for n in range(4, 0, -1) for edge in narrow[f"yaxis{n}"]["domain"]]
    assert np.allclose([edges[0], edges[-1]], [0, 1])
    assert edges == sorted(set(edges))
