"""The smallest changes of a level with which players' predicted success rate reaches a target."""

from collections.abc import Callable, Iterable

from levelsense.edits.edit import Wish
from levelsense.level.level import Level
from levelsense.playtest.levels import NamedLevel
from levelsense.playtest.plan import check_target
from levelsense.playtest.result import PlaytestResult
from levelsense.prediction.model import DifficultyModel
from levelsense.prediction.paired import SameBoards
from levelsense.prediction.search import Core, Play, Predicted, Search
from levelsense.prediction.suggestions import REACHED, Feel, Suggestions, feel_of, figures_of


def suggest_edits(
    model: DifficultyModel,
    named: NamedLevel,
    target: float,
    play: Play,
    wish: Wish,
    most: int,
    boards: Callable[[Level], SameBoards],
    seed: int = 0,
    threads: int | None = None,
) -> Suggestions:
    """The smallest edits of a level that reach a target success rate between 0 and 1, at most so many.

    `play` gives the attempts that `predict` looks at, `boards` what plays other levels on a level's boards.
    """
    check_target(target)
    played = play([named])
    search = Search(model, named, target, play, wish, played, boards(named.level))
    ranking = figures_of(played).ranking

    def feel(of_level: PlaytestResult) -> Feel:
        return feel_of(of_level, ranking, named.level, seed, threads)

    predictions = [] if abs(search.now.rate - target) <= REACHED else search.run(most)
    reaching = [predicted for predicted in predictions if predicted.miss <= REACHED]
    chosen = _best_first(reaching)[:most]
    nearest = min(predictions, key=lambda predicted: predicted.miss, default=None)
    return Suggestions(
        named.level,
        target,
        search.now,
        feel(played),
        tuple(predicted.suggestion(feel) for predicted in chosen),
        None if chosen or nearest is None else nearest.suggestion(feel),
        search.tried,
    )


def _best_first(predictions: Iterable[Predicted]) -> list[Predicted]:
    """The least cost first: each change beside the limit once, and none that only adds to another."""
    best: dict[Core, Predicted] = {}
    for predicted in sorted(predictions, key=lambda one: one.cost):
        best.setdefault(predicted.candidate.core, predicted)
    return [one for one in best.values() if not one.candidate.adds_to(best)]
