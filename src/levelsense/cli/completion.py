"""What a shell offers to complete: names of levels with files beside them, and names of agents."""

from pathlib import Path


def complete_level(incomplete: str) -> list[str]:
    """The bundled levels, level files and folders whose names begin as typed."""
    from levelsense.level.bundled import bundled_levels

    names = [name for name in bundled_levels() if name.startswith(incomplete)]
    return names + _files_and_folders(incomplete)


def _files_and_folders(incomplete: str) -> list[str]:
    """The level files and the folders whose paths begin as typed."""
    folder, slash, start = incomplete.rpartition("/")
    try:
        beside = sorted(Path(f"{folder}{slash}" or ".").iterdir())
    except OSError:
        return []
    matching = [path for path in beside if path.name.startswith(start) and not path.name.startswith(".")]
    files = [f"{folder}{slash}{path.name}" for path in matching if path.suffix == ".json"]
    return files + [f"{folder}{slash}{path.name}/" for path in matching if path.is_dir()]


def complete_goal(incomplete: str) -> list[str]:
    """The goals of new levels whose names begin as typed."""
    from levelsense.level.template import GOALS

    return [goal for goal in GOALS if goal.startswith(incomplete)]


def complete_agent(incomplete: str) -> list[tuple[str, str]]:
    """The agents and presets whose names begin as typed, each with what it is."""
    from levelsense.agents.registry import families

    names = {family.name: family.summary for family in families()}
    names |= {preset.name: preset.summary for family in families() for preset in family.presets}
    return [(name, summary) for name, summary in names.items() if name.startswith(incomplete)]
