"""The training of policies in the terminal: its progress, and the table of how well the policy does."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from levelsense.agents.registry import parse_agent
from levelsense.cli.terminal.interruption import interruptible
from levelsense.cli.terminal.judging import (
    ceiling_data,
    judgements_data,
    print_figures,
    print_judgements,
)
from levelsense.cli.terminal.screen import note, screen
from levelsense.learning.fit import Recipe
from levelsense.learning.fit_convolution import NetworkRecipe
from levelsense.learning.judged import POLICY
from levelsense.learning.loop import Epoch
from levelsense.learning.policy import TrainedPolicy, checkpoint_of, train_from_files


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
    """Prints how well a policy predicts players' moves beside other agents, and how to play it."""
    console = screen()
    print_judgements("at later levels", trained.later)
    known = trained.known[POLICY]
    top_1, loss = f"{known.top_1:.1%}", f"{known.loss:.4f}"
    console.print(f"at the levels trained on, other players: top 1 {top_1}, log-loss {loss}")
    print_figures(trained)
    console.print(f"{output} written; it plays as {played_as(output, trained)}", soft_wrap=True)


def played_as(output: Path, trained: TrainedPolicy) -> str:
    """The spec of the agent that plays what was trained."""
    return parse_agent(f"{trained.family}:model={output}").spec


def policy_data(output: Path, trained: TrainedPolicy) -> dict[str, Any]:
    """A trained policy as `levelsense train policy --json` prints it."""
    return {
        "file": str(output),
        "agent": played_as(output, trained),
        "recipe": asdict(trained.recipe),
        "later_levels": judgements_data(trained.later),
        "known_levels": judgements_data(trained.known),
        **ceiling_data(trained),
    }
