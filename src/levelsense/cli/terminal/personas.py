"""Groups of players in the terminal: who they are, and how hard levels are for each."""

import textwrap
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from levelsense.agents.policy.network import ENCODINGS, KIND
from levelsense.agents.registry import parse_agent
from levelsense.agents.weights import canonical_source, read_weights
from levelsense.cli.app import print_json
from levelsense.cli.terminal.interruption import interruptible
from levelsense.cli.terminal.playtests import result_data, run_playtest
from levelsense.cli.terminal.screen import note, print_rows, screen
from levelsense.lab import Lab
from levelsense.learning.grouping import personas_from_files
from levelsense.learning.personas import Persona, Personas, are_simulated, persona_agents
from levelsense.playtest import PlaytestResult
from levelsense.playtest.result import PairResult

_WIDTH = 100  # of lines of words
_NOT_PEOPLE = "the groups are of simulated players, not of people"


def show_personas(
    files: Sequence[Path], levels: Sequence[str] | None, output: Path, as_json: bool, **settings: Any
) -> None:
    """Groups the players of files, writes the groups and prints them, as a table or as JSON."""
    with interruptible(f"interrupted: {output} is not written"):
        personas = personas_from_files(files, levels, output=output, note=note, **settings)
    if as_json:
        print_json(personas_data(output, personas))
    else:
        _print_personas(output, personas)


def _print_personas(output: Path, personas: Personas) -> None:
    console = screen()
    heading = ("", "group", "players", "attempts", "success", "tries a level")
    print_rows(console, [heading, *(_row(k, group) for k, group in enumerate(personas.groups, 1))])
    for number, group in enumerate(personas.groups, 1):
        words = f"{number}  {group.name}: {', '.join(group.words)}"
        console.print(textwrap.fill(words, _WIDTH, subsequent_indent="   "), soft_wrap=True)
    of_all = personas.groups[0].of_all
    if of_all is not None:
        console.print(f"success at the levels played, all players: {of_all:.1%}")
    if are_simulated(personas.weights):
        console.print(_NOT_PEOPLE)
    source = canonical_source(str(output), "policy")
    console.print(f"{output} written; a group plays as policy:model={source},persona=1", soft_wrap=True)


def _row(number: int, group: Persona) -> tuple[str, ...]:
    success = "-" if group.success is None else f"{group.success:.1%}"
    shares = f"{group.share:.0%}", f"{group.attempts:.0%}"
    return (str(number), group.name, *shares, success, f"{group.tries:.1f}")


def personas_data(output: Path, personas: Personas) -> dict[str, Any]:
    """Groups as `levelsense players personas --json` prints them."""
    return {
        "file": str(output),
        "agent": f"policy:model={canonical_source(str(output), 'policy')},persona=mix",
        "groups": [asdict(group) for group in personas.groups],
        "gains_of_players_left_out": list(personas.gains),
        "players": [
            {"cohort": cohort, "player": player, "belongs": row.round(4).tolist()}
            for (cohort, player), row in zip(personas.players, personas.belongs, strict=True)
        ],
    }


def show_difficulty(
    lab: Lab, levels: Sequence[str], model: str, attempts: int, as_json: bool, **options: Any
) -> PlaytestResult:
    """Lets each group play the levels and prints how often it succeeds, as a table or as JSON."""
    agents = persona_agents(model)
    result = run_playtest(
        lab, levels, list(agents.values()), (attempts, None, None), None, keep_rows=False, **options
    )
    names = {parse_agent(spec).spec: name for name, spec in agents.items()}
    if as_json:
        print_json([{"group": names[pair.agent], **result_data(pair)} for pair in result.pairs])
    else:
        rows: dict[str, list[str]] = {}
        for pair in result.pairs:
            rows.setdefault(pair.pair.name, [pair.pair.name]).append(_cell(pair))
        print_rows(screen(), [("level", *agents, ""), *((*row, "") for row in rows.values())])
        if are_simulated(read_weights(model, KIND, *ENCODINGS)):
            screen().print(_NOT_PEOPLE)
    return result


def _cell(pair: PairResult) -> str:
    if pair.success_rate is None:
        return "-"
    low, high = pair.interval
    return f"{pair.success_rate:.1%} ({100 * low:.1f} - {high:.1%})"
