"""Tables of what agents do at levels."""

import pytest

from levelsense.errors import AgentError, PredictionError
from levelsense.playtest import NamedLevel, gather_levels
from levelsense.prediction import table as table_module
from levelsense.prediction.covariates import Covariates
from levelsense.prediction.features import FEATURES
from levelsense.prediction.table import agents_of, more_where_hard, parse_counted, play_table
from tests.prediction.made_up import made_up_level

LEVELS = gather_levels(["04-jelly-garden", "24-hourglass"])


def test_agents_and_their_attempts() -> None:
    assert parse_counted(["random", "greedy@30"], 50) == {"random": 50, "greedy": 30}
    with pytest.raises(PredictionError, match="`agents` greedy@3: 3 attempts; expected at least 20"):
        parse_counted(["greedy@3"], 50)
    with pytest.raises(PredictionError, match=r"^`attempts` 5; expected at least 20$"):
        parse_counted(["random@50", "greedy"], 5)
    with pytest.raises(AgentError, match="unknown agent 'chess'"):
        parse_counted(["chess@30"], 50)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["random@50", "random@80"], "`agents` random@80: random is given twice; expected each agent once"),
        (["random", "greedy", "random"], "`agents` random: random is given twice; expected each agent once"),
        (["mcts:simulations=100@50", "mcts@50"], "`agents` mcts@50: mcts is given twice"),
    ],
)
def test_an_agent_is_given_once(words: list[str], complaint: str) -> None:
    with pytest.raises(PredictionError) as caught:
        parse_counted(words, 50)
    assert str(caught.value).startswith(complaint)


def test_a_table_without_agents_has_features() -> None:
    table = play_table(LEVELS, {})
    assert table.columns == ["level", *FEATURES, "parts"]
    assert Covariates(()).values(table).shape == (2, len(FEATURES))


def test_two_levels_of_one_name_are_refused() -> None:
    twins = [NamedLevel(named.level, ("x",)) for named in LEVELS]
    with pytest.raises(
        PredictionError, match="x: the name of several levels; expected names that tell them apart"
    ):
        play_table(twins, {"random": 20})


def test_sampling_variance_is_the_jackknife_or_at_the_ends_the_binomial() -> None:
    table = play_table(LEVELS, {"heuristic": 40})
    columns = Covariates(("heuristic",), ("rate",), ())
    sampling = columns.variance(table, [1.0, 0.0, 0.0])
    for row, variance in enumerate(sampling):
        wins = table["heuristic: wins"][row]
        if wins == 40:
            assert variance == pytest.approx(1 / 40.5 + 1 / 0.5)
        else:
            assert 0 < variance < 3
    assert table["heuristic: wins"].max() == 40


def test_some_levels_at_a_time_make_the_same_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of levels and of agents, whatever their numbers of attempts; and every level is told."""
    agents, done = {"first": 30, "random": 20}, list[int]()
    whole = play_table(LEVELS, agents, seed=3, levels_done=done.append)
    monkeypatch.setattr(table_module, "LEVELS_AT_ONCE", 1)
    parts = play_table(LEVELS, agents, seed=3, levels_done=done.append)
    assert parts.equals(whole)
    assert done == [2, 1, 2]
    assert whole["level"].to_list() == ["04-jelly-garden", "24-hourglass"]
    assert agents_of(whole) == ("first", "random")
    assert (whole["first: attempts"][0], whole["random: attempts"][0]) == (30, 20)


def test_the_seed_decides_what_is_played() -> None:
    tables = [play_table(LEVELS[1:], {"random": 20}, seed=seed) for seed in (0, 0, 1)]
    assert tables[0].equals(tables[1])
    assert not tables[0].equals(tables[2])


def test_who_hardly_wins_plays_until_three_in_a_hundred_are_won() -> None:
    assert more_where_hard(400) == (4000, 12)
    assert more_where_hard(150) == (1500, 5)  # four and a half
    hopeless = NamedLevel(made_up_level(goals={"score": 10**6}), ("hopeless",))
    table = play_table([LEVELS[0], hopeless], {"random": 20})
    assert (table["random: wins"] > 0).to_list() == [True, False]
    assert table["random: attempts"].to_list() == [20, 200]
