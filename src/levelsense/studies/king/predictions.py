"""The sections of the king study's page on predictions: table II, figure 4, costs, greedy or sampled."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from levelsense.prediction.evaluation import PairedDifference, paired_difference
from levelsense.studies.king.charts import Bands, rates_chart
from levelsense.studies.king.fits import (
    Column,
    Judged,
    Players,
    band_curve,
    fit_and_judge,
    mean_interval,
)
from levelsense.studies.king.plan import Saga
from levelsense.studies.king.playing import Played
from levelsense.studies.king.reasons import is_blind
from levelsense.studies.king.sections import group_levels, points
from levelsense.studies.king.training import MoveScores
from levelsense.studies.king.work import LATER, SEARCH, Agents, LegalSwaps, PlayerMoves, TableOne
from levelsense.studies.page import StudyPage

# Table II, Candy Crush Saga: MAE, out-of-band ratio and standard deviation of random effects, in per cent.
PUBLISHED: Final = {"MCTS 100": (5.4, 4, 53), "CNN 1,000": (4.0, 11, 35), "CNN 100": (4.9, 24, 33)}
MOST_ATTEMPTS: Final = "CNN 1,000"
NO_AGENT: Final = "level types alone"


@dataclass(frozen=True)
class Predictions:
    """What everybody predicts, by the words for agent and attempts.

    slow   fitted to the slow levels before the judged ones, judged by the slow ones there
    fast   the same for agents that play all levels
    mixed  fitted by many attempts, predicted by few
    alone  as slow, by the agent's success rate and nothing else
    bands  of some of these, over that rate: figure 4
    """

    columns: Mapping[str, Column]
    slow: Mapping[str, Judged]
    fast: Mapping[str, Judged]
    mixed: Judged
    alone: Mapping[str, Judged]
    bands: Mapping[str, Bands]


def make_predictions(saga: Saga, players: Players, agents: Agents) -> Predictions:
    """All fits of table II."""
    extent = saga.extent
    ours = {
        f"ours, sampled, {extent.many:,}": Column(agents.ours_sampled, extent.many),
        f"ours, sampled, {extent.some:,}": Column(agents.ours_sampled, extent.some),
        f"ours, sampled, {extent.equal:,}": Column(agents.ours_sampled, extent.equal),
        f"ours, sampled, {extent.few:,}": Column(agents.ours_sampled, extent.few),
        f"ours, greedy, {extent.some:,}": Column(agents.ours_greedy, extent.some),
    }
    columns = {
        f"MCTS {extent.search:,}": Column(agents.search, extent.search),
        f"MCTS {extent.equal:,}": Column(agents.search, extent.equal),
        f"CNN {extent.network:,}": Column(agents.greedy, extent.network),
        f"CNN {extent.equal:,}": Column(agents.greedy, extent.equal),
        f"CNN {extent.few:,}": Column(agents.greedy, extent.few),
        f"CNN sampled, {extent.few:,}": Column(agents.sampled, extent.few),
        **ours,
        f"MCTS of 10 simulations, {extent.few:,}": Column(agents.weak, extent.few),
    }
    all_fit, all_judge = saga.levels[: extent.first], saga.levels[extent.first :]
    slow = {name: fit_and_judge(saga.slow_fit, saga.slow_judge, players, of) for name, of in columns.items()}
    slow[NO_AGENT] = fit_and_judge(saga.slow_fit, saga.slow_judge, players, None)
    fast = {name: fit_and_judge(all_fit, all_judge, players, of) for name, of in ours.items()}
    fast[NO_AGENT] = fit_and_judge(all_fit, all_judge, players, None)
    many, few = Column(agents.ours_sampled, extent.many), Column(agents.ours_sampled, extent.few)
    mixed = fit_and_judge(all_fit, all_judge, players, many, predicted_by=few)
    alone = {
        name: fit_and_judge(saga.slow_fit, saga.slow_judge, players, of, typed=False)
        for name, of in columns.items()
    }
    alone[NO_AGENT] = fit_and_judge(saga.slow_fit, saga.slow_judge, players, None, typed=False)
    drawn = (
        f"MCTS {extent.search:,}",
        f"CNN {extent.network:,}",
        f"CNN sampled, {extent.few:,}",
        f"ours, greedy, {extent.some:,}",
        f"ours, sampled, {extent.some:,}",
        f"ours, sampled, {extent.many:,}",
    )
    bands = {name: band_curve(saga.slow_fit, players, columns[name]) for name in drawn}
    return Predictions(columns, slow, fast, mixed, alone, bands)


def tell_table_two(
    page: StudyPage,
    saga: Saga,
    players: Players,
    agents: Agents,
    learned: PlayerMoves,
    predictions: Predictions,
) -> None:
    """Table II and figure 4."""
    extent = saga.extent
    page.heading("Table II: who predicts difficulty best?")
    page.text(
        "The regression is the paper's: binomial, the logit of the agent's success rate and what the level",
        "asks for as columns, and a random effect a level. The paper fits to 800 levels, predicts 200. The",
        f"slow agents play {extent.slow_fit} of the first {extent.first:,} levels to fit to, and",
        f"{extent.slow_judge} of the next {extent.levels - extent.first:,} to be judged by; all rows of the",
        "first table are of these levels. MAE and bands are in points of success rate; STDDEV is that of",
        "random effects, in hundredths of a logit, as the paper has it. Fewer levels than the paper's tell",
        "less of the effect of types, so that the last column has the MAE of a fit to the agent's success",
        "rate and nothing else (without an agent: to the mean).",
        *_missing_attempts(saga),
    )
    page.table(
        (*_HEADING, "MAE, success rate alone"),
        [
            (*_row(name, judged), points(predictions.alone[name].mae))
            for name, judged in predictions.slow.items()
        ],
    )
    page.text(
        f"Agents that are fast enough play all levels: fitted to the first {extent.first:,}, judged by the",
        f"next {extent.levels - extent.first:,}. levelsense's own model, of several agents and all that they",
        "tell, has [a page of its own](saga-prediction.md).",
    )
    page.table(_HEADING, [_row(name, judged) for name, judged in predictions.fast.items()])
    page.text(*_strengths(saga, players, agents, learned))
    panels = {
        name: (of := predictions.alone[name], predictions.columns[name].logits(of.names), bands)
        for name, bands in predictions.bands.items()
    }
    page.chart("rates", rates_chart(panels), "Players' success rate over that of six agents, with 95 % bands")


def _missing_attempts(saga: Saga) -> Sequence[str]:
    """What is to be said if the network did not play as many attempts as the paper's."""
    attempts = saga.extent.network
    if f"CNN {attempts:,}" == MOST_ATTEMPTS:
        return ()
    mae, outside, deviation = PUBLISHED[MOST_ATTEMPTS]
    return (
        f"The paper's network with 1,000 attempts a level (MAE {mae:.1f}, {outside} % outside, STDDEV",
        f"{deviation}) has no counterpart: ours played {attempts:,}.",
    )


