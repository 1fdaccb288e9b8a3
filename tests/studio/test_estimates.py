"""Estimates and changes: they stream, and say what the commands say."""

import json

import pytest
from starlette.testclient import TestClient

from levelsense import Game, Lab, Level, defaults
from levelsense.agents.registry import parse_agent
from levelsense.playtest import NamedLevel
from levelsense.studio import details
from levelsense.studio.context import Studio
from levelsense.studio.runs import Ticket
from tests.studio.events import events
from tests.studio.test_levels import SMALL

HARD = SMALL.replace("#1", "#3").replace("12", "6")


def test_the_last_figure_is_what_predict_says(client: TestClient):
    stream = events(client, "/api/estimate", {"text": HARD, "target": 0.4})
    kinds = [kind for kind, _ in stream]
    assert kinds == ["level", "figure", "figure", "figure", "reasons", "limits", "feel", "struck", "done"]
    figures = [data for kind, data in stream if kind == "figure"]
    assert [figure["final"] for figure in figures] == [False, False, True]
    (predicted,) = Lab().predict(Level.from_json(HARD), target=0.4)
    assert figures[-1]["rate"] == pytest.approx(predicted.rate)
    assert figures[-1]["band_95"] == pytest.approx(predicted.band_95)
    assert figures[-1]["verdict"] == predicted.verdict


def test_reasons_are_those_of_explain(client: TestClient):
    stream = dict(events(client, "/api/estimate", {"text": HARD, "target": 0.4}))
    (explained,) = Lab().explain(Level.from_json(HARD), target=0.4)
    assert [finding["sentence"] for finding in stream["reasons"]["findings"]] == list(explained.sentences)
    assert stream["reasons"]["basis"] == explained.losses.basis


def test_success_by_limit_never_falls_and_meets_the_prediction(client: TestClient):
    stream = dict(events(client, "/api/estimate", {"text": HARD}))
    limits = stream["limits"]
    assert limits["rates"] == sorted(limits["rates"])
    assert limits["rates"][limits["limits"].index(limits["present"])] == pytest.approx(
        stream["figure"]["rate"], rel=1e-6
    )
    assert limits["limits"][-1] >= 2 * limits["present"] - 1


def test_struck_cells_are_tiles(client: TestClient):
    text = HARD.replace('". . . . .",\n    ". #3', '"- . . . .",\n    ". #3')
    struck = dict(events(client, "/api/estimate", {"text": text}))["struck"]["struck"]
    assert "a1" not in struck
    assert len(struck) == 19
    assert max(struck.values()) > 0


def test_how_often_a_cell_is_struck_is_by_moves(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(details, "STRUCK_ATTEMPTS", 2)
    level, agent = Level.from_json(HARD), parse_agent(defaults.EXPLAINED_AGENT)
    struck = details.struck_work(NamedLevel(level, ("hard",)), Ticket("tab"))()
    cleared = moves = 0
    for number in range(2):
        game = Game(level, number)
        while game.status == "playing":
            turn = game.play(agent.choose(game, 1_000 * number + game.moves_made))
            cleared += sum(len(one.cleared) for one in turn.rounds)
            moves += 1
    assert struck["moves"] == moves
    assert sum(struck["struck"].values()) == pytest.approx(cleared / moves, rel=0.01)


def test_scores_are_those_of_won_attempts(studio: Studio):
    level = Level.from_json(HARD)
    attempts = studio.lab.playtest(level, ["random"], 60, threads=1).pairs[0].played
    won = sorted(score for score, is_won in zip(attempts.score, attempts.won, strict=True) if is_won)
    scores = details.scores_data(attempts)
    assert 1 < len(won) < len(attempts)
    assert scores is not None
    assert scores["won"] == len(won)
    assert scores["quantiles"]["0.5"] == int((won[len(won) // 2] + won[(len(won) - 1) // 2]) / 2)
    assert details.scores_data(attempts.head(0)) is None


def test_skill_is_between_the_best_and_the_worst_agent(client: TestClient):
    stream = dict(events(client, "/api/estimate", {"text": HARD}))
    agents, skill = stream["figure"]["agents"], stream["feel"]["skill"]
    assert skill["value"] == pytest.approx(agents[skill["best"]] - agents[skill["worst"]])
    assert skill["value"] == pytest.approx(max(agents.values()) - min(agents.values()))


@pytest.mark.parametrize("path", ["/api/estimate", "/api/suggest", "/api/tune"])
def test_a_level_that_cannot_be_won_is_a_sentence(client: TestClient, path: str):
    text = SMALL.replace('"icing": 1', '"icing": 2')
    kind, data = events(client, path, {"text": text, "target": 0.5})[-1]
    assert kind == "problem"
    assert data["code"] == "bad-level"
    assert "icing" in data["problem"]


def test_text_that_is_no_json_is_a_sentence(client: TestClient):
    kind, data = events(client, "/api/estimate", {"text": "{"})[-1]
    assert kind == "problem"
    assert data["findings"][0]["code"] == "not-json"


def test_tune_finds_the_limit_that_the_command_finds(client: TestClient):
    result = dict(events(client, "/api/tune", {"text": HARD, "target": 0.5}))["result"]
    tuned = Lab().tune(Level.from_json(HARD), 0.5)
    assert tuned.best is not None
    assert result["best"]["limit"] == tuned.best.limit
    assert result["best"]["rate"] == pytest.approx(tuned.best.rate)


def test_compare_tells_the_shift_and_the_cells(client: TestClient):
    request = {"text": SMALL.replace("#1", ". "), "old": HARD}
    other = json.loads(request["text"])
    other["goals"] = {"score": 100}
    result = dict(events(client, "/api/compare", {"text": json.dumps(other), "old": HARD}))["result"]
    assert result["cells"] == ["b2"]
    assert result["players"]["difference"] > 0


def test_suggestions_keep_how_the_file_is_written(client: TestClient, studio: Studio):
    result = dict(events(client, "/api/suggest", {"text": HARD, "target": 0.9, "keep": "b2"}))["result"]
    offered = result["suggestions"] or [result["nearest"]]
    assert offered
    for one in offered:
        assert '"moves":   ' in one["text"] or "moves" in one["change"]
        assert Level.from_json(one["text"]).board[1].split()[1] == "#3"
        assert "b2" not in one["cells"]
