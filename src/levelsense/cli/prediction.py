"""Commands about people's success rate: models are fitted, asked, judged and reported."""

from pathlib import Path
from typing import Annotated

import typer

from levelsense.cli.app import (
    DATABASE,
    INTERRUPTED,
    DatabaseOption,
    JsonOption,
    LevelsArgument,
    SeedOption,
    ThreadsOption,
    app,
    check_outputs,
    only_text,
    print_json,
)
from levelsense.files import check_writable, write_text

DEFAULT_AGENTS = ("random", "greedy", "heuristic")
FAST_ATTEMPTS = 1000
SHOWN_ATTEMPTS = 100

AgentsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--agent",
        metavar="SPEC",
        help="Whose attempts count, such as heuristic, or mcts@100 for 100 attempts; can be repeated.",
        show_default=", ".join(DEFAULT_AGENTS),
    ),
]
AttemptsOption = Annotated[
    int, typer.Option(help="How many attempts each agent has at each level, unless its spec says so.")
]
CohortOption = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Only this cohort of players.", callback=only_text, show_default=False),
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


@app.command()
def fit(
    levels: LevelsArgument,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The model file to write.")
    ] = Path("model.json"),
    agents: AgentsOption = None,
    attempts: AttemptsOption = FAST_ATTEMPTS,
    cohort: CohortOption = None,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
) -> None:
    """Fit a model of players' success rate to the levels they have played, in saga order.

    Agents play what is missing. The players' results are those that `players import` put into the database.
    """
    from levelsense.cli.terminal.prediction import observed_table, print_fit
    from levelsense.cli.terminal.screen import note, screen
    from levelsense.prediction.model import DifficultyModel

    check_outputs(db, output=output)
    check_writable(output)
    observed = observed_table(levels, agents or DEFAULT_AGENTS, attempts, cohort, db, seed, threads)
    if observed is None:
        raise typer.Exit(INTERRUPTED)
    model = DifficultyModel().fit(observed.table, observed.players, observed.simulated)
    model.save(output)
    if as_json:
        print_json(model.as_data())
        return
    print_fit(screen(), model, observed.table)
    note(f"{output} written")


@app.command()
def predict(
    levels: LevelsArgument,
    model: ModelOption = None,
    target: TargetOption = None,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    db: DatabaseOption = DATABASE,
    as_json: JsonOption = False,
) -> None:
    """Predict how often people will succeed at levels, how sure that is, and why.

    The model's agents play what is missing in the database.
    """
    from levelsense.cli.terminal.progress import working

    with working("reading levels and the model"):
        from levelsense.cli.terminal.playtests import levels_to_play
        from levelsense.cli.terminal.prediction import (
            played_table,
            predictions_data,
            print_predictions,
            tell_of_model,
        )
        from levelsense.cli.terminal.screen import screen
        from levelsense.playtest.plan import parse_target
        from levelsense.prediction.model import DifficultyModel, default_model

        wanted = None if target is None else parse_target(target)
        asked = default_model() if model is None else DifficultyModel.load(model)
        chosen = levels_to_play(levels)
    table = played_table(chosen, asked.origin_.attempts, db, seed, threads)
    if table is None:
        raise typer.Exit(INTERRUPTED)
    if as_json:
        print_json(predictions_data(asked, table, wanted))
        return
    print_predictions(screen(), asked, table, wanted)
    tell_of_model(asked)


@app.command()
def evaluate(
    levels: LevelsArgument,
    first: Annotated[
        int, typer.Option(help="Fit to so many levels, and judge the rest.", show_default=False)
    ],
    agents: AgentsOption = None,
    attempts: AttemptsOption = FAST_ATTEMPTS,
    cohort: CohortOption = None,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    db: DatabaseOption = DATABASE,
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
    """Fit to the first levels of a saga, predict the next, and tell how well that went.

    Levels are taken in the order given; files of a folder as people count.
    """
    from levelsense.cli.terminal.prediction import observed_table, print_evaluation
    from levelsense.cli.terminal.report import evaluation_text
    from levelsense.cli.terminal.screen import note, screen
    from levelsense.prediction.evaluation import evaluate as judge
    from levelsense.prediction.evaluation import evaluation_data

    check_outputs(db, report=report)
    if report is not None:
        check_writable(report)
    observed = observed_table(levels, agents or DEFAULT_AGENTS, attempts, cohort, db, seed, threads, first)
    if observed is None:
        raise typer.Exit(INTERRUPTED)
    found = judge(observed.table, first, observed.players, observed.simulated)
    if as_json:
        print_json(evaluation_data(found))
    else:
        print_evaluation(screen(), found)
    if report is not None:
        write_text(report, evaluation_text(found, seed))
        note(f"{report} written")


@app.command()
def report(
    levels: LevelsArgument,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The page to write.")] = Path(
        "report.html"
    ),
    model: ModelOption = None,
    target: TargetOption = None,
    cohort: CohortOption = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            "--agent",
            metavar="SPEC",
            help="Whose attempts are shown, such as heuristic, or mcts@100 for 100 attempts; can be "
            "repeated.",
            show_default="those of the model",
        ),
    ] = None,
    attempts: Annotated[
        int | None,
        typer.Option(
            help="How many attempts of each agent are shown, unless its spec says so.",
            show_default=f"as many as the model needs, {SHOWN_ATTEMPTS} of others",
        ),
    ] = None,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    db: DatabaseOption = DATABASE,
) -> None:
    """Write a page about levels: what to expect of people, how agents fared, what players did.

    It is made from what the database has; agents play what is missing.
    """
    from levelsense.cli.terminal.report import ReportAsked, level_report, shown_agents
    from levelsense.cli.terminal.screen import note
    from levelsense.playtest.plan import parse_target
    from levelsense.prediction.model import DifficultyModel, default_model

    check_outputs(db, output=output)
    check_writable(output)
    wanted = None if target is None else parse_target(target)
    asked = default_model() if model is None else DifficultyModel.load(model)
    shown = shown_agents(asked, agents, attempts, SHOWN_ATTEMPTS)
    text = level_report(ReportAsked(levels, asked, shown, cohort, db, seed, threads, wanted))
    if text is None:
        raise typer.Exit(INTERRUPTED)
    write_text(output, text)
    note(f"{output} written")