def how_alike(network: MoveScores, random: MoveScores) -> str:
    """What a network's log-loss at players' moves says of how alike they move."""
    _, least, most = network.gain(random)
    if least > 0:
        return "it has learned something of what players do"
    gain = "no clear gain" if most > 0 else "no gain"
    more = network.more(random)
    if more[1] > 0:
        gain += f", though its likeliest move is theirs {100 * more[0]:.1f} points more often"
        return f"{gain}; as a player it may be as weak as they are, but moves little like them"
    return f"{gain}; as a player it may be as weak as they are, but it does not move as they do"


def _strengths(saga: Saga, players: Players, agents: Agents, learned: PlayerMoves) -> Sequence[str]:
    """How strong everybody is, and what of the network's prediction is likeness of moves."""
    extent, names = saga.extent, [named.name for named in saga.slow_judge]
    observed = players.observed(names)
    lost = int((agents.search.rates(names, extent.search) < 0.9).sum())
    rates = {
        "players": observed,
        "tree search": agents.search.rates(names, extent.search),
        "the network": agents.greedy.rates(names, extent.network),
        "our policy": agents.ours_sampled.rates(names, extent.many),
    }
    words = ", ".join(f"{name} {100 * of.mean():.0f} %" for name, of in rates.items())
    network, random = learned.network.scores[LATER], learned.random[LATER]
    meaning = how_alike(network, random)
    if is_blind(learned.spread):
        meaning = (
            "it does not look at the board any more, and its likeliest move is mostly the first legal one of"
            " an order of swaps that is the same for all boards. What its attempts tell is how hard a level"
            " is for somebody who does not look"
        )
    return (
        f"**Strength counts.** Mean success rates at the {len(names)} judged levels: {words}. Where an agent",
        "nearly always wins, its success rate says little: search wins less than 90 % at",
        f"{lost} of these levels. At players' moves at later levels, the network's log-loss is",
        f"{network.loss[0]:.3f} nats a move, and that of random choice {random.loss[0]:.3f}: {meaning}.",
    )


