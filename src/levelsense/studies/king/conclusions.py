"""What the king study comes to: the findings of table II beside the published ones, and advice."""

from typing import Final

from levelsense.prediction.evaluation import PairedDifference, paired_difference
from levelsense.studies.king.fits import Judged, Players, mean_interval
from levelsense.studies.king.plan import Saga
from levelsense.studies.king.predictions import PUBLISHED, Predictions, difference
from levelsense.studies.king.sections import points
from levelsense.studies.king.work import Agents
from levelsense.studies.page import Finding, StudyPage

NOT_IN_IT: Final = "not in the paper"
WIDE_BANDS: Final = (
    "bands are wide here: they know of the noise of few attempts, and that few levels were fitted to"
)
NARROW_BANDS: Final = "so few levels to fit to tell little of how later ones differ"


def table_two_findings(saga: Saga, agents: Agents, found: Predictions) -> list[Finding]:
    """What table II says, beside ours."""
    extent = saga.extent
    by_search, by_network = f"MCTS {extent.equal:,}", f"CNN {extent.equal:,}"
    ours_many, ours_equal, ours_few = (
        f"ours, sampled, {count:,}" for count in (extent.many, extent.equal, extent.few)
    )
    search, network = found.slow[by_search], found.slow[by_network]
    alone = found.alone
    findings = []
    for what, published, better, worse in (
        ("the network predicts better than search", "-0.5 (100 attempts each)", network, search),
        (
            "the network against search, by success rates alone",
            NOT_IN_IT,
            alone[by_network],
            alone[by_search],
        ),
        (
            "our policy, which learned from the same moves, predicts better than search",
            NOT_IN_IT,
            found.slow[ours_equal],
            search,
        ),
        ("our policy against search, by success rates alone", NOT_IN_IT, alone[ours_equal], alone[by_search]),
        (
            f"{extent.many:,} attempts of our policy predict better than {extent.few:,}, at all later levels",
            "-0.9 (network, 1,000 and 100 attempts)",
            found.fast[ours_many],
            found.fast[ours_few],
        ),
    ):
        paired = paired_difference(better.errors, worse.errors)
        findings.append(
            Finding(
                f"MAE: {what}",
                published,
                difference(paired),
                paired.high < 0,
                "no clear difference" if paired.low < 0 else "clearly worse here",
            )
        )
    for name, judged, key in (
        ("search", found.slow[f"MCTS {extent.search:,}"], "MCTS 100"),
        ("the network", network, "CNN 100"),
    ):
        published_share, share = PUBLISHED[key][1], judged.out_of_band
        findings.append(
            Finding(
                f"levels out of band, {name}",
                f"{published_share} % (100 attempts)",
                f"{points(share, 100, 0)} %",
                share[1] <= published_share / 100 <= share[2],
                WIDE_BANDS if share[0] < published_share / 100 else NARROW_BANDS,
            )
        )
    spent_by_network, spent_by_search = (
        of.seconds_a_level(extent.equal) for of in (agents.greedy, agents.search)
    )
    findings.append(
        Finding(
            "the network takes a fraction of the time of search",
            "a fraction",
            f"{spent_by_network / spent_by_search:.2f} of it with as many attempts",
            spent_by_network < spent_by_search,
            "the engine here plays ten thousands of simulations a second, so that search is cheap; the "
            "network runs on the same processor, without a GPU",
        )
    )
    return findings


def conclude(page: StudyPage, saga: Saga, players: Players, agents: Agents, found: Predictions) -> None:
    """What a designer may take from it."""
    page.heading("What a designer may take from it")
    page.items(
        _who_should_play(saga, players, agents, found),
        _draw_or_not(saga, found),
        _how_many_attempts(saga, found),
        "All of it is about simulated players on generated levels. Take the method, and not the figures, to"
        " your own game.",
    )


def _who_should_play(saga: Saga, players: Players, agents: Agents, found: Predictions) -> str:
    extent, names = saga.extent, [named.name for named in saga.slow_judge]
    near, search = (
        found.slow[name] for name in (f"ours, sampled, {extent.equal:,}", f"MCTS {extent.equal:,}")
    )
    leads = {
        True: "An agent about as strong as players predicts better than one that plays well.",
        False: "An agent about as strong as players need not predict better than one that plays well.",
    }
    paired = paired_difference(near.errors, search.errors)
    above = mean_interval(agents.search.rates(names, extent.search) - players.observed(names))
    return (
        f"{leads[paired.high < 0]} Tree search wins {points(above)} points more often than the simulated"
        f" players, and predicts them with an MAE of {points(search.mae)}; our policy, which learned players'"
        f" moves, with {points(near.mae)} at the same levels: {_verdict(paired)} ({difference(paired)}). How"
        " much of that is likeness of moves is another question: the network, which told fewer of them, has"
        f" {points(found.slow[f'CNN {extent.equal:,}'].mae)}."
    )


def _draw_or_not(saga: Saga, found: Predictions) -> str:
    sampled, greedy = (found.fast[f"ours, {how}, {saga.extent.some:,}"] for how in ("sampled", "greedy"))
    paired = paired_difference(sampled.errors, greedy.errors)
    leads = {
        True: "Let an agent that has learned from players draw its moves.",
        False: "Whether an agent that has learned from players draws its moves made no clear difference.",
    }
    return (
        f"{leads[paired.high < 0]} Sampled less greedy, the MAE differs by {difference(paired)} points at"
        f" {len(sampled.names)} levels: sampled play is {_verdict(paired)}."
    )


def _how_many_attempts(saga: Saga, found: Predictions) -> str:
    extent = saga.extent
    many, few = (found.fast[f"ours, sampled, {count:,}"] for count in (extent.many, extent.few))
    mixed, paired = found.mixed, paired_difference(many.errors, few.errors)
    leads = {
        True: "Attempts are worth it where they are cheap.",
        False: "More attempts made no clear difference.",
    }
    advice = "Predict with as many attempts as were fitted with: fitted"
    if mixed.out_of_band[0] <= few.out_of_band[0]:
        advice = "Fitted"
    return (
        f"{leads[paired.high < 0]} {extent.many:,} of them in place of {extent.few:,} change the MAE by"
        f" {difference(paired)} points. {advice} by {extent.many:,} and predicted by {extent.few:,},"
        f" {_outside(mixed)} of levels are out of band, and {_outside(few)} fitted by {extent.few:,}, too."
    )


def _outside(judged: Judged) -> str:
    return f"{points(judged.out_of_band, 100, 1)} %"


def _verdict(paired: PairedDifference) -> str:
    if paired.high < 0:
        return "clearly better"
    return "clearly worse" if paired.low > 0 else "not clearly different"
