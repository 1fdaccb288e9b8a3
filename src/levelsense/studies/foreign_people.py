"""Results of foreign kinds of simulated people, to judge predictions by people that no model was made on.

Each kind plays a generated saga, once with nobody leaving and twice with weak players leaving along the way,
the second time with so many at the start that enough are left at the end; and the bundled levels. `levelsense
study foreign-people` runs it; populations whose files are there already are passed over.
docs/studies/foreign-people.md says what comes of it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import ceil
from pathlib import Path
from types import MappingProxyType
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from levelsense.agents.attempt import AttemptRecords, play_attempts
from levelsense.files import write_text
from levelsense.game.state import Array
from levelsense.level.elements import BLOCKERS
from levelsense.level.level import Level, bundled_levels
from levelsense.people.simulated.kinds import Kind
from levelsense.people.simulated.leaving import Presence, visits_of_present
from levelsense.people.simulated.run import Visit, results_of, visits
from levelsense.people.simulated.traits import Population, draw_of
from levelsense.playtest import NamedLevel, gather_levels
from levelsense.saga.files import write_levels
from levelsense.saga.generate import generate
from levelsense.studies.foreign_kinds import CODES, FOREIGN
from levelsense.studies.foreign_minds import FOREIGN_KERNELS
from levelsense.studies.page import StudyPage
from levelsense.studies.run import Hear, StudyRun

COUNT: Final = 600
SEED: Final = 21
PLAYERS: Final = 300
LEAVE: Final = 0.02
ENOUGH: Final = 200  # players left at the last level, where so many begin that enough are
MOST_AT_FIRST: Final = 2000  # players who begin there
MANY: Final = "-drift-many"  # ends the names of their files
# Levels, players, and how many of those who leave are to be left at the end, by whether it is quick.
EXTENT: Final = {False: (COUNT, PLAYERS, ENOUGH), True: (20, 60, 60)}

# Folders, and the populations in each: shares of kinds. Those of the first may be looked at while a model is
# made; those of the second judge it once.
POPULATIONS: Final[Mapping[str, Mapping[str, Mapping[str, float]]]] = MappingProxyType(
    {
        "dev": {name: {name: 1.0} for name in ("scanner", "bottomer", "comparer")},
        "sealed": {
            **{name: {name: 1.0} for name in ("rower", "chaser", "panicker", "colorist", "saver", "tired")},
            "mixed": {
                "scanner": 0.15,
                "comparer": 0.15,
                "rower": 0.1,
                "chaser": 0.2,
                "panicker": 0.1,
                "colorist": 0.1,
                "saver": 0.1,
                "tired": 0.1,
            },
        },
    }
)
COLUMNS: Final = ("level", "player", "attempts", "successes", "moves_left", "cohort")


def play_foreign(
    kind: Kind, level: Level, seeds: Array, traits: Array
) -> tuple[AttemptRecords, NDArray[np.int16]]:
    """Plays an attempt for each row of a kind's traits: the results; moves are not noted."""
    rows = play_attempts(FOREIGN_KERNELS, [CODES[kind], traits.shape[1], *traits.ravel()], level, seeds)
    return rows, np.zeros((len(rows), 0), np.int16)


def draw_foreign(
    name: str, shares: Mapping[str, float], players: int, seed: int, leave: float = 0.0
) -> Population:
    """A population of foreign people by shares of their kinds."""
    return draw_of(f"foreign {name}", shares, FOREIGN, players, seed, leave)


