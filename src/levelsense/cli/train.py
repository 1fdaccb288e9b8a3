"""Commands that train agents: what they learn goes into files of weights."""

from pathlib import Path
from typing import Annotated

import typer

from levelsense import defaults
from levelsense.cli.app import announce_compiling, app

train = typer.Typer(
    no_args_is_help=True,
    help="Train agents that learn; what they have learned goes into a file of weights.",
)
app.add_typer(train, name="train")

TrainingLevelArgument = Annotated[
    str,
    typer.Argument(
        metavar="LEVEL",
        help="A level file, the name of a bundled level, or paper-board: the game of the paper.",
        show_default=False,
    ),
]
GamesOption = Annotated[int, typer.Option(help="How many games it learns from.")]
TrainingSeedOption = Annotated[int, typer.Option(help="The same seed gives the same weights.")]
OutputOption = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The file of weights.")]


@train.command("q-linear")
def q_linear(
    level: TrainingLevelArgument,
    games: GamesOption = defaults.TRAINING_GAMES,
    seed: TrainingSeedOption = 0,
    output: OutputOption = Path("q-linear.json"),
) -> None:
    """Train an agent whose values are a sum of 24 features (Lee et al.).

    Interrupted, the same command goes on from a checkpoint beside the file of weights.
    """
    _train_q("q-linear", level, games, seed, output)


@train.command("q-network")
def q_network(
    level: TrainingLevelArgument,
    games: GamesOption = defaults.TRAINING_GAMES,
    seed: TrainingSeedOption = 0,
    output: OutputOption = Path("q-network.json"),
) -> None:
    """Train an agent whose values come from a small network over 24 features (Lee et al.).

    Interrupted, the same command goes on from a checkpoint beside the file of weights.
    """
    _train_q("q-network", level, games, seed, output)


def _train_q(kind: str, level: str, games: int, seed: int, output: Path) -> None:
    from levelsense.agents.qlearning.games import Training, training_level
    from levelsense.cli.terminal.training import show_trained, train_watched

    announce_compiling()
    training = Training(kind, training_level(level), games, seed)
    show_trained(output, train_watched(training, output))
