"""What the page shows beside the verdict: success by limit, how a level feels, which cells are struck."""

from collections.abc import Callable
from math import exp, log
from typing import Any, Final

import numpy as np

from levelsense import defaults
from levelsense.agents.registry import agent_words, parse_agent
from levelsense.errors import StoppedError
from levelsense.game.game import Game
from levelsense.learning.personas import persona_agents
from levelsense.level.level import Level
from levelsense.level.tokens import cell_name
from levelsense.playtest import NamedLevel
from levelsense.playtest.attempts import Attempts
from levelsense.playtest.estimate import Estimate
from levelsense.playtest.figures import REPEATS, play_for_luck, play_seeds
from levelsense.playtest.limits import is_won_within, limit_of, longest_limit, past_limit
from levelsense.playtest.plan import attempt_seeds
from levelsense.playtest.skill_and_luck import luck
from levelsense.playtest.statistics import level_statistics
from levelsense.prediction.levels import LevelPrediction
from levelsense.studio.context import Studio
from levelsense.studio.runs import Ticket

LONGEST: Final = 2.0  # limits of the curve, as a share of the present one
CURVE_ATTEMPTS: Final = 300
PERSONA_ATTEMPTS: Final = 150
STRUCK_ATTEMPTS: Final = 16
STAR_QUANTILES: Final = (0.1, 0.25, 0.5, 0.75, 0.9)


def limits_work(
    studio: Studio, named: NamedLevel, prediction: LevelPrediction
) -> Callable[[], dict[str, Any]]:
    """The success rate to expect by limit: the curve of an agent that plays as players do, from one batch of
    attempts with twice the limit, moved in log odds to what is predicted for the present limit.

    A longer limit never wins less of the same attempts, so that the curve never falls. `tune` predicts each
    limit by itself; this is what the designer sees while dragging.
    """

    def compute() -> dict[str, Any]:
        level, agent = named.level, parse_agent(defaults.EXPLAINED_AGENT)
        present, unit = limit_of(level)
        longest = min(max(int(LONGEST * present), int(present) + 5), longest_limit(level))
        seeds = attempt_seeds(level.digest, agent.spec, 0, 0, CURVE_ATTEMPTS)
        attempts = play_seeds(agent, past_limit(level, longest), seeds, studio.threads)
        step = max(1, longest // 60)
        limits = sorted({*range(step, longest + 1, step), *([int(present)] if present >= 1 else [])})
        shares = [_softened(int(is_won_within(attempts, limit).sum()), len(attempts)) for limit in limits]
        shift = _odds(prediction.rate) - _odds(
            _softened(int(is_won_within(attempts, present).sum()), len(attempts))
        )
        rates = [_chance(_odds(share) + shift) for share in shares]
        return {
            "present": present,
            "unit": unit,
            "limits": limits,
            "rates": rates,
            "attempts": len(attempts),
            "agent": agent.family.name,
        }

    return compute


def _softened(wins: int, attempts: int) -> float:
    """A share that is neither 0 nor 1, whose log odds are finite."""
    return (wins + 0.5) / (attempts + 1)


def _odds(rate: float) -> float:
    inside = min(max(rate, 1e-6), 1 - 1e-6)
    return log(inside / (1 - inside))


def _chance(odds: float) -> float:
    return 1 / (1 + exp(-odds))


def feel_work(
    studio: Studio, named: NamedLevel, prediction: LevelPrediction, ticket: Ticket
) -> Callable[[], dict[str, Any]]:
    """How a level feels: near misses, bottleneck, skill, luck, scores, stars, and groups of players."""

    def compute() -> dict[str, Any]:
        agent = parse_agent(defaults.EXPLAINED_AGENT)
        tested = studio.lab.playtest(
            named, [agent], defaults.EXPLAINED_ATTEMPTS, threads=studio.threads, stop=ticket.stop
        )
        if tested.interrupted:
            raise StoppedError
        attempts = tested.pairs[0].played
        figures = level_statistics(attempts)
        shared = luck(play_for_luck(agent, named.level, len(attempts), 0, studio.threads), REPEATS).share
        rates = prediction.agents
        best, worst = max(rates, key=rates.__getitem__), min(rates, key=rates.__getitem__)
        return {
            "agent": agent.family.name,
            "attempts": len(attempts),
            "near_misses": _estimate(figures.near_misses),
            "bottleneck": prediction.bottleneck,
            "skill": {
                "value": rates[best] - rates[worst],
                "best": agent_words(best),
                "worst": agent_words(worst),
            },
            "luck": _estimate(shared),
            "scores": scores_data(attempts),
            "stars": None
            if figures.stars is None
            else {
                "suggested": list(figures.stars.scores),
                "reached": figures.stars.reached,
                "now": figures.stars.now,
            },
            "personas": _personas(studio, named, ticket),
        }

    return compute


def _estimate(estimate: Estimate | None) -> dict[str, float | None] | None:
    if estimate is None or estimate.value is None:
        return None
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}


def scores_data(attempts: Attempts) -> dict[str, Any] | None:
    """Quantiles of the scores of won attempts; None without any."""
    scores = attempts.score[attempts.won]
    if not len(scores):
        return None
    quantiles = np.quantile(scores, STAR_QUANTILES)
    return {
        "won": len(scores),
        "quantiles": dict(zip(map(str, STAR_QUANTILES), map(int, quantiles), strict=True)),
    }


def _personas(studio: Studio, named: NamedLevel, ticket: Ticket) -> list[dict[str, Any]]:
    """How often each group of simulated players that the shipped policy knows succeeds."""
    agents = persona_agents(defaults.POLICY)
    tested = studio.lab.playtest(
        named, list(agents.values()), PERSONA_ATTEMPTS, threads=studio.threads, stop=ticket.stop
    )
    if tested.interrupted:
        raise StoppedError
    names = {parse_agent(spec).spec: name for name, spec in agents.items()}
    return [
        {"name": names[pair.agent], "rate": pair.success_rate, "interval": pair.interval}
        for pair in tested.pairs
        if pair.success_rate is not None
    ]


def struck_work(named: NamedLevel, ticket: Ticket) -> Callable[[], dict[str, Any]]:
    """How often each cell is struck in a move, and the cells that attempts leave alone."""

    def compute() -> dict[str, Any]:
        level, agent = named.level, parse_agent(defaults.EXPLAINED_AGENT)
        struck, moves = np.zeros(level.rows * level.columns), 0
        for number in range(STRUCK_ATTEMPTS):
            if ticket.stop.is_set():
                raise StoppedError
            game = Game(level, seed=number)
            while game.status == "playing":
                turn = game.play(agent.choose(game, 1_000 * number + game.moves_made))
                moves += 1
                for round_ in turn.rounds:
                    struck[list(round_.cleared)] += 1
        shares = {name: struck[index] / max(moves, 1) for index, name in _tiles(level)}
        return {
            "attempts": STRUCK_ATTEMPTS,
            "moves": moves,
            "struck": {name: round(float(share), 4) for name, share in shares.items()},
        }

    return compute


def _tiles(level: Level) -> list[tuple[int, str]]:
    return [
        (index, cell_name(*divmod(index, level.columns)))
        for index, cell in enumerate(level.cells)
        if cell.tile
    ]
