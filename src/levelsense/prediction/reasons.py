"""Why a level is predicted to be as hard as it is: what each column adds to the logit of an average level."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from levelsense.prediction.difficulty import DifficultyModel
from levelsense.prediction.table import agent_column

MOST_FEATURES = 2
LEAST_EFFECT = 0.05  # logits


@dataclass(frozen=True)
class Reason:
    """Something that makes a level easier (effect > 0, in logits) or harder than the average one."""

    what: str
    effect: float

    @property
    def words(self) -> str:
        """As a designer reads it."""
        return f"{self.what} ({'easier' if self.effect > 0 else 'harder'} by {abs(self.effect):.1f})"


def reasons(model: DifficultyModel, table: pl.DataFrame) -> list[list[Reason]]:
    """The main reasons of each level of a table: what agents made of it, then its weightiest features.

    What all columns of all agents add is one reason: they are measures of the same thing.
    """
    columns = model.columns_
    effects = model.scale_(columns.values(table)) * model.mixed_.coef_[1:]
    of_agents, of_features = np.split(effects, [len(columns.agents) * columns.width], axis=1)
    values = table.select(columns.features).to_numpy() if columns.features else of_features
    found = []
    for row in range(table.height):
        own = [
            Reason(_feature_words(name, float(values[row, k])), float(of_features[row, k]))
            for k, name in enumerate(columns.features)
        ]
        weighty = [reason for reason in own if abs(reason.effect) >= LEAST_EFFECT]
        weighty.sort(key=lambda reason: -abs(reason.effect))
        played = Reason(_agents_words(table, columns.agents, row), float(of_agents[row].sum()))
        found.append([*([played] if columns.agents else []), *weighty[:MOST_FEATURES]])
    return found


def _agents_words(table: pl.DataFrame, agents: Sequence[str], row: int) -> str:
    rates = (f"{agent} {_rate(table, agent, row):.0%}" for agent in agents)
    return f"agents succeed: {', '.join(rates)}"


def _rate(table: pl.DataFrame, agent: str, row: int) -> float:
    return float(table[agent_column(agent, "wins")][row] / table[agent_column(agent, "attempts")][row])


def bottleneck_words(model: DifficultyModel, table: pl.DataFrame, row: int) -> str | None:
    """What stood in the way most often when agents lost, by the best of them; None if none lost."""
    ranked = sorted(model.columns_.agents, key=lambda agent: -_rate(table, agent, row))
    for agent in ranked:
        goal = table[agent_column(agent, "bottleneck")][row]
        if goal is not None:
            return f"{goal} is what {agent} lacks most when it loses"
    return None


def unlike_words(model: DifficultyModel, table: pl.DataFrame) -> list[str | None]:
    """How each level of a table is unlike the levels of the fit, in a sentence; None where it is not."""
    values = model.columns_.values(table)
    found: list[str | None] = []
    for row, parts in enumerate(table["parts"].to_list()):
        unknown = [f"{part} (none of them has that)" for part in model.seen_.unknown(parts)]
        far = model.seen_.words(values[row], model.scale_, model.columns_)
        told = "; ".join([*unknown, *far])
        found.append(
            f"unlike the {model.origin_.levels:,} levels of the model: {told}. "
            "The band is wider for it, and may still be too narrow"
            if told
            else None
        )
    return found


def _feature_words(name: str, value: float) -> str:
    """A feature in words: a share or a number is told, a yes or no is said."""
    if name.endswith(" (log)"):
        return f"{np.exp(value):.0f} {name.removesuffix(' (log)')}"
    if name == "colors":
        return f"{value:.0f} colors"
    return name if value else f"no {name}"
