"""Commands about people's success rate: models are fitted, asked, judged and reported."""

from pathlib import Path
from typing import Annotated

import typer

from levelsense import defaults
from levelsense.cli.app import (
    DIFFICULTY,
    PLAYERS,
    DatabaseOption,
    ExactOption,
    JsonOption,
    LevelsArgument,
    SeedOption,
    ThreadsOption,
    announce_compiling,
    app,
    check_outputs,
    only_text,
    print_json,
    refuse_together,
)
from levelsense.cli.completion import complete_agent
from levelsense.cli.running import lab_run, read_inputs
from levelsense.errors import LevelsenseError
from levelsense.files import check_writable

AgentsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--agent",
        metavar="SPEC",
        autocompletion=complete_agent,
        help="Whose attempts count, such as heuristic, or mcts@100 for 100 attempts; can be repeated.",
        show_default=", ".join(defaults.MODEL_AGENTS),
    ),
]
AttemptsOption = Annotated[
    int, typer.Option(help="How many attempts each agent has at each level, unless its spec says so.")
]
CohortOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Only this cohort of players, or those that match a pattern together; '*' is everybody.",
        callback=only_text,
        show_default=False,
    ),
]
BoostersOption = Annotated[
    bool, typer.Option("--boosters", help="Count attempts in which boosters were used, too.")
]

ModelOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="The model that `fit` wrote; one fitted to simulated players if left out.",
        show_default=False,
    ),
]
TargetOption = Annotated[
    str | None,
    typer.Option(
        metavar="RATE",
        help="The success rate that is wanted, such as 40%, 40 or 0.4: say how levels compare.",
        show_default=False,
    ),
]


@app.command(rich_help_panel=PLAYERS)
def fit(
    levels: LevelsArgument,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The model file to write.")
    ] = Path("model.json"),
    agents: AgentsOption = None,
    attempts: AttemptsOption = defaults.MODEL_ATTEMPTS,
    cohort: CohortOption = None,
    by_cohort: Annotated[
        bool,
        typer.Option(
            "--by-cohort",
            help="Tell cohorts apart, all or those that match --cohort: each has an offset of its own.",
        ),
    ] = False,
    prior: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Start from a model of several populations, or from `default`, for a fit to a few levels; "
            "its agents play.",
            show_default=False,
        ),
    ] = None,
    boosters: BoostersOption = False,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    db: DatabaseOption = defaults.DATABASE,
    as_json: JsonOption = False,
) -> None:
    """Fit a model of players' success rate to the levels they have played, in saga order.

    Agents play what is missing. The players' results are those that `players import` put into the database.
    """
    from levelsense.cli.terminal.prediction import print_fit
    from levelsense.cli.terminal.screen import note, screen

    check_outputs(db, output=output)
    check_writable(output)
    announce_compiling()
    with lab_run(db, seed, threads, notes=True) as (lab, common):
        model = lab.fit(
            levels,
            agents=agents or None,
            attempts=attempts,
            cohort=cohort,
            by_cohort=by_cohort,
            prior=prior,
            boosters=boosters,
            **common,
        )
    model.save(output)
    if as_json:
        print_json(model.as_data())
        return
    print_fit(screen(), model)
    note(f"{output} written")


@app.command(rich_help_panel=DIFFICULTY)
def predict(
    levels: LevelsArgument,
    model: ModelOption = None,
    target: TargetOption = None,
    place: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="The place in the saga of the first level, if players change along it.",
            show_default="as in the fit, or next after its levels",
        ),
    ] = None,
    cohort: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The players of this cohort, of a model that `fit --by-cohort` made.",
            callback=only_text,
            show_default="the average of its cohorts",
        ),
    ] = None,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    db: DatabaseOption = defaults.DATABASE,
    csv: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the predictions as CSV; - is stdout.", show_default=False),
    ] = None,
    exact: ExactOption = False,
    as_json: JsonOption = False,
) -> None:
    """Predict how often people will succeed at levels, how sure that is, and why.

    The model's agents play what is missing in the database.
    """
    from levelsense.cli.terminal.screen import screen

    refuse_together(csv=csv is not None, json=as_json)
    check_outputs(db, csv=csv)
    if csv is not None and str(csv) != "-":
        check_writable(csv)
    gathered, target_rate, difficulty_model = read_inputs(levels, target, model)
    if cohort is not None:
        difficulty_model = difficulty_model.for_cohort(cohort)
    with lab_run(db, seed, threads) as (lab, common):
        predictions = lab.predict(
            gathered,
            target=target_rate,
            model=difficulty_model,
            place=place,
            **common,
        )
    if as_json:
        print_json([prediction.as_data() for prediction in predictions])
        return
    from levelsense.cli.terminal.prediction import note_model, print_predictions, write_predictions

    if csv is not None:
        write_predictions(predictions, csv, exact)
    else:
        print_predictions(screen(), predictions)
    note_model(difficulty_model)


