"""How predictions do on simulated people of kinds that the method was not made with, and where they break.

`levelsense study foreign-people -o FOLDER` writes the people's results; then `python
benchmarks/foreign_people.py FOLDER dev` (or `sealed`) plays the agents on the same levels, fits, predicts and
prints the tables of docs/studies/foreign-prediction.md. Agents' results are kept in the folder.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from levelsense import defaults
from levelsense.level.level import bundled_levels
from levelsense.people.rates import success_rates
from levelsense.playtest import gather_levels
from levelsense.prediction.covariates import Covariates
from levelsense.prediction.evaluation import figures, judged
from levelsense.prediction.model import DifficultyModel, default_model
from levelsense.prediction.table import parse_counted, play_table, with_places, with_players

FIRST = 450
FEW = (3, 5, 10, 20, 40, 100)
NEXT, PLACES = 40, 3
FEWEST_WITH, MOST_WITH = 10, 300  # levels with an element that is left out
HARD = 0.05


def agents_table(
    folder: Path, name: str, sources: list[str] | list[Path], threads: int | None
) -> pl.DataFrame:
    """The table of the default model's agents at levels, played once and kept."""
    kept = folder / f"agents-{name}.parquet"
    if not kept.exists():
        agents = parse_counted(defaults.MODEL_AGENTS, defaults.MODEL_ATTEMPTS)
        play_table(gather_levels(sources), agents, threads=threads).write_parquet(kept)
    return pl.read_parquet(kept)


def rates_of(path: Path) -> pl.DataFrame:
    """Success rates by level, from a file with a row a player and level."""
    rows = pl.read_csv(path).with_columns(pl.col("player").cast(pl.String))
    return success_rates(rows.select("level", "player", "attempts", "successes"))


def populations(folder: Path, part: str) -> Iterator[tuple[str, pl.DataFrame]]:
    """Every population of a part, with nobody leaving and with those leaving who fail much."""
    for path in sorted((folder / part).glob("*.csv")):
        if not path.stem.startswith("bundled-"):
            yield path.stem, rates_of(path)


def row(name: str, model: DifficultyModel, levels: pl.DataFrame) -> str:
    """A line of the tables."""
    figure = figures(name, model, levels)
    thirds = " | ".join(f"{100 * share:.1f}" for share in figure.outside_thirds)
    return (
        f"| {name} | {levels.height} | {100 * figure.mae:.2f} | {100 * figure.outside:.1f} | {thirds} "
        f"| {100 * figure.delta[0]:+.2f} | {100 * figure.width:.1f} |"
    )


HEADING = (
    "| population | levels | MAE | outside 95 % | hardest third | middle | easiest | bias | mean band |\n"
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
)


def saga_order(table: pl.DataFrame, folder: Path, part: str) -> pl.DataFrame:
    """The first levels fitted, the next judged; gives the judged levels of all populations."""
    tell(f"\n## In saga order, first {FIRST} fitted\n\n{HEADING}")
    all_levels = []
    for name, rates in populations(folder, part):
        both = with_places(with_players(table, rates), 1)
        model = DifficultyModel().fit(both.head(FIRST))
        levels = judged(model, both.slice(FIRST))
        tell(row(name, model, levels))
        all_levels.append(levels)
    return pl.concat(all_levels)


def hard_levels(levels: pl.DataFrame) -> None:
    """Attempts per success of the levels that are predicted to be hardest."""
    hard = levels.filter(pl.col("rate") < HARD)
    ratio = hard["rate"].to_numpy() / np.maximum(hard["observed"].to_numpy(), 1e-9)
    near = np.mean((ratio > 0.5) & (ratio < 2))
    outside = hard["outside"].to_numpy().mean()
    enough = hard.with_columns(ratio=pl.Series(ratio)).filter(pl.col("attempts") * pl.col("rate") >= 10)
    seen = enough["ratio"].to_numpy()
    tell(
        f"\n## Below {HARD:.0%} predicted\n\n{hard.height} levels of all populations: {near:.1%} within a "
        f"factor of two in attempts per success, {outside:.1%} outside; of the {enough.height} where ten "
        f"successes or more were expected {np.mean((seen > 0.5) & (seen < 2)):.1%} within the factor"
    )


