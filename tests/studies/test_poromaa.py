"""The study of Poromaa's thesis: its statistics, its looks at searches, and the whole in small."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from levelsense.agents.mcts.search import search_tree
from levelsense.agents.registry import parse_agent
from levelsense.errors import StudyError
from levelsense.game.game import Game
from levelsense.level.level import Level
from levelsense.people.simulated.leaving import Presence
from levelsense.people.simulated.run import visits
from levelsense.people.simulated.traits import draw_population
from levelsense.playtest import gather_levels
from levelsense.studies.poromaa import (
    intervals,
    parameters,
    player_base,
    playing,
    published,
    saga,
    searches,
    study,
    trees,
)
from levelsense.studies.poromaa.intervals import Check, Interval, check_sign, summary
from levelsense.studies.poromaa.playing import Extent
from levelsense.studies.poromaa.random_play import RandomPlay, actions_by_depth, implied_candies, new_candies
from levelsense.studies.poromaa.saga_sections import adjusted, goal_kind
from levelsense.studies.run import StudyRun


def wins(text: str) -> Any:
    return playing.read_wins(text)


# Statistics


def test_a_difference_is_that_of_pairs_averaged_over_levels() -> None:
    ours = {"a": wins("1101"), "b": wins("10")}
    theirs = {"a": wins("0101"), "b": wins("00")}
    estimate = intervals.difference(ours, [theirs])
    # Level a: differences 1, 0, 0, 0, mean 1/4, variance 1/4; level b: 1, 0, mean 1/2, variance 1/2.
    half = 1.959964 * np.sqrt(0.25 / 4 + 0.5 / 2) / 2
    assert (estimate.value, estimate.low, estimate.high) == pytest.approx((0.375, 0.375 - half, 0.375 + half))
    assert intervals.difference(ours, [ours, ours]).value == 0


def test_two_setups_are_compared_on_the_boards_that_one_of_them_wins() -> None:
    """McNemar's test: of six boards that one setup wins the first wins five, so that Q is (5 - 1)^2 / 6."""
    first, second = {"a": wins("1111101100")}, {"a": wins("0000011100")}
    assert intervals.alike([first, second]) == pytest.approx(stats.chi2.sf(16 / 6, 1))
    # Boards that both win or both lose tell nothing of which is better, however many there are.
    longer = [{"a": np.concatenate([one["a"], wins("10" * 50)])} for one in (first, second)]
    assert intervals.alike(longer) == pytest.approx(stats.chi2.sf(16 / 6, 1))
    # The same again at another level is added; a level where no board differs is not.
    levels = [{**one, "b": one["a"], "c": wins("0011")} for one in (first, second)]
    assert intervals.alike(levels) == pytest.approx(stats.chi2.sf(32 / 6, 2))
    assert intervals.alike([{"a": wins("0000")}, {"a": wins("0000")}]) == 1.0


def test_three_setups_are_compared_by_cochrans_q() -> None:
    """Twelve boards, each setup the odd one out at four; wins of setups 9, 5 and 3, of boards 1 and 2.

    Q = 2 (3 (81 + 25 + 9) - 17^2) / (3 * 17 - 27) = 14/3, with 2 degrees of freedom.
    """
    texts = ("1111" "0011" "0111", "0000" "1100" "0111", "0000" "0011" "1000")  # fmt: skip
    setups = [{"a": wins(text)} for text in texts]
    assert [int(setup["a"].sum()) for setup in setups] == [9, 5, 3]
    assert intervals.alike(setups) == pytest.approx(stats.chi2.sf(14 / 3, 2))


def test_a_setup_that_is_there_twice_changes_nothing() -> None:
    """Limits that do not limit play as none does: five setups may be no more than two."""
    first = {"a": wins("1111101100"), "b": wins("110")}
    second = {"a": wins("0000011100"), "b": wins("011")}
    once = intervals.alike([first, second])
    assert intervals.alike([first, second, second]) == pytest.approx(once)
    assert intervals.alike([second, first, second, second]) == pytest.approx(once)


