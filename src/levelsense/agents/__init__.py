"""Agents, which play levels: by their specs, or from a Python function of one's own."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from levelsense.agents.chooser import from_chooser

__all__ = ["from_chooser"]


def __getattr__(name: str) -> Any:
    """Loads the public name when it is first asked for: the table of agents is read without the compiler."""
    if name == "from_chooser":
        from levelsense.agents.chooser import from_chooser

        return from_chooser
    raise AttributeError(f"module 'levelsense.agents' has no attribute {name!r}")
