"""The training of policies in the terminal: its progress, and the table of how well the policy does."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from levelsense.agents.registry import parse_agent
from levelsense.cli.terminal.interruption import interruptible
from levelsense.cli.terminal.screen import note, print_rows, screen
from levelsense.learning.fit import Recipe
from levelsense.learning.fit_convolution import NetworkRecipe
from levelsense.learning.judge import Judgement, calibration_error
from levelsense.learning.loop import Epoch
from levelsense.learning.policy import CEILING, POLICY, TrainedPolicy, checkpoint_of, train_from_files


def train_policy_watched(
    files: Sequence[Path],
    levels: Sequence[str],
    output: Path,
    recipe: Recipe | NetworkRecipe,
    **settings: Any,
) -> TrainedPolicy:
    """Trains into a file, with a line an epoch on stderr; Ctrl-C ends the command, the checkpoint stays."""
    farewell = f"interrupted: the same command goes on from the checkpoint {checkpoint_of(output)}"
    with interruptible(farewell) as stop:
        return train_from_files(
            files, levels, output, recipe, note=note, progress=_say_epoch, stop=stop, **settings
        )


def _say_epoch(epoch: Epoch) -> None:
    best = ", the best so far" if epoch.best else ""
    note(
        f"epoch {epoch.number} of at most {epoch.of}: log-loss {epoch.loss:.4f}, at the levels to stop by "
        f"{epoch.validation:.4f}{best} ({epoch.seconds:.0f} s of processor time)"
    )


def print_policy(output: Path, trained: TrainedPolicy) -> None:
    """Prints how well a policy tells players' moves beside other agents, and how to play it."""
    console = screen()
    heading = ("at later levels", "top 1", "top 3", "log-loss", "")
    rows = [heading, *(_row(name, judgement) for name, judgement in trained.later.items())]
    print_rows(console, rows)
    for name, judgement in trained.known.items():
        if name == POLICY:
            top_1, loss = f"{judgement.top_1:.1%}", f"{judgement.loss:.4f}"
            console.print(f"at the levels trained on, other players: top 1 {top_1}, log-loss {loss}")
    error = calibration_error(list(trained.bins))
    console.print(f"calibration: probabilities are off by {100 * error:.2f} points on average")
    if trained.ceiling is not None and trained.share_of_gap is not None:
        console.print(
            f"{trained.share_of_gap:.1%} of the way in log-loss from random choice to the simulated players' "
            f"own mixture (top 1 {trained.ceiling.top_1:.1%}), the most that can be told",
            soft_wrap=True,
        )
    console.print(f"{output} written; it plays as {played_as(output, trained)}", soft_wrap=True)


def played_as(output: Path, trained: TrainedPolicy) -> str:
    """The spec of the agent that plays what was trained."""
    return parse_agent(f"{trained.family}:model={output}").spec


def _row(name: str, judgement: Judgement) -> tuple[str, ...]:
    loss = "" if judgement.loss is None else f"{judgement.loss:.4f}"
    return (name, f"{judgement.top_1:.1%}", f"{judgement.top_3:.1%}", loss, "")


def policy_data(output: Path, trained: TrainedPolicy) -> dict[str, Any]:
    """A trained policy as `levelsense train policy --json` prints it."""
    return {
        "file": str(output),
        "agent": played_as(output, trained),
        "recipe": asdict(trained.recipe),
        "later_levels": _judgements(trained.later),
        "known_levels": _judgements(trained.known),
        "ceiling": None if trained.ceiling is None else {CEILING: asdict(trained.ceiling)},
        "share_of_gap": trained.share_of_gap,
        "calibration": [asdict(part) for part in trained.bins],
    }


def _judgements(judgements: Mapping[str, Judgement]) -> dict[str, Any]:
    return {name: asdict(judgement) for name, judgement in judgements.items()}
