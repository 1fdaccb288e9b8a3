"""What the Lab does about changes of a level: suggests them, and compares versions."""

from collections.abc import Sequence

from levelsense.edits.cells import parse_cells
from levelsense.edits.edit import Wish, parse_kinds
from levelsense.errors import PredictionError
from levelsense.lab.run import Run, Sinks
from levelsense.level.level import Level
from levelsense.playtest import NamedLevel, PlaytestResult
from levelsense.playtest.plan import check_whole
from levelsense.prediction.model import DifficultyModel
from levelsense.prediction.paired import SameBoards
from levelsense.prediction.suggest import suggest_edits
from levelsense.prediction.suggestions import Suggestions

MOST_SUGGESTIONS = 20


def suggest(
    run: Run,
    model: DifficultyModel,
    named: NamedLevel,
    target: float,
    asked: tuple[Sequence[str], str, int],
    sinks: Sinks,
) -> Suggestions:
    """The smallest changes of a level that reach a target; `asked` is what is allowed, kept, and how many."""
    allow, keep, most = asked
    check_whole("`most`", most, 1, MOST_SUGGESTIONS)
    wish = Wish(parse_kinds(allow), parse_cells(keep, named.level))
    agents = _agents_of(model)

    def play(levels: Sequence[NamedLevel]) -> PlaytestResult:
        return run.attempts(levels, agents, sinks)

    def boards(level: Level) -> SameBoards:
        return SameBoards(level, list(agents), run.seed, run.threads, run.stop)

    return suggest_edits(model, named, target, play, wish, most, boards, run.seed, run.threads)


def _agents_of(model: DifficultyModel) -> dict[str, int]:
    """How many attempts each agent of a model has; PredictionError if it has none, for nobody would play."""
    if not model.origin_.attempts:
        raise PredictionError(
            "the model has no agents, so that no change can be tried; expected one with agents"
        )
    return dict(model.origin_.attempts)