def results(
    levels: Sequence[NamedLevel],
    population: Population,
    threads: int | None = None,
    levels_done: Callable[[int], None] | None = None,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The results of a population at levels in order: with nobody leaving, and of those who have not left.

    `levels_done` is called with how many levels are done.
    """
    presence = Presence(population, levels)
    cohort = replace(population, leave=0.0).cohort
    everybody, survivors = [], []
    for visited in visits(population, levels, threads, play_foreign):
        everybody.append(_rows(visited, population, cohort))
        survivors.append(_rows(presence.visit(visited), population, f"{cohort}, leaving"))
        if levels_done is not None:
            levels_done(len(everybody))
    return pl.concat(everybody), pl.concat(survivors)


def results_of_present(
    levels: Sequence[NamedLevel],
    population: Population,
    threads: int | None = None,
    levels_done: Callable[[int], None] | None = None,
) -> pl.DataFrame:
    """The second table of `results` alone, to the number: who has left is not simulated any more.

    Only the cohort is another, since there may be files of the same players with fewer of them.
    """
    cohort = f"{replace(population, leave=0.0).cohort}, leaving, {len(population)} at first"
    survivors = []
    for visited in visits_of_present(population, levels, threads, play_foreign):
        survivors.append(_rows(visited, population, cohort))
        if levels_done is not None:
            levels_done(len(survivors))
    return pl.concat(survivors)


def players_at_first(survivors: pl.DataFrame, enough: int) -> int:
    """How many have to begin so that about `enough` are left at the last level; MOST_AT_FIRST at most.

    By the share of those who are left in `survivors`, whose rows are in the order of levels, and never fewer
    than began there. No prediction has a part in it.
    """
    began = survivors["player"].n_unique()
    left = survivors.filter(pl.col("level") == survivors["level"][-1]).height
    return min(max(ceil(enough * began / left), began), MOST_AT_FIRST)


def _rows(visited: Visit, population: Population, cohort: str) -> pl.DataFrame:
    """A visit's results as the columns of a file."""
    return results_of(visited, population).with_columns(cohort=pl.lit(cohort)).select(COLUMNS)


def drawn_levels() -> tuple[NamedLevel, ...]:
    """The bundled levels without blockers that no generated saga has."""
    new = {element.name for element in BLOCKERS if element.saga is None}
    levels = gather_levels(bundled_levels())
    return tuple(named for named in levels if not any(cell.blocker in new for cell in named.level.cells))


def saga(folder: Path, seed: int, count: int) -> tuple[NamedLevel, ...]:
    """The first levels of a generated saga, from the folder or generated into it."""
    missing = [number for number in range(1, count + 1) if not (folder / f"saga-{number:04}.json").exists()]
    if missing:
        first = missing[0]
        write_levels(folder, list(generate(seed, count + 1 - first, first)))
    return gather_levels([folder])[:count]


def run(
    folder: Path,
    *,
    count: int = COUNT,
    seed: int = SEED,
    players: int = PLAYERS,
    enough: int = ENOUGH,
    leave: float = LEAVE,
    only: Iterable[str] = (),
    threads: int | None = None,
    hear: Hear | None = None,
) -> list[Path]:
    """Writes the files of all populations, or of some, that are not there yet; returns their paths.

    Population k of all has the seed of the saga plus k, so that no two have the same people. Where more begin
    (`players_at_first`), the first of them are those of the other files. `hear` is told how far it is.
    """
    levels, drawn, written = saga(folder / "saga", seed, count), drawn_levels(), []
    named = [(part, name, shares) for part, inside in POPULATIONS.items() for name, shares in inside.items()]
    for number, (part, name, shares) in enumerate(named):
        paths = [folder / part / f"{file}.csv" for file in (name, f"{name}-drift", f"bundled-{name}")]
        if only and name not in only:
            continue

        if not all(path.exists() for path in paths):
            population = draw_foreign(name, shares, players, seed + number, leave)
            everybody, survivors = results(levels, population, threads, _told(hear, name, count))
            tables = everybody, survivors, results(drawn, population, threads)[0]
            for path, table in zip(paths, tables, strict=True):
                _write(path, table)
            written += paths
        many = folder / part / f"{name}{MANY}.csv"
        if not many.exists():
            at_first = players_at_first(pl.read_csv(paths[1]), enough)
            population = draw_foreign(name, shares, at_first, seed + number, leave)
            told = _told(hear, f"{name} with leavers", count)
            _write(many, results_of_present(levels, population, threads, told))
            written.append(many)
    return written


def _write(path: Path, table: pl.DataFrame) -> None:
    """Writes a table as CSV, with the folder that it is in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, table.write_csv())


def _told(hear: Hear | None, name: str, count: int) -> Callable[[int], None]:
    """Tells how far a population is along so many levels."""

    def levels_done(done: int) -> None:
        if hear is not None:
            hear(f"simulating {name},", done, count)

    return levels_done


def summary(folder: Path) -> str:
    """A table of the populations whose files are there, a line each.

    Of the levels' success rates: the median and the range of eight in ten. Then attempts of a player at a
    level, the share of players who give up, and of the last quarter of the levels: who is left at the last
    one, and the success rate of everybody and of those who are left.
    """
    heading = ("population", "median success", "eight in ten", "attempts", "give up", "left")
    cells = (*heading, "last quarter: all", "those left")
    lines = [f"| {' | '.join(cells)} |", "| --- " * len(cells) + "|"]
    for path in sorted(folder.glob("*/*-drift.csv")):
        survivors = pl.read_csv(path)
        everybody = pl.read_csv(path.with_name(path.name.replace("-drift", "")))
        lines.append(f"| {_population_cells(path, everybody, survivors)} |")
    return "\n".join(lines) + "\n"


def summary_of_many(folder: Path) -> str:
    """A table of the populations that begin with more players, a line each.

    How many begin and are left at the last level, and the last quarter of the levels: players and attempts at
    one of them, and the success rate.
    """
    cells = ("population", "at first", "left", "players", "attempts", "success")
    lines = [f"| {' | '.join(cells)} |", "| --- " * len(cells) + "|"]
    for path in sorted(folder.glob(f"*/*{MANY}.csv")):
        survivors = pl.read_csv(path)
        names = survivors["level"].unique(maintain_order=True)
        late = survivors.filter(pl.col("level").is_in(_last_quarter(names).implode()))
        levels, attempts = late["level"].n_unique(), int(late["attempts"].sum())
        told = (
            f"{path.parent.name}/{path.stem.removesuffix(MANY)}",
            f"{survivors['player'].n_unique():,}",
            f"{survivors.filter(pl.col('level') == names[-1]).height}",
            f"{late.height / levels:.0f}",
            f"{attempts / levels:.0f}",
            f"{late['successes'].sum() / attempts:.1%}",
        )
        lines.append(f"| {' | '.join(told)} |")
    return "\n".join(lines) + "\n"


def _last_quarter(names: pl.Series) -> pl.Series:
    return names.tail(-(-len(names) // 4))


def _population_cells(path: Path, everybody: pl.DataFrame, survivors: pl.DataFrame) -> str:
    rates = everybody.group_by("level").agg(rate=pl.col("successes").sum() / pl.col("attempts").sum())["rate"]
    low, middle, high = (np.quantile(rates.to_numpy(), share) for share in (0.1, 0.5, 0.9))
    names = everybody["level"].unique(maintain_order=True)
    last = _last_quarter(names).implode()
    late = [table.filter(pl.col("level").is_in(last)) for table in (everybody, survivors)]
    shares = [float(part["successes"].to_numpy().sum() / part["attempts"].to_numpy().sum()) for part in late]
    left = survivors.filter(pl.col("level") == names[-1]).height / everybody["player"].n_unique()
    cells = (
        f"{path.parent.name}/{path.stem.removesuffix('-drift')}",
        f"{middle:.1%}",
        f"{low:.1%} - {high:.1%}",
        f"{everybody['attempts'].to_numpy().mean():.2f}",
        f"{(everybody['successes'].to_numpy() == 0).mean():.1%}",
        f"{left:.1%}",
        *(f"{share:.1%}" for share in shares),
    )
    return " | ".join(cells)


def study(study_run: StudyRun) -> StudyPage:
    """Simulates all populations, and gives a page with their table."""
    count, players, enough = EXTENT[study_run.quick]
    study_run.claim("foreign-people", levels=count, players=players)
    # The study's own seed, 1, stands for the saga of the published figures.
    seed = SEED - 1 + study_run.seed
    run(
        study_run.folder,
        count=count,
        seed=seed,
        players=players,
        enough=enough,
        threads=study_run.threads,
        hear=study_run.hear,
    )
    page = StudyPage("foreign-people", "Foreign people: kinds of simulated people that no model was made on")
    page.text(
        f"All are programs, {players} of each population, at the saga of",
        f"`levelsense generate --count {count} --seed {seed}`. Of the levels' success rates, the median and",
        "the range of eight in ten; attempts of a player at a level; who gives up there. Of the files with",
        "players who leave: who is left at the last level, and the success rate over the last quarter of the",
        "levels, of everybody and of those who are left.",
    )
    page.block(summary(study_run.folder))
    page.text(
        f"With so many at the start that about {enough} are left at the last level, but {MOST_AT_FIRST:,} at",
        "most: how many begin and are left, and players, attempts and success at the levels of the last",
        "quarter.",
    )
    page.block(summary_of_many(study_run.folder))
    return page
