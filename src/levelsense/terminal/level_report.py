"""The page about levels: predictions, what agents did, and what players did where that is known."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from levelsense.playtest import NamedLevel, PairResult, PlaytestResult
from levelsense.playtest.runner import check_asked
from levelsense.prediction.difficulty import DifficultyModel
from levelsense.prediction.people import Observed, known_rates, observed_rates
from levelsense.prediction.playing import parse_counted
from levelsense.report.forecast import forecast_of
from levelsense.store import Database
from levelsense.terminal.playtesting import levels_to_play, run_playtest
from levelsense.terminal.predicting import played_table, tell_outdated
from levelsense.terminal.reporting import gathered, report_text
from levelsense.terminal.screen import screen

DEFAULT_AGENT = "heuristic"  # shown where a model needs no agent


@dataclass(frozen=True)
class ReportAsked:
    """What a page is to be about.

    `shown` says how many attempts of each agent are shown, `target` which success rate is wanted, if one is.
    """

    levels: Sequence[str]
    model: DifficultyModel
    shown: Mapping[str, int]
    cohort: str | None
    place: str
    seed: int
    threads: int | None
    target: float | None = None


def shown_agents(
    model: DifficultyModel, agents: Sequence[str] | None, attempts: int | None, otherwise: int
) -> dict[str, int]:
    """How many attempts of each agent are shown: those of the model's agents, unless others are asked for.

    An agent of the model is shown with as many attempts as the model needs, another one with `otherwise`.
    """
    needed = model.origin_.attempts
    words = list(agents or needed or (DEFAULT_AGENT,))
    if attempts is not None:
        return parse_counted(words, attempts)
    told = parse_counted(words, otherwise)
    counted = {spec for word in words if "@" in word for spec in parse_counted([word], otherwise)}
    return {spec: number if spec in counted else needed.get(spec, number) for spec, number in told.items()}


def level_report(asked: ReportAsked) -> str | None:
    """The page as HTML, with what is missing played and kept; None if that was interrupted."""
    check_asked(seed=asked.seed, threads=asked.threads)
    levels = levels_to_play(asked.levels)
    observed = _observed(asked, levels)
    if observed is not None:
        tell_outdated(observed)
    table = played_table(levels, asked.model.origin_.attempts, asked.place, asked.seed, asked.threads)
    result = None if table is None else _playtest(asked)
    if table is None or result is None:
        return None
    forecast = forecast_of(asked.model, table, observed, asked.target)
    return report_text(gathered(result, asked.threads, asked.place), asked.seed, forecast)


def _observed(asked: ReportAsked, levels: Sequence[NamedLevel]) -> Observed | None:
    """Players' results where there are any; a cohort that is asked for has to have some."""
    with Database(asked.place, make=asked.cohort is None) as database:
        if asked.cohort is None:
            return known_rates(database, levels)
        return observed_rates(database, levels, asked.cohort)


def _playtest(asked: ReportAsked) -> PlaytestResult | None:
    """The attempts that are shown, level by level and in the order of the agents; None if interrupted."""
    pairs: dict[tuple[str, str], PairResult] = {}
    for attempts in sorted(set(asked.shown.values())):
        agents = [spec for spec, number in asked.shown.items() if number == attempts]
        played = run_playtest(
            screen(stderr=True),
            asked.levels,
            agents,
            asked.place,
            quiet=not sys.stderr.isatty(),
            attempts=attempts,
            precision=None,
            ceiling=None,
            seed=asked.seed,
            threads=asked.threads,
            keep_rows=True,
        )
        if played.interrupted:
            return None
        pairs |= {(pair.pair.name, pair.agent): pair for pair in played.pairs}
    names = dict.fromkeys(name for name, _ in pairs)
    return PlaytestResult(tuple(pairs[name, spec] for name in names for spec in asked.shown))
