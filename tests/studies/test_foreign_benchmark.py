"""What a perfect prediction would get, in the benchmark of foreign people, against the exact figures."""

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import polars as pl
import pytest
from scipy.stats import binom

from levelsense.people.rates import rates_to_fit
from levelsense.prediction.model import DifficultyModel
from levelsense.prediction.table import with_players
from tests.prediction.made_up import made_up_table

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "foreign_people.py"


@pytest.fixture(scope="module")
def benchmark_of_people() -> ModuleType:
    spec = importlib.util.spec_from_file_location("foreign_people_benchmark", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_floors_of_independent_attempts_are_those_of_the_binomial(benchmark_of_people: ModuleType) -> None:
    rates, attempts = np.array([0.03, 0.4]), np.array([60, 200])
    levels = pl.DataFrame({"rate": rates, "attempts": attempts})
    found = benchmark_of_people.with_floors(levels, pl.Series([1.0, 1.0]))
    for floor, near, rate, tried in zip(found["floor"], found["near"], rates, attempts, strict=True):
        counts = np.arange(tried + 1)
        chances, shown = binom.pmf(counts, tried, rate), counts / tried
        assert floor == pytest.approx(chances @ np.abs(shown - rate), rel=0.05)
        assert near == pytest.approx(chances[(shown > rate / 2) & (shown < 2 * rate)].sum(), abs=0.03)


def test_players_who_are_alike_with_themselves_raise_the_floor(benchmark_of_people: ModuleType) -> None:
    levels = pl.DataFrame({"rate": [0.4, 0.4], "attempts": [400, 400]})
    alone, alike = benchmark_of_people.with_floors(levels, pl.Series([1.0, 4.0]))["floor"]
    assert alike == pytest.approx(2 * alone, rel=0.06)


def test_populations_share_their_shift_so_that_a_few_show_little(
    benchmark_of_people: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(benchmark_of_people, "REPEATS", 60)
    ranges = []
    for number in (3, 60):
        benchmark_of_people.few_populations(number)
        known, estimated = capsys.readouterr().out.splitlines()[-2:]
        assert known.startswith("| known |")
        assert estimated.startswith("| estimated from 12 |")
        low, _, high = known.split(" | ")[2].partition(" to ")
        ranges.append(float(high) - float(low))
    assert ranges[0] > 2 * ranges[1]


FIRST, STEP, LEVELS, PLAYERS = 24, 6, 40, 40


def made_up_saga() -> tuple[pl.DataFrame, pl.DataFrame]:
    """A table of agents, and rows of players who are unlike each other: two attempts each at every level."""
    table = made_up_table(LEVELS)
    rates = (table["successes"] / table["attempts"]).to_numpy()
    generator = np.random.default_rng(5)
    skills = generator.normal(0, 1, PLAYERS)
    odds = (rates + 0.01) / (1.01 - rates)
    chances = 1 / (1 + np.exp(-skills[None, :]) / odds[:, None])
    rows = pl.DataFrame(
        {
            "level": np.repeat(table["level"].to_numpy(), PLAYERS),
            "player": [f"sim-{number}" for number in range(PLAYERS)] * LEVELS,
            "attempts": np.full(LEVELS * PLAYERS, 2),
            "successes": generator.binomial(2, chances).ravel(),
        }
    )
    return table.drop("attempts", "successes"), rows


@pytest.fixture
def fits(monkeypatch: pytest.MonkeyPatch) -> list[pl.DataFrame]:
    """What models are fitted to, without the fits that a fit makes itself."""
    tables: list[pl.DataFrame] = []
    fit = DifficultyModel.fit

    def note(model: DifficultyModel, table: pl.DataFrame) -> DifficultyModel:
        tables.append(table)
        monkeypatch.setattr(DifficultyModel, "fit", fit)
        fitted = model.fit(table)
        monkeypatch.setattr(DifficultyModel, "fit", note)
        return fitted

    monkeypatch.setattr(DifficultyModel, "fit", note)
    return tables


def test_rolling_fits_know_every_level_before_and_none_that_is_judged(
    benchmark_of_people: ModuleType, fits: list[pl.DataFrame]
) -> None:
    table, rows = made_up_saga()
    names = table["level"].to_list()
    model, levels = benchmark_of_people.forward(table, rows, None, FIRST, STEP)
    assert [fit["level"].to_list() for fit in fits] == [names[:24], names[:30], names[:36]]
    assert levels["level"].to_list() == names[FIRST:]
    assert set(model.places_) == set(names[:36])
    # Thirds are of all judged levels, not of each step.
    assert levels["third"].value_counts()["count"].sort().to_list() == [5, 5, 6]
    thirds = levels.group_by("third").agg(low=pl.col("observed").min(), high=pl.col("observed").max())
    hardest, middle, easiest = thirds.sort("low").iter_rows(named=True)
    assert hardest["high"] <= middle["low"] <= middle["high"] <= easiest["low"]


def test_what_is_judged_has_no_part_in_the_fit_nor_in_its_design_effects(
    benchmark_of_people: ModuleType, fits: list[pl.DataFrame]
) -> None:
    table, rows = made_up_saga()
    names = table["level"].to_list()
    later = pl.col("level").is_in(names[FIRST:])
    # Other results at the judged levels: each player wins all attempts or none.
    others = rows.with_columns(
        successes=pl.when(later).then(2 * (pl.col("successes") // 2)).otherwise(pl.col("successes"))
    )
    _, levels = benchmark_of_people.forward(table, rows, None, FIRST, LEVELS)
    _, other_levels = benchmark_of_people.forward(table, others, None, FIRST, LEVELS)
    fitted, other_fitted = fits
    assert fitted.drop("design_effect").equals(other_fitted.drop("design_effect"))
    # To rounding: the order in which levels are summed is not fixed.
    effects, other_effects = (each["design_effect"].to_numpy() for each in fits)
    assert effects == pytest.approx(other_effects, rel=1e-12)
    assert levels["rate"].to_list() == pytest.approx(other_levels["rate"].to_list(), rel=1e-6)
    assert not levels["observed"].equals(other_levels["observed"])
    # It is the design effect that would tell, since levels tell it together.
    of_all = [rates_to_fit(each).head(FIRST)["design_effect"].to_numpy() for each in (rows, others)]
    assert np.abs(of_all[0] - of_all[1]).max() > 0.01


def test_levels_that_are_fitted_are_not_judged(
    benchmark_of_people: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, rows = made_up_saga()
    monkeypatch.setattr(
        benchmark_of_people, "with_players", lambda levels, rates: _with_one_before(levels, rates, table)
    )
    with pytest.raises(ValueError, match="judged and fitted"):
        benchmark_of_people.forward(table, rows, None, FIRST, STEP)


def _with_one_before(levels: pl.DataFrame, rates: pl.DataFrame, table: pl.DataFrame) -> pl.DataFrame:
    """As `with_players`, but of a block of levels with the level before it."""
    if levels["level"][0] != table["level"][0]:
        before = table["level"].to_list().index(levels["level"][0]) - 1
        levels = pl.concat(
            [table[before].with_columns(place=pl.lit(before + 1)), levels], how="diagonal_relaxed"
        )
    return with_players(levels, rates)


def test_forms_are_told_by_the_names_of_files(benchmark_of_people: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    for name in ("a", "a-drift", "a-drift-many", "bundled-a", "b"):
        (tmp_path / "dev" / f"{name}.csv").touch()

    def found(*forms: str) -> list[str]:
        return [path.stem for path in benchmark_of_people.People(tmp_path, "dev", forms).paths()]

    assert found("everybody") == ["a", "b"]
    assert found("drift") == ["a-drift"]
    assert found("many") == ["a-drift-many"]
    assert found("everybody", "drift", "many") == ["a-drift-many", "a-drift", "a", "b"]
    everybody = benchmark_of_people.People(tmp_path, "dev", ("many",)).everybody()
    assert [path.stem for path in everybody.paths()] == ["a", "b"]
