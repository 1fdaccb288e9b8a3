"""How predictions do on simulated people of kinds that the method was not made with, and where they break.

`levelsense study foreign-people -o FOLDER` writes the people's results; then `python
benchmarks/foreign_people.py FOLDER dev` (or `sealed`) plays the agents on the same levels, fits, predicts and
prints the tables of docs/studies/foreign-prediction.md. Agents' results are kept in the folder. With `--form
many` it judges by the files of players who leave, but so many of whom begin that enough are left.
"""

import argparse
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from levelsense import defaults
from levelsense.level.level import bundled_levels
from levelsense.people.rates import rates_to_fit, success_rates
from levelsense.playtest import gather_levels
from levelsense.prediction.covariates import Covariates
from levelsense.prediction.evaluation import figures, judged, thirds_of
from levelsense.prediction.model import DifficultyModel, default_model
from levelsense.prediction.populations import Populations
from levelsense.prediction.table import parse_counted, play_table, with_places, with_players

LEVELS, FIRST = 600, 450
ROLLING = 30  # levels that come in between two fits
DRAWS, REPEATS = 4000, 400  # of rates that players show, and of populations
FEW = (3, 5, 10, 20, 40, 100)
NEXT, PLACES = 40, 3
FEWEST_WITH, MOST_WITH = 10, 300  # levels with an element that is left out
HARD = 0.05
RATES, FEWEST_OUTCOMES = (0.02, 0.05, 0.15, 0.4, 0.7), 3  # success rates, of which design effects are told
PARTS = ("floor", "effects", "chance", "saga", "rolling", "none", "bundled", "few", "elements")
SEALED_KINDS = 7
# Who plays, by what ends the name of a file; the longest first, since the last ends every name.
FORMS = {"many": "-drift-many", "drift": "-drift", "everybody": ""}


def agents_table(
    folder: Path, name: str, sources: list[str] | list[Path], threads: int | None
) -> pl.DataFrame:
    """The table of the default model's agents at levels, played once and kept."""
    kept = folder / f"agents-{name}.parquet"
    if not kept.exists():
        agents = parse_counted(defaults.MODEL_AGENTS, defaults.MODEL_ATTEMPTS)
        play_table(gather_levels(sources), agents, threads=threads).write_parquet(kept)
    return pl.read_parquet(kept)


def rows_of(path: Path) -> pl.DataFrame:
    """The rows of a file, one a player and level."""
    rows = pl.read_csv(path).with_columns(pl.col("player").cast(pl.String))
    return rows.select("level", "player", "attempts", "successes")


class People(NamedTuple):
    """The populations of a part whose results are looked at."""

    folder: Path
    part: str
    forms: tuple[str, ...] = tuple(FORMS)

    def paths(self) -> Iterator[Path]:
        """The file of each population, in each of the forms."""
        for path in sorted((self.folder / self.part).glob("*.csv")):
            form = next(name for name, end in FORMS.items() if path.stem.endswith(end))
            if form in self.forms and not path.stem.startswith("bundled-"):
                yield path

    def rates(self) -> Iterator[tuple[str, pl.DataFrame]]:
        """The name of each population, and its success rates by level."""
        for path in self.paths():
            yield path.stem, rates_of(path)

    def everybody(self) -> "People":
        """The same populations with nobody leaving, whatever the forms."""
        return self._replace(forms=("everybody",))


def rates_of(path: Path) -> pl.DataFrame:
    """Success rates by level, from a file with a row a player and level."""
    return rates_to_fit(rows_of(path))


def row(name: str, model: DifficultyModel, levels: pl.DataFrame) -> str:
    """A line of the tables."""
    figure = figures(name, model, levels)
    thirds = " | ".join(f"{100 * share:.1f}" for share in figure.outside_thirds)
    return (
        f"| {name} | {levels.height} | {100 * figure.mae:.2f} | {100 * figure.outside:.1f} | {thirds} "
        f"| {100 * figure.delta[0]:+.2f} ± {100 * figure.delta[1] / levels.height**0.5:.2f} "
        f"| {100 * figure.width:.1f} |"
    )


HEADING = (
    "| population | levels | MAE | outside 95 % | hardest third | middle | easiest | bias | mean band |\n"
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
)


