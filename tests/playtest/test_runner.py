"""The runner: the same results whatever the threads and batches, only what is missing, and a clean end."""

import threading
from collections.abc import Sequence
from itertools import product

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from levelsense.playtest import Pair, PairProgress, playtest
from levelsense.playtest.attempts import ROW_SCHEMA, Attempts
from levelsense.playtest.interval import half_width
from levelsense.playtest.plan import MISSING, Extent
from tests.playtest.players import BrokenPlayer, CoinPlayer, ShyPlayer

LEVELS = ("01-first-steps", "11-beat-the-clock", "30-grand-tour")
THREADS, BATCHES = (1, 2, 3), (1, 7, 64, None)


class MemorySink:
    """Keeps attempts in memory, as a database would."""

    def __init__(self, stored: pl.DataFrame | None = None) -> None:
        self.begun: list[tuple[str, str]] = []
        self.saved: list[pl.DataFrame] = []
        self.ended: list[int] | None = None
        self._stored = pl.DataFrame(schema=ROW_SCHEMA) if stored is None else stored

    def begin(self, pairs: Sequence[Pair], extent: Extent) -> None:
        self.begun = [(pair.name, pair.agent.spec) for pair in pairs]

    def already_done(self, pair: Pair, limit: int) -> NDArray[np.int8]:
        outcomes, stored = np.full(limit, MISSING, np.int8), self.attempts(pair, limit)
        outcomes[stored.numbers] = stored.won
        return outcomes

    def attempts(self, pair: Pair, limit: int) -> Attempts:
        kept = pl.concat([self._stored, *self.saved]).filter(pl.col("attempt") < limit)
        return Attempts.from_frame(pair.level, kept)

    def save(self, batches: Sequence[tuple[Pair, Attempts]]) -> None:
        self.saved += [attempts.frame for _, attempts in batches]

    def end(self, finished: Sequence[tuple[Pair, int]]) -> None:
        self.ended = [attempts for _, attempts in finished]


# The same results


def test_threads_and_batches_change_nothing() -> None:
    """To the bit, with a real agent on real levels."""
    expected = playtest(LEVELS, ["random"], attempts=70, seed=5, threads=1, batch=70).attempts
    assert expected.height == 210
    for threads, batch in product(THREADS, BATCHES):
        table = playtest(LEVELS, ["random"], attempts=70, seed=5, threads=threads, batch=batch).attempts
        assert table.equals(expected), f"{threads} threads, batches of {batch}"


def test_a_run_is_the_beginning_of_a_longer_one() -> None:
    short = playtest(LEVELS[:1], ["random"], attempts=20).attempts
    assert playtest(LEVELS[:1], ["random"], attempts=50).attempts.head(20).equals(short)


def test_levels_do_not_influence_each_other() -> None:
    alone = playtest(LEVELS[1:2], ["random"], attempts=10).pairs[0].played.frame
    assert playtest(LEVELS, ["random", "first"], attempts=10).pairs[2].played.frame.equals(alone)


def test_seeds_give_other_attempts() -> None:
    one, other = (
        playtest(LEVELS[2:], ["random"], attempts=20, seed=seed).pairs[0].played.frame for seed in (0, 1)
    )
    assert one["score"].to_list() != other["score"].to_list()


# Precision


@pytest.mark.parametrize(("rate", "most"), [(0.0, 110), (0.02, 400), (0.5, 1100)])
def test_clear_cases_cost_little(rate: float, most: int) -> None:
    """At half, an interval of 3 % to either side takes about 1,050 attempts."""
    pair = playtest(LEVELS[:1], [CoinPlayer(rate)], attempts=60, precision=0.03).pairs[0]
    assert half_width(pair.wins, pair.attempts) < 0.03
    assert pair.attempts <= most * 1.1
    assert pair.attempts in Extent(60, 0.03).checkpoints


