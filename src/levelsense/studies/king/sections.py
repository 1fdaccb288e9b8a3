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
from levelsense.studies.king.training import OURS, Told
from levelsense.studies.king.work import (
    ALL,
    CHOSEN,
    HELD_OUT,
    KNOWN,
    LATER,
    MANY_PLAYERS,
    OLD,
    SEARCH,
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
        held, later = trained.told[HELD_OUT], trained.told[LATER]
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
    told = {
        ("ours, over moves" if name == OURS else name): trained.told[HELD_OUT]
        for name, trained in table.trained.items()
    }
    page.chart(
        "accuracy",
        accuracy_chart(told, table.random[HELD_OUT], table.again["share"]),
        "Share of tree search's moves told by each network, with 95 % intervals",
    )
    again = table.again
    page.text(
        f"**The ceiling.** Tree search, asked again in {again['positions']:,} of these positions, makes",
        f"the move that it makes most often there in {100 * again['share']:.1f} %",
        f"(± {100 * again['half']:.1f}) of its searches. No network can tell more; the paper does not",
        "say what it was there.",
    )


def table_one_findings(table: TableOne) -> list[Finding]:
    """What table I says, beside ours."""
    best, others = table.trained[CHOSEN], [name for name in NETWORKS if name != CHOSEN]
    findings = []
    for name in others:
        more = best.told[HELD_OUT].more(table.trained[name].told[HELD_OUT])
        difference = PUBLISHED[CHOSEN] - PUBLISHED[name]
        findings.append(
            Finding(
                f"`{CHOSEN}` tells more moves of tree search than `{name}`",
                f"+{difference:.1f} points",
                f"{points(more)} points",
                more[1] > 0,
                "undertrained, see below"
                if more[2] > 0
                else "the order is the other way round; undertrained",
            )
        )
    for name in NETWORKS:
        more = table.trained[name].told[HELD_OUT].more(table.random[HELD_OUT])
        findings.append(
            Finding(
                f"`{name}` against random choice",
                f"+{PUBLISHED[name] - PUBLISHED_RANDOM:.1f} points",
                f"{points(more)} points",
                100 * more[2] >= PUBLISHED[name] - PUBLISHED_RANDOM,
                _undertrained(more),
            )
        )
    random = table.random[HELD_OUT].accuracy
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


def _undertrained(more: tuple[float, float, float]) -> str:
    return "above it, but undertrained, see below" if more[1] > 0 else "undertrained, see below"


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
        f"`{CHOSEN}`": learned.network.told,
        "ours, over moves": learned.policies[ALL].told,
        "random": learned.random,
    }
    for name, told in named.items():
        published = f"around {PUBLISHED_PLAYERS:.0f} %" if CHOSEN in name else "none"
        rows.append(
            (
                name,
                published,
                *(cell for key in (KNOWN, LATER) for cell in (str(told[key].accuracy), _loss(told[key]))),
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


def _loss(told: Told) -> str:
    return f"{told.loss[0]:.3f}"


def tell_retraining(page: StudyPage, saga: Saga, learned: PlayerMoves) -> None:
    """Whether moves are told worse at levels with elements that a network has never seen."""
    groups = group_levels(saga, saga.levels[saga.extent.first :])
    page.heading("Retraining when new elements appear: the moves")
    page.text(
        "The paper asks for retraining when new elements come. Here our policy was trained a second time, on",
        f"as many moves, at the first {len(saga.old)} levels only (the network was not: one training is all",
        f"that fits into the time). After these come {', '.join(groups.elements)}. Of the later levels,",
        f"{len(groups.new)} have at least one of them.",
        "A gain is the log-loss that the training at all levels saves, in thousandths of a nat a move.",
    )
    rows = []
    for group, names in (("with new elements", groups.new), ("without", groups.known)):
        if not names:
            continue
        new, old = (learned.policies[knows].told[LATER].at(names) for knows in (ALL, OLD))
        rows.append((group, str(old.accuracy), str(new.accuracy), points(new.gain(old), 1000, 0)))
    page.table(("later levels", "trained at old levels", "trained at all levels", "gain"), rows)


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
    page.block(f"    levelsense study king{quick} --threads 1")
    attempts = players.rates["attempts"].to_numpy()
    page.text(
        f"The players whose success rates are predicted are {extent.players} simulated (mix `{MIX}`), with",
        f"{attempts.mean():,.0f} attempts a level on average. Those whose moves are learned from, and those",
        "whose moves are told, are others of the same mix.",
    )


def tell_training(page: StudyPage, saga: Saga, table: TableOne, learned: PlayerMoves) -> None:
    """How much training there was, beside the paper's."""
    page.heading("How much training that is")
    chosen, network = table.trained[CHOSEN], learned.network
    extent = saga.extent
    page.text(
        "**These networks are undertrained.** The paper trained a network for about 24 hours with a GPU on",
        f"{PUBLISHED_PASSES / 1e6:.1f} million moves of people, more than once each. Here `{CHOSEN}` saw",
        f"{chosen.passes:,} positions of tree search ({chosen.seconds:,.0f} seconds of one processor) and",
        f"{network.passes:,} of players ({network.seconds:,.0f} seconds),",
        f"the first {extent.legal_epochs} epochs by which swaps are legal. A training position takes",
        f"{1000 * network.seconds / network.passes:.2f} ms. A network that knew which swaps are legal would",
        f"end these epochs with a loss of {learned.random[KNOWN].loss[0]:.2f} nats; the one of players'",
        f"moves has {network.epoch_losses[extent.legal_epochs - 1][0]:.2f}. Our policy looks at one legal",
        "move at a time, and has not that to learn. Losses by epoch, in nats a move, on the way and at",
        "the validation positions:",
    )
    rows = []
    names = {**{f"search, `{name}`": of for name, of in table.trained.items()}}
    names |= {f"players, `{CHOSEN}`": learned.network}
    for name, of in names.items():
        if OURS in name:
            continue
        rows.append(
            (name, ", ".join(f"{loss:.3f} / {validation:.3f}" for loss, validation in of.epoch_losses))
        )
    page.table(("network", "training / validation, by epoch"), rows)


def player_findings(table: TableOne, learned: PlayerMoves) -> list[Finding]:
    """What the paper says of players' moves, beside ours."""
    network, anything = learned.network.told[KNOWN], learned.random[KNOWN]
    accuracy, ceiling = network.accuracy, learned.ceiling["accuracy"]
    of_search = table.trained[CHOSEN].told[HELD_OUT].accuracy
    more = network.more(anything)
    ours = learned.policies[ALL].told[LATER].more(learned.network.told[LATER])
    return [
        Finding(
            "players' moves told by the chosen network",
            f"around {PUBLISHED_PLAYERS:.0f} %",
            str(accuracy),
            accuracy.low <= PUBLISHED_PLAYERS / 100 <= accuracy.high,
            f"nobody could: the simulated players' own mixture tells {100 * ceiling:.1f} % of their moves",
        ),
        Finding(
            "the same, above random choice",
            f"+{PUBLISHED_PLAYERS - PUBLISHED_RANDOM:.0f} points",
            f"{points(more)} points",
            100 * more[2] >= PUBLISHED_PLAYERS - PUBLISHED_RANDOM,
            _undertrained(more),
        ),
        Finding(
            "players are told better than search, by about half",
            f"{PUBLISHED_PLAYERS / PUBLISHED[CHOSEN]:.2f} times",
            f"{accuracy.value / of_search.value:.2f} times",
            accuracy.low > of_search.high,
            "undertrained, and simulated players may be less alike than people",
        ),
        Finding(
            "our policy tells more of players' moves than the network (later levels)",
            "not in the paper",
            f"{points(ours)} points",
            ours[1] > 0,
        ),
    ]
