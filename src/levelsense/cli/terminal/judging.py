"""How well a policy predicts players' moves, in the terminal: one just trained, or one in a file."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from levelsense.cli.app import print_json
from levelsense.cli.terminal.interruption import interruptible
from levelsense.cli.terminal.screen import note, print_rows, screen
from levelsense.learning.judge import Judgement
from levelsense.learning.judged import CEILING, JudgedPolicy, judge_from_files


def show_judged(
    files: Sequence[Path], levels: Sequence[str] | None, policy: str, as_json: bool, **settings: Any
) -> None:
    """Judges a policy on files of moves and prints it, as a table or as JSON."""
    with interruptible("interrupted: nothing was judged") as stop:
        judged = judge_from_files(files, levels, policy, note=note, stop=stop, **settings)
    if as_json:
        print_json({"policy": policy, "levels": judgements_data(judged.later), **ceiling_data(judged)})
    else:
        print_judgements("policy " + policy, judged.later)
        print_figures(judged)


def print_judgements(heading: str, judgements: Mapping[str, Judgement]) -> None:
    """Prints a row for each policy or agent: how often and how surely it predicts moves."""
    first = (heading, "top 1", "top 3", "log-loss", "")
    print_rows(screen(), [first, *(_row(name, judgement) for name, judgement in judgements.items())])


def _row(name: str, judgement: Judgement) -> tuple[str, ...]:
    loss = "" if judgement.loss is None else f"{judgement.loss:.4f}"
    return (name, f"{judgement.top_1:.1%}", f"{judgement.top_3:.1%}", loss, "")


def print_figures(judged: JudgedPolicy) -> None:
    """Prints a policy's calibration, and how near it comes to the ceiling where that is known."""
    console = screen()
    console.print(
        f"calibration: probabilities are off by {100 * judged.calibration_error:.2f} points on average"
    )
    if judged.ceiling is not None and judged.share_of_gap is not None:
        console.print(
            f"{judged.share_of_gap:.1%} of the way in log-loss from random choice to the simulated players' "
            f"own mixture (top 1 {judged.ceiling.top_1:.1%}), the most that can be told",
            soft_wrap=True,
        )


def judgements_data(judgements: Mapping[str, Judgement]) -> dict[str, Any]:
    """Judgements by the name of what was judged, for JSON."""
    return {name: asdict(judgement) for name, judgement in judgements.items()}


def ceiling_data(judged: JudgedPolicy) -> dict[str, Any]:
    """The ceiling, the share of the gap and the calibration of a policy, for JSON."""
    return {
        "ceiling": None if judged.ceiling is None else {CEILING: asdict(judged.ceiling)},
        "share_of_gap": judged.share_of_gap,
        "calibration": [asdict(part) for part in judged.bins],
    }
