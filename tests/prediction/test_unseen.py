"""What an element may do that no level of a fit has, by leaving known ones out."""

import numpy as np
import pytest

from levelsense.prediction.unseen import USUAL_EFFECT, LogitRows, left_out, unseen_variance


def rows(effects: list[float], seed: int = 0, levels: int = 600) -> tuple[LogitRows, dict[str, np.ndarray]]:
    """Levels with a column that matters, and elements that do something beyond it."""
    rng = np.random.default_rng(seed)
    has = rng.random((levels, len(effects))) < 0.15
    x = rng.normal(size=levels)
    variance = np.full(levels, 0.02)
    logits = x + has @ np.array(effects) + np.sqrt(variance) * rng.normal(size=levels)
    columns = np.column_stack([x, has.astype(float)])
    elements = {f"element {k}": has[:, k] for k in range(len(effects))}
    return LogitRows(columns, logits, variance, 1.0), elements


def test_an_effect_squared_is_what_leaving_out_costs() -> None:
    made, elements = rows([0.5, 0.0, 0.0])
    assert left_out(made, elements["element 0"]) == pytest.approx(0.25, abs=0.04)
    assert left_out(made, elements["element 1"]) == pytest.approx(0.0, abs=0.01)


def test_too_few_levels_tell_nothing() -> None:
    made, _ = rows([0.5, 0.0, 0.0])
    few = np.zeros(600, bool)
    few[:4] = True
    assert left_out(made, few) is None
    assert left_out(made, ~few) is None
    assert unseen_variance(made, {"few": few}) == (USUAL_EFFECT**2, {})


def test_the_variance_does_not_depend_on_the_penalty() -> None:
    """A strong penalty on slopes says nothing of an element that has no slope yet."""
    made, elements = rows([0.4, -0.3, 0.1, 0.0, 0.2, -0.4])
    found = [
        unseen_variance(LogitRows(made.columns, made.logits, made.variance, penalty), elements)[0]
        for penalty in (0.1, 10.0)
    ]
    assert found[0] == pytest.approx(found[1], rel=0.1)
    squares = np.array([0.16, 0.09, 0.01, 0.0, 0.04, 0.16])
    # Student's quantile for six elements is 1.31 of the normal one.
    assert found[0] == pytest.approx(1.31**2 * (squares.mean() + squares.std(ddof=1)), rel=0.2)
