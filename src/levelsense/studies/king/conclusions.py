"""What the king study comes to: the findings of table II beside the published ones, and advice."""

from typing import Final

from levelsense.prediction.evaluation import PairedDifference, paired_difference
from levelsense.studies.king.fits import Judged, Players, mean_interval
from levelsense.studies.king.plan import Saga
from levelsense.studies.king.predictions import PUBLISHED, Predictions, difference
from levelsense.studies.king.sections import points
from levelsense.studies.king.work import ALL, LATER, Agents, PlayerMoves
from levelsense.studies.page import Finding, StudyPage

NOT_IN_IT: Final = "not in the paper"


def table_two_findings(saga: Saga, agents: Agents, found: Predictions) -> list[Finding]:
    """What table II says, beside ours."""
    extent = saga.extent
    by_search, by_network = f"MCTS {extent.equal:,}", f"CNN {extent.equal:,}"
    ours_many, ours_equal, ours_few = (
        f"ours, sampled, {count:,}" for count in (extent.many, extent.equal, extent.few)
    )
    search, network = found.slow[by_search], found.slow[by_network]
    alone = found.alone
    more_attempts = (
        f"{extent.network:,} attempts of the network predict better than {extent.equal:,}",
        "-0.9 (1,000 and 100 attempts)",
        found.slow[f"CNN {extent.network:,}"],
        network,
    )
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
        *([more_attempts] if extent.network > extent.equal else []),
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
                f"no clear difference at {len(better.errors)} levels"
                if paired.low <= 0
                else f"clearly worse here, at {len(better.errors)} levels",
            )
        )
    findings += [
        _out_of_band(found.slow[key], key, extent.slow_fit) for key in PUBLISHED if key in found.slow
    ]
    findings.append(_random_effects(search, network))
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


def _out_of_band(judged: Judged, key: str, fitted: int) -> Finding:
    """The share of levels out of band beside the published one."""
    agent, attempts = key.split()
    name = "search" if agent == "MCTS" else "the network"
    published, share = PUBLISHED[key][1], judged.out_of_band
    why = f"bands of {100 * judged.width:.0f} points on average, fitted to {fitted} levels"
    if share[0] < published / 100:
        why += ", know of the noise of as few attempts as predict; see below what happens if they do not"
    else:
        why += ": so few tell little of how later levels differ"
    return Finding(
        f"levels out of band, {name} with {attempts} attempts",
        f"{published} %",
        f"{points(share, 100, 0)} %",
        share[1] <= published / 100 <= share[2],
        why,
    )


def _random_effects(search: Judged, network: Judged) -> Finding:
    """Whether search leaves more of the levels' difficulty unexplained than the network."""
    (_, _, by_search), (_, _, by_network) = PUBLISHED["MCTS 100"], PUBLISHED["CNN 100"]
    (low, high), (network_low, network_high) = search.sigma_band, network.sigma_band
    return Finding(
        "STDDEV of random effects: search's is larger than the network's, as many attempts each",
        f"{by_search} against {by_network}",
        f"{100 * search.sigma:.0f} ({100 * low:.0f} to {100 * high:.0f}) against"
        f" {100 * network.sigma:.0f} ({100 * network_low:.0f} to {100 * network_high:.0f})",
        low > network_high,
        "the intervals meet" if high >= network_low else "the other way round here",
    )


def conclude(
    page: StudyPage,
    saga: Saga,
    players: Players,
    agents: Agents,
    learned: PlayerMoves,
    found: Predictions,
) -> None:
    """What a designer may take from it."""
    page.heading("What a designer may take from it")
    page.items(
        _who_should_play(saga, players, agents, learned, found),
        _draw_or_not(saga, found),
        _how_many_attempts(saga, found),
        "All of it is about simulated players on generated levels. Take the method, and not the figures, to"
        " your own game.",
    )


def _who_should_play(
    saga: Saga, players: Players, agents: Agents, learned: PlayerMoves, found: Predictions
) -> str:
    extent, names = saga.extent, [named.name for named in saga.slow_judge]
    observed = players.observed(names)
    near, search, network = (
        found.slow[f"{name} {extent.equal:,}"] for name in ("ours, sampled,", "MCTS", "CNN")
    )
    paired = paired_difference(near.errors, search.errors)
    above = mean_interval(agents.search.rates(names, extent.search) - observed)
    own = mean_interval(agents.ours_sampled.rates(names, extent.many) - observed)
    better = "predicts" if paired.high < 0 else "need not predict"
    lead = f"An agent that learned from players {better} better than one that plays well."
    if abs(own[0]) < abs(above[0]):
        lead = f"An agent nearer to players in strength {better} better than one that plays well."
    more = learned.policies[ALL].scores[LATER].more(learned.network.scores[LATER])
    how_many = "as many" if more[1] <= 0 <= more[2] else "fewer" if more[1] > 0 else "more"
    return (
        f"{lead} Success rates less the simulated players' are {points(above)} points for tree search, which"
        f" predicts with an MAE of {points(search.mae)}, and {points(own)} for our policy, which learned"
        f" players' moves, with {points(near.mae)} at the same levels: {_verdict(paired)}"
        f" ({difference(paired)}). How much of that is likeness of moves is another question: the network,"
        f" which told {how_many} of them, has {points(network.mae)}."
    )


def _draw_or_not(saga: Saga, found: Predictions) -> str:
    sampled, greedy = (found.fast[f"ours, {how}, {saga.extent.some:,}"] for how in ("sampled", "greedy"))
    paired = paired_difference(sampled.errors, greedy.errors)
    lead = "Whether an agent that has learned from players draws its moves made no clear difference."
    if paired.high < 0:
        lead = "Let an agent that has learned from players draw its moves."
    elif paired.low > 0:
        lead = "Let an agent that has learned from players play the likeliest move."
    return (
        f"{lead} Sampled less greedy, the MAE differs by {difference(paired)} points at"
        f" {len(sampled.names)} levels: sampled play is {_verdict(paired)}."
    )


def _how_many_attempts(saga: Saga, found: Predictions) -> str:
    extent = saga.extent
    many, few = (found.fast[f"ours, sampled, {count:,}"] for count in (extent.many, extent.few))
    mixed, paired = found.mixed, paired_difference(many.errors, few.errors)
    lead = "More attempts made no clear difference."
    if paired.high < 0:
        lead = "Attempts are worth it where they are cheap."
    elif paired.low > 0:
        lead = "More attempts made it worse here."
    advice = "Predict with as many attempts as were fitted with: fitted"
    if mixed.out_of_band[0] <= few.out_of_band[0]:
        advice = "Fitted"
    return (
        f"{lead} {extent.many:,} of them in place of {extent.few:,} change the MAE by"
        f" {difference(paired)} points. {advice} by {extent.many:,} and predicted by {extent.few:,},"
        f" {_outside(mixed)} of levels are out of band, and {_outside(few)} fitted by {extent.few:,}, too."
    )


def _outside(judged: Judged) -> str:
    return f"{points(judged.out_of_band, 100, 1)} %"


def _verdict(paired: PairedDifference) -> str:
    if paired.high < 0:
        return "clearly better"
    return "clearly worse" if paired.low > 0 else "not clearly different"
