"""What follows a playtest on request: every figure in the terminal, and the report as a page."""

import sys
from collections.abc import Sequence
from datetime import date
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from rich.console import Console

from levelsense.playtest import PlaytestResult
from levelsense.playtest.as_data import as_data
from levelsense.report.gather import LevelReport, Played, gather_report
from levelsense.store import Database, Recorder
from levelsense.store.address import shown_name
from levelsense.terminal.data import print_json
from levelsense.terminal.figures import print_level
from levelsense.terminal.interruption import say_interrupted
from levelsense.terminal.playtesting import command_words, result_data
from levelsense.terminal.screen import note, screen

if TYPE_CHECKING:
    from levelsense.prediction.evaluation import Evaluation
    from levelsense.report.forecast import Forecast
    from levelsense.report.page import Origin


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
    from levelsense.report.prediction_page import prediction_page

    return prediction_page(evaluation, page_origin(seed))


def page_origin(seed: int) -> "Origin":
    """Where the figures of a page come from that is made now."""
    from levelsense.report.page import Origin

    return Origin(seed, version("levelsense"), date.today().isoformat())


def _keep_quiet(sentence: str) -> None:
    """For output that nobody watches."""
