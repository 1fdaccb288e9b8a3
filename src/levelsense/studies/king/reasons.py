"""Why a figure about moves is not the published one, as far as the run's own figures tell."""

from collections.abc import Mapping
from typing import Final

from levelsense.studies.king.training import MoveScores, Trained

BLIND: Final = 0.01  # a spread of logits over positions, in nats, below which a network looks at none
SOONER: Final = 0.05  # nats by which one network knows legal swaps better than another
BY_HEART: Final = 0.05  # nats by which a loss on the way is below that at validation positions
# How the recipe of networks was found before the run.
TRIED: Final = (
    "How networks are trained was fixed before the full run, by hand, on positions of 300 levels of"
    " another saga (seed 7). Legal swaps are learned best alone and from random attempts, which cost next"
    " to nothing; where the move made was part of the target from the start, the loss stayed at 3.2 nats,"
    " where about 2 is the least. By Muon they are learned in fewer positions than by Adam: 100,000 of"
    " them, seen once, brought the first network to 2.30 nats in place of 2.37, where 1.98 is the least."
    " By 60,000 the deep network came to 2.29, `conv12-relu-gap` to 2.41 and `conv12-relu-fc` to 2.62. But"
    " in a first try of the full run, with 490,000, Muon let weights grow until the deep network's were no"
    " numbers, and `conv12-relu-fc` told hardly any legal swap: these two learn them by Adam. When moves"
    " followed by the loss over legal swaps alone, networks ended **blind**: each swap had the same logit"
    " on every board. By the loss over all 144 swaps, which the paper seems to have, with a fifth of the"
    " target on all legal swaps and a rate of 0.0008, a network goes on looking at the board. With 70,900"
    " positions of search, seen twice, it told 18.8 % of the moves that were held out, and 19.7 % if it"
    " saw each position with its colors in another order and every other time mirrored left to right,"
    " which is done here; random choice tells 15.5 %. What else was tried changed less: a third time, Muon"
    " at a rate of 0.003, half of the target on all legal swaps, a tenfold and a fortyfold rate for the"
    " output layer (19.3 to 19.8 %). A full run before, with less than half of the training, is the reason"
    " for the length of today's: there, the first network told 2.7 points more of search's moves than"
    " random choice, and 1.5 points more of players'."
)


def is_blind(spread: float) -> bool:
    """Whether a network gives all positions the same logits, by how much these differ between them."""
    return spread < BLIND


def is_undertrained(network: MoveScores, policy: MoveScores) -> bool:
    """Whether the policy, which was trained on the same moves, clearly tells more: there was more in them."""
    return policy.gain(network)[1] > 0


def why_less(
    network: MoveScores,
    policy: MoveScores,
    anything: MoveScores,
    possible: float,
    published: float,
    spread: float,
) -> str:
    """Why a network is not as far above random choice as the published one.

    possible   how far who made the moves would be above it, as a share
    published  how far the published network is, in points
    spread     of the network's logits
    """
    words = []
    if 100 * possible < published:
        words.append(f"nobody could, the ceiling is {100 * possible:.1f} points above it")
    above, low, high = network.more(anything)
    if low > 0:
        words.append(f"{100 * above / possible:.0f} % of what can be told is told")
    else:
        words.append("not clearly above it" if high >= 0 else "the network is below it")
    if is_blind(spread):
        words.append("it has stopped looking at the board, see below")
    else:
        more = "more" if is_undertrained(network, policy) else "no more"
        words.append(f"our policy learned {more} from the same moves, see below")
    return "; ".join(words)


def why_not_ahead(
    more: tuple[float, float, float], levels: int, legal: tuple[float, float], spread: float
) -> str:
    """Why the chosen network does not clearly tell more moves than another one.

    legal   the losses at legal swaps that both started out with, the chosen one's first
    spread  of the chosen network's logits
    """
    words = f"cannot be told by {levels} levels" if more[2] >= 0 else "the other way round here"
    if is_blind(spread):
        return f"{words}; the first one has stopped looking at the board, see below"
    if more[2] >= 0:
        return words
    chosen, other = legal
    if other < chosen - SOONER:
        words += (
            f"; the other one knew legal swaps better at the start ({other:.2f} against {chosen:.2f} nats)"
        )
    return words


def how_trainings_ended(trainings: Mapping[str, Trained], spreads: Mapping[str, float]) -> str:
    """Sentences on the last epochs: which networks do not learn any more, and what others lack."""
    blind = [name for name in trainings if is_blind(spreads[name])]
    alive = {name: of for name, of in trainings.items() if name not in blind}
    by_heart = [
        name for name, of in alive.items() if of.epoch_losses[-1][0] < of.epoch_losses[-1][1] - BY_HEART
    ]
    sentences = []
    if blind:
        spread = max(spreads[name] for name in blind)
        sentences.append(
            f"**Of {len(trainings)} trainings, {len(blind)} ended blind** ({'; '.join(blind)}): when moves"
            " were learned in place of legal swaps, the network came to give each swap the same logit,"
            " whatever the board shows (from position to position it differs by less than"
            f" {spread + 0.0005:.3f} nats). Since then it can have learned no more than which swaps are made"
            " most, on any board."
        )
    if by_heart:
        sentences.append(
            f"The training loss ended more than {BY_HEART} nats below that at validation positions in"
            f" {len(by_heart)} ({'; '.join(by_heart)}): there, more moves are missing, and not epochs alone."
        )
    elif alive:
        sentences.append(
            f"Training losses{' of the others' if blind else ''} ended no more than {BY_HEART} nats below"
            " those at validation positions: positions are not known by heart, and longer training may help."
        )
    return " ".join(sentences)
