"""What follows a playtest on request: every figure in the terminal, and the report as a page."""

import sys
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from levelsense.cli.app import print_json
from levelsense.cli.terminal.charts import draw_heat, heat_title
from levelsense.cli.terminal.interruption import say_interrupted
from levelsense.cli.terminal.playtests import command_words, levels_to_play, result_data, run_playtest
from levelsense.cli.terminal.prediction import played_table, tell_outdated
from levelsense.cli.terminal.screen import note, print_drawing, screen
from levelsense.errors import printable
from levelsense.playtest import NamedLevel, PairResult, PlaytestResult
from levelsense.playtest.figures import LevelReport, Played, gather_report
from levelsense.playtest.runner import check_asked
from levelsense.playtest.statistics import ENOUGH, LevelStatistics
from levelsense.playtest.words import (
    as_data,
    bottleneck_words,
    endings_words,
    left_words,
    legal_words,
    lost_words,
    near_miss_words,
    needed_words,
    rate_words,
    score_words,
    shuffle_words,
    star_words,
)
from levelsense.prediction.model import DifficultyModel
from levelsense.prediction.observed import Observed, known_rates, observed_rates
from levelsense.prediction.table import parse_counted
from levelsense.report.forecast import forecast_of
from levelsense.report.sentences import limits_words, played_luck_words, skill_told
from levelsense.store import Database, Recorder
from levelsense.store.address import shown_name

if TYPE_CHECKING:
    from levelsense.prediction.evaluation import Evaluation
    from levelsense.report.forecast import Forecast
    from levelsense.report.page import Origin


_LABEL_WIDTH = 13


def print_level(console: Console, report: LevelReport) -> None:
    """What the attempts at a level tell a designer: a sheet an agent, then what they tell together."""
    for played in report.played:
        console.print(Text(f"{printable(report.name)}, {played.agent}", style="bold"), soft_wrap=True)
        for label, words in facts(report, played):
            _print_fact(console, label, words)
        _print_maps(console, played.statistics)
        console.print()
    console.print(Text(f"{printable(report.name)}, all agents", style="bold"), soft_wrap=True)
    _print_fact(console, "skill", skill_told(report))
    console.print()


def facts(report: LevelReport, played: Played) -> Sequence[tuple[str, str]]:
    """Labels and what is to be said under each."""
    found = played.statistics
    return (
        ("success", f"{rate_words(found.success)} of {found.attempts:,} attempts"),
        ("needed", needed_words(found.needed)),
        ("limits", f"{found.unit} and success rate: {limits_words(report, played)}"),
        (f"{found.unit} left", left_words(found.left, found.unit)),
        ("endings", endings_words(found)),
        ("near misses", near_miss_words(found)),
        ("bottleneck", bottleneck_words(found)),
        ("shuffles", shuffle_words(found)),
        ("legal moves", legal_words(found)),
        ("score", score_words(found.score)),
        ("stars", star_words(found.stars)),
        ("luck", played_luck_words(played)),
    )


def _print_maps(console: Console, found: LevelStatistics) -> None:
    """Where something was left, unless too few attempts were lost."""
    if found.heat and found.lost < ENOUGH:
        _print_fact(console, "left", f"{lost_words(found)}: too few for a map of where something was left")
        return
    for heat in found.heat:
        console.print()
        console.print(Text(heat_title(heat), style="bold"), soft_wrap=True)
        print_drawing(console, draw_heat(heat))


def _print_fact(console: Console, label: str, words: str) -> None:
    width = max(console.width - _LABEL_WIDTH, 20)
    for number, line in enumerate(textwrap.wrap(words, width)):
        shown = label if number == 0 else ""
        console.print(Text.assemble((f"{shown:<{_LABEL_WIDTH}}", "bold"), line), soft_wrap=True)


def gathered(result: PlaytestResult, threads: int | None, place: str) -> list[LevelReport]:
    """Everything that is told of a playtest, level by level.

    Some figures take extra attempts, of which somebody who looks on is told; what can be kept of them is kept
    in the database. After an interruption there are none.
    """
    if result.interrupted:
        return gather_report(result, extra=False)
    tell = note if sys.stderr.isatty() else _keep_quiet
    with Database(place) as database:
        try:
            return gather_report(result, threads, tell, sinks=lambda: Recorder(database, command_words()))
        except KeyboardInterrupt:
            kept = f"the playtest is kept in {shown_name(place)}"
            say_interrupted(f"interrupted: {kept}; the same command goes on from there")
            raise


def show_results(result: PlaytestResult, details: Sequence[LevelReport] | None, as_json: bool) -> None:
    """What is printed after a playtest: everything as JSON, or the details that follow the table, if any."""
    if as_json:
        more = [{} for _ in result.pairs] if details is None else details_data(result, details)
        print_json([result_data(pair) | extra for pair, extra in zip(result.pairs, more, strict=True)])
    elif details is not None:
        print_details(screen(), details)


def print_details(console: Console, levels: Sequence[LevelReport]) -> None:
    """Every figure of every level and agent, with heat maps."""
    console.print()
    for report in levels:
        print_level(console, report)


def details_data(result: PlaytestResult, levels: Sequence[LevelReport]) -> list[dict[str, Any]]:
    """Every figure of each level and agent as data, in the order of the results; nothing without attempts."""
    told = {
        (report.level.digest, played.agent): _played_data(report, played)
        for report in levels
        for played in report.played
    }
    return [told.get((pair.pair.digest, pair.agent), {"statistics": None}) for pair in result.pairs]


def _played_data(report: LevelReport, played: Played) -> dict[str, Any]:
    skill = report.skill
    return {
        "statistics": as_data(played.statistics),
        "limits": {
            "past": as_data(played.curve),
            "played": [as_data(check) | as_data(check.success) for check in played.checks],
        },
        "luck": as_data(played.luck),
        "skill": as_data(skill) | {"weak": report.weak.agent, "strong": report.strong.agent}
        if skill
        else None,
    }


def report_text(levels: Sequence[LevelReport], seed: int, forecast: "Forecast | None" = None) -> str:
    """The report of a playtest as HTML, with predictions if there is a forecast of its levels."""
    from levelsense.report.page import report_page

    return report_page(levels, page_origin(seed), forecast)


def evaluation_text(evaluation: "Evaluation", seed: int) -> str:
    """The page about an evaluation as HTML."""
    from levelsense.report.page import prediction_page

    return prediction_page(evaluation, page_origin(seed))


def page_origin(seed: int) -> "Origin":
    """Where the figures of a page come from that is made now."""
    from levelsense.report.page import Origin

    return Origin(seed, version("levelsense"), date.today().isoformat())


def _keep_quiet(sentence: str) -> None:
    """For output that nobody watches."""


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
