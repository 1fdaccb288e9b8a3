"""What the thesis publishes, figure by figure, and where its two editions differ."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class PublishedLevel:
    """A row of table 4.1, with the number of colors from table 3.1; the state space is 10 to a power."""

    number: int
    actions: float
    depth: int
    power: float
    success: float
    colors: int


LEVELS: Final = {
    "thesis-013": PublishedLevel(13, 8.93, 21, 182, 0.020, 6),
    "thesis-077": PublishedLevel(77, 13.94, 25, 103, 0.002, 4),
    "thesis-100": PublishedLevel(100, 5.20, 20, 71, 0.000, 6),
}
ATTEMPTS: Final = 10_000  # of table 4.1
# Figures 4.1 and 4.2: simulations won of 100, and visits and wins of the chosen action.
TREES: Final = {0.6: (31, 21, 10), 0.1: (33, 70, 28)}
TIMED_WINS, TIMED_ATTEMPTS = 108, 200  # figure 4.4: level 13, binary signal, random playouts
SECONDS_A_SIMULATION: Final = 0.15

Delta = tuple[float, float]  # mean and standard deviation over levels
# Table 4.4: success rates of bots less those of people, on 48 levels from 50 to 100.
EARLY: Final[dict[str, Delta]] = {
    "heuristic": (0.0746, 0.135),
    "mcts-b1": (0.194, 0.166),
    "mcts-b2": (0.301, 0.162),
    "mcts-b3": (0.429, 0.190),
}
# Table 4.6: the same on 50 levels from 1100 to 1180, and adjusted by equation 3.6.
LATE: Final[dict[str, Delta]] = {
    "testers": (0.0663, 0.166),
    "heuristic": (-0.154, 0.107),
    "mcts-b2": (-0.0312, 0.116),
    "mcts-b4": (-0.0129, 0.0997),
}
LATE_ADJUSTED: Final[dict[str, Delta]] = {
    "testers": (0.245, 0.718),
    "heuristic": (-0.406, 0.182),
    "mcts-b2": (-0.105, 0.278),
    "mcts-b4": (-0.041, 0.247),
}

EDITIONS: Final = (
    "**All figures are the same in both**: every table and every number in a caption. The first edition, "
    "*Predicting Human Success Rate in Candy Crush Saga using Monte-Carlo Tree Search*, is cited here by its "
    "numbers of figures. The second moves search trees, times, tests 1 to 5 and 7, adjusted deltas and "
    "distributions to its appendix and numbers them anew (4.1 and 4.2 became A.1 and A.2, 4.4 became A.4, "
    "4.11 became 4.2, 4.13 to 4.14 became 4.3 to 4.4, 4.16 to 4.17 became 4.5 to 4.6).",
    "**TO-MAST**: the first edition says that the table was updated with the moves made in the playout, too; "
    "the second leaves that out, and moves of the tree alone are what the name means. Ours is the second's.",
    "**Expansion**: in the first edition a new action is chosen by UCB, in the second an action is just "
    "expanded. UCB has no value for what was never tried, so that both come to the same: ours draws one.",
    "**Who plays**: the second edition chose its levels with the player base in mind, which is immature at "
    "levels 50 to 100 and mature at 1100 to 1180, since weak players leave and others learn. In the first, "
    "that is a hypothesis of the discussion, beside another: that scores at early levels go along with wins "
    "more than at later ones. Both are tested below.",
    "**The heuristic** was, by the first edition, made for early levels; by the second it just played badly "
    "at the later ones.",
    "**Counting**: levels 50 to 100 without two are 49, and both editions have 48. The list of levels of "
    "phase 4 has 51 entries, and the text 50.",
    "**Shrinking** is False in the tables of all bots, and 0.5 in the text of section 4.2 of both editions.",
)
