"""Trainings in the terminal: how far they are, and what came out."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from levelsense.agents.qlearning.games import Training
from levelsense.agents.qlearning.training import TrainingProgress, checkpoint_of, train_to_file
from levelsense.agents.weights import Weights, canonical_source
from levelsense.cli.terminal.interruption import interruptible
from levelsense.cli.terminal.screen import screen, shows_progress

Watch = Callable[[TrainingProgress], None]


def train_watched(training: Training, output: Path) -> Weights:
    """Trains into a file, with progress on a terminal; Ctrl-C ends the command, the checkpoint stays."""
    farewell = f"interrupted: the same command goes on from the checkpoint {checkpoint_of(output)}"
    with interruptible(farewell) as stop, _bar() as watch:
        return train_to_file(training, output, progress=watch, stop=stop)


def show_trained(output: Path, weights: Weights) -> None:
    """Prints what was trained and how to play it."""
    card, console = weights.card, screen()
    games, latest_score = card["games"], card["curve"]["rows"][-1][1]
    console.print(
        f"{output} written: {games:,} game{'' if games == 1 else 's'} on {card['trained on']!r}; "
        f"mean score of the latest while learning, half of the moves at random: {latest_score:,.0f}",
        soft_wrap=True,
    )
    console.print(
        f"it plays as {weights.kind}:model={canonical_source(str(output), weights.kind)}", soft_wrap=True
    )


@contextmanager
def _bar() -> Iterator[Watch | None]:
    """A progress bar on stderr during its block; None where no progress is shown."""
    if not shows_progress():
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("training"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games, mean score {task.fields[score]}, about", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=screen(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, score="-")

        def watch(progress: TrainingProgress) -> None:
            score = f"{progress.score:,.0f}"
            bar.update(task, total=progress.of, completed=progress.games, score=score, refresh=True)

        yield watch
