"""The command line: one function a command, each a thin layer over the library."""

from levelsense.cli import levels, players, playtests, prediction
from levelsense.cli.app import INTERRUPTED, app

__all__ = ["app", "levels", "main", "players", "playtests", "prediction"]


def main() -> None:
    """Runs the command that sys.argv names."""
    from levelsense.terminal.interruption import leave_interrupted
    from levelsense.terminal.screen import never_fail_on_a_letter, warnings_as_notes

    never_fail_on_a_letter()
    warnings_as_notes()
    try:
        app(prog_name="levelsense")
    except SystemExit as leaving:
        if leaving.code != INTERRUPTED:
            raise
        leave_interrupted()
    except KeyboardInterrupt:
        leave_interrupted()
