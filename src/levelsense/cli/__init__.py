"""The command line: one function a command, each a thin layer over the library."""

from levelsense.cli import (
    changes,
    databases,
    levels,
    players,
    playtests,
    prediction,
    studies,
    studio,
    train,
)
from levelsense.cli.app import INTERRUPTED, app

__all__ = [
    "app",
    "changes",
    "databases",
    "levels",
    "main",
    "players",
    "playtests",
    "prediction",
    "studies",
    "studio",
    "train",
]


def main() -> None:
    """Runs the command that sys.argv names."""
    from levelsense.cli.terminal.failure import report_failures
    from levelsense.cli.terminal.interruption import end_within_seconds, leave_with_farewell
    from levelsense.cli.terminal.screen import never_fail_on_a_letter, warnings_as_notes

    end_within_seconds()
    never_fail_on_a_letter()
    warnings_as_notes()
    try:
        with report_failures():
            app(prog_name="levelsense")
    except SystemExit as leaving:
        if leaving.code != INTERRUPTED:
            raise
        leave_with_farewell()
    except KeyboardInterrupt:
        leave_with_farewell()
