"""The sections of the king study's page on what networks learn: table I, players' moves, retraining."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from levelsense.learning.convolution import NETWORKS
from levelsense.playtest.levels import NamedLevel
from levelsense.saga.schedule import BY_NAME, elements_in
from levelsense.studies.king.charts import accuracy_chart
from levelsense.studies.king.fits import Players
from levelsense.studies.king.plan import MIX, Saga
from levelsense.studies.king.reasons import (
    TRIED,
    how_trainings_ended,
    is_blind,
    is_undertrained,
    why_less,
    why_not_ahead,
)
from levelsense.studies.king.training import OURS, MoveScores
from levelsense.studies.king.work import (
    ALL,
    CHOSEN,
    HELD_OUT,
    KNOWN,
    LATER,
    LEGAL_SHARE,
    MANY_PLAYERS,
    OLD,
    SEARCH,
    LegalSwaps,
    PlayerMoves,
    TableOne,
)
from levelsense.studies.page import Finding, StudyPage

# Table I: validation accuracy in per cent.
PUBLISHED: Final = {
    "conv12-elu-gap": 32.35,
    "conv12-relu-fc": 25.72,
    "conv12-relu-gap": 28.59,
    "res20-elu-gap": 30.01,
}
PUBLISHED_RANDOM: Final = 16.67
PUBLISHED_PLAYERS: Final = 47.0
PUBLISHED_PASSES: Final = 4_500 * 2_150  # positions of an epoch, of those trained on


@dataclass(frozen=True)
class Groups:
    """The judged levels that have an element which the old levels do not show, and the others."""

    new: tuple[str, ...]
    known: tuple[str, ...]
    elements: tuple[str, ...]


def group_levels(saga: Saga, levels: Sequence[NamedLevel]) -> Groups:
    """Parts levels by whether they have elements that came after the old ones."""
    last_old = len(saga.old)
    later = {name for name, element in BY_NAME.items() if element.first > last_old}
    new = [named for named in levels if later & set(elements_in(named.level))]
    names = {named.name for named in new}
    return Groups(
        tuple(named.name for named in new),
        tuple(named.name for named in levels if named.name not in names),
        tuple(name for name in BY_NAME if name in later),
    )


def points(value: tuple[float, float, float], scale: float = 100, digits: int = 1) -> str:
    """A figure with its interval."""
    mean, low, high = (f"{scale * part:.{digits}f}" for part in value)
    return f"{mean} ({low} to {high})"


def tell_table_one(page: StudyPage, saga: Saga, table: TableOne) -> None:
    """Table I: networks trained on the moves of tree search."""
    page.heading("Table I: which network learns the moves of tree search best?")
    extent = saga.extent
    page.text(
        f"Tree search (`{SEARCH}`) played {extent.slow_fit} of the first {extent.first:,} levels",
        f"{extent.search} times each. Networks were trained on {table.moves:,} of its moves; one attempt in",
        "ten was held out, and the validation accuracy is the share of its moves that were the likeliest.",
        "The last columns are levels that nobody trained on. Intervals take levels as independent, and",
        "positions of one level not.",
    )
    rows = []
    for name, trained in table.trained.items():
        published = f"{PUBLISHED[name]:.2f} %" if name in PUBLISHED else "none"
        held, later = trained.scores[HELD_OUT], trained.scores[LATER]
        rows.append(
            (
                f"`{name}`" if name != OURS else "ours, over moves",
                published,
                str(held.accuracy),
                points(held.loss, 1, 3),
                str(later.accuracy),
                f"{trained.passes:,}",
                f"{trained.seconds:,.0f}",
            )
        )
    held, later = table.random[HELD_OUT], table.random[LATER]
    rows.append(
        (
            "random",
            f"{PUBLISHED_RANDOM:.2f} %",
            str(held.accuracy),
            points(held.loss, 1, 3),
            str(later.accuracy),
            "",
            "",
        )
    )
    page.table(
        (
            "network",
            "published",
            "ours: validation accuracy",
            "log-loss",
            "accuracy, later levels",
            "positions seen",
            "seconds of training",
        ),
        rows,
    )
    scores = {
        ("ours, over moves" if name == OURS else name): trained.scores[HELD_OUT]
        for name, trained in table.trained.items()
    }
    page.chart(
        "accuracy",
        accuracy_chart(scores, table.random[HELD_OUT], table.again["share"]),
        "Share of tree search's moves told by each network, with 95 % intervals",
    )
    again = table.again
    page.text(
        f"**The ceiling.** Tree search, asked again in {again['positions']:,} of these positions, makes",
        f"the move that it makes most often there in {100 * again['share']:.1f} %",
        f"(± {100 * again['half']:.1f}) of its searches. No network can tell more; the paper does not",
        "say what it was there.",
    )


def table_one_findings(table: TableOne, legal: LegalSwaps) -> list[Finding]:
    """What table I says, beside ours."""
    best, others = table.trained[CHOSEN], [name for name in NETWORKS if name != CHOSEN]
    anything = table.random[HELD_OUT]
    findings = []
    for name in others:
        other = table.trained[name]
        more = best.scores[HELD_OUT].more(other.scores[HELD_OUT])
        difference = PUBLISHED[CHOSEN] - PUBLISHED[name]
        starts = legal.starts[CHOSEN].loss, legal.starts[name].loss
        findings.append(
            Finding(
                f"`{CHOSEN}` tells more moves of tree search than `{name}`",
                f"+{difference:.1f} points",
                f"{points(more)} points",
                more[1] > 0,
                why_not_ahead(more, len(anything.names), starts, table.spreads[CHOSEN]),
            )
        )
    policy = table.trained[OURS].scores[HELD_OUT]
    possible = table.again["share"] - anything.accuracy.value
    for name in NETWORKS:
        scores = table.trained[name].scores[HELD_OUT]
        more, published = scores.more(anything), PUBLISHED[name] - PUBLISHED_RANDOM
        findings.append(
            Finding(
                f"`{name}` against random choice",
                f"+{published:.1f} points",
                f"{points(more)} points",
                100 * more[2] >= published,
                why_less(scores, policy, anything, possible, published, table.spreads[name]),
            )
        )
    random = anything.accuracy
    number = "more" if random.value < PUBLISHED_RANDOM / 100 else "fewer"
    findings.append(
        Finding(
            "random choice",
            f"{PUBLISHED_RANDOM:.1f} %",
            str(random),
            random.low <= PUBLISHED_RANDOM / 100 <= random.high,
            f"boards of the saga have {number} legal moves",
        )
    )
    return findings


def warn_of_blind_network(page: StudyPage, learned: PlayerMoves) -> None:
    """Says what findings about the network's attempts are worth if it does not look at the board."""
    if is_blind(learned.spread):
        page.text(
            "**The network that plays here does not look at the board** ([how that came",
            "about](#how-much-training-that-is)). What agrees in findings about its attempts cannot be due",
            "to moves like those of players.",
        )


