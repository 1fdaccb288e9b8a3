"""What commands do that run an action of the Lab: its database, Ctrl-C, progress and notes, in one place."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from levelsense.cli.app import announce_compiling, open_lab

if TYPE_CHECKING:
    from levelsense.lab import Lab
    from levelsense.playtest import NamedLevel
    from levelsense.prediction.model import DifficultyModel


@contextmanager
def lab_run(
    db: str, seed: int, threads: int | None, *, notes: bool = False
) -> "Iterator[tuple[Lab, dict[str, Any]]]":
    """The Lab with a command's database, and the arguments that all its actions take.

    These are seed, threads, progress on the terminal, and a stop that Ctrl-C sets; `notes` adds remarks, for
    actions that make any.
    """
    from levelsense.cli.terminal.interruption import interruptible, kept_words
    from levelsense.cli.terminal.screen import counting

    with interruptible(kept_words(db)) as stop, counting() as counter:
        common = {"seed": seed, "threads": threads, "progress": counter.watch, "stop": stop}
        yield open_lab(db), common | ({"note": counter.note} if notes else {})


def read_inputs(
    levels: list[str], target: str | None, model: Path | None
) -> "tuple[tuple[NamedLevel, ...], float | None, DifficultyModel]":
    """The levels, the target as a share and the model of a command; a spinner shows while they are read."""
    from levelsense.cli.terminal.screen import working

    with working("reading levels and the model"):
        from levelsense.lab.run import read_model
        from levelsense.playtest.levels import gather_levels
        from levelsense.playtest.plan import parse_target

        target_rate = None if target is None else parse_target(target)
        difficulty_model = read_model(model)
        announce_compiling()
        return gather_levels(levels), target_rate, difficulty_model