def test_setups_that_are_alike_are_told_apart_in_five_of_a_hundred_cases() -> None:
    """On the same boards, some easier than others, with three of five setups that hardly differ."""
    draws, signs = np.random.default_rng(5), []
    for _ in range(1_000):
        setups: list[dict[str, Any]] = [{} for _ in range(5)]
        for level, rate in (("a", 0.9), ("b", 0.6), ("c", 0.3)):
            easy = draws.normal(size=200)
            won = [easy + 2 * draws.normal(size=200) < 5**0.5 * stats.norm.ppf(rate) for _ in range(5)]
            for other in (3, 4):
                won[other] = np.where(draws.random(200) < 0.03, won[other], won[2])
            for setup, of_level in zip(setups, won, strict=True):
                setup[level] = of_level
        signs.append(intervals.alike(setups) < 0.05)
    assert 0.03 < np.mean(signs) < 0.07  # as of independent boards 0.02, by Q with all degrees of freedom 0.1


def test_means_and_slopes_are_those_of_scipy() -> None:
    draws = np.random.default_rng(3)
    x, y = draws.random(20), draws.random(30)
    welch = stats.ttest_ind(x, y, equal_var=False).confidence_interval(0.95)
    estimate = intervals.difference_of_means(x, y)
    assert (estimate.low, estimate.high) == pytest.approx((welch.low, welch.high))
    line = stats.linregress(x, y[:20])
    steep = intervals.slope(x, y[:20])
    assert steep.value == pytest.approx(line.slope)
    assert (steep.high - steep.low) / 2 == pytest.approx(line.stderr * stats.t.ppf(0.975, 18))
    deviation = intervals.deviation_over_levels(x)
    assert deviation.low < x.std(ddof=1) == deviation.value < deviation.high


def test_a_verdict_needs_an_interval_that_leaves_out_zero() -> None:
    assert check_sign("", "", Interval(0.1, 0.05, 0.15), 1).verdict == "yes"
    assert check_sign("", "", Interval(0.1, 0.05, 0.15), -1, "luck").verdict == "no: luck"
    assert check_sign("", "", Interval(0.1, -0.05, 0.25), 1).verdict.startswith(
        "cannot be told: the same way"
    )
    assert check_sign("", "", Interval(0.1, -0.05, 0.25), -1).verdict.startswith("cannot be told: the other")


def test_every_verdict_is_counted() -> None:
    def summary_of(*verdicts: str) -> str:
        return summary([Check("", "", "", verdict) for verdict in verdicts])

    assert summary_of("yes", "no: why", "yes", "cannot be told: so") == "2 agree, 1 do not, 1 cannot be told"
    assert summary_of("in part: so", "no") == "0 agree, 1 do not, 0 cannot be told, 1 in part"


def test_a_delta_is_adjusted_by_what_chance_does_to_a_rate() -> None:
    deltas = adjusted(np.array([0.1, 0.1, 0.3]), np.array([0.5, 0.1, 0.0]))
    assert deltas == pytest.approx([0.2, 1 / 3])


# Phase 1


def test_published_state_spaces_fit_the_candies_if_two_are_exchanged() -> None:
    """The mistake in table 4.1: level 13 brings in more candies than 77, with two colors more."""
    first, second = published.LEVELS["thesis-013"], published.LEVELS["thesis-077"]
    as_printed, exchanged = (
        [implied_candies(power, thesis.actions, thesis.depth, thesis.colors) for thesis, power in pairs]
        for pairs in (
            ((first, first.power), (second, second.power)),
            ((first, second.power), (second, first.power)),
        )
    )
    assert as_printed == pytest.approx([9.92, 4.94], abs=0.01)
    assert exchanged == pytest.approx([5.08, 10.19], abs=0.01)
    # And what is implied is what equation 3.5 is computed from.
    play = RandomPlay("x", 1, 0, 8.93, 0.0, 21, [8.93] * 21, 6, 9.92, {}, [], 0.0)
    assert play.state_space() == pytest.approx(182, abs=0.1)


