"""Groups of players in words: how their style and their success differ from everyone's, and a name each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from scipy.stats import norm, t

from levelsense.agents.policy import inputs

if TYPE_CHECKING:
    from levelsense.learning.player_moves import Fares, PlayerMoves

Floats = NDArray[np.float64]

LEAST_EFFECT: Final = 0.35  # standard deviations among players: a smaller difference is not worth a word
LEAST_SURENESS: Final = 3.0  # standard errors: a difference known less surely is not told
MOST_SURENESS: Final = 30.0  # beyond it, a chance is too small for a number
MOST_WORDS: Final = 4  # phrases about a group's style
FARE: Final = "success"
EVENNESS: Final = "likely moves"


@dataclass(frozen=True)
class Style:
    """A way in which players differ, and how groups with more and with less of it are called and described.

    inputs  what of the inputs of moves adds to it; none for what is computed otherwise
    """

    key: str
    inputs: Mapping[int, float]
    more: tuple[str, str]
    less: tuple[str, str]


STYLES: Final = (
    Style(
        "goals",
        {inputs.GOALS_GAP: -1.0},
        ("goal hunters", "plays for the goals first"),
        ("wanderers", "often passes by what the goals ask for"),
    ),
    Style(
        "specials made",
        {inputs.MAKES_STRIPED: 1.0, inputs.MAKES_WRAPPED: 2.0, inputs.MAKES_BOMB: 3.0},
        ("special builders", "makes more special candies"),
        ("plain matchers", "makes fewer special candies"),
    ),
    Style(
        "specials set off",
        {inputs.SPECIALS: 1.0, inputs.BOMBS: 1.0, inputs.BOMB_CANDY: 1.0},
        ("special spenders", "sets specials off as soon as possible"),
        ("special savers", "keeps specials for later"),
    ),
    Style(
        "combinations",
        {
            inputs.BOMB_SPECIAL: 1.0,
            inputs.BOMB_BOMB: 1.0,
            inputs.STRIPED_STRIPED: 1.0,
            inputs.STRIPED_WRAPPED: 1.0,
            inputs.WRAPPED_WRAPPED: 1.0,
        },
        ("combiners", "combines specials more often"),
        ("single shooters", "combines specials less often"),
    ),
    Style(
        "near the last move",
        {inputs.WITHIN_2: 1.0},
        ("neighborhood players", "stays near the last move"),
        ("roamers", "moves about the whole board"),
    ),
    Style(
        "bottom",
        {inputs.FROM_TOP: 1.0},
        ("bottom players", "plays more at the bottom"),
        ("top players", "plays more at the top"),
    ),
    Style(
        "right",
        {inputs.COLUMN: 1.0},
        ("right-siders", "plays more on the right"),
        ("left-siders", "plays more on the left"),
    ),
    Style(
        "blockers",
        {inputs.ASKED_BLOCKER: 1.0, inputs.OVER_JELLY: 1.0, inputs.OTHER_BLOCKER: 1.0},
        ("blocker breakers", "strikes blockers more often"),
        ("blocker avoiders", "strikes blockers less often"),
    ),
    Style(
        "large matches",
        {inputs.PIECES_GAP: -1.0},
        ("big matchers", "takes the moves that clear most"),
        ("small matchers", "takes small matches where there are larger ones"),
    ),
    Style(
        EVENNESS,
        {},
        ("careful choosers", "seldom makes an odd move"),
        ("quick tappers", "plays almost anything"),
    ),
    Style(
        FARE,
        {},
        ("strong players", "succeeds more often"),
        ("struggling players", "succeeds less often"),
    ),
)


def player_styles(moves: "PlayerMoves", odds: Floats) -> Floats:
    """How much of each of STYLES each player has, beside the policy; `odds` are those of success."""
    columns = []
    for style in STYLES:
        if style.key == EVENNESS:
            columns.append(moves.evenness)
        elif style.key == FARE:
            columns.append(_fare(moves.fares, odds, len(moves.players)))
        else:
            columns.append(moves.residual[:, list(style.inputs)] @ np.array(list(style.inputs.values())))
    return np.stack(columns, 1)


def _fare(fares: "Fares", odds: Floats, players: int) -> Floats:
    """The log odds of success of each player beside all, by one step of Newton's method from 0."""
    expected = expit(odds[fares.level])
    gained = np.bincount(fares.player, fares.won - expected, players)
    return gained / (1.0 + np.bincount(fares.player, expected * (1.0 - expected), players))


def standardized(styles: Floats) -> Floats:
    """Styles in standard deviations from the mean player; 0 where all are alike."""
    spread = styles.std(0)
    return np.where(spread > 1e-9, (styles - styles.mean(0)) / np.maximum(spread, 1e-9), 0.0)


@dataclass(frozen=True)
class Differences:
    """How a group differs from everyone: effects of each of STYLES, and how sure each is, in its errors."""

    effect: Floats
    sureness: Floats

    @property
    def notable(self) -> list[int]:
        """The numbers of the styles that are worth a word, the largest effect first."""
        is_notable = (abs(self.effect) >= LEAST_EFFECT) & (abs(self.sureness) >= LEAST_SURENESS)
        return [int(k) for k in np.argsort(-abs(self.effect), kind="stable") if is_notable[k]]


def differences(styles: Floats, belongs: Floats) -> list[Differences]:
    """How the groups differ that players with these styles belong to."""
    scaled, totals = standardized(styles), np.maximum(belongs.sum(0), 1e-9)
    effects = (belongs / totals).T @ scaled
    # The spread within groups, of all groups together: that of a group of few would be too small by chance.
    within = sum(belongs[:, k] @ np.square(scaled - effect) for k, effect in enumerate(effects))
    freedom = max(1, len(scaled) - len(effects))
    spread = np.sqrt(np.maximum(within / freedom, 1e-3))
    players = totals**2 / np.maximum(np.square(belongs).sum(0), 1e-9)
    errors = effects * np.sqrt(players)[:, None] / spread
    # As many errors of a normal distribution as are as rare.
    sureness = np.sign(errors) * np.minimum(norm.isf(t.sf(abs(errors), freedom)), MOST_SURENESS)
    return [Differences(effect, sure) for effect, sure in zip(effects, sureness, strict=True)]


def group_words(difference: Differences) -> tuple[str, ...]:
    """Phrases about a group, success first and then the largest differences of style."""
    phrases = {k: _side(k, difference)[1] for k in difference.notable}
    fare = next(k for k, style in enumerate(STYLES) if style.key == FARE)
    first = [phrases.pop(fare)] if fare in phrases else []
    return (*first, *list(phrases.values())[:MOST_WORDS]) or ("plays as most do",)


def group_names(groups: Sequence[Differences]) -> list[str]:
    """A short name for each group, after its largest difference that names no other; all are different."""
    if len(groups) == 1:
        return ["all players"]
    pairs = [(k, style) for k, group in enumerate(groups) for style in group.notable]
    pairs.sort(key=lambda pair: (STYLES[pair[1]].key == FARE, -abs(groups[pair[0]].effect[pair[1]])))
    names: dict[int, str] = {}
    for k, style in pairs:
        name = _side(style, groups[k])[0]
        if k not in names and name not in names.values():
            names[k] = name
    rest = iter(["average players", *(f"average players {k}" for k in range(2, len(groups) + 1))])
    return [names[k] if k in names else next(rest) for k in range(len(groups))]


def _side(style: int, difference: Differences) -> tuple[str, str]:
    return STYLES[style].more if difference.effect[style] > 0 else STYLES[style].less
