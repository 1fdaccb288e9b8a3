"""Advice for designers about a level that is valid and yet may not play as meant."""

from functools import lru_cache

from levelsense.advice.advice import Advice, failing_deals, no_deal
from levelsense.advice.falling import FALLING_RULES
from levelsense.advice.goals import GOAL_RULES
from levelsense.advice.layout import Layout
from levelsense.advice.pieces import PIECE_RULES
from levelsense.advice.supply import Supply
from levelsense.level.level import Level

__all__ = ["Advice", "advise", "first_error"]

_ORDER = ("error", "warning", "note")
_RULES = (*GOAL_RULES, *FALLING_RULES, *PIECE_RULES)
DEALS = 20


def advise(level: Level, deals: int = DEALS) -> tuple[Advice, ...]:
    """The advice about a level, the most severe first.

    `deals` first boards are dealt to check that this works; 0 deals none and compiles no kernel.
    """
    supply = Supply(Layout(level))
    findings = [advice for rule in _RULES for advice in rule(supply)]
    findings += failing_deals(level, deals)
    return tuple(sorted(findings, key=lambda advice: _ORDER.index(advice.severity)))


@lru_cache(maxsize=4096)
def first_error(level: Level) -> Advice | None:
    """The first error that `advise` finds, the reason why the level cannot be won; None if there is none.

    It stops at the first board that can be dealt, so that it costs little to ask before a level is played.
    """
    supply = Supply(Layout(level))
    errors = (advice for rule in _RULES for advice in rule(supply) if advice.severity == "error")
    return next(errors, None) or no_deal(level, DEALS)
