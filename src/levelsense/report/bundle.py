"""The JavaScript that draws charts, from the package that carries it: nothing is fetched."""

from importlib.metadata import version
from pathlib import Path
from tempfile import NamedTemporaryFile

from levelsense.kernel import user_cache

_EXPORTS = "window.vegaEmbed = vegaEmbed;"


def chart_library() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, which sets window.vegaEmbed.

    Bundling takes seconds, so the script is kept in the user's cache.
    """
    kept = user_cache() / "charts" / f"vega-{version('vl-convert-python')}.js"
    try:
        return kept.read_text("utf-8")
    except OSError:
        import vl_convert

        script = str(vl_convert.javascript_bundle(_EXPORTS))
        _keep(kept, script)
        return script


def _keep(path: Path, text: str) -> None:
    """Writes a file all at once, since others may be reading or writing it; no cache is no harm."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as file:
            file.write(text)
        Path(file.name).replace(path)
    except OSError:
        return