def test_actions_by_depth_begin_with_those_of_the_deals() -> None:
    level = Level.load("thesis-100")
    seeds = playing.shared_seeds(level, 1, 0, 5)
    actions = actions_by_depth(level, seeds)
    assert len(actions) <= 20
    assert actions[0] == np.mean([len(Game(level, int(seed)).legal_moves) for seed, _ in seeds])


def test_every_candy_that_is_cleared_is_made_good() -> None:
    """Without specials and blockers, a move that clears three lets three in; cascades add to it."""
    assert 3 <= new_candies(Level.load("thesis-013"), 3, 1) < 12


def test_a_five_in_a_row_makes_a_bomb() -> None:
    level = Level.load("thesis-013")
    seed = trees.five_in_a_row(level, 1)
    game = Game(level, seed)
    makers = [move for move in game.legal_moves if trees.makes_bomb(game, move)]
    assert makers
    for move in game.legal_moves:
        played = game.copy()
        turn = played.play(move)
        if len(turn.rounds) == 1:  # nothing that fell in later can have made one
            assert trees.makes_bomb(game, move) == (played.counts["color bomb"] == 1)
    assert not any(
        trees.makes_bomb(Game(level, other), move)
        for other in range(1, seed)
        for move in Game(level, other).legal_moves
    )


def test_a_tree_is_described_by_its_root_and_its_choice() -> None:
    level = Level.load("thesis-013")
    agent = parse_agent(trees.tree_spec(0.6, "random"))
    tree = search_tree(Game(level, 5), agent.options, agent.codes, 5)
    described = trees.describe(tree, Game(level, 5))
    visits, won, values = searches.root_actions(tree)
    assert visits.sum() == 100
    assert described.won == won.sum() == values.sum()
    assert (described.visits, described.wins) in set(zip(visits.astype(int), won.astype(int), strict=True))


# Searches


def test_the_time_of_searches_is_told_apart_by_what_they_did() -> None:
    made = np.repeat(np.arange(10), 20)
    playout_moves = 100.0 * (12 - made) + np.tile(np.arange(20), 10)
    seconds = 2e-6 * 100 + 3e-6 * playout_moves
    seconds[7] = 1.0  # something else on the machine
    parts = searches.time_by_part(
        {
            "made": made,
            "seconds": seconds,
            "simulations": np.full(200, 100.0),
            "playout_moves": playout_moves,
        }
    )
    assert [part["tree"] for part in parts] == pytest.approx([2e-6] * 10)
    assert parts[4]["playout"] == pytest.approx(3e-6 * (8 + 0.095))
    assert parts[4]["replay"] == pytest.approx(3e-6 * 4)


def test_losses_that_count_less_change_the_best_move() -> None:
    """A move with a win and a loss of nothing against one whose losses are worth 0.7: 0.5 against 0.7."""
    visits, won, values = np.array([2.0, 2.0, 0.0]), np.array([1.0, 0.0, 0.0]), np.array([1.0, 1.4, 0.0])
    assert searches.best_by_mean(visits, won, values, 1.0) == {1}
    assert searches.best_by_mean(visits, won, values, 0.5) == {0}
    assert searches.best_by_mean(visits, won, np.array([1.0, 1.0, 0.0]), 1.0) == {0, 1}


def test_watching_changes_nothing_and_counts_every_move_of_playouts() -> None:
    level = Level.load("thesis-013").model_copy(update={"moves": 4})
    spec = "mcts:simulations=6,signal=binary"
    seeds = playing.shared_seeds(level, 1, 0, 2)
    rows = []

    def look(tree: Any, made: int, seconds: float) -> None:
        depths = tree.node_depth[1 : int(tree.number[0])]
        rows.append((made, tree.network[0], sum(4 - made - depth for depth in depths), seconds))
        tree.network[0] = 0.0

    won = searches.watch(spec, level, seeds, look, counted=True)
    assert won == (parse_agent(spec).attempts(level, seeds)["status"] == 1).sum() == 0
    assert [made for made, *_ in rows] == [0, 1, 2, 3] * 2
    # Nothing can be won in four moves, so that each playout goes on to the last move. Before the last move
    # itself there is none to play, and simulations may come to a node again.
    assert all(counted == expected for made, counted, expected, _ in rows if made < 2)
    assert all(counted == 0 for made, counted, *_ in rows if made == 3)


