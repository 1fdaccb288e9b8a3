"""Commands that train agents: what they learn goes into files of weights."""

from pathlib import Path
from typing import Annotated

import typer

from levelsense import defaults
from levelsense.cli.app import AGENTS, JsonOption, announce_compiling, app, note_namesakes, print_json
from levelsense.cli.completion import complete_level

train = typer.Typer(
    no_args_is_help=True,
    help="Train agents that learn; what they have learned goes into a file of weights.",
)
app.add_typer(train, name="train", rich_help_panel=AGENTS)

TrainingLevelArgument = Annotated[
    str,
    typer.Argument(
        metavar="LEVEL",
        autocompletion=complete_level,
        callback=note_namesakes,
        help="A level file, the name of a bundled level, or paper-board: the game of the paper.",
        show_default=False,
    ),
]
GamesOption = Annotated[int, typer.Option(help="How many games it learns from.")]
TrainingSeedOption = Annotated[int, typer.Option(help="The same seed gives the same weights.")]
LevelsOption = Annotated[
    list[str],
    typer.Option(
        "--levels",
        metavar="LEVEL",
        autocompletion=complete_level,
        callback=note_namesakes,
        help="The levels of the moves, in their order in the game: level files, folders, names of bundled "
        "levels; can be repeated.",
        show_default=False,
    ),
]
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


@train.command("policy")
def policy(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="MOVES",
            help="Files of players' moves, CSV or Parquet (docs/telemetry.md).",
            show_default=False,
        ),
    ],
    levels: LevelsOption,
    output: OutputOption = Path("policy.json"),
    judge: Annotated[
        float,
        typer.Option(min=0.01, max=0.9, help="The share of levels, the last ones, to judge the policy by."),
    ] = defaults.JUDGED_LEVELS,
    validate: Annotated[
        float,
        typer.Option(min=0.01, max=0.9, help="The share of levels, those before, by which training stops."),
    ] = defaults.VALIDATED_LEVELS,
    moves_per_level: Annotated[
        int, typer.Option(min=1, help="At most about so many moves of each level and file are used.")
    ] = defaults.MOVES_PER_LEVEL,
    epochs: Annotated[
        int, typer.Option(min=1, max=10_000, help="How often all moves are gone through, at most.")
    ] = defaults.TRAINING_EPOCHS,
    rate: Annotated[
        float | None,
        typer.Option(
            min=1e-6,
            max=1.0,
            help="The (highest) learning rate; 0.006 if left out, 0.0005 for networks over planes.",
            show_default=False,
        ),
    ] = None,
    batch: Annotated[
        int, typer.Option(min=1, max=100_000, help="Positions at a time.")
    ] = defaults.TRAINING_BATCH,
    units: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1_024,
            help="Hidden units of each layer, 32 if left out; filters of networks over planes, 35.",
            show_default=False,
        ),
    ] = None,
    network: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="moves, the network of the agent policy; rivals, the same with a layer that compares moves; "
            "or one over planes, written as an ONNX file: " + ", ".join(defaults.PLANE_NETWORKS) + ".",
        ),
    ] = defaults.MOVE_NETWORK,
    grid: Annotated[
        bool, typer.Option("--grid", help="Choose learning rate and batch size by short runs first.")
    ] = False,
    seed: TrainingSeedOption = 1,
    as_json: JsonOption = False,
) -> None:
    """Train a policy to make the moves that players make, and judge it on later levels.

    Interrupted, the same command goes on from a checkpoint beside the file of weights.
    """
    from levelsense.learning import require_torch

    require_torch()
    announce_compiling()
    from levelsense.cli.terminal.policies import policy_data, print_policy, train_policy_watched
    from levelsense.learning.policy import recipe_of

    trained = train_policy_watched(
        files,
        levels,
        output,
        recipe_of(network, units, rate, batch, epochs, seed),
        grid=grid,
        judge=judge,
        validate=validate,
        moves_per_level=moves_per_level,
    )
    if as_json:
        print_json(policy_data(output, trained))
    else:
        print_policy(output, trained)