def tell_player_moves(page: StudyPage, saga: Saga, learned: PlayerMoves) -> None:
    """The accuracy on players' moves."""
    page.heading("Players' moves: 47 %?")
    page.text(
        f"The chosen network and our policy learned from {learned.moves:,} moves of {MANY_PLAYERS} simulated",
        f"players (mix `{MIX}`) at the first {saga.extent.first:,} levels that fit on planes. Both are",
        "judged by moves of other players: at the same levels, as the paper's test set is, and at the",
        f"{saga.extent.levels - saga.extent.first:,} levels after them.",
    )
    rows = []
    named = {
        f"`{CHOSEN}`": learned.network.scores,
        "ours, over moves": learned.policies[ALL].scores,
        "random": learned.random,
    }
    for name, scores in named.items():
        published = f"around {PUBLISHED_PLAYERS:.0f} %" if CHOSEN in name else "none"
        rows.append(
            (
                name,
                published,
                *(cell for key in (KNOWN, LATER) for cell in (str(scores[key].accuracy), _loss(scores[key]))),
            )
        )
    ceiling = learned.ceiling
    rows.append(
        (
            f"the players' own mixture, at {ceiling['positions']:,} positions",
            "not known",
            "",
            "",
            f"{100 * ceiling['accuracy']:.1f} %",
            f"{ceiling['loss']:.3f}",
        )
    )
    page.table(
        ("who tells", "published", "known levels, other players", "log-loss", "later levels", "log-loss"),
        rows,
    )


