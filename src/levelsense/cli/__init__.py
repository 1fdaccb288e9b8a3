"""The command line: one function a command, each a thin layer over the library."""

from levelsense.cli import levels, players, playtests
from levelsense.cli.app import app

__all__ = ["app", "levels", "main", "players", "playtests"]


def main() -> None:
    """Runs the command that sys.argv names."""
    from levelsense.terminal.screen import never_fail_on_a_letter

    never_fail_on_a_letter()
    app(prog_name="levelsense")
