"""A prediction in words for a designer: the verdict on a target, the reasons, the bands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl
from scipy.special import expit

from levelsense.agents.registry import agent_words
from levelsense.playtest.statistics import ENOUGH
from levelsense.playtest.words import number_words, percent
from levelsense.prediction.features import amount_words, is_number
from levelsense.prediction.model import DifficultyModel
from levelsense.prediction.model_file import Origin
from levelsense.prediction.table import agent_column

TOLERANCE: Final = 0.01  # a target so near to the 50 % band is met
TELLS_NOTHING: Final = 0.6  # the width of a 95 % band that says next to nothing


def verdict_words(target: float, band_50: tuple[float, float], band_95: tuple[float, float]) -> str:
    """The verdict on a target success rate, by a prediction's bands: `on target`, `probably harder` ..."""
    is_possible = band_95[0] <= target <= band_95[1]
    if is_possible and band_95[1] - band_95[0] > TELLS_NOTHING:
        return "cannot tell"
    if band_50[0] - TOLERANCE <= target <= band_50[1] + TOLERANCE:
        return "on target"
    side = "harder" if band_50[1] < target else "easier"
    return f"probably {side}" if is_possible else side


Row = Mapping[str, Any]  # of DifficultyModel.predict
MOST_ATTEMPTS: Final = 10_000  # per success; larger numbers are not told apart


def players_words(players: str, simulated: bool) -> str:
    """The players that success rates are of, with their name; simulated players are always called so."""
    people = people_word(simulated)
    return f"{people} ({players})" if players else people


def people_word(simulated: bool) -> str:
    """`players` or `simulated players`."""
    return "simulated players" if simulated else "players"


def band_words(row: Row, band: int) -> str:
    """A band in per cent: `12.0 - 45.0%`."""
    return f"{100 * row[f'low_{band}']:.1f} - {percent(row[f'high_{band}'])}"


def rank_words(row: Row) -> str:
    """Where a level stands among those of the fit: `71% of levels`, which are easier."""
    return f"{100 * row['harder_than']:.0f}% of levels"


def average_band_words(row: Row) -> str:
    """The 95 % band of the average population, of a model of several: `30.1 - 39.0%`."""
    return f"{100 * row['average_low_95']:.1f} - {percent(row['average_high_95'])}"


def is_of_unknown(row: Row) -> bool:
    """Whether bands are of a population that is not known."""
    return "average_low_95" in row


UNKNOWN_NOTE: Final = (
    "bands hold for players who are not known, who may be better or worse than the simulated ones; with "
    "results of 5 or more levels of your own `levelsense fit --prior default` narrows them"
)


def needed_words(row: Row) -> str:
    """Attempts per success with their 95 % band: `2.5 (1.8 - 4)`."""
    low, high = row["needed_low_95"], row["needed_high_95"]
    if low > MOST_ATTEMPTS:
        return attempts_words(low)
    return f"{attempts_words(row['needed'])} ({attempts_words(low)} - {attempts_words(high)})"


def attempts_words(number: float) -> str:
    """A number of attempts per success; it is infinite where the rate is 0."""
    if number > MOST_ATTEMPTS:
        return f"more than {MOST_ATTEMPTS:,}"
    return number_words(round(number, 1))


def model_words(origin: Origin) -> str:
    """What a model was fitted to: `40 levels, players (cohort A); agents random (400 attempts)`."""
    agents = ", ".join(
        f"{agent_words(agent)} ({number:,} attempts)" for agent, number in origin.attempts.items()
    )
    several = origin.players.count(";") + 1
    named = f"{several} populations" if several > 1 else origin.players
    players = players_words(named, origin.simulated)
    return f"{origin.levels:,} levels, {players}; agents {agents or 'none'}"


def against_target(row: Row, target: float) -> str:
    """The verdict on a target success rate by a row of predictions."""
    return verdict_words(target, (row["low_50"], row["high_50"]), (row["low_95"], row["high_95"]))


LEAST_DRIFT: Final = 0.1  # logits over the levels of a fit, for a drift to be mentioned
CLEAR_DRIFT: Final = 2.0  # standard errors


def drift_words(model: DifficultyModel) -> list[str]:
    """That players changed along the levels of a fit, in a sentence; none if that is not clear."""
    walk = model.mixed_.walk_
    if walk is None:
        return []
    change, error = model.mixed_.drift(float(walk.knots[0]))
    if abs(change) < max(LEAST_DRIFT, CLEAR_DRIFT * error):
        return []
    middle = float(np.median(model.rates_))
    before = float(expit(np.log(middle / (1 - middle)) - change)) if 0 < middle < 1 else middle
    people = people_word(model.origin_.simulated)
    return [
        f"{people} change along the saga: a level with a success rate of {percent(before)} for those at the "
        f"start would have {percent(middle)} for those at the end (players leave, or learn); predictions are "
        "of the players at a level's place, and bands widen with the levels ahead"
    ]


def cohort_offsets(model: DifficultyModel) -> dict[str, str]:
    """What each cohort of a fit adds to the logit of every level, in words, by the cohort's name in words."""
    return {
        f"cohort {name!r}" if name else "players without a cohort": f"{effect.offset:+.3f} logits at every "
        f"level, beside the average of the cohorts (standard error {effect.error:.3f})"
        for name, effect in model.cohorts_.items()
    }