def _loss(scores: MoveScores) -> str:
    return f"{scores.loss[0]:.3f}"


def tell_retraining(page: StudyPage, saga: Saga, learned: PlayerMoves) -> None:
    """Whether moves are told worse at levels with elements that a network has never seen."""
    groups = group_levels(saga, saga.levels[saga.extent.first :])
    page.heading("Retraining when new elements appear: the moves")
    page.text(
        "The paper asks for retraining when new elements come. Here the network and our policy were trained",
        f"a second time, on as many moves, at the first {len(saga.old)} levels only. (Which swaps are legal,",
        "the network had learned at all levels both times.) After these come",
        f"{', '.join(groups.elements)}. Of the later levels, {len(groups.new)} have at least one of them.",
        "A gain is the log-loss that the training at all levels saves, in thousandths of a nat a move.",
    )
    rows = []
    for name, trained in ((f"`{CHOSEN}`", learned.networks), ("ours, over moves", learned.policies)):
        for group, names in (("with new elements", groups.new), ("without", groups.known)):
            if not names:
                continue
            new, old = (trained[knows].scores[LATER].at(names) for knows in (ALL, OLD))
            rows.append((name, group, str(old.accuracy), str(new.accuracy), points(new.gain(old), 1000, 0)))
    page.table(("who tells", "later levels", "trained at old levels", "trained at all levels", "gain"), rows)


def introduce(page: StudyPage, saga: Saga, players: Players) -> None:
    """What is done again, and on what."""
    extent, quick = saga.extent, " --quick" if saga.run.quick else ""
    page.text(
        'Gudmundsson et al., "Human-Like Playtesting with Deep Learning" (2018), trained convolutional',
        "networks on moves, of tree search and of people, and predicted people's success rates at 200 new",
        "levels of Candy Crush Saga from what the networks did there. Here the same is done on the generated",
        f"saga (`levelsense generate --count {extent.levels} --seed {saga.run.seed}`). **Every figure about",
        "players is about simulated ones.** The command:",
    )
    threads = f" --threads {saga.run.threads}" if saga.run.threads else ""
    page.block(f"    levelsense study king{quick}{threads}")
    attempts = players.rates["attempts"].to_numpy()
    page.text(
        f"The players whose success rates are predicted are {extent.players} simulated (mix `{MIX}`), with",
        f"{attempts.mean():,.0f} attempts a level on average. Those whose moves are learned from, and those",
        "whose moves are told, are others of the same mix.",
    )


def tell_training(
    page: StudyPage, saga: Saga, legal: LegalSwaps, table: TableOne, learned: PlayerMoves
) -> None:
    """How much training there was, beside the paper's, and whether it was enough."""
    page.heading("How much training that is")
    chosen, network, extent = table.trained[CHOSEN], learned.network, saga.extent
    start = legal.starts[CHOSEN]
    page.text(
        *_enough(learned),
        f"The paper trained a network for about 24 hours with a GPU on {PUBLISHED_PASSES / 1e6:.1f} million",
        f"moves of people, more than once each. Here `{CHOSEN}` saw",
        f"{start.passes:,} positions of random attempts ({start.seconds:,.0f} seconds), and from there on",
        f"{chosen.passes:,} positions of tree search ({chosen.seconds:,.0f} seconds of one processor) and",
        f"{network.passes:,} of players ({network.seconds:,.0f} seconds): a training position takes",
        f"{1000 * network.seconds / network.passes:.2f} ms.",
    )
    trainings = {f"search, `{name}`": of for name, of in table.trained.items() if name != OURS}
    spreads = {f"search, `{name}`": spread for name, spread in table.spreads.items()}
    of_players = f"players, `{CHOSEN}`"
    trainings[of_players], spreads[of_players] = network, learned.spread
    page.text(
        "At first, networks learn which swaps are legal, and not which is made: an average over cells does",
        "not say by itself where something is. They do so by random attempts at the first",
        f"{extent.first:,} levels: {start.passes // extent.legal_epochs:,} positions, each",
        f"{f'{extent.legal_epochs} times' if extent.legal_epochs > 1 else 'once'}. At those of other",
        f"attempts, one that knew all legal swaps and nothing else would have a loss of {legal.least:.2f}",
        "nats; the networks came to",
        ", ".join(f"{of.loss:.2f} (`{name}`)" for name, of in legal.starts.items()) + ".",
        "Our policy looks at one legal move at a time, and has not that to learn. Then moves are learned by",
        f"the loss over all 144 swaps, with {100 * LEGAL_SHARE:.0f} % of the target on all legal ones.",
    )
    page.text(how_trainings_ended(trainings, spreads))
    page.text(TRIED)
    page.text(
        "Losses by epoch, among legal moves, in nats a move, on the way and at the validation positions:"
    )
    page.table(
        ("network", "training / validation, by epoch"),
        [
            (name, ", ".join(f"{loss:.3f} / {validation:.3f}" for loss, validation in of.epoch_losses))
            for name, of in trainings.items()
        ],
    )


