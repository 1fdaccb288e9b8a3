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
    variances = [
        unseen_variance(LogitRows(made.columns, made.logits, made.variance, penalty), elements)[0]
        for penalty in (0.1, 10.0)
    ]
    assert variances[0] == pytest.approx(variances[1], rel=0.1)
    squares = np.array([0.16, 0.09, 0.01, 0.0, 0.04, 0.16])
    # Student's quantile for six elements is 1.31 of the normal one.
    assert variances[0] == pytest.approx(1.31**2 * (squares.mean() + squares.std(ddof=1)), rel=0.2)


def test_what_is_unsure_of_the_slopes_is_no_effect() -> None:
    """Of elements that do nothing, few levels with many columns tell nothing on average."""
    rng = np.random.default_rng(3)
    has = np.arange(44) >= 34
    columns_seen = []
    for _ in range(400):
        columns = rng.normal(size=(44, 8))
        logits = 0.2 * rng.normal(size=44)
        left = left_out(LogitRows(columns, logits, np.full(44, 0.04), 1e-6), has)
        assert left is not None
        columns_seen.append(left)
    assert abs(np.mean(columns_seen)) < 3 * np.std(columns_seen) / np.sqrt(len(columns_seen))


def test_rows_by_hand() -> None:
    """30 of 100 won where 50 are expected; the logit is 0.2 higher there by players who changed."""
    arrays = [np.array([value]) for value in (30.0, 100.0, 0.0, 0.04, 0.2)]
    made = LogitRows.of(np.zeros((1, 1)), (arrays[0], arrays[1]), arrays[2], arrays[3], 1.0, arrays[4])
    assert made.logits[0] == pytest.approx(np.log(30.5 / 70.5) - 0.2)
    assert made.variance[0] == pytest.approx(1 / 25.5 + 0.04)