def cohort_words(model: DifficultyModel) -> list[str]:
    """Which cohort the success rates of a model of several are of, in a sentence; none for another model."""
    if not model.cohorts_:
        return []
    names = ", ".join(map(repr, model.cohorts_))
    return [
        "success rates are of the average of its cohorts, weighted by their attempts; `predict --cohort` "
        f"asks for one of them: {names}"
    ]


MOST_FEATURES = 2
LEAST_POINTS = 0.01  # of success rate


@dataclass(frozen=True)
class Reason:
    """A difference between a level and the average level of the model, and its effect on the prediction.

    what       the difference, in words
    effect     what it adds to the logit
    points     what it adds to the predicted success rate
    by_agents  True for the agents' results, False for a feature's effect beyond them
    """

    what: str
    effect: float
    points: float
    by_agents: bool

    @property
    def words(self) -> str:
        """The reason in words: `3 points harder for licorice beside that`."""
        points = round(abs(100 * self.points))
        if self.by_agents and points == 0:
            return f"as hard as an average level, by {self.what}"
        much = f"{points} point{'' if points == 1 else 's'} {'easier' if self.points > 0 else 'harder'}"
        if self.by_agents:
            return f"{much} than an average level, by {self.what}"
        return f"{much} for {self.what} beside that"


def reasons(model: DifficultyModel, table: pl.DataFrame) -> list[list[Reason]]:
    """The main reasons of each level of a table: agents' results, then the features of largest effect.

    All columns of all agents make one reason: they are measures of the same thing. A feature's effect is that
    beyond the agents' results: a blocker that keeps agents from winning is in these already.
    """
    columns = model.columns_
    effects = model.scale_(model.known_range_.within(columns.values(table))) * model.mixed_.coef_[1:]
    logits = model.logits(table)
    of_agents, of_features = np.split(effects, [len(columns.agents) * columns.width], axis=1)
    values = table.select(columns.features).to_numpy() if columns.features else of_features
    reasons_by_level = []
    for row, logit in enumerate(logits.tolist()):
        by_feature = [
            _reason(_feature_words(name, float(values[row, k])), logit, of_features[row, k])
            for k, name in enumerate(columns.features)
        ]
        weighty = [reason for reason in by_feature if abs(reason.points) >= LEAST_POINTS]
        weighty.sort(key=lambda reason: -abs(reason.effect))
        by_playing = _reason(_agents_words(table, columns.agents, row), logit, of_agents[row].sum(), True)
        reasons_by_level.append([*([by_playing] if columns.agents else []), *weighty[:MOST_FEATURES]])
    return reasons_by_level


def _reason(what: str, logit: float, effect: float, by_agents: bool = False) -> Reason:
    return Reason(what, float(effect), float(expit(logit) - expit(logit - effect)), by_agents)


def _agents_words(table: pl.DataFrame, agents: Sequence[str], row: int) -> str:
    rates = ", ".join(f"{agent_words(agent)} {percent(success_rate(table, agent, row))}" for agent in agents)
    return f"what agents did (success {rates})"


def success_rate(table: pl.DataFrame, agent: str, row: int) -> float:
    """The share of its attempts at a level of a table that an agent won."""
    return float(table[agent_column(agent, "wins")][row] / table[agent_column(agent, "attempts")][row])


def playing_words(model: DifficultyModel, table: pl.DataFrame, row: int) -> list[str]:
    """What agents' attempts at a level of a table show beside its reasons: a sentence, or none."""
    agents = model.columns_.agents
    if agents and not any(success_rate(table, agent, row) for agent in agents):
        return ["no agent won a single attempt: can it be won at all?"]
    lacking = bottleneck_words(model, table, row)
    return [lacking] if lacking else []


def bottleneck_words(model: DifficultyModel, table: pl.DataFrame, row: int) -> str | None:
    """The goal most often unmet in lost attempts of the best agent with enough of them, in a sentence.

    None if no agent has enough lost attempts, or if the level has one goal only.
    """
    if not table["several goals"][row]:
        return None
    for agent in sorted(model.columns_.agents, key=lambda agent: -success_rate(table, agent, row)):
        wins, attempts = (int(table[agent_column(agent, part)][row]) for part in ("wins", "attempts"))
        if attempts - wins >= ENOUGH:
            goal = table[agent_column(agent, "bottleneck")][row]
            return f"{goal} is what {agent_words(agent)} lacks most in its {attempts - wins:,} lost attempts"
    return None


def unlike_words(model: DifficultyModel, table: pl.DataFrame) -> list[str | None]:
    """How each level of a table is unlike the levels of the fit, in a sentence; None where it is not."""
    values = model.columns_.values(table)
    sentences: list[str | None] = []
    for row, parts in enumerate(table["parts"].to_list()):
        unknown = [f"{part} (none of them has that)" for part in model.known_range_.unknown(parts)]
        far = model.known_range_.words(values[row], model.scale_, model.columns_)
        differences = "; ".join([*unknown, *far])
        sentences.append(
            f"unlike the {model.origin_.levels:,} levels of the model: {differences}. "
            "The band is wider for it, and may still be too narrow"
            if differences
            else None
        )
    return sentences


def _feature_words(name: str, value: float) -> str:
    """A feature in words: with its value if that is a number, else as there or not there."""
    if is_number(name):
        return amount_words(name, float(np.exp(value)) if name.endswith(" (log)") else value)
    if value:
        return name
    return {"several goals": "a single goal", "seconds for a limit": "moves for a limit"}.get(
        name, f"no {name}"
    )