@app.command(rich_help_panel=DIFFICULTY)
def explain(
    levels: LevelsArgument,
    target: TargetOption = None,
    model: ModelOption = None,
    agent: Annotated[
        str,
        typer.Option(
            metavar="SPEC", help="Whose lost attempts are explained; policy makes moves as players do."
        ),
    ] = defaults.EXPLAINED_AGENT,
    attempts: Annotated[int, typer.Option(help="How many attempts it has at each level.")] = (
        defaults.EXPLAINED_ATTEMPTS
    ),
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    db: DatabaseOption = defaults.DATABASE,
    as_json: JsonOption = False,
) -> None:
    """Say why levels are hard: which cells, items and goals hold lost attempts up, and what decides.

    What a designer would act on stands first. Nothing is said from fewer than 30 lost attempts.
    """
    gathered, target_rate, difficulty_model = read_inputs(levels, target, model)
    with lab_run(db, seed, threads) as (lab, common):
        explanations = lab.explain(
            gathered,
            target=target_rate,
            model=difficulty_model,
            agent=agent,
            attempts=attempts,
            **common,
        )
    if as_json:
        print_json([explanation.as_data() for explanation in explanations])
        return
    from levelsense.cli.terminal.prediction import note_model, print_explanations
    from levelsense.cli.terminal.screen import screen

    print_explanations(screen(), explanations)
    note_model(difficulty_model)


@app.command(rich_help_panel=PLAYERS)
def evaluate(
    levels: LevelsArgument,
    first: Annotated[
        int | None,
        typer.Option(
            help="Fit to so many levels, and judge the rest; with --model, leave them out.",
            show_default=False,
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Judge this model, which `fit` wrote, by levels with results that came since; `default` is "
            "the one that comes with levelsense.",
            show_default=False,
        ),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE|SPEC",
            help="Compare with another model, or with one that is fitted to these agents' attempts; "
            "agents can be repeated.",
            autocompletion=complete_agent,
            callback=only_text,
            show_default=False,
        ),
    ] = None,
    agents: AgentsOption = None,
    attempts: AttemptsOption = defaults.MODEL_ATTEMPTS,
    cohort: CohortOption = None,
    boosters: BoostersOption = False,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    db: DatabaseOption = defaults.DATABASE,
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a page with charts of how good the predictions are, one HTML file.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Fit to the first levels of a saga, or take a saved model, and tell how well it predicts the rest.

    Levels are taken in the order given; files of a folder as people count.
    """
    from levelsense.cli.terminal.prediction import print_evaluation
    from levelsense.cli.terminal.screen import note, screen
    from levelsense.lab import evaluation_page
    from levelsense.prediction.evaluation import evaluation_data

    check_outputs(db, report=report)
    refuse_together(model=model is not None, agent=agents is not None)
    if report is not None:
        check_writable(report)
    announce_compiling()
    with lab_run(db, seed, threads, notes=True) as (lab, common):
        evaluation = lab.evaluate(
            levels,
            first,
            model=model,
            against=_contender(against),
            agents=agents or defaults.MODEL_AGENTS,
            attempts=attempts,
            cohort=cohort,
            boosters=boosters,
            **common,
        )
    if as_json:
        print_json(evaluation_data(evaluation))
    else:
        print_evaluation(screen(), evaluation)
    if report is not None:
        evaluation_page(evaluation, seed).save(report)
        note(f"{report} written")


def _contender(words: list[str] | None) -> Path | list[str] | None:
    """A model's file, or agents; LevelsenseError for a file beside others."""
    files = [word for word in words or () if word.endswith(".json") or Path(word).is_file()]
    if files and words != files[:1]:
        raise LevelsenseError(f"--against {files[0]}: a file beside others; expected one model, or agents")
    return Path(files[0]) if files else words


@app.command(rich_help_panel=DIFFICULTY)
def report(
    levels: LevelsArgument,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The page to write.")] = Path(
        "report.html"
    ),
    model: ModelOption = None,
    target: TargetOption = None,
    cohort: CohortOption = None,
    boosters: BoostersOption = False,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            "--agent",
            metavar="SPEC",
            autocompletion=complete_agent,
            help="Whose attempts are shown, such as heuristic, or mcts@100 for 100 attempts; can be "
            "repeated.",
            show_default="those of the model",
        ),
    ] = None,
    attempts: Annotated[
        int | None,
        typer.Option(
            help="How many attempts of each agent are shown, unless its spec says so.",
            show_default=f"as many as the model needs, {defaults.ATTEMPTS} of others",
        ),
    ] = None,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    db: DatabaseOption = defaults.DATABASE,
) -> None:
    """Write a page about levels: what to expect of people, how agents fared, what players did.

    It is made from what the database has; agents play what is missing.
    """
    from levelsense.cli.terminal.screen import note
    from levelsense.playtest.plan import parse_target

    check_outputs(db, output=output)
    check_writable(output)
    target_rate = None if target is None else parse_target(target)
    announce_compiling()
    with lab_run(db, seed, threads, notes=True) as (lab, common):
        page = lab.report(
            levels,
            model=model,
            target=target_rate,
            cohort=cohort,
            boosters=boosters,
            agents=agents,
            attempts=attempts,
            **common,
        )
    page.save(output)
    note(f"{output} written")
