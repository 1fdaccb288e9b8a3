"""The Lab: use cases with a real database, progress, notes and stopping as arguments."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl
import pytest

from levelsense import DifficultyModel, Lab, Level, LevelPrediction, Progress, StoppedError
from levelsense.errors import AgentError, LevelError, PlayersError, PlaytestError, PredictionError, StoreError
from levelsense.lab import evaluation_page, playtest_page
from levelsense.lab.run import read_model
from levelsense.playtest import NamedLevel
from levelsense.prediction.model import default_model
from levelsense.prediction.verdict import verdict_sentence

SMALL = "17-pocket-board"
SAGA = (
    "01-first-steps",
    "04-jelly-garden",
    "05-cherry-picking",
    "07-order-up",
    "08-bent-lines",
    "09-thin-ice",
)
ATTEMPTS = 20


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path / "lab.db")


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    """A Lab with simulated players' results of a small saga."""
    lab = Lab(tmp_path_factory.mktemp("lab") / "players.db")
    assert not lab.simulate(SAGA, 20).interrupted
    return lab


def test_levels_are_given_in_any_form(lab: Lab, tmp_path: Path) -> None:
    level = Level.load(SMALL)
    level.save(tmp_path / "mine.json")
    for given in (SMALL, [SMALL], level, NamedLevel(level, ("mine",)), tmp_path / "mine.json"):
        assert lab.playtest(given, ["first"], 3).summary["attempts"].to_list() == [3]


def test_what_is_stored_is_not_played_again(lab: Lab) -> None:
    first = lab.playtest(SMALL, ["first"], ATTEMPTS)
    calls: list[Progress] = []
    again = lab.playtest(SMALL, ["first"], ATTEMPTS, progress=calls.append)
    assert again.attempts.equals(first.attempts)
    assert [(progress.done, progress.levels) for progress in calls] == [(1, 1)]  # nothing left to do


def test_memory_lasts_as_long_as_the_lab() -> None:
    with Lab() as lab:
        lab.playtest(SMALL, ["first"], ATTEMPTS)
        calls: list[Progress] = []
        lab.playtest(SMALL, ["first"], ATTEMPTS, progress=calls.append)
        assert len(calls) == 1
        assert repr(lab) == "<Lab in memory>"


def test_threads_share_what_is_in_memory() -> None:
    with Lab() as lab, ThreadPoolExecutor(3) as pool:
        agents = ("first", "random", "first")
        played = [pool.submit(lab.playtest, SMALL, [agent], ATTEMPTS, threads=1) for agent in agents]
        tables = [done.result().attempts for done in played]
        assert tables[0].equals(tables[2])
        calls: list[Progress] = []
        lab.playtest(SMALL, ["first", "random"], ATTEMPTS, progress=calls.append)
        assert len(calls) == 1


def test_a_stop_keeps_what_was_played(lab: Lab) -> None:
    stop = threading.Event()

    def watch(progress: Progress) -> None:
        if sum(pair.done for pair in progress.pairs):
            stop.set()

    tested = lab.playtest([SMALL, "03-open-field"], ["random"], 200_000, progress=watch, stop=stop, threads=1)
    assert tested.interrupted
    done = tested.summary["attempts"].sum()
    assert 0 < done < 400_000
    kept = lab.playtest(SMALL, ["random"], 1)
    assert kept.attempts.equals(tested.attempts.filter(pl.col("name") == SMALL).head(1))


def test_a_stop_ends_a_prediction(lab: Lab) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(StoppedError, match="what was played is kept"):
        lab.predict(SMALL, stop=stop)


def test_a_stop_ends_figures_and_simulations(lab: Lab) -> None:
    tested = lab.playtest(SMALL, ["first"], ATTEMPTS)
    stop = threading.Event()
    stop.set()
    with pytest.raises(StoppedError):
        lab.figures(tested, stop=stop)
    assert lab.simulate(SAGA[:2], 5, stop=stop).interrupted


def test_only_one_level_is_tuned(lab: Lab, tmp_path: Path) -> None:
    for name in (SMALL, "03-open-field"):
        Level.load(name).save(tmp_path / f"{name}.json")
    with pytest.raises(LevelError, match="2 levels; expected one"):
        lab.tune(tmp_path, 0.5)


def test_notes_tell_of_levels_that_play_alike(lab: Lab, tmp_path: Path) -> None:
    Level.load(SMALL).save(tmp_path / "twin.json")
    notes: list[str] = []
    lab.playtest([SMALL, tmp_path / "twin.json"], ["first"], 3, note=notes.append)
    assert notes == [f"twin: the same level as {SMALL}, played once"]


def test_a_prediction_is_one_object(lab: Lab) -> None:
    model = default_model()
    (prediction,) = lab.predict(SMALL, target=0.5)
    assert isinstance(prediction, LevelPrediction)
    assert prediction.band_95[0] < prediction.band_50[0] < prediction.rate
    assert prediction.rate < prediction.band_50[1] < prediction.band_95[1]
    assert prediction.needed_95[0] < prediction.needed < prediction.needed_95[1]
    assert set(prediction.agents) == set(model.origin_.attempts)
    assert prediction.simulated
    assert str(prediction.verdict) in repr(prediction)
    data = prediction.as_data()
    assert (data["level"], data["rate"], data["verdict"]) == (SMALL, prediction.rate, prediction.verdict)
    assert lab.predict(SMALL)[0].verdict is None


def test_the_limit_that_tune_takes_is_predicted_alike(lab: Lab) -> None:
    tuning = lab.tune(SMALL, 0.5)
    assert tuning.best is not None
    (prediction,) = lab.predict(tuning.best.level, target=0.5)
    assert {**prediction.row, "level": ""} == {**tuning.best.prediction.row, "level": ""}