def test_it_stops_at_the_first_checkpoint_that_is_precise_enough() -> None:
    pair = playtest(LEVELS[:1], [CoinPlayer(0.3)], attempts=50, precision=0.05).pairs[0]
    before = Extent(50, 0.05).checkpoints
    before = before[: before.index(pair.attempts)]
    assert before
    won = pair.played.frame["won"]
    assert all(half_width(int(won.head(count).sum()), count) >= 0.05 for count in before)


def test_who_hardly_wins_plays_more_and_the_same_for_any_threads_and_batches() -> None:
    def run(threads: int, batch: int | None) -> pl.DataFrame:
        players = [CoinPlayer(rate, f"coin{rate}") for rate in (0.0, 0.02, 0.5)]
        asked = {"attempts": 50, "ceiling": 500, "wins": 5, "seed": 1}
        return playtest(LEVELS[:1], players, threads=threads, batch=batch, **asked).attempts  # type: ignore[arg-type]

    expected = run(1, 1000)
    attempts = dict(expected.group_by("agent").len().iter_rows())
    assert attempts["coin0.5"] == 50  # it has won five times by then
    assert attempts["coin0.0"] == 500  # it never does
    rare = expected.filter(pl.col("agent") == "coin0.02")["won"]
    assert rare.sum() >= 5
    assert rare.head(len(rare) // 2).sum() < 5
    assert all(run(threads, batch).equals(expected) for threads, batch in product(THREADS, BATCHES))


def test_precision_gives_the_same_result_for_any_threads_and_batches() -> None:
    def run(threads: int, batch: int | None) -> pl.DataFrame:
        players = [CoinPlayer(rate, f"coin{rate}") for rate in (0.01, 0.2, 0.5)]
        asked = {"attempts": 40, "precision": 0.06, "seed": 1}
        return playtest(LEVELS[:2], players, threads=threads, batch=batch, **asked).attempts  # type: ignore[arg-type]

    expected = run(1, 1000)
    counts = expected.group_by("level", "agent").len()["len"]
    assert counts.n_unique() > 1
    assert all(run(threads, batch).equals(expected) for threads, batch in product(THREADS, BATCHES))


def test_the_ceiling_ends_what_is_not_precise() -> None:
    pair = playtest(LEVELS[:1], [CoinPlayer(0.5)], attempts=50, precision=0.01, ceiling=90).pairs[0]
    assert pair.attempts == 90
    assert pair.finished
    assert half_width(pair.wins, 90) > 0.01


def test_stored_attempts_beyond_a_checkpoint_do_not_count() -> None:
    """Whoever asks for a precision gets the same result, whether or not more is stored already."""
    stored = playtest(LEVELS[:1], [CoinPlayer(0.1)], attempts=2000).pairs[0].played.frame
    player = CoinPlayer(0.1)
    fresh, resumed = (
        playtest(LEVELS[:1], [player], attempts=50, precision=0.05, sink=sink).pairs[0].played.frame
        for sink in (None, MemorySink(stored))
    )
    assert resumed.equals(fresh)
    assert player.played == fresh.height


# What is there already


def test_only_what_is_missing_is_played() -> None:
    whole = playtest(LEVELS[:1], [CoinPlayer()], attempts=100).pairs[0].played.frame
    there = whole.filter(~pl.col("attempt").is_in([0, 1, 2, 40, 41, 60, 99]))
    player, sink = CoinPlayer(), MemorySink(there)
    result = playtest(LEVELS[:1], [player], attempts=100, sink=sink, threads=2, batch=50)
    assert result.pairs[0].played.frame.equals(whole)
    assert player.played == 7
    assert sorted(pl.concat(sink.saved)["attempt"]) == [0, 1, 2, 40, 41, 60, 99]
    assert sink.ended == [100]


def test_nothing_is_played_when_all_is_there() -> None:
    whole = playtest(LEVELS[:1], [CoinPlayer()], attempts=100).pairs[0].played.frame
    player = CoinPlayer()
    seen: list[Sequence[PairProgress]] = []
    result = playtest(LEVELS[:1], [player], attempts=60, sink=MemorySink(whole), progress=seen.append)
    assert player.calls == []
    assert result.pairs[0].played.frame.equals(whole.head(60))
    assert seen[0][0].finished


def test_everything_is_saved_once() -> None:
    sink = MemorySink()
    result = playtest(LEVELS[:1], [CoinPlayer()], attempts=500, sink=sink, threads=3, batch=7)
    assert pl.concat(sink.saved).sort("attempt").equals(result.pairs[0].played.frame)
    assert sink.begun == [("01-first-steps", "coin")]


# Ends


def test_a_run_that_is_stopped_keeps_what_was_under_way() -> None:
    """And no more than that: what was waiting to be played is left."""
    stop, sink, player = threading.Event(), MemorySink(), CoinPlayer(seconds=0.02)
    begun: list[int] = []

    def stop_early(progress: Sequence[PairProgress]) -> None:
        if progress[0].done > 20 and not stop.is_set():
            begun.append(len(player.calls))
            stop.set()

    result = playtest(
        LEVELS[:2], [player], attempts=1000, sink=sink, progress=stop_early, stop=stop, threads=2, batch=2
    )
    assert result.interrupted
    assert not any(pair.finished for pair in result.pairs)
    assert 20 < result.attempts.height == player.played == sum(frame.height for frame in sink.saved)
    assert len(player.calls) <= begun[0] + 2
    assert sink.ended == []


def test_a_mistake_in_an_agent_is_not_swallowed() -> None:
    with pytest.raises(ZeroDivisionError, match="a mistake in an agent"):
        playtest(LEVELS[:1], [BrokenPlayer()], attempts=50, threads=2, batch=1)


def test_no_thread_outlives_the_run() -> None:
    before = threading.active_count()
    playtest(LEVELS[:1], [CoinPlayer()], attempts=50, threads=3)
    with pytest.raises(ZeroDivisionError):
        playtest(LEVELS[:1], [BrokenPlayer()], attempts=50, threads=2, batch=1)
    assert threading.active_count() == before


# How it is handed out


def test_an_agents_first_attempt_is_played_alone() -> None:
    """It compiles the agent's kernels; nobody else is to do the same meanwhile."""
    players = [ShyPlayer("a"), ShyPlayer("b")]
    playtest(LEVELS, players, attempts=200, threads=3, batch=50)
    assert [player.calls[0] for player in players] == [1, 1]
    assert not any(player.disturbed for player in players)


def test_batches_grow_to_a_quarter_of_a_second() -> None:
    slow, fast = CoinPlayer(seconds=0.02, spec="slow"), CoinPlayer(spec="fast")
    playtest(LEVELS[:1], [slow], attempts=60, threads=1)
    playtest(LEVELS[:1], [fast], attempts=20_000, threads=1)
    assert slow.calls[:2] == [1, 1]
    assert max(slow.calls) <= 15
    assert max(fast.calls) > 2000
    assert len(fast.calls) < 60


def test_progress_tells_the_truth() -> None:
    seen: list[Sequence[PairProgress]] = []
    result = playtest(
        LEVELS[:2], [CoinPlayer(seconds=0.002)], attempts=100, progress=seen.append, threads=2, batch=5
    )
    done = [sum(pair.done for pair in progress) for progress in seen]
    assert done == sorted(done)
    assert len(set(done)) > 2
    last = seen[-1]
    assert [(pair.done, pair.wins, pair.finished) for pair in last] == [
        (pair.attempts, pair.wins, True) for pair in result.pairs
    ]
    speeds = [pair.attempts_per_second for pair in last]
    assert all(speed is not None and 0 < speed < 1010 for speed in speeds)
    assert [pair.seconds_left for pair in last] == [0, 0]
