"""Examples on pages: a command, and below it what the command prints.

`python -m tests.page_examples` runs them all and writes what they print today into the pages;
`python -m tests.page_examples docs/statistics.md` does that for one page.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "docs/explain.md", "docs/statistics.md", "docs/prediction.md")
EXAMPLE = re.compile(r"(^    levelsense ([^\n#]*)\n\n```text\n)(.*?)(^```$)", re.DOTALL | re.MULTILINE)


def examples(name: str) -> list[tuple[str, str]]:
    """The commands on a page, without `levelsense`, and what the page says that they print."""
    examples = EXAMPLE.findall((ROOT / name).read_text("utf-8"))
    return [(command.strip(), shown) for _, command, shown, _ in examples]


def printed(command: str, folder: str) -> str:
    """What a command prints in a folder."""
    words = [sys.executable, "-m", "levelsense", *command.split()]
    done = subprocess.run(words, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        sys.exit(f"levelsense {command}: exit code {done.returncode}: {done.stderr}")
    return done.stdout


def main() -> None:
    """Writes what commands print today into the pages."""
    with tempfile.TemporaryDirectory() as folder:
        for name in sys.argv[1:] or PAGES:
            page = ROOT / name
            text = page.read_text("utf-8")
            renewed = EXAMPLE.sub(lambda match: match[1] + printed(match[2], folder) + match[4], text)
            print(f"{name}: {'changed' if renewed != text else 'as it was'}")
            page.write_text(renewed, "utf-8")


if __name__ == "__main__":
    main()
