"""The end of the page: what a designer may take from the study, with its figures."""

from collections.abc import Mapping

import numpy as np

from levelsense.studies.page import StudyPage
from levelsense.studies.poromaa.intervals import difference, mean_over_levels
from levelsense.studies.poromaa.parameters import LEVELS, TESTS, Setup
from levelsense.studies.poromaa.saga import MAIN_LEAVING, Rates, Stage, Way
from levelsense.studies.poromaa.saga_sections import NAMES, left_after_line


def advise_designers(
    page: StudyPage, setups: Mapping[str, Setup], late: Stage, testers: Rates, way: Way
) -> None:
    """A list of what follows from the figures."""
    page.heading("What a designer may take from it")
    people = way.rates(late.numbers, MAIN_LEAVING)
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
    gain = mean_over_levels(people - way.rates(late.numbers))
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
