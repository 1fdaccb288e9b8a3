"""Why a level is predicted to be as hard as it is: what each column adds to the logit of an average level."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from levelsense.prediction.difficulty import DifficultyModel
from levelsense.prediction.table import agent_column

MOST_REASONS = 3
LEAST_EFFECT = 0.1  # logits


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
    """The main reasons of each level of a table, the weightiest first.

    What all columns of an agent add is one reason: they are measures of the same attempts.
    """
    columns = model.columns_
    effects = model.scale_(columns.values(table)) * model.mixed_.coef_[1:]
    of_agents = [
        effects[:, number * columns.width : (number + 1) * columns.width].sum(axis=1)
        for number in range(len(columns.agents))
    ]
    of_features = effects[:, len(columns.agents) * columns.width :]
    values = table.select(columns.features).to_numpy() if columns.features else np.zeros((table.height, 0))
    found = []
    for row in range(table.height):
        own = [
            Reason(_agent_words(table, agent, row), float(effect[row]))
            for agent, effect in zip(columns.agents, of_agents, strict=True)
        ]
        own += [
            Reason(_feature_words(name, float(values[row, k])), float(of_features[row, k]))
            for k, name in enumerate(columns.features)
        ]
        weighty = [reason for reason in own if abs(reason.effect) >= LEAST_EFFECT]
        found.append(sorted(weighty, key=lambda reason: -abs(reason.effect))[:MOST_REASONS])
    return found


def _agent_words(table: pl.DataFrame, agent: str, row: int) -> str:
    wins, attempts = (table[agent_column(agent, part)][row] for part in ("wins", "attempts"))
    return f"{agent} succeeds in {wins / attempts:.0%}"


def bottleneck_words(model: DifficultyModel, table: pl.DataFrame, row: int) -> str | None:
    """What stood in the way most often when agents lost, by the best of them; None if none lost."""
    ranked = sorted(model.columns_.agents, key=lambda agent: -int(table[agent_column(agent, "wins")][row]))
    for agent in ranked:
        goal = table[agent_column(agent, "bottleneck")][row]
        if goal is not None:
            return f"{goal} is what {agent} lacks most when it loses"
    return None


def _feature_words(name: str, value: float) -> str:
    """A feature in words: a share or a number is told, a yes or no is said."""
    if name.endswith(" (log)"):
        return f"{np.exp(value):.0f} {name.removesuffix(' (log)')}"
    if name == "colors":
        return f"{value:.0f} colors"
    return name if value else f"no {name}"