# Phase 2


def test_the_setups_are_those_of_the_tables() -> None:
    specs = [spec for test in parameters.TESTS for spec in test.agents.values()]
    assert [len(test.agents) for test in parameters.TESTS] == [4, 4, 4, 5, 4, 4, 5, 4]
    assert len(set(specs)) == 27
    for spec in specs:
        options = parse_agent(spec).options
        assert options["simulations"] == 100
        assert options["final"] == "max"
    bots = {name: parse_agent(name).options for name in ("mcts-b1", "mcts-b2", "mcts-b3", "mcts-b4")}
    assert [options["simulations"] for options in bots.values()] == [50, 100, 100, 150]
    assert {options["signal"] for options in bots.values()} == {"score"}
    assert {name for name, options in bots.items() if options["playout"] == "heuristic"} == {"mcts-b3"}


def test_setups_play_from_the_same_boards(tmp_path: Path) -> None:
    level = Level.load("thesis-100")
    first = playing.play("random", level, 1, 0, 40)["won"]
    second = playing.play("random", level, 1, 20, 20)["won"]
    assert second == first[20:]
    assert playing.write_wins(playing.read_wins("0110")) == "0110"


def test_attempts_of_all_setups_have_the_same_seeds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Attempt by attempt, further ones too: what pairs of attempts and boards as blocks stand on."""
    given: dict[tuple[str, int], Any] = {}

    class Recorder:
        def __init__(self, spec: str) -> None:
            self.spec = spec

        def attempts(self, level: Level, seeds: Any) -> Any:
            given[self.spec, len(seeds)] = seeds.tolist()
            return {"status": np.array([number % 2 for number, _ in seeds.tolist()])}

    monkeypatch.setattr(playing, "parse_agent", Recorder)
    run = StudyRun(tmp_path, threads=1)
    setups = parameters.play_setups(run, "some", ["one", "two"], ["thesis-013"], range(150, 390))
    assert given["one", 100] == given["two", 100]
    assert given["one", 40] == given["two", 40]
    level = Level.load("thesis-013")
    expected = playing.shared_seeds(level, 1, 150, 240)[:, 0] % 2 == 1
    for setup in setups.values():
        assert np.array_equal(setup.wins["thesis-013"], expected)


# Phases 3 and 4


@pytest.fixture(scope="module")
def players(tmp_path_factory: pytest.TempPathFactory) -> saga.SagaPlayers:
    levels = gather_levels(["28-crossed-wires", "39-ice-fortress", "24-hourglass", "32-long-shelf"])
    run = StudyRun(tmp_path_factory.mktemp("way"), threads=1)
    return saga.saga_players(run, SMALL, levels)


def test_who_is_present_is_told_as_by_playing_in_order(players: saga.SagaPlayers) -> None:
    population = draw_population(SMALL.players, 1, leave=1.0)
    presence = Presence(population, players.levels)
    expected, rates = [], []
    for visited in visits(population, players.levels, 1):
        expected.append(presence.is_present.copy())
        kept = presence.visit(visited)
        rates.append(kept.won.mean())
    assert np.array_equal(players.present(1.0), expected)
    assert players.rates(slice(0, 4), 1.0) == pytest.approx(rates)
    assert players.present(1.0)[-1].sum() < SMALL.players  # somebody left


def test_a_lead_in_log_odds_is_that_of_counts() -> None:
    """Half a success and half a failure more on both sides."""

    class Counted(saga.SagaPlayers):
        def counts(self, numbers: slice, leave: float = 0.0) -> tuple[Any, Any]:
            return np.array([1, 6])[numbers], np.array([4, 8])[numbers]

    players = Counted((), draw_population(1, 1), np.zeros((2, 1), np.int64), np.zeros((2, 1), bool))
    early, late = (
        saga.Stage(slice(number, number + 1), {"bot": np.array([rate])}, {}, 4)
        for number, rate in ((0, 0.5), (1, 1.0))
    )
    lead = player_base.lead_in_log_odds("bot", (early, late), players, 0.0)
    assert lead.early == pytest.approx([np.log(2.5 / 2.5) - np.log(1.5 / 3.5)])
    assert lead.late == pytest.approx([np.log(4.5 / 0.5) - np.log(6.5 / 2.5)])


def test_nobody_leaves_who_may_not(players: saga.SagaPlayers) -> None:
    assert players.present(0.0).all()
    assert players.skill() == pytest.approx(players.won.sum(axis=0) / players.attempts.sum(axis=0))
    assert ((players.attempts >= 1) & (players.attempts <= 8)).all()


@pytest.mark.parametrize(
    ("name", "kind"),
    [("04-jelly-garden", "jelly"), ("05-cherry-picking", "ingredients"), ("07-order-up", "orders")],
)
def test_levels_have_a_kind_of_goal(name: str, kind: str) -> None:
    assert goal_kind(Level.load(name)) == kind


# The whole

SMALL = Extent(
    random=30,
    timed=1,
    attempts=3,
    more=2,
    guided=2,
    tries=3,
    tester=2,
    players=12,
    early=(2, 5),
    late=(8, 5),
)


@pytest.fixture
def little_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real study with searches of four simulations."""

    def play(spec: str, *others: Any) -> Mapping[str, Any]:
        separator = "," if ":" in spec else ":"
        return playing.play(spec if spec == "heuristic" else f"{spec}{separator}simulations=4", *others)

    monkeypatch.setattr(study, "EXTENTS", {False: SMALL, True: SMALL})
    monkeypatch.setattr(parameters, "play", play)
    monkeypatch.setattr(saga, "play", play)
    monkeypatch.setattr(trees, "BOARDS", {False: 2, True: 2})
    monkeypatch.setattr(searches, "WATCHED", 1)