def _enough(learned: PlayerMoves) -> Sequence[str]:
    """Whether the network of players' moves learned what our policy did from the same moves."""
    network, policy = learned.network.scores[LATER], learned.policies[ALL].scores[LATER]
    gain, anything = policy.gain(network), learned.random[LATER]
    lead = "The network learned about as much as our policy"
    if is_blind(learned.spread):
        lead = "The network has not learned players' moves"
    elif is_undertrained(network, policy):
        lead = "These networks are undertrained"
    elif gain[2] < 0:
        lead = "The network learned more than our policy"
    return (
        f"**{lead}.** At players' moves of later levels, random choice has a log-loss of",
        f"{_loss(anything)} nats, the network {_loss(network)}, our policy, which learned from the same",
        f"moves, {_loss(policy)}, and the players' own mixture {learned.ceiling['loss']:.3f} (at fewer",
        f"positions, where random choice has {learned.ceiling['random loss']:.3f}). Policy against network,",
        "that is a gain of",
        f"{points(gain, 1000, 0)} thousandths of a nat a move.",
    )


def player_findings(table: TableOne, learned: PlayerMoves) -> list[Finding]:
    """What the paper says of players' moves, beside ours."""
    network, anything = learned.network.scores[KNOWN], learned.random[KNOWN]
    policy = learned.policies[ALL].scores[KNOWN]
    accuracy, ceiling = network.accuracy, learned.ceiling["accuracy"]
    of_search = table.trained[CHOSEN].scores[HELD_OUT]
    more, more_of_search = network.more(anything), of_search.more(table.random[HELD_OUT])
    ours = learned.policies[ALL].scores[LATER].more(learned.network.scores[LATER])
    published = PUBLISHED_PLAYERS - PUBLISHED_RANDOM
    possible = ceiling - learned.ceiling["random accuracy"]
    least = f"the simulated players' own mixture tells {100 * ceiling:.1f} % of their moves"
    return [
        Finding(
            "players' moves told by the chosen network",
            f"around {PUBLISHED_PLAYERS:.0f} %",
            str(accuracy),
            accuracy.low <= PUBLISHED_PLAYERS / 100 <= accuracy.high,
            f"nobody could: {least}" if 100 * ceiling < PUBLISHED_PLAYERS else least,
        ),
        Finding(
            "the same, above random choice",
            f"+{published:.0f} points",
            f"{points(more)} points",
            100 * more[2] >= published,
            why_less(network, policy, anything, possible, published, learned.spread),
        ),
        Finding(
            "players are told better than search, by about half",
            f"{PUBLISHED_PLAYERS / PUBLISHED[CHOSEN]:.2f} times",
            f"{accuracy.value / of_search.accuracy.value:.2f} times",
            accuracy.low > of_search.accuracy.high,
            f"above random choice, {100 * more[0]:.1f} points of players' moves are told and"
            f" {100 * more_of_search[0]:.1f} of search's; the ceilings are {100 * ceiling:.1f} and"
            f" {100 * table.again['share']:.1f} %, so that simulated players are the harder ones to tell"
            if ceiling < table.again["share"]
            else "the intervals meet",
        ),
        Finding(
            "our policy tells more of players' moves than the network (later levels)",
            "not in the paper",
            f"{points(ours)} points",
            ours[1] > 0,
            "the network tells more" if ours[2] < 0 else "no clear difference",
        ),
    ]
