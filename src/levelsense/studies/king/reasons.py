"""Why a figure about moves is not the published one, as far as the run's own figures tell."""

from collections.abc import Mapping
from typing import Final

from levelsense.studies.king.training import Told, Trained

BLIND: Final = 0.01  # a spread of logits over positions, in nats, below which a network looks at none
BY_HEART: Final = 0.05  # nats by which a loss on the way is below that at validation positions
# How the recipe of networks was found before the run.
TRIED: Final = (
    "How networks are trained was fixed before the run, by how fast they learn which swaps are legal in 10 to"
    " 25 seconds, on 17,068 moves of other simulated players at 300 levels of another saga (seed 7). Tried"
    " were highest rates of 1, 3 and 6 thousandths, batches of 32 and 64 positions, averages multiplied by 20"
    " and by 81, and bfloat16 for float32, with the first network; and for the deep one, which learned"
    " nothing at 0.003, rates of 0.0005 and 0.0012. Taken were 0.003 (0.001 for the deep one), 32 positions"
    " and bfloat16, by which a position teaches as much in three quarters of the time. What becomes of a"
    " network when it goes over from legal swaps to moves was not looked at before the run."
)
# What was tried when networks had ended blind, on the same moves: two epochs of legal swaps, then of moves.
TRIED_AFTERWARDS: Final = (
    "Tried on the same data after that, and not in the figures here: at a rate of 0.001 the first network's"
    " loss at validation positions comes down to 1.993 nats after two epochs of moves, and random choice has"
    " 1.986, so that a lower rate alone seems no help. By the loss over all 144 swaps, which the paper seems"
    " to have, it goes on learning (3.336, 2.757 and 2.374 nats in three epochs) and is best after two of"
    " them: 21.7 % of 2,000 moves are told, where random choice tells 19.9 %, at a log-loss among legal moves"
    " of 2.280 nats, still above random choice. The loss over legal swaps alone seems to be what lets a"
    " network forget where things are, if it does not know legal swaps well before."
)


def is_blind(spread: float) -> bool:
    """Whether a network gives all positions the same logits, by how much these differ between them."""
    return spread < BLIND


def is_undertrained(network: Told, policy: Told) -> bool:
    """Whether the policy, which was trained on the same moves, clearly tells more: there was more in them."""
    return policy.gain(network)[1] > 0


def why_less(
    network: Told, policy: Told, anything: Told, possible: float, published: float, spread: float
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
    more: tuple[float, float, float],
    levels: int,
    chosen: Trained,
    other: Trained,
    legal_epochs: int,
    spread: float,
) -> str:
    """Why the chosen network does not clearly tell more moves than another one; `spread` is of its logits."""
    words = f"cannot be told by {levels} levels" if more[2] >= 0 else "the other way round here"
    if is_blind(spread):
        return f"{words}; the first one has stopped looking at the board, see below"
    if more[2] >= 0:
        return words
    learned, other_learned = (legal_loss(of, legal_epochs) for of in (chosen, other))
    if other_learned < learned:
        losses = f"{other_learned:.2f} against {learned:.2f} nats"
        words += f"; the other one knew sooner which swaps are legal ({losses})"
    return words


def legal_loss(trained: Trained, legal_epochs: int) -> float:
    """The mean loss over the last of the epochs in which a network learns which swaps are legal."""
    return trained.epoch_losses[legal_epochs - 1][0]


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
