"""The JavaScript that draws charts, from the package that carries it: nothing is fetched."""

import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import resources
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from levelsense.cache import lasting_cache
from levelsense.errors import OutputError, printable
from levelsense.files import write_text
from levelsense.report.theme import AGENTS, FONT, chart_theme

if TYPE_CHECKING:
    from jinja2 import Environment


_EXPORTS = "window.vegaEmbed = vegaEmbed;"


def chart_library() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, which sets window.vegaEmbed.

    Bundling takes seconds, so the script is kept in the user's cache.
    """
    cache = lasting_cache()
    place = cache and cache / "charts" / f"vega-{version('vl-convert-python')}.js"
    script = _kept(place) if place else None
    if script is None:
        import vl_convert

        script = str(vl_convert.javascript_bundle(_EXPORTS))
        if place:
            _keep(place, script)
    return script


def _kept(path: Path) -> str | None:
    """The script in a file of the cache; None if there is none, or not the one that was put there."""
    try:
        seal, _, script = path.read_bytes().decode().partition("\n")
    except (OSError, UnicodeDecodeError):
        return None
    return script if seal == _seal(script) else None


def _keep(path: Path, script: str) -> None:
    """Puts a script into the cache; no cache is no harm."""
    with suppress(OSError, OutputError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, f"{_seal(script)}\n{script}")


def _seal(script: str) -> str:
    """The first line of a kept script, by which a file that was cut or changed is noticed."""
    return f"// sha256 {hashlib.sha256(script.encode()).hexdigest()}"


_FILES = resources.files("levelsense.report")


def render_page(
    template: str, specs: dict[str, Any], agent_colors: Sequence[str] = AGENTS, **told: Any
) -> str:
    """The page of a template, which finds `told` by name; `specs` are its charts by their place.

    `agent_colors` are those of agents in charts that do not say so themselves, in the agents' order.
    """
    light, dark = (chart_theme(dark, agent_colors) for dark in (False, True))
    return (
        _environment()
        .get_template(template)
        .render(
            **told,
            specs=specs,
            font=FONT,
            style=_text("page.css"),
            script=_text("page.js"),
            library=chart_library(),
            data=_safe_json({"specs": specs, "light": light, "dark": dark}),
        )
    )


def specs_of(make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The Vega-Lite specs of the charts that `make` makes; those that are None have nothing to show."""
    from altair.utils.schemapi import debug_mode

    # Altair checks every part of a chart against its schema, which takes long; tests leave that on.
    with debug_mode(False):
        drawn = {place: chart for place, chart in make().items() if chart is not None}
        return {place: _without_config(chart.to_dict(validate=False)) for place, chart in drawn.items()}


def _without_config(spec: dict[str, Any]) -> dict[str, Any]:
    """A spec without a look of its own: the page adds that of its theme."""
    spec.pop("config", None)
    return spec


def _environment() -> "Environment":
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(
        loader=FunctionLoader(_text),
        autoescape=True,
        finalize=_harmless,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _text(name: str) -> str:
    return (_FILES / name).read_text("utf-8")


def _harmless(value: Any) -> Any:
    """Texts, also those in lists and objects, without control characters; HTML and others as they are."""
    if isinstance(value, str):
        return value if hasattr(value, "__html__") else printable(value, lines=True)
    if isinstance(value, dict):
        return {_harmless(key): _harmless(entry) for key, entry in value.items()}
    return [_harmless(entry) for entry in value] if isinstance(value, list) else value


def _safe_json(data: Any) -> str:
    """JSON that can stand in a script element: no text in it can end the element."""
    return json.dumps(_harmless(data), separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
