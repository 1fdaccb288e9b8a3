"""Rendering of pages from templates, with specs of charts and the JavaScript that draws them inline."""

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import resources
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from levelsense.cache import lasting_cache
from levelsense.errors import OutputError, printable
from levelsense.files import write_text
from levelsense.report.theme import FONT, chart_theme

if TYPE_CHECKING:
    from jinja2 import Environment


_EXPORTS = "window.vegaEmbed = vegaEmbed;"


def chart_library() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, which sets window.vegaEmbed.

    Bundling takes seconds, so the script is kept in the user's cache.
    """
    cache = lasting_cache()
    place = cache and cache / "charts" / f"vega-{version('vl-convert-python')}.js"
    script = _cached_script(place) if place else None
    if script is None:
        import vl_convert

        script = str(vl_convert.javascript_bundle(_EXPORTS))
        if place:
            _cache_script(place, script)
    return script


def _cached_script(path: Path) -> str | None:
    """The script in a file of the cache; None if there is none, or if its checksum is wrong."""
    try:
        checksum, _, script = path.read_bytes().decode().partition("\n")
    except (OSError, UnicodeDecodeError):
        return None
    return script if checksum == _checksum_line(script) else None


def _cache_script(path: Path, script: str) -> None:
    """Writes a script, with its checksum, into the cache; a cache that cannot be written to is ignored."""
    with suppress(OSError, OutputError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, f"{_checksum_line(script)}\n{script}")


def _checksum_line(script: str) -> str:
    """The first line of a cached script, by which a truncated or changed file is noticed."""
    return f"// sha256 {hashlib.sha256(script.encode()).hexdigest()}"


_FILES = resources.files("levelsense.report")


def render_page(
    template: str, specs: dict[str, Any], bodies: Mapping[str, str] | None = None, **context: Any
) -> str:
    """The HTML of a template with the variables `context`; `specs` are its charts by their place.

    `bodies` are parts of the page by their names, HTML that is put in its place when it is opened: a page
    of many levels would take long to open otherwise.
    """
    light, dark = (chart_theme(dark) for dark in (False, True))
    return (
        _environment()
        .get_template(template)
        .render(
            **context,
            specs=specs,
            font=FONT,
            style=_text("page.css"),
            script=_text("page.js"),
            library=chart_library(),
            data=_safe_json({"specs": specs, "bodies": bodies or {}, "light": light, "dark": dark}),
        )
    )


def render_part(template: str, **context: Any) -> str:
    """The HTML of a part of a page."""
    return _environment().get_template(template).render(**context)


def specs_of(make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The Vega-Lite specs of the charts that `make` gives by place; charts that are None are left out."""
    from altair.utils.schemapi import debug_mode

    # Altair checks every part of a chart against its schema, which takes long; tests leave that on.
    with debug_mode(False):
        charts = {place: chart for place, chart in make().items() if chart is not None}
        return {place: _without_config(chart.to_dict(validate=False)) for place, chart in charts.items()}


def _without_config(spec: dict[str, Any]) -> dict[str, Any]:
    """A spec without its config, in place: the page adds that of its theme."""
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