def test_the_study_runs_and_goes_on_where_it_was(tmp_path: Path, little_to_do: None) -> None:
    run = StudyRun(tmp_path / "study", threads=1)
    page = study.study(run)
    assert re.findall(r"^## (.*)$", page.markdown, re.M) == [
        "Where the two editions differ",
        "Phase 1: random play and the state space",
        "Phase 1: search trees",
        "Phase 1: time",
        "Phase 2: parameters of the search",
        "Phase 2: does shrinking matter?",
        "Phase 3: bots beside players on early levels",
        "Phase 4: predicting players on later levels",
        "Does the player base get better along the saga?",
        "What it took",
        "What a designer may take from it",
    ]
    assert len(page.charts) == 14
    assert all(svg.startswith("<svg") for svg in page.charts.values())
    assert not re.search(r"\bnan\b", page.markdown)
    figures = [line for line in page.markdown.splitlines() if line.startswith("| ")]
    for part, file in (("early", "saga-0003-mcts-b2"), ("players", "saga-0005"), ("random", "thesis-077")):
        (run.folder / part / f"{file}.json").unlink()
    again = [line for line in study.study(run).markdown.splitlines() if line.startswith("| ")]
    # Of a time no two runs are the same.
    timed = re.compile(r"second|move, |ms|mcts:signal=score(,playout=heuristic)? \|")
    assert [line for line in again if not timed.search(line)] == [
        line for line in figures if not timed.search(line)
    ]
    with pytest.raises(StudyError, match="results with seed 1, not 2"):
        study.study(StudyRun(run.folder, seed=2, threads=1))
