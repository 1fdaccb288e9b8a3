"""Agents are watched: the attempt of a playtest choice by choice, its tree, and where it was lost."""

import json
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from levelsense import Level, Move
from levelsense.agents.registry import families, parse_agent
from levelsense.playtest.plan import attempt_seeds
from levelsense.studio.context import Studio
from tests.studio.events import events

LEVEL = {
    "name": "Corner",
    "moves": 6,
    "colors": 5,
    "board": ["#5 . . . .", ". . . . .", ". . . . .", ". . . . ."],
    "jelly": ["1 . . . .", ". . . . .", ". . . . .", ". . . . 1"],
    "goals": {"jelly": "all"},
}
TEXT = json.dumps(LEVEL)


def watch(client: TestClient, **body: Any) -> dict[str, list[Any]]:
    """The data of an answer's events, by their kind."""
    stream: dict[str, list[Any]] = {}
    for kind, data in events(client, "/api/watch", {"text": TEXT, "name": "corner", **body}):
        stream.setdefault(kind, []).append(data)
    return stream


def test_the_attempt_is_that_of_the_playtest(client: TestClient, studio: Studio):
    attempts = studio.lab.playtest([Level.from_json(TEXT)], ["heuristic"], 4).pairs[0].played
    stream = watch(client, agent="heuristic", attempt=3)
    (start,), (end,) = stream["start"], stream["end"]
    assert (start["attempt"], start["agent"]["spec"]) == (3, "heuristic")
    assert end["state"]["score"] == attempts.score[3]
    assert len(stream["turn"]) == attempts.moves_made[3]
    assert [turn["turn"] for turn in stream["turn"]] == list(range(len(stream["turn"])))
    assert (end["state"]["status"] == "won") == attempts.won[3]


def test_each_turn_leads_from_one_board_to_the_next(client: TestClient):
    stream = watch(client, agent="random")
    boards = [stream["start"][0]["state"]["board"], *(turn["state"]["board"] for turn in stream["turn"])]
    for turn, after in zip(stream["turn"], boards[1:], strict=True):
        assert turn["rounds"]
        if not turn["after"] and not turn["bonus"]:
            assert turn["rounds"][-1]["after"] == after
    assert stream["end"][0]["state"]["board"] == boards[-1]


def test_the_three_best_moves_are_those_of_the_very_choice(client: TestClient):
    turns = watch(client, agent="greedy")["turn"]
    for turn in turns:
        worths = [best["value"] for best in turn["best"]]
        assert worths == sorted(worths, reverse=True)
        assert len(turn["best"]) == min(3, turn["legal_moves"])
        assert turn["move"] == turn["best"][0]["move"] or worths[0] == worths[1]  # of equals any


def test_probabilities_of_a_policy_with_the_move_that_was_drawn(client: TestClient):
    stream = watch(client, agent="policy", attempt=1)
    assert stream["start"][0]["agent"]["values"] == "probabilities"
    for turn in stream["turn"]:
        assert turn["move"] in {best["move"] for best in turn["best"]}
        assert 0 < sum(best["value"] for best in turn["best"]) <= 1 + 1e-9


def test_a_search_has_visits_and_a_tree(client: TestClient):
    body = {"agent": "mcts:simulations=40", "attempt": 2}
    turns = watch(client, **body)["turn"]
    for turn in turns:
        assert all(best["visits"] > 0 for best in turn["best"])
        chosen = next(best for best in turn["best"] if best["move"] == turn["move"])
        assert chosen["value"] == turn["best"][0]["value"]
    last = len(turns) - 1
    body = {**body, "text": TEXT, "name": "corner", "turn": last}
    drawn = client.post("/api/watch/tree", json=body).json()["svg"]
    chosen = next(best for best in turns[last]["best"] if best["move"] == turns[last]["move"])
    assert f"the move chosen, {turns[last]['move']}, with {chosen['visits']} visits" in drawn
    after = client.post("/api/watch/tree", json={**body, "turn": last + 1})
    assert (after.status_code, after.json()["problem"]) == (
        422,
        f"turn {last + 1}; expected 0 to {last}, a move of the attempt",
    )