def elements(table: pl.DataFrame, folder: Path, part: str) -> None:
    """Each element left out of a fit, then predicted."""
    tell("\n## Elements left out, one by one\n\n| element | levels | outside 95 % |\n| --- | --- | --- |")
    outside: dict[str, list[float]] = {}
    for _, rates in (named for named in populations(folder, part) if not named[0].endswith("-drift")):
        both = with_players(table, rates)
        columns = Covariates(tuple(parse_counted(defaults.MODEL_AGENTS, defaults.MODEL_ATTEMPTS)))
        for element, has in columns.elements(columns.values(both)).items():
            if FEWEST_WITH <= has.sum() <= MOST_WITH:
                model = DifficultyModel(penalties=(1000.0,), drift=False).fit(both.filter(~has))
                outside.setdefault(element, []).extend(judged(model, both.filter(has))["outside"].to_list())
    for element, flags in outside.items():
        tell(f"| {element} | {len(flags)} | {100 * np.mean(flags):.1f} |")
    flags = [flag for group in outside.values() for flag in group]
    tell(f"| all | {len(flags)} | {100 * np.mean(flags):.1f} |")


def no_data(table: pl.DataFrame, folder: Path, part: str) -> None:
    """The default model, which knows nothing of these populations."""
    tell(f"\n## Without data\n\n{HEADING}")
    model, outside = default_model(), []
    for name, rates in populations(folder, part):
        levels = judged(model, with_players(table, rates))
        ranks = np.corrcoef(levels["rate"].rank(), levels["observed"].rank())[0, 1]
        tell(f"{row(name, model, levels)} rank {ranks:.3f}")
        outside += levels["outside"].to_list()
    tell(f"\nall: {100 * np.mean(outside):.1f} % outside")


def few_levels(table: pl.DataFrame, folder: Path, part: str) -> None:
    """Fits to a few levels, with the default model as a prior and without."""
    tell("\n## Few levels, the next 40 judged\n")
    tell("| levels | MAE with the prior | outside | band | MAE from scratch | outside | band |")
    tell("| --- | --- | --- | --- | --- | --- | --- |")
    chosen = [named for named in populations(folder, part) if not named[0].endswith("-drift")]
    for count in FEW:
        cells: dict[bool, list[tuple[float, float, float]]] = {True: [], False: []}
        for _, rates in chosen:
            both = with_places(with_players(table, rates), 1)
            for start in np.linspace(0, both.height - count - NEXT, PLACES).astype(int).tolist():
                for with_prior, told in cells.items():
                    model = DifficultyModel(prior=default_model() if with_prior else None)
                    model.fit(both.slice(start, count))
                    figure = figures("", model, judged(model, both.slice(start + count, NEXT)))
                    told.append((figure.mae, figure.outside, figure.width))
        means = [100 * value for told in cells.values() for value in np.mean(told, axis=0)]
        tell(f"| {count} | " + " | ".join(f"{value:.1f}" for value in means) + " |")


def bundled(table: pl.DataFrame, folder: Path, part: str) -> None:
    """Fitted to the whole saga, judged on levels that were drawn by hand."""
    tell(f"\n## Hand-drawn levels\n\n{HEADING}")
    names = bundled_levels()
    hand_drawn, outside = agents_table(folder, "bundled", list(names), None), []
    for name, rates in populations(folder, part):
        path = folder / part / f"bundled-{name}.csv"
        if path.exists():
            model = DifficultyModel(drift=False).fit(with_players(table, rates))
            levels = judged(model, with_players(hand_drawn, rates_of(path)))
            tell(row(name, model, levels))
            outside += levels["outside"].to_list()
    tell(f"\nall: {100 * np.mean(outside):.1f} % outside")


def tell(line: str) -> None:
    """Prints a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    """Prints all tables of a part."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="of `levelsense study foreign-people`")
    parser.add_argument("part", choices=("dev", "sealed"))
    parser.add_argument("--only", nargs="*", help="saga, elements, none, few, bundled (default: all)")
    parser.add_argument("--threads", type=int, default=None, help="of the agents' attempts")
    arguments = parser.parse_args()
    folder, part, only = arguments.folder, arguments.part, arguments.only
    table = agents_table(folder, "saga", [folder / "saga"], arguments.threads)
    if not only or "saga" in only:
        hard_levels(saga_order(table, folder, part))
    for name, tables in {
        "none": no_data,
        "bundled": bundled,
        "few": few_levels,
        "elements": elements,
    }.items():
        if not only or name in only:
            tables(table, folder, part)


if __name__ == "__main__":
    main()
