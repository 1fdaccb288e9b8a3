"""The king study in small: what is counted, fitted and judged by hand, and the whole page."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy.stats import t

import levelsense.agents
from levelsense.agents.registry import parse_agent
from levelsense.errors import StudyError
from levelsense.learning import require_torch
from levelsense.learning.fit_convolution import NetworkRecipe
from levelsense.level.level import Level
from levelsense.people.simulated.traits import draw_population
from levelsense.playtest.levels import NamedLevel, gather_levels
from levelsense.studies.king import ceilings, plan, predictions, reasons, training
from levelsense.studies.king.fits import Column, Judged, Players, fit_and_judge, mean_interval
from levelsense.studies.king.moves import make_boards, make_set, player_positions, split_attempts
from levelsense.studies.king.playing import Played, play_and_record, play_levels
from levelsense.studies.king.study import study
from levelsense.studies.king.training import MoveScores, Trained
from levelsense.studies.run import StudyRun

require_torch()

BUNDLED = ("03-open-field", "04-jelly-garden", "24-hourglass")
SHIPPED_WEIGHTS = Path(levelsense.agents.__file__).parent / "shipped" / "simulated-2.json"


# What is counted


def test_an_interval_takes_the_positions_of_a_level_together() -> None:
    """Three levels with 10, 20 and 10 positions, of which 5, 10 and 9 moves were told."""
    scores = MoveScores(
        ("a", "b", "c"), np.array([10.0, 20, 10]), np.array([5.0, 10, 9]), np.array([9.0, 21, 12])
    )
    residuals = np.array([5 - 6, 10 - 12, 9 - 6])
    half = t.ppf(0.975, 2) * np.sqrt(3 / 2 * (residuals**2).sum()) / 40
    share = scores.accuracy
    assert (share.value, share.low, share.high) == pytest.approx((0.6, 0.6 - half, 0.6 + half))
    assert scores.loss[0] == pytest.approx(42 / 40)
    assert scores.at(["c"]).accuracy.value == 0.9
    other = MoveScores(scores.names, scores.positions, scores.hits - 1, scores.losses + 2)
    assert scores.more(other)[0] == pytest.approx(3 / 40)
    assert scores.gain(other)[0] == pytest.approx(6 / 40)


def test_searches_are_told_by_the_most_frequent_of_the_others() -> None:
    """Of a, a, b the first two are told by an even guess, and b is not; four times the same always is."""
    assert ceilings._agreement(["a", "a", "b"]) == pytest.approx((0.5 + 0.5 + 0) / 3)
    assert ceilings._agreement(["a"] * 4) == 1
    assert ceilings._agreement(["a", "b"]) == 0


def test_slow_levels_are_spread_over_those_that_fit_on_planes() -> None:
    field, wide = Level.load("03-open-field"), Level.load("32-long-shelf")
    levels = [NamedLevel(wide if number == 4 else field, (f"level-{number}",)) for number in range(10)]
    assert [named.name for named in plan.spread_out(levels, 3)] == ["level-0", "level-5", "level-9"]


def test_wins_are_of_the_first_attempts() -> None:
    won = np.array([True, False, False, True])
    played = Played({"a": won, "b": ~won}, {"a": 2.0, "b": 4.0})
    assert played.wins(["a", "b"], 3).tolist() == [1, 2]
    assert played.rates(["b"], 2).tolist() == [0.5]
    with pytest.raises(ValueError, match="a: 4 attempts; expected at least 5"):
        played.wins(["a"], 5)
    assert played.seconds_a_level(2) == pytest.approx((1.0 + 2.0) / 2)


# Why figures differ


def scores_at(hits: float, losses: float, levels: int = 4) -> MoveScores:
    """A hundred positions at each of some levels, at all of which the same share was told."""
    names = tuple(f"level-{number}" for number in range(levels))
    return MoveScores(
        names, np.full(levels, 100.0), np.full(levels, 100 * hits), np.full(levels, 100 * losses)
    )


def trained_with(*losses: tuple[float, float]) -> Trained:
    return Trained(Path("a.onnx"), {}, 1.0, 1, losses)


def test_a_network_is_undertrained_if_our_policy_learned_more_from_the_same_moves() -> None:
    network, policy, anything = scores_at(0.2, 1.8), scores_at(0.3, 1.6), scores_at(0.1, 2.0)
    assert reasons.is_undertrained(network, policy)
    assert not reasons.is_undertrained(policy, network)
    assert reasons.why_less(network, policy, anything, 0.4, 30, 1.0) == (
        "25 % of what can be told is told; our policy learned more from the same moves, see below"
    )
    assert reasons.why_less(anything, anything, anything, 0.2, 30, 1.0) == (
        "nobody could, the ceiling is 20.0 points above it; not clearly above it; "
        "our policy learned no more from the same moves, see below"
    )
    assert "the network is below it" in reasons.why_less(anything, policy, network, 0.4, 30, 1.0)
    assert reasons.why_less(network, policy, anything, 0.4, 30, spread=0.0001) == (
        "25 % of what can be told is told; it has stopped looking at the board, see below"
    )


def test_an_order_that_is_not_the_published_one_has_a_reason_in_the_losses() -> None:
    worse, unclear = (-0.02, -0.03, -0.01), (0.01, -0.01, 0.03)
    assert reasons.why_not_ahead(unclear, 28, (3.5, 2.5), 1.0) == "cannot be told by 28 levels"
    assert reasons.why_not_ahead(worse, 28, (3.5, 2.5), 1.0) == (
        "the other way round here; the other one knew legal swaps better at the start"
        " (2.50 against 3.50 nats)"
    )
    for legal in ((2.5, 3.5), (2.52, 2.5)):
        assert reasons.why_not_ahead(worse, 28, legal, 1.0) == "the other way round here"


def test_a_network_that_does_not_look_at_the_board_is_told_so() -> None:
    slow = trained_with((4.0, 2.2), (3.5, 2.2))
    reason = reasons.why_not_ahead((0.01, -0.01, 0.03), 28, (3.5, 3.5), spread=0.0001)
    assert reason == "cannot be told by 28 levels; the first one has stopped looking at the board, see below"
    ended = reasons.how_trainings_ended({"a": slow, "b": slow}, {"a": 0.0001, "b": 0.5})
    assert ended.startswith("**Of 2 trainings, 1 ended blind** (a):")
    assert "Training losses of the others ended no more than" in ended


def test_the_page_says_whether_positions_are_known_by_heart() -> None:
    better, worse = trained_with((2.0, 2.1), (1.9, 1.91)), trained_with((2.0, 1.9), (1.5, 1.95))
    ended = reasons.how_trainings_ended({"a": better}, {"a": 1.0})
    assert "ended no more than 0.05 nats below" in ended
    assert "blind" not in ended
    ended = reasons.how_trainings_ended({"a": better, "b": worse}, {"a": 1.0, "b": 1.0})
    assert "more than 0.05 nats below that at validation positions in 1 (b)" in ended


def test_a_network_is_told_how_alike_players_it_moves() -> None:
    random = scores_at(0.2, 1.8)
    assert predictions.how_alike(scores_at(0.2, 1.7), random) == "it has learned something of what players do"
    worse = predictions.how_alike(scores_at(0.23, 1.9), random)
    assert worse.startswith("no gain, though its likeliest move is theirs 3.0 points more often;")
    assert predictions.how_alike(scores_at(0.2, 1.9), random).endswith("but it does not move as they do")


# What is learned from


def test_moves_of_an_agent_are_those_of_its_attempts(tmp_path: Path) -> None:
    run = StudyRun(tmp_path, threads=1)
    levels, agent = list(gather_levels(BUNDLED[:2])), parse_agent("random")
    played, moves = play_and_record(run, "recorded", agent, levels, 12)
    plain = play_levels(run, "plain", agent, levels, 12)
    for named, of_level in zip(levels, moves, strict=True):
        assert played.won[named.name].tolist() == plain.won[named.name].tolist()
        positions = of_level.positions()  # IllegalReplayError if a move were another's
        assert positions.ending is not None
        assert (positions.ending[positions.turn == 0] == 1).tolist() == played.won[named.name].tolist()
    again, _ = play_and_record(run, "recorded", parse_agent("greedy"), levels, 12)
    assert again.won["03-open-field"].tolist() == played.won["03-open-field"].tolist()  # kept, not played


def test_attempts_do_not_depend_on_the_folder_of_the_run(tmp_path: Path) -> None:
    won = []
    for name in ("one", "another"):
        run = StudyRun(tmp_path / name, threads=1)
        run.folder.mkdir()
        path = run.folder / "policy.json"
        path.write_bytes(SHIPPED_WEIGHTS.read_bytes())
        agent = parse_agent(f"policy:model={path}")
        won.append(play_levels(run, "played", agent, gather_levels(BUNDLED[:1]), 40).won)
    assert won[0]["03-open-field"].tolist() == won[1]["03-open-field"].tolist()


def test_attempts_are_held_out_whole() -> None:
    parts = player_positions(draw_population(30, 1, "both"), gather_levels(BUNDLED[:1]), 300)
    train_on, held_out = split_attempts(parts)
    assert len(train_on[0]) + len(held_out[0]) == len(parts[0]) >= 300
    assert set(held_out[0].attempt % 10) == {0}
    assert 0 not in set(train_on[0].attempt % 10)


def test_a_set_has_the_same_positions_for_networks_and_policies() -> None:
    parts = player_positions(draw_population(30, 1, "both"), gather_levels(BUNDLED), 240)
    moves = make_set(parts, 120, 1)
    assert moves.names == BUNDLED
    assert moves.boards.made.tolist() == moves.examples.made.tolist()
    assert moves.boards.first.tolist() == moves.examples.first.tolist()
    assert moves.boards.level.tolist() == moves.examples.level.tolist()
    assert set(np.bincount(moves.boards.level).tolist()) <= set(range(10, 81))
    others = player_positions(draw_population(30, 2, "both"), gather_levels(BUNDLED), 240)
    assert make_set(others, 120, 1).boards.made.tolist() != moves.boards.made.tolist()


def test_a_training_killed_after_its_last_epoch_tells_of_all_epochs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = player_positions(draw_population(30, 1, "both"), gather_levels(BUNDLED[:1]), 60)
    boards = make_boards(parts, 60, 1)
    recipe = NetworkRecipe(filters=4, epochs=3, batch=32, legal_share=1.0)

    def killed(*given: object) -> float:
        raise KeyboardInterrupt

    run = StudyRun(tmp_path, threads=1)
    with monkeypatch.context() as patched:
        patched.setattr(training, "legal_loss", killed)
        with pytest.raises(KeyboardInterrupt):
            training.teach_legal(run, {recipe.network: recipe}, boards, boards)
    start = training.teach_legal(run, {recipe.network: recipe}, boards, boards)[recipe.network]
    kept = json.loads((tmp_path / "networks" / "legal-conv12-elu-gap.json").read_text())
    assert [epoch["number"] for epoch in kept["epochs"]] == [1, 2, 3]
    assert start.seconds == kept["epochs"][-1]["seconds"] > 0
    assert list((tmp_path / "files").iterdir()) == [start.path]


# What is predicted


def made_up(count: int, noise: float) -> tuple[list[NamedLevel], Players, dict[str, float]]:
    """Levels whose players' logit is half the agent's, less 0.3, and noise."""
    rng = np.random.default_rng(3)
    level = Level.load("03-open-field")
    levels = [NamedLevel(level, (f"level-{number:03}",)) for number in range(count)]
    agent = rng.normal(0, 1.2, count)
    logits = 0.5 * agent - 0.3 + noise * rng.normal(size=count)
    attempts = np.full(count, 2000)
    successes = rng.binomial(attempts, 1 / (1 + np.exp(-logits)))
    names = [named.name for named in levels]
    frame = pl.DataFrame(
        {"level": names, "attempts": attempts, "successes": successes, "design_effect": np.ones(count)}
    )
    return levels, Players(frame), dict(zip(names, agent.tolist(), strict=True))


def column_of(agent: dict[str, float], attempts: int, seed: int = 5) -> Column:
    rng = np.random.default_rng(seed)
    won = {name: rng.random(attempts) < 1 / (1 + np.exp(-logit)) for name, logit in agent.items()}
    return Column(Played(won, dict.fromkeys(won, 1.0)), attempts)


def test_the_regression_finds_what_levels_were_made_with() -> None:
    levels, players, agent = made_up(160, 0.3)
    column = column_of(agent, 20_000)
    judged = fit_and_judge(levels[:120], levels[120:], players, column)
    assert judged.sigma == pytest.approx(0.3, abs=0.06)
    assert judged.sigma_band[0] < 0.3 < judged.sigma_band[1]
    expected = 1 / (1 + np.exp(-(0.5 * column.logits(judged.names) - 0.3)))
    assert judged.rate == pytest.approx(expected, abs=0.03)
    assert judged.out_of_band[0] <= 0.15
    mean = fit_and_judge(levels[:120], levels[120:], players, None, typed=False)
    assert mean.mae[0] > judged.mae[0] + 0.03
    assert mean.sigma > judged.sigma


def test_few_attempts_in_place_of_many_leave_levels_out_of_band() -> None:
    """The band of a fit by many attempts does not know of the noise of few."""
    levels, players, agent = made_up(260, 0.1)
    many, few = column_of(agent, 5_000), column_of(agent, 12)
    fair = fit_and_judge(levels[:160], levels[160:], players, few)
    mixed = fit_and_judge(levels[:160], levels[160:], players, many, predicted_by=few)
    assert mixed.out_of_band[0] > 0.2 > 0.12 > fair.out_of_band[0]
    assert mixed.sigma < fair.sigma


def test_figures_of_judged_levels_by_hand() -> None:
    rate, observed = np.array([0.5, 0.2, 0.9]), np.array([0.4, 0.25, 0.6])
    judged = Judged(("a", "b", "c"), observed, rate, rate - 0.15, rate + 0.15, 0.3, (0.2, 0.4))
    assert judged.errors == pytest.approx([0.1, 0.05, 0.3])
    assert judged.outside.tolist() == [False, False, True]
    assert judged.out_of_band[0] == pytest.approx(1 / 3)
    assert judged.width == pytest.approx(0.3)
    assert judged.at(["c", "a"]).names == ("a", "c")
    mean, low, high = mean_interval(np.array([1.0, 2.0, 3.0]))
    half = t.ppf(0.975, 2) / np.sqrt(3)
    assert (mean, low, high) == pytest.approx((2, 2 - half, 2 + half))


# The whole


TINY = replace(
    plan.QUICK,
    levels=14,
    first=9,
    slow_fit=4,
    slow_judge=3,
    players=20,
    search=4,
    network=12,
    few=10,
    some=10,
    many=12,
    search_moves=60,
    player_moves=60,
    judged_moves=40,
    searched_again=4,
    policy_epochs=1,
)


@pytest.mark.slow
def test_it_runs_and_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from levelsense.studies.king import work

    recipe = work._recipe
    monkeypatch.setattr(plan, "EXTENT", {True: TINY})
    monkeypatch.setattr("levelsense.studies.king.study.EXTENT", {True: TINY})
    monkeypatch.setattr(work, "_recipe", lambda *of: replace(recipe(*of), filters=4))
    monkeypatch.setattr(ceilings, "MOST_LEVELS", 2)
    monkeypatch.setattr(work, "SEARCH", "mcts:simulations=5")
    progress: list[tuple[str, int, int]] = []
    run = StudyRun(tmp_path, quick=True, threads=1, progress=lambda *step: progress.append(step))
    page = study(run)
    for part, epochs in (("legal", TINY.legal_epochs), ("search", TINY.search_epochs)):
        assert (f"training {part}-res20-elu-gap, epoch", epochs, epochs) in progress
    for published in ("32.35 %", "25.72 %", "28.59 %", "30.01 %", "16.67 %", "around 47 %", "+6.6 points"):
        assert published in page.markdown
    assert "ours, sampled, 12" in page.markdown
    assert re.findall("^## (.*)", page.markdown, re.MULTILINE)[-1] == "What a designer may take from it"
    assert set(page.charts) == {"king-accuracy.svg", "king-rates.svg"}
    kept = json.loads((tmp_path / "networks" / "players-all-ours.json").read_text())
    assert (
        kept["passes"]
        == TINY.policy_epochs
        * json.loads((tmp_path / "files" / "players-all-ours.json").read_text())["card"]["moves"]
    )

    def never(*given: object, **more: object) -> None:
        raise AssertionError("trained again")

    monkeypatch.setattr(training, "fit_network", never)
    monkeypatch.setattr(training, "fit_policy", never)
    (tmp_path / "network greedy" / "saga-0001.json").unlink()
    again = study(StudyRun(tmp_path, quick=True, threads=1))
    assert without_times(again.markdown) == without_times(page.markdown)
    with pytest.raises(StudyError, match="results with seed 1, not 2; expected another folder"):
        study(StudyRun(tmp_path, quick=True, seed=2))


def without_times(markdown: str) -> str:
    """A page without what differs from run to run."""
    sections = re.split("^## ", markdown, flags=re.MULTILINE)
    kept = [part for part in sections if not part.startswith(("What a level costs", "Time"))]
    return "\n".join(line for line in "".join(kept).splitlines() if "fraction" not in line)
