"""Advice for designers about a level that is valid and yet may not play as meant."""

from levelsense.advice.deals import failing_deals
from levelsense.advice.falling import FALLING_RULES
from levelsense.advice.goals import GOAL_RULES
from levelsense.advice.item import Advice
from levelsense.advice.layout import Layout
from levelsense.advice.pieces import PIECE_RULES
from levelsense.advice.supply import Supply
from levelsense.game.level import Level

__all__ = ["Advice", "advise"]

_ORDER = ("error", "warning", "note")


def advise(level: Level, deals: int = 20) -> tuple[Advice, ...]:
    """What a designer should know of the level, the worst first.

    So many first boards are dealt to see whether that works; 0 deals none and compiles no kernel.
    """
    supply = Supply(Layout(level))
    found = [advice for rule in (*GOAL_RULES, *FALLING_RULES, *PIECE_RULES) for advice in rule(supply)]
    found += failing_deals(level, deals)
    return tuple(sorted(found, key=lambda advice: _ORDER.index(advice.severity)))