def test_a_model_is_fitted_saved_and_asked(simulated: Lab, tmp_path: Path) -> None:
    model = simulated.fit(SAGA, agents=["random"], attempts=ATTEMPTS)
    assert model.table_["level"].to_list() == list(SAGA)
    model.save(tmp_path / "model.json")
    by_file = simulated.predict(SAGA[:2], model=tmp_path / "model.json")
    by_object = simulated.predict(SAGA[:2], model=DifficultyModel.load(tmp_path / "model.json"))
    assert [one.row for one in by_file] == [one.row for one in by_object]
    persistence = model.origin_.persistence
    assert persistence is not None
    assert by_file[0].attempts is not None
    assert by_file[0].attempts.expected.quits == pytest.approx(persistence.quits, rel=1e-3)


def test_levels_without_players_are_left_out_with_a_note(simulated: Lab) -> None:
    notes: list[str] = []
    model = simulated.fit([*SAGA, SMALL], agents=["random"], attempts=ATTEMPTS, note=notes.append)
    assert model.table_.height == len(SAGA)
    assert notes == ["1 of 7 levels have no players' results and are left out"]


def test_an_evaluation_and_its_page(simulated: Lab, tmp_path: Path) -> None:
    evaluation = simulated.evaluate(SAGA, 3, agents=["random"], attempts=ATTEMPTS)
    assert (evaluation.fitted, evaluation.levels.height) == (3, 3)
    page = evaluation_page(evaluation)
    page.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text("utf-8") == page.html
    assert page._repr_html_().startswith('<iframe srcdoc="&lt;!DOCTYPE html')


def test_a_report_and_the_page_of_a_playtest(simulated: Lab) -> None:
    page = simulated.report(SAGA[0], agents=["random"], attempts=ATTEMPTS, target=0.5)
    assert "the target of 50%: " in page.html
    figures = simulated.figures(simulated.playtest(SAGA[0], ["random"], ATTEMPTS))
    assert "the target of" not in playtest_page(figures).html


def test_an_explanation_is_a_prediction_and_its_reasons(lab: Lab) -> None:
    (prediction,) = lab.predict(SMALL, target=0.5)
    (explanation,) = lab.explain(SMALL, target=0.5, agent="random", attempts=80)
    assert explanation.prediction.rate == prediction.rate
    assert explanation.verdict == verdict_sentence(prediction)
    assert (explanation.losses.attempts, explanation.losses.lost >= 30) == (80, True)
    assert explanation.sentences
    strongest = max(prediction.agents, key=lambda agent: prediction.agents[agent])
    assert any(f"{strongest} wins" in sentence for sentence in explanation.sentences)
    data = explanation.as_data()
    assert (data["level"], data["verdict"]) == (SMALL, explanation.verdict)
    assert [finding["sentence"] for finding in data["findings"]] == list(explanation.sentences)
    (again,) = lab.explain(SMALL, target=0.5, agent="random", attempts=80)
    assert again.sentences == explanation.sentences


def test_an_explanation_can_be_stopped() -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(StoppedError):
        Lab().explain(SMALL, agent="random", attempts=ATTEMPTS, stop=stop)


def test_rates_of_players(simulated: Lab) -> None:
    rates = simulated.rates(["0[14]*"])
    assert rates["level"].to_list() == [SAGA[0], SAGA[1]]
    assert rates["simulated"].all()


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda lab: lab.playtest("no-such-level"), LevelError, "'no-such-level': no such level file"),
        (lambda lab: lab.playtest(SMALL, ["nobody"]), AgentError, "unknown agent 'nobody'"),
        (lambda lab: lab.playtest(SMALL, attempts=0), PlaytestError, "attempts: 0; expected a whole number"),
        (lambda lab: lab.playtest([]), PlaytestError, "no levels: expected"),
        (lambda lab: lab.explain(SMALL, agent="nobody"), AgentError, "unknown agent 'nobody'"),
        (lambda lab: lab.explain(SMALL, attempts=0), PlaytestError, "attempts: 0; expected a whole number"),
        (lambda lab: lab.explain(SMALL, target=2), PlaytestError, "target: 2; expected a success rate"),
        (lambda lab: lab.predict(SMALL, seed=-1), PlaytestError, "seed: -1; expected"),
        (lambda lab: lab.predict(SMALL, model="none.json"), PredictionError, "none.json: cannot be read"),
        (lambda lab: lab.tune(SMALL, 1.5), PlaytestError, "target: 1.5; expected a success rate"),
        (lambda lab: lab.fit(SAGA), StoreError, "no such database"),
        (lambda lab: lab.rates(), StoreError, "no such database"),
        (lambda lab: lab.simulate([]), PlaytestError, "no levels: expected"),
        (lambda lab: lab.simulate(SMALL, mix="nobody"), PlayersError, "nobody"),
        (lambda lab: lab.import_players("none.csv"), PlayersError, "none.csv"),
    ],
)
def test_bad_arguments_are_a_sentence_and_make_no_database(
    lab: Lab, call: object, error: type[Exception], sentence: str
) -> None:
    assert callable(call)
    with pytest.raises(error) as raised:
        call(lab)
    assert sentence in str(raised.value)
    assert "--" not in str(raised.value)
    assert not Path(lab.database).exists()


def test_the_model_that_comes_along_has_a_name() -> None:
    origin = read_model(None).origin_
    assert read_model("default").origin_ == read_model(Path("default")).origin_ == origin
    with pytest.raises(PredictionError, match="nowhere"):
        read_model("nowhere")
