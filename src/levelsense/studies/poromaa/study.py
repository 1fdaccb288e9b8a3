"""The study of Poromaa's thesis: all its phases, its page, and what a designer may take from it."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from levelsense.studies.page import StudyPage
from levelsense.studies.poromaa import (
    parameters,
    phase_one,
    phase_two,
    player_base,
    saga,
    saga_sections,
    searches,
)
from levelsense.studies.poromaa.intervals import Check, difference, mean_over_levels, summary
from levelsense.studies.poromaa.parameters import LEVELS, TESTS, Setup
from levelsense.studies.poromaa.playing import EXTENTS
from levelsense.studies.poromaa.published import EDITIONS
from levelsense.studies.poromaa.random_play import play_randomly
from levelsense.studies.poromaa.saga import MAIN_LEAVING, Rates, SagaPlayers, Stage
from levelsense.studies.poromaa.saga_sections import NAMES, left_after_line
from levelsense.studies.poromaa.trees import grow_trees
from levelsense.studies.run import StudyRun

NAME: Final = "poromaa"


def study(run: StudyRun) -> StudyPage:
    """Runs the study and gives its page."""
    extent = EXTENTS[run.quick]
    run.claim(NAME)
    plays = play_randomly(run, extent)
    trees = grow_trees(run)
    timed = searches.time_searches(run, extent)
    setups = parameters.test_parameters(run, extent)
    shrinking = parameters.test_shrinking(run, extent)
    looked = searches.look_at_shrinking(run, extent)
    levels = saga.saga_levels(run, extent)
    early = saga.play_stage(run, extent, levels, "early", saga.EARLY_BOTS, extent.early)
    late = saga.play_stage(run, extent, levels, "late", saga.LATE_BOTS, extent.late)
    testers = saga.play_testers(run, extent, levels)
    players = saga.saga_players(run, extent, levels)
    correlations = (
        saga.score_and_progress(run, extent, levels, extent.early, "scores-early"),
        saga.score_and_progress(run, extent, levels, extent.late, "scores-late"),
    )
    page = StudyPage(NAME, "Poromaa: predicting success rates by tree search")
    sections = StudyPage(NAME, "")
    checks = {
        "phase 1": [
            *phase_one.tell_random_play(sections, plays),
            *phase_one.tell_trees(sections, trees),
            *phase_one.tell_time(sections, timed),
        ],
        "phase 2": [
            *phase_two.tell_parameters(sections, setups),
            *phase_two.tell_shrinking(sections, setups, shrinking, looked),
        ],
        "phase 3": saga_sections.tell_early(sections, early, players),
        "phase 4": saga_sections.tell_late(sections, late, testers, players),
        "the player base": player_base.tell_hypothesis(sections, early, late, players, correlations),
    }
    _introduce(page, run, checks)
    page.parts += sections.parts
    page.charts.update(sections.charts)
    _tell_time(page, setups, (early, late))
    advise_designers(page, setups, late, testers, players)
    return page


def _introduce(page: StudyPage, run: StudyRun, checks: dict[str, list[Check]]) -> None:
    page.text(
        "Erik Ragnar Poromaa, *Crushing Candy Crush*, a master's thesis at KTH: bots that play Candy",
        "Crush Saga by Monte Carlo tree search, and whether their success rates are those of people. Its",
        "four phases are run again here. Its levels and players are King's and not public. The three",
        "levels of phases 1 and 2 have the published features on boards of ours, phases 3 and 4 take",
        "levels of the [generated saga](../saga.md), and **in the place of people stand [simulated",
        "players](../players.md#simulated-players)**.",
    )
    quick = " --quick" if run.quick else ""
    page.block(f"    levelsense study poromaa{quick} --seed {run.seed} --threads 1")
    page.text("Every finding in short; the sections below have the figures and say why.")
    page.table(
        ("part", "findings", "what does not agree"),
        [
            (
                part,
                summary(part_checks),
                "; ".join(check.finding for check in part_checks if check.verdict.startswith("no")) or "-",
            )
            for part, part_checks in checks.items()
        ],
    )
    page.heading("Where the two editions differ")
    page.items(*EDITIONS)


def _tell_time(
    page: StudyPage, setups: dict[str, parameters.Setup], stages: tuple[saga.Stage, saga.Stage]
) -> None:
    page.heading("What it took")
    early, late = (
        ", ".join(
            f"{saga_sections.NAMES[bot]} {1000 * seconds / stage.tries / stage.count:.1f}"
            for bot, seconds in stage.seconds.items()
        )
        for stage in stages
    )
    spent = sum(sum(setup.seconds.values()) for setup in setups.values())
    spent += sum(sum(stage.seconds.values()) for stage in stages)
    page.text(
        "Milliseconds of processor time an attempt, all with the published numbers of simulations:",
        f"{early} on early levels; {late} on later ones. On the three levels of phase 2:",
    )
    bots = {"B2": "mcts:signal=score", "B3": "mcts:signal=score,playout=heuristic"}
    page.table(
        ("bot", *parameters.LEVELS),
        [
            (
                name,
                *(
                    f"{1000 * setups[spec].seconds[level] / len(setups[spec].wins[level]):.0f}"
                    for level in parameters.LEVELS
                ),
            )
            for name, spec in bots.items()
        ],
    )
    page.text(
        f"The attempts of phases 2 to 4 took {spent / 60:.0f} minutes of one core of a shared AMD EPYC."
        if spent > 600
        else f"The attempts of phases 2 to 4 took {spent:.0f} seconds of one core."
    )


def advise_designers(
    page: StudyPage, setups: Mapping[str, Setup], late: Stage, testers: Rates, players: SagaPlayers
) -> None:
    """A list of what follows from the figures."""
    page.heading("What a designer may take from it")
    people = players.rates(late.numbers, MAIN_LEAVING)
    bot_rates = {NAMES[bot]: rates for bot, rates in late.rates.items()}
    raw = _in_words({name: float(np.abs(rates - people).mean()) for name, rates in bot_rates.items()})
    fitted = _in_words({name: left_after_line(rates, people) for name, rates in bot_rates.items()})
    signals = TESTS[5].agents
    binary = difference(setups[signals["binary"]].wins, [setups[signals["goals"]].wins])
    guided, random = (
        100 * (max(means) - min(means))
        for means in (
            [setups[spec].stack / len(LEVELS) for spec in TESTS[number].agents.values()] for number in (1, 2)
        )
    )
    single = [float(np.abs(testers[:, number] - people).mean()) for number in range(testers.shape[1])]
    together = float(np.abs(testers.mean(axis=1) - people).mean())
    gain = mean_over_levels(people - players.rates(late.numbers))
    page.items(
        "**A bot's success rate is not the players'.** In the thesis B2 was 30 points too high on early "
        "levels and 3 too low on later ones; on our later levels bots miss simulated players by "
        f"{raw} points on average. What a bot knows is which level is harder: after one straight line "
        f"through the levels it is {fitted} points. So compare levels by bots, and let a fitted model say "
        "the rate (`levelsense fit`, `levelsense predict`).",
        "**If a bot searches, let it see how near it came.** A search that counts wins only loses "
        f"{-100 * binary.value:.0f} points of success to one that counts the goals done. How far it "
        f"explores matters less: from C 0.2 to 0.8 success differs by up to {random:.0f} points with random "
        f"playouts, and by {guided:.0f} with heuristic ones.",
        "**Few attempts tell little.** With 200 attempts of each setup at three levels, differences below "
        "4 or 5 points cannot be told from none; the thesis, which played as many, says so itself. Ask for "
        "the interval before you move a level for two points.",
        "**Three testers are three players.** Each of ours misses the players by "
        f"{', '.join(f'{100 * miss:.0f}' for miss in single)} points a level on average, and all three "
        f"together by {100 * together:.0f}.",
        "**Later levels are played by others.** Players who are left at later levels succeed "
        f"{100 * gain.value:.0f} points more often there than all who began would. A model for new levels "
        "is best fitted to the latest results.",
    )


def _in_words(errors: Mapping[str, float]) -> str:
    *others, last = (f"{100 * error:.0f} ({name})" for name, error in errors.items())
    return f"{', '.join(others)} and {last}"