_HEADING: Final = (
    "agent, attempts a level",
    "published: MAE, outside, STDDEV",
    "MAE",
    "outside 95 %",
    "STDDEV",
    "mean band",
)


def _row(name: str, judged: Judged) -> tuple[str, ...]:
    low, high = judged.sigma_band
    return (
        name,
        _published(name),
        points(judged.mae),
        f"{points(judged.out_of_band, 100, 0)} %",
        f"{100 * judged.sigma:.0f} ({100 * low:.0f} to {100 * high:.0f})",
        f"{100 * judged.width:.1f}",
    )


def _published(name: str) -> str:
    """The published figures of an agent; those of as many attempts, or else of 100."""
    nearest = name
    if name not in PUBLISHED and re.fullmatch(r"(MCTS|CNN) [\d,]+", name):
        nearest = f"{name.split()[0]} 100"
    if nearest not in PUBLISHED:
        return "none"
    mae, outside, deviation = PUBLISHED[nearest]
    attempts = "" if nearest == name else "with 100 attempts: "
    return f"{attempts}{mae:.1f}, {outside} %, {deviation}"


def tell_attempts(page: StudyPage, saga: Saga, predictions: Predictions) -> None:
    """Why the paper's bands may be too narrow with few attempts."""
    extent = saga.extent
    many, few = (predictions.fast[f"ours, sampled, {count:,}"] for count in (extent.many, extent.few))
    page.heading("Out-of-band ratios of 11 and 24 %: a look at the attempts")
    page.text(
        "In the paper, the network with 100 attempts has a larger error than with 1,000 and more than twice",
        "as many levels out of band, but a *smaller* standard deviation of random effects (33 to 35). With",
        "fewer attempts the agent's success rate is a noisier column, so that what it leaves unexplained",
        "must grow. One way to get the published pattern is to fit by many attempts and to predict by few:",
        "the band then does not know of the noise. Our sampled policy at all levels shows what that does:",
    )
    rows = [
        (f"{extent.many:,}", f"{extent.many:,}", *_row("", many)[2:]),
        (f"{extent.few:,}", f"{extent.few:,}", *_row("", few)[2:]),
        (f"{extent.many:,}", f"{extent.few:,}", *_row("", predictions.mixed)[2:]),
    ]
    page.table(("fitted by attempts", "predicted by attempts", *_HEADING[2:]), rows)


def tell_costs(page: StudyPage, saga: Saga, agents: Agents) -> None:
    """Processor time a level."""
    extent = saga.extent
    page.heading("What a level costs")
    page.text(
        "Seconds of processor time for a level, means over the levels played. The paper tells of",
        "less than a minute a level with its network, on 32 processors, and that tree search takes longer.",
    )
    played: Sequence[tuple[str, Played, int]] = (
        (f"tree search, `{SEARCH}`", agents.search, extent.search),
        ("CNN, greedy", agents.greedy, extent.network),
        ("CNN, sampled", agents.sampled, extent.few),
        ("ours, greedy", agents.ours_greedy, extent.some),
        ("ours, sampled", agents.ours_sampled, extent.some),
        ("ours, sampled", agents.ours_sampled, extent.many),
    )
    page.table(
        ("agent", "attempts", "seconds a level"),
        [(name, f"{count:,}", f"{of.seconds_a_level(count):.2f}") for name, of, count in played],
    )


