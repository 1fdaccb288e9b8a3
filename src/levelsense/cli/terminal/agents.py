"""The agents in the terminal: each family with its options and presets."""

from typing import Any

from rich.console import Console
from rich.text import Text

from levelsense.agents.registry import Family, Preset, families, parse_agent
from levelsense.agents.spec import Option

HOW_TO_WRITE = "An agent is written as its name, or with options: mcts:simulations=200,playout=heuristic"
YOUR_OWN = "A Python function of your own plays, too: module:name (docs/agents.md)"


def agents_data() -> list[dict[str, Any]]:
    """The families of agents as data: what `levelsense agents --json` prints."""
    return [
        {
            "name": family.name,
            "summary": family.summary,
            "options": [_option_data(option) for option in family.options],
            "presets": [
                {"name": preset.name, "spec": parse_agent(preset.spec).spec, "summary": preset.summary}
                for preset in family.presets
            ],
        }
        for family in families()
    ]


def _option_data(option: Option) -> dict[str, Any]:
    default = None if option.is_required else option.default
    data: dict[str, Any] = {"name": option.name, "kind": option.kind, "default": default}
    if option.kind == "choice":
        data["choices"] = list(option.choices)
    elif option.kind in ("int", "float"):
        data |= {"low": option.low, "high": option.high}
    return data | {"help": option.help}


def print_agents(console: Console) -> None:
    """Prints each family with its options, defaults and ranges, and its presets."""
    width = max(len(family.name) for family in families())
    for family in families():
        name = f"{family.name:<{width}}"
        console.print(Text.assemble((name, "bold"), f"  {family.summary}"), soft_wrap=True)
        for line in _lines(family):
            console.print(Text(line), soft_wrap=True)
    console.print(Text(f"\n{HOW_TO_WRITE}\n{YOUR_OWN}"), soft_wrap=True)


def _lines(family: Family) -> list[str]:
    """A line an option and a preset of a family, with its meaning."""
    rows = [(_setting(option), _meaning(option)) for option in family.options]
    rows += [(preset.name, _stands_for(preset)) for preset in family.presets]
    width = max((len(written) for written, _ in rows), default=0)
    return [f"  {written:<{width}}  {meaning}" for written, meaning in rows]


def _setting(option: Option) -> str:
    return f"{option.name}={option.default_text}"


def _meaning(option: Option) -> str:
    return f"{option.help} ({option.range})"


def _stands_for(preset: Preset) -> str:
    return f"{preset.summary}: {parse_agent(preset.spec).spec}"
