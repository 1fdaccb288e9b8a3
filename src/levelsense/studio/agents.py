"""Agents that a request may name: none that reads a file or runs code of one's own, none without end."""

from typing import Annotated, Any, Final

from pydantic import AfterValidator, Field

from levelsense.agents.registry import Agent, families, parse_agent, presets
from levelsense.agents.spec import split_spec
from levelsense.agents.weights import shipped_names
from levelsense.errors import AgentError

MOST_SIMULATIONS: Final = 1_000  # a move, so that an attempt ends in seconds
MOST_SECONDS: Final = 1.0  # a move
# Families by what a designer would call them; what is not here goes by its own name.
AGENT_NAMES: Final = {
    "policy": "A typical simulated player",
    "heuristic": "A careful bot",
    "greedy": "Most points now",
    "random": "Random moves",
    "first": "The first move it sees",
    "beam": "Looks three moves ahead",
    "sampling": "Tries each move out to the end",
    "q-linear": "Learned values",
    "q-network": "Learned values, by a network",
    "mcts": "Tree search",
    "halving": "The strongest: tries moves out, drops the worse half",
}


def requested_agent(spec: str) -> Agent:
    """The agent of a spec; AgentError if there is none, or if a request may not name it.

    A spec on the command line may import a function, or read weights from a file. Here it may not: a page
    must not reach files outside of the levels folder.
    """
    name, written = split_spec(spec)
    by_name = {family.name: family for family in families()}
    family_name = split_spec(presets()[name])[0] if name in presets() else name
    family = by_name.get(family_name)
    if family is None:
        known = ", ".join([*by_name, *presets()])
        raise AgentError(f"unknown agent {name!r}; there are: {known}")
    for option in family.options:
        text = written.get(option.name)
        if option.kind == "file":
            raise _refused(spec, f"{name} reads a file")
        if option.kind == "weights" and text is not None:
            shipped = ("none", *shipped_names(option.choices[0]))
            if text not in shipped:
                raise _refused(spec, f"{option.name}={text}: expected one of {', '.join(shipped)}")
    agent = parse_agent(spec)
    for option_name, most in (("simulations", MOST_SIMULATIONS), ("seconds", MOST_SECONDS)):
        value = agent.options.get(option_name, 0)
        if float(value) > most:
            raise _refused(spec, f"{option_name}={value}: expected at most {most:,}")
    return agent


def _refused(spec: str, reason: str) -> AgentError:
    return AgentError(f"{spec}: {reason}; `levelsense playtest` may do it, a request may not")


def _allowed(spec: str) -> str:
    requested_agent(spec)
    return spec


AgentSpec = Annotated[
    str,
    Field(
        min_length=1, max_length=200, description="An agent, such as `heuristic` or `mcts:simulations=50`."
    ),
    AfterValidator(_allowed),
]


def offered_agents() -> list[dict[str, Any]]:
    """The families of agents that play without files of one's own, the most telling first."""
    known = [family for family in families() if not family.needs_options]
    order = list(AGENT_NAMES)
    known.sort(key=lambda family: order.index(family.name) if family.name in order else len(order))
    return [
        {
            "spec": family.name,
            "name": AGENT_NAMES.get(family.name, family.name),
            "about": family.summary,
            "probabilities": family.values_are_probabilities,
            "tree": family.name == "mcts",
            "options": [
                {"name": option.name, "default": option.default_text, "help": option.help}
                for option in family.options
            ],
        }
        for family in known
    ]