def shown_rates(rate: float, attempts: int, effect: float, generator: np.random.Generator) -> np.ndarray:
    """Rates that players show where their true rate is known: draws of a beta-binomial distribution.

    Its variance is the design effect times that of independent attempts, as in the band.
    """
    alike = min((effect - 1) / max(attempts - 1, 1), 0.95)
    rates = np.full(DRAWS, rate)
    if alike > 0:
        certain = 1 / alike - 1
        rates = generator.beta(max(rate * certain, 1e-9), max((1 - rate) * certain, 1e-9), DRAWS)
    return generator.binomial(attempts, rates) / attempts


def with_floors(levels: pl.DataFrame, design_effects: pl.Series) -> pl.DataFrame:
    """Judged levels with what a perfect prediction would get, were the predicted rates the true ones.

    floor  the mean absolute difference to the rate that so many attempts of these players show
    near   the chance that this rate is within a factor of two
    """
    generator, floors, near = np.random.default_rng(1), [], []
    for rate, attempts, effect in zip(levels["rate"], levels["attempts"], design_effects, strict=True):
        shown = shown_rates(rate, attempts, effect, generator)
        floors.append(float(np.abs(shown - rate).mean()))
        near.append(float(np.mean((shown > rate / 2) & (shown < 2 * rate))))
    return levels.with_columns(floor=pl.Series(floors), near=pl.Series(near))


def noise_floors(people: People) -> None:
    """Floors at the levels that are judged in saga order, by players' results alone: no agent plays.

    The true rate is taken to be the observed one, with half a success and half a failure added.
    """
    tell(f"\n## Noise floors, levels {FIRST + 1} to {LEVELS}\n")
    tell("| population | players left | attempts a level | noise floor | below 5 % | perfect within two |")
    tell("| --- | --- | --- | --- | --- | --- |")
    for name, rates in people.rates():
        last = rates.slice(FIRST, LEVELS - FIRST)
        rate = (pl.col("successes") + 0.5) / (pl.col("attempts") + 1)
        levels = with_floors(last.select("attempts", rate=rate), last["design_effect"])
        hard = levels.filter(pl.col("rate") < HARD)
        tell(
            f"| {name} | {mean(last['players']):.0f} | {mean(last['attempts']):.0f} "
            f"| {100 * mean(levels['floor']):.2f} | {hard.height} | {100 * mean(hard['near']):.1f} |"
        )


def design_effects(people: People) -> None:
    """Design effects of players' attempts: as shown, as each level gives it by itself, and all together.

    Means over levels with at least three successes and three failures, weighted by the fewer of these.
    """
    tell("\n## Design effects, all levels\n")
    tell("| population | success rates | levels | shown | each by itself | together |")
    tell("| --- | --- | --- | --- | --- | --- |")
    for path in people.paths():
        rows, attempts, successes = rows_of(path), pl.col("attempts"), pl.col("successes")
        rate = (successes.sum() / attempts.sum()).over("level")
        squares = rows.with_columns(
            square=(successes - rate * attempts) ** 2, chance=attempts * rate * (1 - rate)
        )
        clusters = pl.len() / (pl.len() - 1)
        shown = squares.group_by("level").agg(
            shown=clusters * pl.col("square").sum() / pl.col("chance").sum()
        )
        together = rates_to_fit(rows).select("level", together="design_effect")
        levels = success_rates(rows).join(shown, on="level").join(together, on="level")
        levels = levels.with_columns(fewer=pl.min_horizontal(successes, attempts - successes))
        levels = levels.filter(pl.col("fewer") >= FEWEST_OUTCOMES)
        for low, high in pairwise(RATES):
            some = levels.filter((pl.col("rate") >= low) & (pl.col("rate") < high))
            means = [
                float(np.average(some[name].to_numpy(), weights=some["fewer"].to_numpy()))
                for name in ("shown", "design_effect", "together")
            ]
            cells = " | ".join(f"{mean:.2f}" for mean in means)
            tell(f"| {path.stem} | {low:.0%} to {high:.0%} | {some.height} | {cells} |")


