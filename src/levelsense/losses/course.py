"""Findings about how lost attempts went: what ended them, how far goals came, when it was decided."""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from levelsense.game.state import COUNTDOWN, STRIDE, States
from levelsense.level.elements import BLOCKER
from levelsense.level.level import Level
from levelsense.level.tokens import INGREDIENTS, cell_name
from levelsense.level.words import plural
from levelsense.losses.evidence import LEAST_LOST, Evidence, Finding, goal_weights, progress, share_words
from levelsense.losses.places import orbits, place_words
from levelsense.playtest.limits import limit_of
from levelsense.playtest.statistics import is_near_miss
from levelsense.playtest.words import counted, limit_words

LEAST_ENDED: Final = 0.30  # of lost attempts, that end by a bomb or without a move
LEAST_WEIGHT: Final = 0.05  # of a goal: a share of losses times a share that is missing
NEAR: Final = 0.25  # of lost attempts, that are near misses
MANY_MORE: Final = 0.05  # success rate that a longer limit adds
MANY_SAVED: Final = 0.30  # of the losses, that a longer limit turns into wins
AHEAD: Final = 0.75  # of pairs, in which the won attempt is ahead of the lost one
STILL_AHEAD: Final = 0.70
DONE_BY: Final = 0.90  # of what a lost attempt gets done
STALLED: Final = 0.70  # of the turns, by which it is done
LEAST_STEPS: Final = 8  # that goals ask for; fewer come in jumps
EARLY, LATE = 1 / 3, 3 / 4  # of the turns


def ending_findings(evidence: Evidence) -> Iterator[Finding]:
    """Attempts that a bomb ended, or that no move was left in."""
    reasons = evidence.attempts.frame["reason"].to_numpy()[~evidence.attempts.won]
    moves = evidence.attempts.moves_made[~evidence.attempts.won]
    limit = f"{limit_words(evidence.level)} are allowed"
    for reason, words in (
        ("bomb", "A countdown bomb ends {share} of lost attempts, in the median after move {move} ({limit})"),
        (
            "no move possible",
            "{share} of lost attempts end because no move is left, even after a shuffle, "
            "in the median after move {move} ({limit})",
        ),
    ):
        ended = reasons == reason
        share = float(ended.mean())
        if share >= LEAST_ENDED:
            move = int(np.median(moves[ended]))
            sentence = words.format(share=share_words(share), move=move, limit=limit)
            where, cells = _bomb_words(evidence) if reason == "bomb" else ("", ())
            figures = {"share": share, "move": move, "lost": evidence.lost_count}
            yield Finding(
                "bomb" if reason == "bomb" else "no move", f"{sentence}{where}.", share, figures, cells
            )


def _bomb_words(evidence: Evidence) -> tuple[str, tuple[str, ...]]:
    """Where bombs went off, and which were there from the start."""
    level = evidence.level
    drawn = [index for index, cell in enumerate(level.cells) if cell.piece == "countdown"]
    words = ""
    if drawn:
        least = min(level.cells[cell].timer for cell in drawn)
        shortest = [cell for cell in drawn if level.cells[cell].timer == least]
        words = f"; the shortest of those drawn {'are' if len(shortest) > 1 else 'is'} at "
        words += f"{place_words(level, shortest)}, with {counted(least, 'moves')}"
    timers = sorted({drop.timer for drop in level.all_drops if drop.timer is not None})
    if timers:
        words += f"; those that drop in have {counted(timers[0], 'moves')}"
        words += f" to {timers[-1]}" if len(timers) > 1 else ""
    places = _explosions(level, evidence.lost)
    hot = [group for group in orbits(level, places) if _share_of(places, group) >= 0.5]
    if hot and len(places) >= LEAST_LOST:
        words += f"; {share_words(_share_of(places, hot[0]))} go off at {place_words(level, hot[0], 'or')}"
    return words, tuple(cell_name(*divmod(cell, level.columns)) for cell in drawn)


def _explosions(level: Level, followed: tuple[States, ...]) -> list[int]:
    """The cells where a bomb went off, one for each attempt that one ended."""
    places = []
    for states in followed:
        end = states[-1]
        at = np.nonzero((end["piece"] == COUNTDOWN) & (end["timer"] == 0))[0]
        if len(at):
            row, column = divmod(int(at[0]), STRIDE)
            places.append(row * level.columns + column)
    return places


def _share_of(places: list[int], group: tuple[int, ...]) -> float:
    return sum(place in group for place in places) / len(places)


def goal_findings(evidence: Evidence) -> Iterator[Finding]:
    """Goals that lost attempts are far from, with what they would take at the same pace."""
    attempts, level = evidence.attempts, evidence.level
    lost = ~attempts.won
    shares, counts = attempts.goal_shares[lost], attempts.goal_counts[lost]
    weights = goal_weights(attempts)
    moves = float(np.median(attempts.moves_made[lost]))
    for k, (name, asked) in enumerate(level.asked.items()):
        behind = shares[:, k] < 1
        if not behind.any():
            continue
        done = float(np.median(counts[behind, k]))
        # Where things are stuck is more to act on than how many are.
        has_place = name == "jelly" or name in BLOCKER or name in INGREDIENTS
        weight = weights[name] * (1 - done / asked) / (2 if has_place else 1)
        if weight < LEAST_WEIGHT:
            continue
        unmet = float(behind.mean())
        sentence = (
            f"{_lacking_words(evidence, name, asked, unmet, done)} in the median"
            f"{_pace_words(level, done, asked, moves)}."
        )
        figures = {"unmet": unmet, "done": done, "asked": asked, "lost": evidence.lost_count}
        yield Finding("goal", sentence, weight, figures)


