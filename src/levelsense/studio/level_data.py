"""Levels, findings, predictions and explanations as plain data for the page."""

from typing import Any, Final

import numpy as np

from levelsense.advice.findings import Finding
from levelsense.level.elements import BLOCKERS, COUNTDOWN, ELEMENTS, SWIRL
from levelsense.level.level import Level
from levelsense.level.tokens import (
    COLORS,
    COLUMN_LETTERS,
    DROP_PIECES,
    INGREDIENTS,
    LETTERS,
    MAX_SIDE,
    MIN_SIDE,
    ORDERS,
    cell_name,
)
from levelsense.level.words import goal_words
from levelsense.playtest.limits import limit_of
from levelsense.playtest.statistics import HeatMap
from levelsense.report.board import CANDY

_OTHER_TOKENS: Final = {
    "*": "color bomb",
    "S": "licorice swirl",
    "C": "cherry",
    "H": "hazelnut",
}


def finding_data(finding: Finding) -> dict[str, Any]:
    """A finding of `check`."""
    return {
        "severity": finding.severity,
        "code": finding.code,
        "sentence": finding.sentence,
        "line": finding.line,
        "column": finding.column,
        "cells": list(finding.cells),
    }


def level_data(level: Level) -> dict[str, Any]:
    """What the page shows of a level beside its text."""
    limit, unit = limit_of(level)
    return {
        "title": level.name,
        "about": level.about,
        "rows": level.rows,
        "columns": level.columns,
        "limit": limit,
        "unit": unit,
        "goals": [
            {"name": name, "asked": asked, "words": goal_words(name, asked)}
            for name, asked in level.asked.items()
        ],
        "elements": elements_of(level),
        "exits": [cell_name(*divmod(index, level.columns)) for index in level.exit_cells],
        "digest": level.digest,
    }


def elements_of(level: Level) -> list[str]:
    """The elements that a level is drawn with, or that its drops bring in, to filter by."""
    dropped = {drop.piece for drop in level.all_drops}
    names = {
        *(cell.blocker for cell in level.cells if cell.blocker),
        *(cell.piece for cell in level.cells if cell.piece and cell.piece != "candy"),
        *(dropped - {"candy"}),
        *(("jelly",) if any(cell.jelly for cell in level.cells) else ()),
        *(("teleporters",) if level.teleporters else ()),
        *(("dispensers",) if level.dispensers else ()),
    }
    return sorted(names)


def heat_data(level: Level, heat: HeatMap) -> dict[str, Any]:
    """For each cell the share of lost attempts that left something there, by the cell's name."""
    shares = {
        cell_name(row, column): round(float(heat.shares[row, column]), 4)
        for row in range(level.rows)
        for column in range(level.columns)
        if np.isfinite(heat.shares[row, column]) and heat.shares[row, column] > 0
    }
    return {"kind": heat.kind, "lost": heat.lost, "shares": shares}


def vocabulary() -> dict[str, Any]:
    """The words of level files, with how each is drawn: what the editor's palette is made of."""
    return {
        "columns": COLUMN_LETTERS,
        "sides": [MIN_SIDE, MAX_SIDE],
        "colors": [
            {"name": color, "letter": letter, "fill": CANDY[color]} for letter, color in LETTERS.items()
        ],
        "color_names": list(COLORS),
        "marks": {"=": "striped row", "|": "striped column", "+": "wrapped", "~": "sugar", "@": "time"},
        "pieces": _OTHER_TOKENS,
        "ingredients": list(INGREDIENTS),
        "orders": list(ORDERS),
        "drops": list(DROP_PIECES),
        "elements": [
            {
                "name": element.name,
                "token": element.token,
                "tokens": list(element.tokens),
                "place": element.place,
                "layers": element.most_layers,
                "ink": element.look.ink,
                "ground": element.look.ground,
                "plural": element.several,
                "grows": element.grows,
            }
            for element in (*BLOCKERS, SWIRL)
        ],
        "countdown": COUNTDOWN.name,
        "element_names": [element.name for element in ELEMENTS],
    }
