"""From a table to columns: what each holds, and the sampling variance of their sum, by hand."""

from typing import Any

import numpy as np
import polars as pl
import pytest

from levelsense.prediction.covariates import ALWAYS, NEVER, RATE_FREEDOM, Covariates, Scale
from levelsense.prediction.features import measure, replicate_variance
from levelsense.prediction.table import agent_cells, as_table
from tests.prediction.made_up import made_up_attempts

COLUMNS = Covariates(("a", "b"), ("rate", "margin"), ("icing",))


def table_of(**margins: Any) -> pl.DataFrame:
    """One level, with agents' attempts of these margins."""
    row: dict[str, object] = {"level": "x", "icing": 0.25, "parts": []}
    for agent, margin in margins.items():
        row |= agent_cells(agent, measure(made_up_attempts(margin)))
    return as_table([row])


def test_the_columns_by_hand() -> None:
    """Of 20 attempts each, agent a won none, agent b all."""
    table = table_of(a=[-0.5] * 20, b=[0.25] * 20)
    assert COLUMNS.names == (
        *("a: rate", "a: margin", f"a: {NEVER}", f"a: {ALWAYS}"),
        *("b: rate", "b: margin", f"b: {NEVER}", f"b: {ALWAYS}"),
        "icing",
    )
    rate = np.log(0.5 / 20.5)
    assert COLUMNS.values(table)[0] == pytest.approx([rate, -0.5, 1, 0, -rate, 0.25, 0, 1, 0.25])


def test_a_rate_may_have_a_slope_ten_times_as_large() -> None:
    """A column of twofold spread is 1 in the fit at a distance of 2; a rate's at a tenth of that."""
    assert COLUMNS.freedom.tolist() == [RATE_FREEDOM, 1, 1, 1, RATE_FREEDOM, 1, 1, 1, 1]
    scale = Scale(np.array([1.0, 1.0]), np.array([2.0, 2.0]), np.array([10.0, 1.0]))
    assert scale.unit.tolist() == [0.2, 2.0]
    assert scale(np.array([[3.0, 3.0]])).tolist() == [[10.0, 1.0]]


def test_a_column_that_never_varied_has_its_usual_spread() -> None:
    scale = COLUMNS.scale_of(np.array([[1.0] * 9, [3.0, *([1.0] * 8)]]))
    assert scale.center[0] == 2
    assert scale.spread.tolist() == [1.0, *COLUMNS.usual[1:]]


def test_the_variance_is_that_of_each_agents_sum() -> None:
    """Independent agents add up: 2 rate + 3 margin of a, -1 rate + 4 margin of b, whose attempts differ."""
    rng = np.random.default_rng(1)
    margins = {"a": rng.normal(0.1, 0.3, 60), "b": rng.normal(-0.1, 0.2, 40)}
    table = table_of(**margins)
    slopes = np.array([2, 3, 50, 50, -1, 4, 50, 50, 50])  # the yes and no, and features, have no error
    expected = 0.0
    for agent, (rate, margin) in {"a": (2, 3), "b": (-1, 4)}.items():
        replicates = measure(made_up_attempts(margins[agent])).replicates
        expected += float(replicate_variance(rate * replicates[:, 0] + margin * replicates[:, 1]))
    assert COLUMNS.variance(table, slopes) == pytest.approx([expected])


@pytest.mark.parametrize("margin", [-0.5, 0.5])
def test_at_the_ends_the_rate_has_the_binomials_variance(margin: float) -> None:
    """All replicates of an agent that always wins, or never, have the same rate: 1 / 0.5 + 1 / 20.5."""
    table = table_of(a=[margin] * 20, b=[0.5, -0.5] * 20)
    slopes = np.array([3.0, 0, 0, 0, 0, 0, 0, 0, 0])
    assert COLUMNS.variance(table, slopes) == pytest.approx([9 * (1 / 0.5 + 1 / 20.5)])
