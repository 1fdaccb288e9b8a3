"""What follows a playtest on request: every figure in the terminal, and the report as a page."""

import sys
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from levelsense.errors import LevelsenseError
from levelsense.playtest import PairResult, PlaytestResult
from levelsense.playtest.as_data import as_data
from levelsense.playtest.recall import recall_attempts
from levelsense.playtest.statistics import LevelStatistics, level_statistics
from levelsense.terminal.figures import print_statistics
from levelsense.terminal.screen import note

if TYPE_CHECKING:
    from levelsense.prediction.evaluation import Evaluation
    from levelsense.report.forecast import Forecast
    from levelsense.report.page import Origin


def print_details(console: Console, result: PlaytestResult) -> None:
    """Every figure of every level and agent, with heat maps."""
    console.print()
    for pair in result.pairs:
        if pair.attempts:
            print_statistics(console, pair.pair.name, pair.agent, _statistics(pair))


def details_data(pair: PairResult) -> Any:
    """Every figure of a level and an agent as data; None without attempts."""
    return as_data(_statistics(pair)) if pair.attempts else None


def _statistics(pair: PairResult) -> LevelStatistics:
    return level_statistics(pair.level, recall_attempts(pair.level, pair.rows))


def check_place(path: Path) -> None:
    """LevelsenseError if a file cannot be written there: told before a long run rather than after it."""
    if path.is_dir():
        raise LevelsenseError(f"{path}: a folder; expected a file to write to")
    if not path.parent.is_dir():
        raise LevelsenseError(f"{path}: cannot be written: there is no folder {path.parent}")


def report_text(
    result: PlaytestResult, seed: int, threads: int | None, forecast: "Forecast | None" = None
) -> str:
    """The report of a playtest as HTML, with predictions if there is a forecast of its levels.

    What it still plays for that is told to somebody who looks on.
    """
    from levelsense.report.gather import gather_report
    from levelsense.report.page import report_page

    levels = gather_report(result, threads, note if sys.stderr.isatty() else _keep_quiet)
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
