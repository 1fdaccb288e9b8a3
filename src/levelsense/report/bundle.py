"""The JavaScript that draws charts, from the package that carries it: nothing is fetched."""

import hashlib
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from levelsense.cache import lasting_cache
from levelsense.errors import OutputError
from levelsense.files import write_text

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