def forward(
    table: pl.DataFrame, rows: pl.DataFrame, agents: tuple[str, ...] | None, first: int, step: int
) -> tuple[DifficultyModel, pl.DataFrame]:
    """The first levels fitted and the next `step` judged, then these fitted too, and so on to the last.

    Gives the last model, and the judged levels of all steps with their floors. What a fit is given is made of
    results at earlier levels alone, their design effects too, which levels tell together; those of the judged
    levels are what the rates that players show there are uncertain by.
    """
    placed, names = with_places(table, 1), table["level"].to_list()
    all_rates, parts = rates_to_fit(rows), []
    for start in range(first, table.height, step):
        past = rows.filter(pl.col("level").is_in(names[:start]))
        model = DifficultyModel(agents).fit(with_players(placed.head(start), rates_to_fit(past)))
        block = with_players(placed.slice(start, step), all_rates)
        known = model.places_.keys() & set(block["level"])
        if known:
            raise ValueError(f"{min(known)}: judged and fitted; expected levels after those of the fit")
        parts.append(with_floors(judged(model, block), block["design_effect"]))
    levels = pl.concat(parts)
    return model, levels.with_columns(third=thirds_of(levels["observed"].to_numpy()))


def saga_order(
    table: pl.DataFrame, people: People, agents: tuple[str, ...] | None, step: int = LEVELS - FIRST
) -> pl.DataFrame:
    """The first levels fitted, the next judged, `step` at a time; the judged levels of all populations."""
    first = table.height * FIRST // LEVELS
    heading, rule = HEADING.split("\n")
    again = "" if first + step >= table.height else f", again after every {step}"
    tell(f"\n## In saga order, first {first} fitted{again}\n\n{heading} noise floor |\n{rule} --- |")
    all_levels = []
    for path in people.paths():
        model, levels = forward(table, rows_of(path), agents, first, step)
        tell(f"{row(path.stem, model, levels)} {100 * mean(levels['floor']):.2f} |")
        all_levels.append(levels)
    every = pl.concat(all_levels)
    tell(
        f"\nall: {100 * mean(every['delta'].abs()):.2f} points off, "
        f"{100 * mean(every['outside']):.1f} % outside"
    )
    return every


def mean(values: pl.Series) -> float:
    """The mean of a column."""
    return float(np.mean(values.to_numpy()))


def hard_levels(levels: pl.DataFrame) -> None:
    """Attempts per success of the levels that are predicted to be hardest."""
    hard = levels.filter(pl.col("rate") < HARD)
    ratio = hard["rate"].to_numpy() / np.maximum(hard["observed"].to_numpy(), 1e-9)
    hard = hard.with_columns(within=pl.Series((ratio > 0.5) & (ratio < 2)))
    enough = hard.filter(pl.col("attempts") * pl.col("rate") >= 10)
    tell(
        f"\n## Below {HARD:.0%} predicted\n\n{hard.height} levels of all populations: "
        f"{mean(hard['within']):.1%} within a factor of two in attempts per success (a perfect prediction: "
        f"{mean(hard['near']):.1%}), {mean(hard['outside']):.1%} outside; of the {enough.height} where ten "
        f"successes or more were expected {mean(enough['within']):.1%} within the factor (a perfect "
        f"prediction: {mean(enough['near']):.1%})"
    )


def few_populations(number: int) -> None:
    """What share outside a right band for an unknown population would show, over so many populations.

    All levels of a population share its shift and slope. Populations are drawn from the law that the default
    model estimates, and the bands are made as `MixedBinomial.for_unknown` makes them; once with the law
    known, once estimated anew from as many populations as the model has.
    """
    of = default_model().populations_
    assert of is not None
    generator = np.random.default_rng(2)
    rates = np.clip(default_model().rates_, 0.004, 0.996)
    logits = np.log(rates / (1 - rates)) - of.center
    scales = of.freedom / generator.chisquare(of.freedom, DRAWS)
    sigmas = of.sigma * np.exp(of.spread * generator.normal(size=DRAWS))
    normal = generator.normal(size=DRAWS)
    tell(f"\n## What {number} populations can show\n")
    tell("| the law of populations | median outside | 95 of 100 times | below 3 % | from 3 to 8 % |")
    tell("| --- | --- | --- | --- | --- |")
    for words, is_known in (("known", True), (f"estimated from {len(of.names)}", False)):
        shares = []
        for _ in range(REPEATS):
            luck = np.ones(2) if is_known else generator.chisquare(of.freedom, 2) / of.freedom
            variance = luck[0] * of.shift**2 + luck[1] * (of.slope * logits) ** 2
            spreads = np.sqrt(np.outer(variance, scales) + sigmas**2)
            ends = np.quantile(np.abs(spreads * normal), 0.95, axis=1)
            shares.append(np.mean([np.abs(_departures(of, logits, generator)) > ends for _ in range(number)]))
        low, middle, high = np.quantile(shares, (0.025, 0.5, 0.975))
        few = np.mean(np.array(shares) < 0.03)
        some = np.mean((np.array(shares) >= 0.03) & (np.array(shares) <= 0.08))
        tell(
            f"| {words} | {100 * middle:.1f} | {100 * low:.1f} to {100 * high:.1f} | {few:.0%} | {some:.0%} |"
        )


