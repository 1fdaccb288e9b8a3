"""`players simulate`, `fit`, `predict` and `evaluate` as a user runs them."""

import json
import os
import shutil
from pathlib import Path

import polars as pl
import pytest

from levelsense.game.state import RULES_VERSION
from levelsense.level.level import Level
from levelsense.people.simulated.run import PLAYERS_VERSION
from levelsense.playtest import gather_levels
from levelsense.prediction.explain import verdict_words
from levelsense.prediction.model import DifficultyModel
from levelsense.store import Database, PlayerResults
from tests.test_cli import assert_complaint, run, run_really

LEVELS = (
    "01-first-steps",
    "04-jelly-garden",
    "12-locked-up",
    "17-pocket-board",
    "24-hourglass",
    "30-grand-tour",
)
SIMULATE = ("players", "simulate", *LEVELS, "--players", 40)
FEW = ("--agent", "random", "--agent", "heuristic", "--attempts", 40)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Databases and models are made in folders of their own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def simulated_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database that simulated players have played into."""
    made, before = tmp_path_factory.mktemp("simulated"), Path.cwd()
    os.chdir(made)
    assert run(*SIMULATE).exit_code == 0
    os.chdir(before)
    return made


@pytest.fixture
def simulated(folder: Path, simulated_once: Path) -> None:
    shutil.copytree(simulated_once, folder, dirs_exist_ok=True)


# players simulate


def test_simulated_players_are_kept_and_called_simulated() -> None:
    result = run(*SIMULATE, "--seed", 3)
    assert result.exit_code == 0
    assert "40 simulated players, not people; kept as cohort 'simulated everyone, seed 3'" in result.stdout
    with Database("levelsense.db") as database:
        stored = PlayerResults(database).read()
    assert stored.height == 40 * len(LEVELS)
    digests = {named.name: named.level.digest for named in gather_levels(LEVELS)}
    versions = f"version {PLAYERS_VERSION}, rules {RULES_VERSION}"
    assert set(stored.select("level", "source").rows()) == {
        (name, f"simulated: 40 players, {versions}, level {digest[:16]}") for name, digest in digests.items()
    }
    again = run(*SIMULATE, "--seed", 3)
    assert again.stdout == result.stdout
    assert "simulated" in run("players", "rates").stdout


def test_a_changed_level_has_none_of_its_former_results(folder: Path) -> None:
    level = Level.load("24-hourglass")
    level.save(folder / "mine.json")
    run("players", "simulate", "mine.json", "--players", 40)
    level.model_copy(update={"moves": 6}).save(folder / "mine.json")
    data = json.loads(run("players", "simulate", "mine.json", "--players", 10, "--json").stdout)
    (stored,) = json.loads(run("players", "rates", "--json").stdout)
    assert stored["players"] == 10
    assert stored["attempts"] == data["levels"][0]["attempts"]


def test_populations_are_told_one_by_one() -> None:
    run("players", "simulate", LEVELS[0], "--players", 20)
    run("players", "simulate", LEVELS[0], "--players", 20, "--mix", "veterans")
    data = json.loads(run("players", "rates", "--json").stdout)
    assert [(row["cohort"], row["players"]) for row in data] == [
        ("simulated everyone, seed 0", 20),
        ("simulated veterans, seed 0", 20),
    ]


def test_levels_may_be_options() -> None:
    by_option = run(
        "players", "simulate", "--levels", LEVELS[0], "--levels", LEVELS[1], "--players", 10, "--json"
    )
    by_argument = run("players", "simulate", *LEVELS[:2], "--players", 10, "--json")
    assert by_option.stdout == by_argument.stdout
    assert [level["level"] for level in json.loads(by_option.stdout)["levels"]] == list(LEVELS[:2])


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_attempts_and_moves_are_written(folder: Path, suffix: str) -> None:
    files = folder / f"attempts.{suffix}", folder / f"moves.{suffix}"
    data = json.loads(run(*SIMULATE, "--attempts", files[0], "--telemetry", files[1], "--json").stdout)
    read = pl.read_csv if suffix == "csv" else pl.read_parquet
    attempts, moves = (read(path) for path in files)
    assert attempts.height == sum(level["attempts"] for level in data["levels"])
    assert attempts["won"].sum() == sum(level["successes"] for level in data["levels"])
    assert moves.height == attempts["moves_made"].sum()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--players", 0), "players: 0; expected a whole number from 1 to 100,000"),
        (("--players", 99_999_999_999), "players: 99,999,999,999; expected a whole number from 1 to 100,000"),
        (("--threads", -1), "threads: -1; expected a whole number from 1 to 1,024"),
        (
            ("--mix", "aliens"),
            "mix: 'aliens'; expected one of: everyone, newcomers, veterans, planners, both; "
            "or shares of types such as casual=0.4,hoarder=0.6",
        ),
        (("--mix", "casual=0.4,hoarder=0.5"), "mix: shares add up to 0.9; expected 1"),
        (("--attempts", "a.txt"), "a.txt: files are told by suffix; expected .csv or .parquet"),
        (("--telemetry", "no/a.csv"), "no/a.csv: cannot be written: there is no folder no"),
    ],
)
def test_simulations_that_cannot_be(folder: Path, words: tuple[object, ...], complaint: str) -> None:
    assert_complaint(run("players", "simulate", LEVELS[0], *words), complaint)
    assert list(folder.iterdir()) == []


def test_no_levels_to_simulate() -> None:
    assert_complaint(
        run("players", "simulate"), "no levels: expected level files, folders or names of bundled levels"
    )


# fit


@pytest.mark.usefixtures("simulated")
def test_fit_writes_a_model_and_tells_of_it(folder: Path) -> None:
    result = run("fit", *LEVELS, *FEW)
    assert result.exit_code == 0
    for words in (
        "6 levels",
        "of simulated players",
        "sigma",
        "log-likelihood",
        "(intercept)",
        "heuristic: rate",
    ):
        assert words in result.stdout
    assert "model.json written" in result.stderr
    model = DifficultyModel.load(folder / "model.json")
    assert model.origin_.simulated
    assert dict(model.origin_.attempts) == {"random": 40, "heuristic": 40}


@pytest.mark.usefixtures("simulated")
def test_agents_may_have_attempts_of_their_own() -> None:
    assert (
        run("fit", *LEVELS, "--agent", "random@60", "--agent", "greedy@20", "-o", "own.json").exit_code == 0
    )
    assert dict(DifficultyModel.load("own.json").origin_.attempts) == {"random": 60, "greedy": 20}


def test_without_results_there_is_no_fit() -> None:
    result = run("fit", *LEVELS)
    assert_complaint(result, "levelsense.db: no such database")
    assert "`levelsense players import` with people's results" in result.stderr
    run("playtest", LEVELS[0], "--attempts", 1)
    assert_complaint(
        run("fit", *LEVELS),
        "levelsense.db: no players' results; `levelsense players import` takes them in",
    )


@pytest.mark.usefixtures("simulated")
@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((*LEVELS, "--attempts", 5), "--attempts 5; expected at least 20"),
        ((*LEVELS, "--agent", "mcts@3"), "--agent mcts@3: 3 attempts; expected at least 20"),
        ((*LEVELS, "--agent", "chess"), "unknown agent 'chess'"),
        ((*LEVELS, "-o", "no/model.json"), "no/model.json: cannot be written: there is no folder no"),
        (
            ("02-four-in-a-row",),
            "levelsense.db: no players' results of levels such as 02-four-in-a-row; "
            "there are some of 01-first-steps, 04-jelly-garden, 12-locked-up",
        ),
        (
            (*LEVELS, "--cohort", "vips"),
            "levelsense.db: no cohort 'vips'; there are: 'simulated everyone, seed 0'",
        ),
    ],
)
def test_fits_that_cannot_be(words: tuple[object, ...], complaint: str) -> None:
    result = run("fit", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert complaint in result.stderr
    assert not Path("model.json").exists()


@pytest.mark.usefixtures("simulated")
def test_populations_are_not_mixed() -> None:
    run(*SIMULATE, "--seed", 1)
    result = run("fit", *LEVELS, *FEW)
    assert result.exit_code == 2
    assert "results of several populations for these levels; choose by --cohort" in result.stderr
    assert run("fit", *LEVELS, *FEW, "--cohort", "simulated everyone, seed 1").exit_code == 0


@pytest.mark.usefixtures("simulated")
def test_people_count_before_simulated_players(folder: Path) -> None:
    table = "level,attempts,successes\n" + "".join(f"{name},100,{50 + k}\n" for k, name in enumerate(LEVELS))
    (folder / "simulated_vs_real.csv").write_text(table)
    assert run("players", "import", "simulated_vs_real.csv").exit_code == 0
    assert run("fit", *LEVELS, *FEW).exit_code == 0
    assert not DifficultyModel.load("model.json").origin_.simulated
    assert run("fit", *LEVELS, *FEW, "--cohort", "simulated everyone, seed 0").exit_code == 0
    assert DifficultyModel.load("model.json").origin_.simulated


def test_results_go_by_the_name_of_a_level_too(folder: Path) -> None:
    table = "level,attempts,successes\nFirst steps,100,95\nHourglass,100,60\nJelly garden,50,40\n"
    (folder / "people.csv").write_text(table)
    assert run("players", "import", "people.csv").exit_code == 0
    result = run("fit", "01-first-steps", "04-jelly-garden", "24-hourglass", "30-grand-tour", *FEW)
    assert result.exit_code == 0, result.stderr
    assert "1 of 4 levels have no players' results and are left out" in result.stderr
    assert "3 levels, 250 attempts, 78.0% successful" in result.stdout
    assert not DifficultyModel.load("model.json").origin_.simulated


# predict


@pytest.mark.usefixtures("simulated")
def test_predict_plays_what_is_missing_and_says_why() -> None:
    run("fit", *LEVELS, *FEW)
    result = run("predict", "20-short-fuses", "24-hourglass", "--model", "model.json", "--target", 0.5)
    assert result.exit_code == 0
    whose, heading, first, second, *rest = result.stdout.splitlines()
    assert whose == "success rates to expect, of simulated players, not of people"
    assert heading.split("  ")[0] == "level"
    assert first.startswith("20-short-fuses")
    assert second.startswith("24-hourglass")
    assert any(line.startswith("24-hourglass: ") for line in rest)
    assert sum("of simulated players succeed within" in line for line in rest) == 2
    assert "fitted to simulated players, not to people" in result.stderr
    assert run("predict", "24-hourglass", "--model", "model.json").exit_code == 0


@pytest.mark.usefixtures("simulated")
def test_predictions_as_json() -> None:
    run("fit", *LEVELS, *FEW)
    (data,) = json.loads(run("predict", LEVELS[4], "--model", "model.json", "--target", 0.9, "--json").stdout)
    assert data["level"] == LEVELS[4]
    assert data["low_95"] <= data["low_50"] <= data["rate"] <= data["high_50"] <= data["high_95"]
    assert data["needed"] == pytest.approx(1 / data["rate"])
    assert data["simulated"] is True
    bands = (data["low_50"], data["high_50"]), (data["low_95"], data["high_95"])
    assert data["verdict"] == verdict_words(0.9, *bands)
    assert {"what", "effect", "points"} == set(data["reasons"][0])
    assert "unlike" in data
    stuck = data["players"]["stuck_10"]
    assert stuck["low_95"] <= stuck["share"] <= stuck["high_95"]


def test_cohorts_are_told_apart_in_one_fit() -> None:
    for mix in ("newcomers", "veterans"):
        assert run(*SIMULATE, "--mix", mix).exit_code == 0
    names = [f"simulated {mix}, seed 0" for mix in ("newcomers", "veterans")]
    assert_complaint(run("fit", *LEVELS, *FEW), "results of several populations for these levels")
    fitted = run("fit", *LEVELS, *FEW, "--by-cohort")
    assert fitted.exit_code == 0, fitted.stderr
    for name, effect in DifficultyModel.load("model.json").cohorts_.items():
        assert f"cohort '{name}': {effect.offset:+.3f} logits at every level, beside" in fitted.stdout
    asked = ("predict", "20-short-fuses", "--model", "model.json")
    average = run(*asked)
    assert f"`predict --cohort` asks for one of them: '{names[0]}', '{names[1]}'" in average.stderr
    (low,), (high,) = (json.loads(run(*asked, "--cohort", name, "--json").stdout) for name in names)
    (middle,) = json.loads(run(*asked, "--json").stdout)
    assert low["rate"] < middle["rate"] < high["rate"]
    one = run(*asked, "--cohort", names[1])
    assert "asks for one of them" not in one.stderr
    assert f"({names[1]})" in one.stderr
    assert_complaint(
        run(*asked, "--cohort", "nobody"),
        "--cohort 'nobody': expected a cohort that the model tells apart: 'simulated newcomers, seed 0'",
    )
    judged = {
        name: json.loads(run("evaluate", *LEVELS, "--model", "model.json", "--cohort", name, "--json").stdout)
        for name in names
    }
    rates = {name: data["levels"][3]["rate"] for name, data in judged.items()}
    assert rates[names[0]] < rates[names[1]]


@pytest.mark.usefixtures("simulated")
def test_one_cohort_is_not_told_apart() -> None:
    assert_complaint(
        run("fit", *LEVELS, *FEW, "--by-cohort"), "1 cohort with results of these levels; expected at least 2"
    )


def test_explain_prints_the_verdict_and_numbered_reasons() -> None:
    asked = ("explain", "17-pocket-board", "--agent", "random", "--attempts", 80, "--target", "40%")
    result = run(*asked)
    assert result.exit_code == 0, result.output
    name, verdict, *reasons, basis = result.stdout.splitlines()
    assert name == "17-pocket-board"
    assert "than the target of 40%: " in verdict
    assert "of simulated players' attempts are expected to succeed (95% band" in verdict
    assert [reason.partition(". ")[0] for reason in reasons] == [str(k) for k in range(1, len(reasons) + 1)]
    assert " of 80 of random; the moves ran out in 100% of them." in basis
    assert "fitted to simulated players" in result.stderr
    (data,) = json.loads(run(*asked, "--json").stdout)
    assert data["verdict"] == verdict
    assert [f"{k}. {finding['sentence']}" for k, finding in enumerate(data["findings"], 1)] == reasons
    assert (data["lost"], data["attempts"], data["agent"]) == (sum(data["endings"].values()), 80, "random")
    assert data["prediction"]["target"] == 0.4


def test_explain_claims_nothing_of_an_easy_level() -> None:
    result = run("explain", "01-first-steps", "--agent", "heuristic", "--attempts", 40)
    assert result.stdout.splitlines()[2:] == [
        "Too few attempts are lost to say why: 0 of 40 of heuristic; it takes 30."
    ]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("no-such-level",), "'no-such-level': no such level file"),
        (("17-pocket-board", "--agent", "nobody"), "unknown agent 'nobody'"),
        (("17-pocket-board", "--attempts", 0), "attempts: 0; expected a whole number"),
        (("17-pocket-board", "--target", "0"), "target: 0; expected a success rate above 0% and below 100%"),
        (("17-pocket-board", "--model", "none.json"), "none.json: cannot be read"),
    ],
)
def test_what_explain_cannot_do(words: tuple[object, ...], complaint: str) -> None:
    assert_complaint(run("explain", *words), complaint)


def test_a_fresh_install_predicts_and_says_that_it_is_simulated() -> None:
    result = run_really("predict", "04-jelly-garden")
    assert result.returncode == 0, result.stderr
    assert "04-jelly-garden" in result.stdout
    assert "simulated players, not of people" in result.stdout
    assert "simulated" in result.stderr


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--target", 350), "target: 350; expected a success rate above 0% and below 100%"),
        (("--model", "none.json"), "none.json: cannot be read: No such file or directory"),
    ],
)
def test_predictions_that_cannot_be(words: tuple[object, ...], complaint: str) -> None:
    assert_complaint(run("predict", "04-jelly-garden", *words), complaint)


# evaluate


@pytest.mark.usefixtures("simulated")
def test_evaluate_tells_figures_baselines_and_thirds() -> None:
    result = run("evaluate", *LEVELS, "--first", 3, *FEW)
    assert result.exit_code == 0
    assert (
        "fitted to 3 levels, judged on the next 3; players: simulated everyone, seed 0 (simulated)"
        in result.stdout
    )
    for words in (
        "the model",
        "the mean",
        "features alone",
        "random alone",
        "heuristic alone",
        "hardest third",
    ):
        assert words in result.stdout
    data = json.loads(run("evaluate", *LEVELS, "--first", 3, *FEW, "--json").stdout)
    assert data["judged"] == 3
    assert [level["level"] for level in data["levels"]] == list(LEVELS[3:])


@pytest.mark.usefixtures("simulated")
def test_there_must_be_levels_on_both_sides() -> None:
    assert_complaint(
        run("evaluate", *LEVELS, "--first", 6, *FEW),
        "first: 6; of 6 levels with players' results, expected from 3 to 3 to fit to",
    )


# evaluate --model, evaluate --against, predict --csv


def test_a_saved_model_is_judged_without_a_fit(simulated: None) -> None:
    assert run("fit", *LEVELS[:3], *FEW, "-o", "model.json").exit_code == 0
    result = run("evaluate", *LEVELS, "--model", "model.json", "--first", 3)
    assert result.exit_code == 0, result.stderr
    assert "fitted to 3 levels, judged on 3 levels; players: simulated everyone, seed 0 (simulated)" in (
        result.stdout
    )
    assert "at 3 levels that it had not seen, the prediction was off by" in result.stdout
    assert "names that the model was fitted to" not in result.stderr
    data = json.loads(run("evaluate", *LEVELS, "--model", "model.json", "--json").stdout)
    assert (data["fitted"], data["judged"], data["saved"], data["baselines"]) == (3, 6, True, [])


def test_levels_that_a_saved_model_was_fitted_to_are_told(simulated: None) -> None:
    assert run("fit", *LEVELS[:3], *FEW, "-o", "model.json").exit_code == 0
    result = run("evaluate", *LEVELS, "--model", "model.json")
    assert "at 6 levels, 3 of which it was fitted to, the prediction was off by" in result.stdout
    names = ", ".join(LEVELS[:3])
    assert (
        f"3 of 6 judged levels have names that the model was fitted to ({names}): "
        "how it does there says little of others\n"
    ) in result.stderr


def test_a_fit_tells_its_prior(simulated: None) -> None:
    result = run("fit", *LEVELS[:2], "--prior", "default", "-o", "model.json")
    assert result.exit_code == 0, result.stderr
    assert "\nprior: 1,000 levels, simulated players (12 populations); agents random (1,000 " in result.stdout
    assert "prior:" not in run("fit", *LEVELS[:2], *FEW, "-o", "model.json").stdout


def test_models_and_agents_are_compared(simulated: None) -> None:
    assert run("fit", *LEVELS[:3], *FEW, "-o", "model.json").exit_code == 0
    judge = ("evaluate", *LEVELS, "--first", 3)
    both = run(*judge, *FEW, "--against", "model.json")
    assert both.exit_code == 0, both.stderr
    assert "the model less model.json" in both.stdout
    assert both.stdout.count("cannot tell them apart") == 2  # they are the same
    against = run(*judge, "--model", "model.json", "--against", "random@40", "--json")
    data = json.loads(against.stdout)
    assert data["comparison"]["against"] == data["baselines"][0]["name"] == "random@40"
    assert data["comparison"]["mae"]["mean"] == pytest.approx(
        data["figures"]["mae"] - data["baselines"][0]["mae"]
    )


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ((), "--first: none; expected how many levels to fit to, or a saved --model"),
        (
            ("--model", "model.json", "--against", "random"),
            "--first: none; expected how many levels to fit to, or a saved --model",
        ),
        (("--model", "model.json", "--agent", "random"), "--model and --agent: both are given"),
        (
            ("--first", 3, "--against", "model.json", "--against", "random"),
            "--against model.json: a file beside others; expected one model, or agents",
        ),
        (("--model", "none.json"), "none.json: cannot be read: No such file or directory"),
    ],
)
def test_what_cannot_be_judged_is_told(simulated: None, options: tuple[object, ...], complaint: str) -> None:
    assert run("fit", *LEVELS[:3], *FEW, "-o", "model.json").exit_code == 0
    assert_complaint(run("evaluate", *LEVELS, *options), complaint)


def test_predictions_are_written_as_csv(folder: Path) -> None:
    named = folder / "=1+1.json"
    named.write_text(Level.load("24-hourglass").to_json())
    asked = ("predict", named, "04-jelly-garden", "--target", "50%")
    assert run(*asked, "--csv", "out.csv").exit_code == 0
    table, data = pl.read_csv("out.csv"), json.loads(run(*asked, "--json").stdout)
    assert table["level"].to_list() == ["'=1+1", "04-jelly-garden"]
    for column in ("rate", "low_95", "high_50", "target", "verdict"):
        assert table[column].to_list() == [row[column] for row in data]
    assert table["simulated"].to_list() == [True, True]
    assert table["heuristic: success"].is_between(0, 1).all()
    assert "policy: success" in table.columns  # not with the name of its weights
    exact = run(*asked, "--csv", "-", "--exact")
    assert exact.stdout.splitlines()[1].startswith("=1+1,")
    assert_complaint(run(*asked, "--csv", "x.csv", "--json"), "--csv and --json: both are given")


def test_a_place_that_is_none_is_named_by_its_option() -> None:
    assert_complaint(
        run("predict", LEVELS[0], "--place", 0), "--place 0; expected the place of a level, from 1 on"
    )


@pytest.mark.usefixtures("simulated")
def test_a_fit_to_one_level_speaks_of_one_level() -> None:
    result = run("fit", LEVELS[4], *FEW)
    assert result.exit_code == 0
    assert "\n1 level, " in result.stdout
    assert "\n1 level is few: bands are wide" in result.stdout
