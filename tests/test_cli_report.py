"""`levelsense report`, and `levelsense evaluate --report`, as a user runs them."""

import json
import re
from pathlib import Path

import polars as pl
import pytest

from levelsense.lab.run import shown_agents
from levelsense.level.level import Level
from levelsense.prediction.model import DifficultyModel
from levelsense.prediction.model_file import Origin
from levelsense.store import Database, PlayerResults, results
from tests.prediction.attempts_due import assert_all_due
from tests.report.test_prediction_page import bodies_in, cells, charts_in, level_sections, values_of, visible
from tests.test_cli import assert_complaint, run

LEVELS = (
    "01-first-steps",
    "03-open-field",
    "04-jelly-garden",
    "05-cherry-picking",
    "06-sweetheart",
    "07-order-up",
)
SUCCESSES = (98, 10, 90, 70, 85, 60)
COHORT = "simulated few, seed 3"
PLAYING = ("--agent", "random", "--attempts", "40")


def add_results(db: Path, cohort: str | None, source: str, players: int = 10) -> None:
    """A hundred attempts of so many players at each level, its successes dealt out among them."""
    rows = [
        {
            "level": level,
            "player": f"p{number}",
            "cohort": cohort,
            "attempts": 100 // players,
            "successes": (successes + number) // players,
            "source": source,
        }
        for level, successes in zip(LEVELS, SUCCESSES, strict=True)
        for number in range(players)
    ]
    with Database(str(db)) as database:
        PlayerResults(database).add(pl.DataFrame(rows))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A database with results of simulated players, and a model that is fitted to them."""
    folder = tmp_path_factory.mktemp("cli-report")
    db, model = folder / "x.db", folder / "model.json"
    add_results(db, COHORT, "simulated: few")
    fitted = run("fit", *LEVELS, *PLAYING, "--db", db, "-o", model)
    assert fitted.exit_code == 0, fitted.output
    return db, model


def test_one_player_is_too_few_to_fit_to(place: Path) -> None:
    """A hundred attempts of one player at each level say no more than one attempt does."""
    add_results(place / "x.db", COHORT, "simulated: one", players=1)
    refused = run("fit", *LEVELS, *PLAYING, "--db", "x.db", "-o", "model.json")
    assert_complaint(refused, "attempts: 1 at every level, or worth 1 by the design effect of few players")
    assert not (place / "model.json").exists()


def attempts_played(db: Path, level: str) -> int:
    """The attempts of random at a level that the model asks for, which are those that are stored."""
    with Database(str(db)) as database:
        stored = results.attempts(database).filter(name=level, agent="random").sort("attempt")
    assert_all_due(stored, {(level, "random"): 40})
    return stored.height


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to write to, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_report_of_levels(made: tuple[Path, Path], place: Path) -> None:
    db, model = made
    done = run("report", *LEVELS[:2], "--db", db, "--model", model)
    assert done.exit_code == 0, done.output
    assert done.stderr.splitlines()[-1] == "report.html written"
    page = (place / "report.html").read_text("utf-8")
    assert {row[1].split()[0] for row in cells(page, "summary")} == set(LEVELS[:2])
    assert re.search(
        r"2 levels: [0-9.]+% \(03-open-field\) to [0-9.]+% \(01-first-steps\) of simulated", visible(page)
    )
    fewest, most = sorted(attempts_played(db, level) for level in LEVELS[:2])
    assert fewest < most  # more where agents hardly win, as in the prediction
    assert f"{fewest} to {most}, {fewest + most} in all" in visible(page)
    assert "The model was fitted to simulated players, not to people." in visible(page)
    assert "2 levels with results of simulated players (simulated few, seed 3)" in visible(page)
    assert "predicted" in charts_in(page)
    assert "delta-0" not in charts_in(page)
    assert "There is more to see with results of more levels: with 3 or more" in visible(page)


def test_a_report_draws_the_prediction_by_limit(made: tuple[Path, Path], place: Path) -> None:
    """With the present limit it is the prediction itself; the same numbers stand in words."""
    db, model = made
    level = Level.load(LEVELS[2])
    (said,) = json.loads(run("predict", LEVELS[2], "--db", db, "--model", model, "--json").stdout)
    run("report", LEVELS[2], "--db", db, "--model", model, "--target", "0.4")
    page = (place / "report.html").read_text("utf-8")
    chart = charts_in(page)["level-1-limit"]
    curves = [values for values in chart["datasets"].values() if len(values) > 2 and "agent" not in values[0]]
    (by_limit,) = curves
    assert [value["limit"] for value in by_limit] == [4, 8, 11, level.moves, 19, 22]
    (now,) = (value for value in by_limit if value["limit"] == level.moves)
    assert [now[name] for name in ("rate", "low", "high")] == pytest.approx(
        [said[name] for name in ("rate", "low_95", "high_95")], abs=1e-4
    )
    rates = [value["rate"] for value in by_limit]
    assert rates[0] < now["rate"] < rates[-1]
    words = ", ".join(f"{value['limit']:g}: {100 * value['rate']:.1f}%" for value in by_limit)
    assert f"Predicted success rate by limit (moves): {words}." in visible(bodies_in(page)["level-1"])


def test_a_report_says_what_predict_says(made: tuple[Path, Path], place: Path) -> None:
    db, model = made
    said = run("predict", LEVELS[1], "--db", db, "--model", model).stdout.splitlines()[2]
    run("report", LEVELS[1], "--db", db, "--model", model)
    (row,) = cells((place / "report.html").read_text("utf-8"), "summary")
    rate = said.split()[1]
    assert rate.endswith("%")
    assert row[2].startswith(rate)


def test_a_report_of_levels_with_results_has_all_of_the_prediction(
    made: tuple[Path, Path], place: Path
) -> None:
    db, model = made
    done = run("report", *LEVELS, "--db", db, "--model", model)
    assert done.exit_code == 0, done.output
    page = (place / "report.html").read_text("utf-8")
    charts = {name for name in charts_in(page) if not name.startswith(("overview-", "level-"))}
    assert charts == {
        *("predicted", "delta-0", "delta-1", "delta-boxes", "adjusted-0", "adjusted-1", "adjusted-boxes"),
        *("accumulated", "coverage", "places"),
    }
    assert "This is no test of the model." in visible(page)
    assert [row[0] for row in cells(page, "own-rates")] == ["predicted", "random's own rate"]
    added = [value for value in values_of(charts_in(page)["accumulated"]) if value["who"].startswith("sim")]
    assert [value["level"] for value in added] == list(LEVELS)
    assert added[-1]["total"] == sum(SUCCESSES) / 100


def test_a_target(made: tuple[Path, Path], place: Path) -> None:
    # An easy one, a hard one and another easy one; by the default model, whose bands are narrow.
    levels, target = LEVELS[:3], ("--target", "0.4", "--db", made[0])
    said = json.loads(run("predict", *levels, *target, "--json").stdout)
    verdicts = {row["level"]: row["verdict"] for row in said}
    assert len(set(verdicts.values())) > 1
    assert run("report", *levels, *target).exit_code == 0
    page = (place / "report.html").read_text("utf-8")
    for row in cells(page, "summary"):
        assert row[2].endswith(f"% {verdicts[row[1].split()[0]]}")
    words = {"on target": "On the target of 40%: "} | {
        verdict: f"{verdict.capitalize()} than the target of 40%: "
        for verdict in ("harder", "easier", "probably harder", "probably easier")
    }
    for section, verdict in zip(level_sections(page), verdicts.values(), strict=True):
        assert words[verdict] in visible(section)


def test_a_report_says_what_explain_says(made: tuple[Path, Path], place: Path) -> None:
    db, model = made
    asked = (LEVELS[1], "--db", db, "--model", model, "--target", "0.4")
    (said,) = json.loads(run("explain", *asked, "--json").stdout)
    run("report", *asked)
    (section,) = level_sections((place / "report.html").read_text("utf-8"))
    assert said["findings"]
    assert said["verdict"] in visible(section)
    for finding in said["findings"]:
        assert finding["sentence"] in visible(section)


@pytest.mark.parametrize("target", ["0", "400", "-1", "nan"])
def test_a_target_that_cannot_be(made: tuple[Path, Path], place: Path, target: str) -> None:
    refused = run("report", LEVELS[0], "--db", made[0], "--model", made[1], "--target", target)
    assert_complaint(refused, f"target: {target}; expected a success rate above 0% and below 100%")
    assert list(place.iterdir()) == []


def test_other_agents_and_no_results_of_players(made: tuple[Path, Path], place: Path) -> None:
    model = made[1]
    done = run(
        "report", LEVELS[0], "--db", "new.db", "--model", model, "--agent", "greedy@25", "--agent", "random",
        "--attempts", "30", "--seed", "4", "--threads", "1", "-o", "page.html",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    page = (place / "page.html").read_text("utf-8")
    assert "25 to 30, 55 in all" in visible(page)
    assert [name for name in charts_in(page) if not name.startswith(("overview-", "level-"))] == []
    summaries = run("results", "--db", "new.db").stdout
    # What the model needs, 40 attempts of random, was played too, and those whose losses are explained.
    assert [line.split()[1:4] for line in summaries.splitlines()[1:]] == [
        ["greedy", "4", "25"],
        ["policy", "4", "400"],
        ["random", "4", "40"],
    ]


def model_of(attempts: dict[str, int]) -> DifficultyModel:
    model = DifficultyModel()
    model.origin_ = Origin(10, attempts=attempts)
    return model


def test_which_agents_are_shown() -> None:
    model = model_of({"random": 400, "greedy": 300})
    assert shown_agents(model, None, None) == {"random": 400, "greedy": 300}
    assert shown_agents(model, None, 50) == {"random": 50, "greedy": 50}
    assert shown_agents(model, ["heuristic", "greedy"], None) == {"heuristic": 100, "greedy": 300}
    assert shown_agents(model, ["greedy@60", "random"], None) == {"greedy": 60, "random": 400}
    assert shown_agents(model_of({}), None, None) == {"heuristic": 100}


def test_several_populations_ask_for_a_cohort(made: tuple[Path, Path], place: Path) -> None:
    db, model = place / "both.db", made[1]
    add_results(db, COHORT, "simulated: few")
    add_results(db, "simulated others", "simulated: others")
    refused = run("report", LEVELS[0], "--db", db, "--model", model)
    assert_complaint(
        refused,
        f"{db}: results of several populations for these levels; "
        f"choose by --cohort: '{COHORT}', 'simulated others'",
    )
    # People's results count before those of any program.
    add_results(db, "A", "a.csv")
    for words in ((), ("--cohort", "A")):
        done = run("report", LEVELS[0], "--db", db, "--model", model, *words)
        assert done.exit_code == 0, done.output
        assert "1 level with results of players (A)" in visible((place / "report.html").read_text("utf-8"))


def test_what_a_report_cannot_do(made: tuple[Path, Path], place: Path) -> None:
    db, model = made
    asked = ("report", LEVELS[0], "--db", db, "--model", model)
    missing = place / "no" / "x.html"
    assert_complaint(
        run(*asked, "-o", missing), f"{missing}: cannot be written: there is no folder {missing.parent}"
    )
    assert_complaint(run(*asked, "-o", place), f"{place}: a folder; expected a file to write to")
    assert_complaint(run(*asked, "--agent", "nobody"), "nobody")
    assert_complaint(run(*asked, "--attempts", "5"), "--attempts 5; expected at least 20")
    assert_complaint(run(*asked, "--cohort", "B"), f"{db}: no cohort 'B'; there are: '{COHORT}'")
    assert_complaint(run(*asked[:4], "--model", place / "no.json"), "no.json: cannot be read")
    assert list(place.iterdir()) == []


def test_a_cohort_needs_a_database(made: tuple[Path, Path], place: Path) -> None:
    asked = ("report", LEVELS[0], "--model", made[1], "--db", place / "new.db", "--cohort", "A")
    assert run(*asked).exit_code == 2
    assert list(place.iterdir()) == []


def test_evaluate_writes_its_page(made: tuple[Path, Path], place: Path) -> None:
    asked = ("evaluate", *LEVELS, "--first", "3", *PLAYING, "--db", made[0])
    done = run(*asked, "--report", "e.html")
    assert done.exit_code == 0, done.output
    assert done.stderr.splitlines()[-1] == "e.html written"
    assert done.stdout == run(*asked).stdout
    page = (place / "e.html").read_text("utf-8")
    assert done.stdout.splitlines()[0] in visible(page)  # how far to trust it
    mae, outside = done.stdout.splitlines()[4].split()[2:4]
    assert cells(page, "baselines")[0][:3] == ["the model", mae, outside]
    assert "These are simulated players, not people." in visible(page)


def test_what_evaluate_cannot_write(made: tuple[Path, Path], place: Path) -> None:
    asked = ("evaluate", *LEVELS, "--first", "3", *PLAYING)
    refused = run(*asked, "--db", made[0], "--report", place)
    assert_complaint(refused, f"{place}: a folder; expected a file to write to")
    with Database(str(place / "empty.db")):
        pass
    refused = run(*asked, "--db", "empty.db", "--report", "e.html")
    assert_complaint(refused, "empty.db: no players' results; `levelsense players import` takes them in")
    assert not (place / "e.html").exists()
