"""Training a policy: from files of telemetry to weights with a card of how well they predict."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from levelsense import defaults
from levelsense.agents.weights import write_weights
from levelsense.files import check_writable
from levelsense.game.state import RULES_VERSION
from levelsense.learning.convolution import check_network, write_network
from levelsense.learning.corpus import Corpus, Part, Split, read_corpus
from levelsense.learning.fit import Recipe, fit_policy, log_probabilities, mean_loss
from levelsense.learning.fit_convolution import NetworkRecipe, fit_grid, fit_network
from levelsense.learning.fit_convolution import log_probabilities as network_logs
from levelsense.learning.judge import Judgement, as_card, judge_probabilities, judge_random
from levelsense.learning.judged import CEILING, POLICY, JudgedPolicy, judge_policy, refuse_stopped
from levelsense.learning.loop import Epoch
from levelsense.people.moves import MoveLog
from levelsense.people.telemetry import AnyTelemetry, read_telemetry
from levelsense.playtest.levels import NamedLevel, gather_levels

# The grid of Gudmundsson et al., section IV.B, over which a recipe can be chosen.
GRID_RATES: Final = (1e-2, 3e-3, 1e-3)
GRID_BATCHES: Final = (256, 512, 1_024)
MOST_COHORTS: Final = 10  # named in a card
ONNX: Final = "onnx"  # a family of agents
JUDGED_PARTS: Final[tuple[Part, ...]] = ("later", "known")


@dataclass(frozen=True)
class TrainedPolicy(JudgedPolicy):
    """A trained network and what it can do.

    known    judgements at the levels trained on, of players who were left out
    card     all of it as the file tells it
    """

    recipe: Recipe | NetworkRecipe
    known: Mapping[str, Judgement]
    card: Mapping[str, Any]

    @property
    def family(self) -> str:
        """The family of agents that plays it."""
        return POLICY if isinstance(self.recipe, Recipe) else ONNX


def recipe_of(
    network: str, units: int | None, rate: float | None, batch: int, epochs: int, seed: int
) -> Recipe | NetworkRecipe:
    """The recipe of a network by name; `units` and `rate` are the network's own if None."""
    if network in (defaults.MOVE_NETWORK, defaults.RIVAL_NETWORK):
        layer = units or defaults.HIDDEN_UNITS
        rivals = defaults.RIVAL_UNITS if network == defaults.RIVAL_NETWORK else 0
        rate = rate or defaults.TRAINING_RATE
        return Recipe(layer, layer, layer, rate, batch, epochs, seed=seed, rivals=rivals)
    filters = units or NetworkRecipe.filters
    rate = rate or NetworkRecipe.rate
    return NetworkRecipe(network, rate, batch, filters=filters, epochs=epochs, seed=seed)