def test_a_tree_without_watching_first(client: TestClient):
    body = {"text": TEXT, "name": "corner", "agent": "mcts:simulations=20", "turn": 1}
    assert "before move 2" in client.post("/api/watch/tree", json=body).json()["svg"]
    other = client.post("/api/watch/tree", json={**body, "agent": "heuristic"})
    assert "expected an mcts agent" in other.json()["problem"]


def test_an_attempt_that_ended_with_something_left_in_a_cell(client: TestClient, studio: Studio):
    text = TEXT.replace('"moves": 6', '"moves": 10')  # so that attempts before it are won
    stream = watch(client, text=text, agent="heuristic", ending_at="e4")
    number = stream["start"][0]["attempt"]
    end = stream["end"][0]["state"]
    assert end["status"] == "lost"
    assert end["board"]["jelly"].split()[-1] == "1"
    attempts = studio.lab.playtest([Level.from_json(text)], ["heuristic"], 100).pairs[0].played
    left = attempts.boards_left("left_jelly")[:, 3 * 12 + 4]
    assert number == attempts.numbers[~attempts.won][np.flatnonzero(left)[0]]
    assert attempts.won[:number].any()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"ending_at": "l9"}, "l9: no cell of the board; expected one from a1 to e4"),
        ({"agent": "heuristic", "ending_at": "c3"}, "left anything there"),
        ({"agent": "mcts:seconds=1"}, "expected simulations"),
        ({"text": TEXT.replace('"jelly": "all"', '"jelly": 9')}, "9"),
    ],
)
def test_what_cannot_be_watched_is_a_sentence(client: TestClient, body: dict[str, Any], expected: str):
    assert expected in watch(client, **body)["problem"][0]["problem"]


@pytest.mark.parametrize(
    "body",
    [
        {"agent": "os:system"},
        {"agent": "policy:model=/etc/passwd"},
        {"agent": "mcts:simulations=999999"},
        {"attempt": 1, "ending_at": "a1"},
        {"attempt": -1},
        {"ending_at": "../x"},
    ],
)
def test_what_a_request_may_not_ask_for(client: TestClient, body: dict[str, Any]):
    answer = client.post("/api/watch", json={"text": TEXT, "name": "corner", **body})
    assert answer.status_code == 422
    assert answer.json()["problem"]


def test_where_an_attempt_was_lost(client: TestClient):
    # With icing of five layers over the jelly and six moves nobody wins.
    stream = watch(client, agent="random")
    assert stream["end"][0]["state"]["status"] == "lost"
    turns = len(stream["turn"])
    assert [share["turn"] for share in stream["share"]] == list(range(turns))
    assert all(share["of"] == 40 for share in stream["share"])
    (lost,) = stream["lost"]
    if not any(share["wins"] > 2 for share in stream["share"]):
        assert lost["turn"] == 0
    assert "continuations" in lost["by"]


def test_every_agent_is_offered_and_plays(client: TestClient):
    offered = client.get("/api/agents").json()
    known = {family.name for family in families() if not family.needs_options}
    assert {agent["spec"] for agent in offered} == known
    assert offered[0]["name"] == "A typical simulated player"
    assert all(agent["name"] != agent["spec"] for agent in offered)


@pytest.mark.parametrize(
    "spec", ["random", "first", "heuristic", "policy", "beam:depth=1", "mcts:simulations=9,keep_tree=yes"]
)
def test_decisions_are_those_of_the_attempts(spec: str):
    level, agent = Level.from_json(TEXT), parse_agent(spec)
    seeds = attempt_seeds(level.digest, agent.spec, 0, 0, 3)
    records = agent.attempts(level, seeds)
    for pair, record in zip(seeds, records, strict=True):
        *_, last = agent.decide(level, pair)
        assert (last.after.score, last.after.moves_made) == (record["score"], record["moves_made"])


@pytest.mark.parametrize("spec", ["halving:simulations=60", "policy:play=greedy"])
def test_the_values_are_those_that_decided(spec: str):
    # A search from other random words, or a policy that knows its move already, would value moves otherwise.
    level, agent = Level.load("30-grand-tour"), parse_agent(spec)
    for pair in attempt_seeds(level.digest, agent.spec, 0, 0, 2):
        for decision in agent.decide(level, pair):
            assert decision.values is not None
            assert decision.values[Move.parse(decision.turn.move)] == max(decision.values.values())
