"""What a perfect prediction would get, in the benchmark of foreign people, against the exact figures."""

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import polars as pl
import pytest
from scipy.stats import binom

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