def tell_time(
    page: StudyPage, legal: LegalSwaps, table: TableOne, learned: PlayerMoves, agents: Agents
) -> None:
    """Processor time of the parts that take most."""
    page.heading("Time")
    page.text(
        "Minutes of processor time; on a machine of two processors, two trainings or agents ran at once.",
        "Generating the levels and simulating players are not in it.",
    )
    rows = [
        (name, sum(of.seconds for of in trainings))
        for name, trainings in (
            ("teaching networks which swaps are legal", legal.starts.values()),
            ("training on moves of tree search", table.trained.values()),
            ("training on players' moves", (*learned.networks.values(), *learned.policies.values())),
        )
    ]
    for name, played in (
        ("tree search", (agents.search,)),
        ("the network's attempts", (agents.greedy, agents.sampled)),
        ("our policy's attempts", (agents.ours_sampled, agents.ours_greedy, agents.ours_old)),
    ):
        rows.append((name, sum(sum(of.seconds.values()) for of in played)))
    page.table(("part", "minutes"), [(name, f"{seconds / 60:.1f}") for name, seconds in rows])


def tell_greedy(page: StudyPage, saga: Saga, players: Players, agents: Agents, found: Predictions) -> None:
    """Greedy against sampled play."""
    extent = saga.extent
    page.heading("Greedy or sampled: the paper's open question")
    page.text(
        "The paper's agent always plays the likeliest move, and asks whether drawing moves by their",
        "probability would predict better. Own rates are the agent's success rate minus the players', with",
        "nothing fitted. A difference of MAE is greedy minus sampled, level by level: above 0, sampled play",
        "predicts better.",
    )
    slow, every = ([named.name for named in of] for of in (saga.slow_judge, saga.levels[extent.first :]))
    few, some = extent.few, extent.some
    rows = []
    for name, names, greedy, sampled, attempts, fits in (
        ("CNN", slow, agents.greedy, agents.sampled, few, found.slow),
        ("ours", slow, agents.ours_greedy, agents.ours_sampled, some, found.slow),
        ("ours", every, agents.ours_greedy, agents.ours_sampled, some, found.fast),
    ):
        keys = (f"CNN {few:,}", f"CNN sampled, {few:,}")
        if name == "ours":
            keys = (f"ours, greedy, {some:,}", f"ours, sampled, {some:,}")
        by_greedy, by_sampled = (fits[key] for key in keys)
        observed = players.observed(names)
        rows.append(
            (
                f"{name}, {attempts:,} attempts",
                f"{len(names):,}",
                *(points(mean_interval(of.rates(names, attempts) - observed)) for of in (greedy, sampled)),
                points(by_greedy.mae),
                points(by_sampled.mae),
                difference(paired_difference(by_greedy.errors, by_sampled.errors)),
            )
        )
    page.table(
        (
            "agent",
            "levels",
            "greedy: own rates",
            "sampled: own rates",
            "greedy: MAE",
            "sampled: MAE",
            "difference",
        ),
        rows,
    )


def difference(paired: PairedDifference) -> str:
    """A paired difference with its interval, in points."""
    return f"{100 * paired.mean:+.2f} ({100 * paired.low:+.2f} to {100 * paired.high:+.2f})"


def tell_retrained_predictions(page: StudyPage, saga: Saga, players: Players, agents: Agents) -> None:
    """Predictions at levels with new elements, by what was trained and fitted when."""
    page.heading("Retraining when new elements appear: the predictions")
    page.text(
        "What has to be done anew when elements come: the agent's training, or the regression? Our policy",
        f"(sampled, {saga.extent.some:,} attempts) was trained at the first {len(saga.old)} levels or at the",
        f"first {saga.extent.first:,}, and the regression fitted to either. Mean deltas are predicted minus",
        "observed.",
    )
    later = saga.levels[saga.extent.first :]
    groups = group_levels(saga, later)
    rows = []
    for trained, played in (("old", agents.ours_old), ("all", agents.ours_sampled)):
        for fitted, levels in (("old", saga.old), ("all", saga.levels[: saga.extent.first])):
            judged = fit_and_judge(levels, later, players, Column(played, saga.extent.some))
            rows.append(
                (trained, fitted, *_group_cells(judged, groups.new), *_group_cells(judged, groups.known))
            )
    page.table(
        (
            "policy trained at",
            "regression fitted to",
            "new elements: MAE",
            "mean delta",
            "outside 95 %",
            "others: MAE",
            "mean delta",
            "outside 95 %",
        ),
        rows,
    )


def _group_cells(judged: Judged, names: Sequence[str]) -> tuple[str, str, str]:
    if len(names) < 2:
        return "", "", ""
    part = judged.at(names)
    delta = mean_interval(part.rate - part.observed)
    return points(part.mae), points(delta), f"{points(part.out_of_band, 100, 0)} %"
