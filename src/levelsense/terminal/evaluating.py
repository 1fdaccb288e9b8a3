"""How good predictions are, in the terminal."""

import numpy as np
from rich.console import Console

from levelsense.playtest.words import percent
from levelsense.prediction.evaluation import THIRDS, Evaluation, Figures, by_ends, spreads
from levelsense.terminal.listing import print_rows


def print_evaluation(console: Console, evaluation: Evaluation) -> None:
    """How well the model did on the levels after those it was fitted to, and how others would have done."""
    judged, origin = evaluation.levels.height, evaluation.model.origin_
    console.print(
        f"fitted to {evaluation.fitted:,} levels, judged on the next {judged:,}; "
        f"players: {origin.players or 'all'}" + (" (simulated)" if origin.simulated else ""),
        soft_wrap=True,
    )
    console.print()
    heading = ("prediction by", "MAE", "outside 95%", "sigma", "band", "delta", "adjusted delta")
    rows = [heading, *(_figure_cells(each) for each in (evaluation.figures, *evaluation.baselines))]
    print_rows(console, rows)
    console.print()
    by_third = [("by difficulty", "MAE", "outside 95%")]
    own = evaluation.figures
    for third, mae, outside in zip(THIRDS, own.mae_thirds, own.outside_thirds, strict=True):
        by_third.append((third, percent(mae), percent(outside)))
    print_rows(console, by_third)
    console.print()
    _print_agents(console, evaluation)
    console.print()
    total = evaluation.levels["observed"].sum()
    console.print(
        f"accumulated success rate: players {total:.1f}, predicted {evaluation.levels['rate'].sum():.1f}, "
        + ", ".join(f"{agent} {evaluation.levels[agent].sum():.1f}" for agent in origin.attempts),
        soft_wrap=True,
    )


def _print_agents(console: Console, evaluation: Evaluation) -> None:
    """Levels where an agent's rate is at an end apart, then agents' own rates beside the players'."""
    agents = evaluation.model.columns_.agents
    parts = [("levels where", "levels", "MAE", "outside 95%")]
    for name, some in by_ends(evaluation.levels, agents).items():
        told = (percent(float(np.mean(np.abs(some[column].to_numpy())))) for column in ("delta", "outside"))
        parts.append((name, f"{some.height:,}", *(told if some.height else ("-", "-"))))
    print_rows(console, parts)
    console.print()
    own = [("agents' own rates", "delta", "adjusted delta")]
    for agent in agents:
        found = spreads(evaluation.levels, agent)
        own.append((agent, *_spread_cells(found["delta"], found["adjusted"])))
    print_rows(console, own)


def _spread_cells(delta: tuple[float, float], adjusted: tuple[float, float]) -> tuple[str, str]:
    return (
        f"{100 * delta[0]:+.1f}% (SD {100 * delta[1]:.1f}%)",
        f"{adjusted[0]:+.3f} (SD {adjusted[1]:.3f})",
    )


def _figure_cells(figures: Figures) -> tuple[str, ...]:
    return (
        figures.name,
        percent(figures.mae),
        percent(figures.outside),
        f"{figures.sigma:.2f}",
        percent(figures.width),
        *_spread_cells(figures.delta, figures.adjusted),
    )