def choose_recipe(
    corpus: Corpus, recipe: Recipe, on_trial: Callable[[Recipe, float], None] = lambda recipe, loss: None
) -> Recipe:
    """The recipe with the learning rate and batch size of the grid that validate best, a short run each."""
    training, validation = corpus.training, corpus.validation
    short = max(1, recipe.epochs // 3)
    losses: dict[Recipe, float] = {}
    for rate, batch in product(GRID_RATES, GRID_BATCHES):
        candidate = replace(recipe, rate=rate, batch=batch)
        network = fit_policy(training, validation, replace(candidate, epochs=short))
        losses[candidate] = mean_loss(network, validation)
        on_trial(candidate, losses[candidate])
    return min(losses, key=lambda candidate: losses[candidate])


def checkpoint_of(output: Path) -> Path:
    """The file beside a file of weights that a training which was interrupted goes on from."""
    return output.with_name(output.name + ".checkpoint")


def train_policy(
    corpus: Corpus,
    recipe: Recipe,
    output: Path,
    about: Mapping[str, Any],
    *,
    progress: Callable[[Epoch], None] = lambda epoch: None,
    stop: threading.Event | None = None,
) -> TrainedPolicy:
    """Trains a policy on a corpus, judges it and writes its weights; `about` is the data's part of the card.

    After each epoch a checkpoint beside the output is replaced; a training of the same moves and recipe goes
    on from it. StoppedError if `stop` is set.
    """
    check_writable(output)
    checkpoint = checkpoint_of(output)
    network = fit_policy(
        corpus.training,
        corpus.validation,
        recipe,
        checkpoint=checkpoint,
        on_epoch=_until_stopped(progress, stop),
    )
    logs: dict[Part, NDArray[np.float32]] = {
        "later": log_probabilities(network, corpus.later),
        "known": log_probabilities(network, corpus.known),
    }
    ceiling = corpus.ceiling
    trained = judged(
        corpus,
        logs,
        None if ceiling is None else log_probabilities(network, ceiling.examples),
        recipe,
        about,
    )
    write_weights(output, network.weights(trained.card))
    checkpoint.unlink(missing_ok=True)
    return trained


def train_network(
    corpus: Corpus,
    recipe: NetworkRecipe,
    output: Path,
    about: Mapping[str, Any],
    *,
    progress: Callable[[Epoch], None] = lambda epoch: None,
    stop: threading.Event | None = None,
) -> TrainedPolicy:
    """The same for a network over planes, of a corpus with boards; it is written as an ONNX file."""
    check_writable(output)
    checkpoint = checkpoint_of(output)
    network = fit_network(
        corpus.boards_of("training"),
        corpus.boards_of("validation"),
        recipe,
        checkpoint=checkpoint,
        on_epoch=_until_stopped(progress, stop),
    )
    logs = {part: network_logs(network, corpus.boards_of(part)) for part in JUDGED_PARTS}
    at_ceiling = None if corpus.ceiling is None else corpus.ceiling.boards
    ceiling_logs = None if at_ceiling is None else network_logs(network, at_ceiling)
    trained = judged(corpus, logs, ceiling_logs, recipe, about)
    write_network(output, network, trained.card)
    checkpoint.unlink(missing_ok=True)
    return trained


def _until_stopped(
    progress: Callable[[Epoch], None], stop: threading.Event | None
) -> Callable[[Epoch], None]:
    """The callback of each epoch: it calls `progress`, and raises StoppedError once `stop` is set."""

    def on_epoch(epoch: Epoch) -> None:
        progress(epoch)
        refuse_stopped(stop)

    return on_epoch


def judged(
    corpus: Corpus,
    logs: Mapping[Part, NDArray[np.float32]],
    ceiling_logs: NDArray[np.float32] | None,
    recipe: Recipe | NetworkRecipe,
    about: Mapping[str, Any],
) -> TrainedPolicy:
    """How good a policy is at the parts of a corpus that it was not trained on.

    `logs` are the logarithms of its probabilities of all moves of JUDGED_PARTS, `ceiling_logs` those at the
    positions whose ceiling is known.
    """
    known = corpus.known
    at_known = {POLICY: judge_probabilities(known, np.exp(logs["known"])), "random": judge_random(known)}
    at_later = judge_policy(corpus, logs["later"], ceiling_logs)
    card = {
        **about,
        "rules": RULES_VERSION,
        "split": {
            "levels trained on": corpus.split.train,
            "levels stopped by": corpus.split.validate,
            "levels judged by": corpus.split.judge,
            "moves trained on": int(corpus.places("training").sum()),
            "moves judged by": int(corpus.places("later").sum()),
        },
        "recipe": asdict(recipe),
        "at later levels": as_card(at_later.later),
        "at known levels, other players": as_card(at_known),
        "calibration error": round(at_later.calibration_error, 4),
    }
    ceiling, at_ceiling = at_later.ceiling, at_later.at_ceiling
    if ceiling is not None:
        card["beside the ceiling"] = as_card({**at_ceiling, CEILING: ceiling}, ceiling)
    return TrainedPolicy(at_later.later, at_later.bins, ceiling, at_ceiling, recipe, at_known, card)


def train_from_files(
    files: Sequence[Path],
    levels: Sequence[NamedLevel | str | Path],
    output: Path,
    recipe: Recipe | NetworkRecipe | None = None,
    *,
    grid: bool = False,
    judge: float = defaults.JUDGED_LEVELS,
    validate: float = defaults.VALIDATED_LEVELS,
    moves_per_level: int = defaults.MOVES_PER_LEVEL,
    note: Callable[[str], None] = lambda sentence: None,
    progress: Callable[[Epoch], None] = lambda epoch: None,
    stop: threading.Event | None = None,
) -> TrainedPolicy:
    """Trains a policy on files of telemetry (docs/telemetry.md), and writes its weights to `output`.

    Levels count in the order in which they are given. With `grid`, learning rate and batch size are chosen
    by short runs first. `note` is called with what is done, `progress` after each epoch.
    """
    recipe = recipe or Recipe()
    if isinstance(recipe, NetworkRecipe):
        check_network(recipe.network)
    check_writable(output)
    gathered = gather_levels(levels)
    telemetry = [read_telemetry(file) for file in files]
    corpus = read_corpus(
        telemetry,
        gathered,
        split=lambda number: Split.by_order(number, validate, judge),
        moves_per_level=moves_per_level,
        seed=recipe.seed,
        planes=isinstance(recipe, NetworkRecipe),
        progress=lambda level: refuse_stopped(stop),
    )
    note(
        f"{len(corpus.examples):,} moves of {len(corpus.players):,} players: {corpus.split.train:,} levels "
        f"to train on, {corpus.split.validate:,} to stop by, {corpus.split.judge:,} to judge by"
    )
    about = _about(corpus, telemetry)
    if isinstance(recipe, NetworkRecipe):
        chosen = _network_recipe(corpus, recipe, note) if grid else recipe
        return train_network(corpus, chosen, output, about, progress=progress, stop=stop)
    if grid:
        recipe = choose_recipe(
            corpus,
            recipe,
            lambda candidate, loss: note(f"rate {candidate.rate:g}, batch {candidate.batch}: {loss:.4f}"),
        )
    return train_policy(corpus, recipe, output, about, progress=progress, stop=stop)


def _network_recipe(corpus: Corpus, recipe: NetworkRecipe, note: Callable[[str], None]) -> NetworkRecipe:
    """The recipe of the paper's grid that validates best."""
    _, trials = fit_grid(corpus.boards_of("training"), corpus.boards_of("validation"), recipe)
    for trial in trials:
        note(f"rate {trial.recipe.rate:g}, batch {trial.recipe.batch}: {trial.loss:.4f}")
    return min(trials, key=lambda trial: trial.loss).recipe


def _about(corpus: Corpus, telemetry: Sequence[AnyTelemetry]) -> dict[str, Any]:
    """What a card says of the moves that a policy was trained on."""
    cohorts = sorted({cohort for cohort, _ in corpus.players})
    simulated = all(isinstance(each, MoveLog) for each in telemetry)
    return {
        "data": f"{len(corpus.examples):,} moves of {len(corpus.players):,} players",
        "players": "simulated, not people" if simulated else "as the files say",
        "cohorts": cohorts[:MOST_COHORTS] + (["..."] if len(cohorts) > MOST_COHORTS else []),
    }