def _lacking_words(evidence: Evidence, name: str, asked: int, unmet: float, done: float) -> str:
    if len(evidence.level.asked) == 1:
        return f"Lost attempts reach {done:,.0f} of {asked:,} {plural(name)}"
    return f"{share_words(unmet)} of lost attempts lack {plural(name)}: they reach {done:,.0f} of {asked:,}"


def _pace_words(level: Level, done: float, asked: int, moves: float) -> str:
    """How much more of the limit a goal would take at the pace of lost attempts."""
    limit, unit = limit_of(level)
    if done <= 0:
        return ": most do not even begin"
    spent = moves if unit == "moves" else limit
    needed = spent * asked / done
    return f"; at that pace it takes {needed:.0f} {unit}, and there are {limit:g}" if needed > limit else ""


def near_findings(evidence: Evidence) -> Iterator[Finding]:
    """How near the losses were, and what a few more moves or seconds bring."""
    near = float(is_near_miss(evidence.attempts)[~evidence.attempts.won].mean())
    if near >= NEAR:
        yield Finding(
            "near",
            f"{share_words(near)} of lost attempts were near misses: at most 10% was left of each goal.",
            near * 0.5,
            {"share": near, "lost": evidence.lost_count},
        )
    longer, level = evidence.longer, evidence.level
    if longer is None:
        return
    now, limit = evidence.attempts.wins / len(evidence.attempts), limit_of(level)
    more = counted(longer.limit - limit[0], limit[1])
    gain = longer.rate - now
    figures = {"limit": longer.limit, "rate": longer.rate, "now": now, "attempts": longer.attempts}
    rates = (
        f"{evidence.name} wins {share_words(longer.rate)} of {longer.attempts:,} attempts, "
        f"now {share_words(now)}"
    )
    if gain >= MANY_MORE or gain >= MANY_SAVED * (1 - now):
        yield Finding("limit", f"A longer limit helps: with {more} more {rates}.", gain, figures)
    else:
        yield Finding("limit", f"A longer limit hardly helps: with {more} more {rates}.", 0.0, figures)


def decided_findings(evidence: Evidence) -> Iterator[Finding]:
    """The turn after which won attempts are ahead of lost ones; or from when on lost ones stand still."""
    if len(evidence.lost) < LEAST_LOST:
        return
    parted = _parted(evidence) if len(evidence.won) >= LEAST_LOST else None
    finding = parted or _stalled(evidence)
    if finding is not None:
        yield finding


def _parted(evidence: Evidence) -> Finding | None:
    """The turn after which won attempts are ahead of lost ones."""
    longest = max(len(states) for states in (*evidence.lost, *evidence.won)) - 1
    won, lost = (
        _progress_by_turn(evidence.level, followed, longest) for followed in (evidence.won, evidence.lost)
    )
    ahead = np.array([share_ahead(won[:, turn], lost[:, turn]) for turn in range(longest + 1)])
    turn = decisive_turn(ahead)
    if turn is None:
        return None
    when = "early" if turn <= EARLY * longest else "late" if turn >= LATE * longest else "on the way"
    sentence = (
        f"It is decided {when}, by move {turn} of {longest}: from then on the won attempt is ahead in "
        f"{share_words(float(ahead[turn]))} of pairs of a won and a lost one, with "
        f"{np.median(won[:, turn]):.0%} of the goals done against {np.median(lost[:, turn]):.0%} "
        f"({len(won)} won, {len(lost)} lost)."
    )
    figures = {"move": turn, "ahead": float(ahead[turn]), "lost": len(lost), "won": len(won)}
    return Finding("decided", sentence, 0.0, figures)


def _progress_by_turn(level: Level, followed: tuple[States, ...], longest: int) -> NDArray[np.float64]:
    """How far each attempt was after each turn up to the longest; one that is over stays where it ended."""
    courses = [progress(level, states) for states in followed]
    return np.array([np.pad(course, (0, longest + 1 - len(course)), mode="edge") for course in courses])


def share_ahead(won: NDArray[np.float64], lost: NDArray[np.float64]) -> float:
    """The share of pairs of a won and a lost attempt in which the won one is ahead; equals count a half."""
    above = (won[:, None] > lost[None, :]).mean()
    equal = (won[:, None] == lost[None, :]).mean()
    return float(above + equal / 2)


def decisive_turn(ahead: NDArray[np.float64]) -> int | None:
    """The first turn from which on won attempts stay ahead; None if there is none before the last."""
    for turn in range(1, len(ahead) - 1):
        if ahead[turn] >= AHEAD and (ahead[turn:] >= STILL_AHEAD).all():
            return turn
    return None


def _stalled(evidence: Evidence) -> Finding | None:
    """That lost attempts stand still from some turn on; None where goals are too small to tell."""
    level = evidence.level
    if sum(asked for name, asked in level.asked.items() if name != "score") < LEAST_STEPS:
        return None
    courses = [progress(level, states) for states in evidence.lost]
    if np.median([course[-1] for course in courses]) <= 0:
        return None
    turn = int(np.median([np.argmax(course >= DONE_BY * course[-1]) for course in courses]))
    last = int(np.median([len(course) - 1 for course in courses]))
    if turn > STALLED * last:
        return None
    sentence = (
        f"Lost attempts stand still from move {turn} of {last} on: in the median, 90% of what they get "
        f"done is done by then ({len(courses)} attempts)."
    )
    return Finding("decided", sentence, 0.0, {"move": turn, "of": last, "lost": len(courses)})