def _departures(of: Populations, logits: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """How far the logits of a population's levels are from those of the average one."""
    shift, slope, deviate = generator.normal(size=3)
    kappa = of.sigma * np.exp(of.spread * deviate) * generator.normal(size=len(logits))
    departures: np.ndarray = of.shift * shift + of.slope * slope * logits + kappa
    return departures


def elements(table: pl.DataFrame, people: People) -> None:
    """Each element left out of a fit, then predicted."""
    tell("\n## Elements left out, one by one\n\n| element | levels | outside 95 % |\n| --- | --- | --- |")
    outside: dict[str, list[float]] = {}
    for _, rates in people.everybody().rates():
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


def no_data(table: pl.DataFrame, people: People) -> None:
    """The default model, which knows nothing of these populations."""
    heading, rule = HEADING.split("\n")
    tell(f"\n## Without data\n\n{heading} rank |\n{rule} --- |")
    model, outside = default_model(), []
    for name, rates in people.rates():
        levels = judged(model, with_players(table, rates))
        ranks = np.corrcoef(levels["rate"].rank(), levels["observed"].rank())[0, 1]
        tell(f"{row(name, model, levels)} {ranks:.3f} |")
        outside += levels["outside"].to_list()
    tell(f"\nall: {100 * np.mean(outside):.1f} % outside")


def few_levels(table: pl.DataFrame, people: People) -> None:
    """Fits to a few levels, with the default model as a prior and without."""
    tell("\n## Few levels, the next 40 judged\n")
    tell("| levels | MAE with the prior | outside | band | MAE from scratch | outside | band |")
    tell("| --- | --- | --- | --- | --- | --- | --- |")
    chosen = list(people.everybody().rates())
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


def bundled(table: pl.DataFrame, people: People) -> None:
    """Fitted to the whole saga, judged on levels that were drawn by hand."""
    tell(f"\n## Hand-drawn levels\n\n{HEADING}")
    names = bundled_levels()
    hand_drawn, outside = agents_table(people.folder, "bundled", list(names), None), []
    for path in people.everybody().paths():
        model = DifficultyModel(drift=False).fit(with_players(table, rates_of(path)))
        levels = judged(model, with_players(hand_drawn, rates_of(path.with_name(f"bundled-{path.name}"))))
        tell(row(path.stem, model, levels))
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
    parser.add_argument("--only", nargs="*", choices=PARTS, help="some tables (default: all)")
    parser.add_argument(
        "--form",
        nargs="*",
        choices=tuple(FORMS),
        default=tuple(FORMS),
        help="nobody leaves; who fails much leaves; the same with more players at first (default: all)",
    )
    parser.add_argument("--agent", nargs="*", help="agents to fit by in saga order (default: all there are)")
    parser.add_argument("--threads", type=int, default=None, help="of the agents' attempts")
    arguments = parser.parse_args()
    folder, only = arguments.folder, arguments.only
    people = People(folder, arguments.part, tuple(arguments.form))
    agents = tuple(arguments.agent) if arguments.agent else None
    if not only or "floor" in only:
        noise_floors(people)
    if not only or "effects" in only:
        design_effects(people)
    if not only or "chance" in only:
        few_populations(SEALED_KINDS)
    if only and not {*only} - {"floor", "effects", "chance"}:
        return
    table = agents_table(folder, "saga", [folder / "saga"], arguments.threads)
    if not only or "saga" in only:
        hard_levels(saga_order(table, people, agents))
    if not only or "rolling" in only:
        hard_levels(saga_order(table, people, agents, ROLLING))
    for name, tables in {
        "none": no_data,
        "bundled": bundled,
        "few": few_levels,
        "elements": elements,
    }.items():
        if not only or name in only:
            tables(table, people)


if __name__ == "__main__":
    main()
