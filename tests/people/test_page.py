"""docs/players.md says what is imported and what comes of it."""

import re
from pathlib import Path

import pytest

from levelsense.people.files import SYNONYMS
from levelsense.playtest.interval import wilson
from tests.test_cli import run

PAGE = (Path(__file__).parents[2] / "docs" / "players.md").read_text()
TEXTS = re.findall(r"^```text\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def text_with(words: str) -> str:
    """The one text of the page that has these words."""
    (text,) = (text for text in TEXTS if words in text)
    return text


def test_every_field_and_every_name_for_it_is_documented() -> None:
    rows = re.findall(r"^\| `(\w+)` \|.*\| ([^|]*) \|$", PAGE, re.MULTILINE)
    assert {field: tuple(re.findall("`(.*?)`", names)) for field, names in rows} == SYNONYMS


def test_the_errors_are_those_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = ("1,2,1,2014-01-31", "2,0,0,", "3,3,4,", "4,1,1,31.1.2014", "1,5,1,2014-01-31")
    Path("results.csv").write_text("\n".join(("level,attempts,wins,day", *rows)))
    assert run("players", "import", "results.csv").stderr == TEXTS[0]


def test_the_error_of_sums_is_that_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.csv").write_text("level,day,tries,wins\n1,2014-01-30,5,1\n1,2014-01-31,0,5\n")
    assert run("players", "import", "x.csv").stderr == TEXTS[1]


def test_the_refusal_of_fewer_players_is_that_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run("players", "simulate", "04-jelly-garden", "--players", 500)
    assert run("players", "simulate", "04-jelly-garden", "--players", 60).stderr == text_with("would replace")


def test_the_question_for_a_cohort_is_that_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"24-hourglass,{cohort},9,3\n" for cohort in ("DE", "FR", ""))
    Path("x.csv").write_text(f"level,cohort,attempts,successes\n{rows}")
    run("players", "import", "x.csv", "--db", "studio.db")
    complaint = run("fit", "24-hourglass", "--db", "studio.db").stderr
    assert f"$ levelsense fit saga --db studio.db\n{complaint}" == text_with("several cohorts")


def test_the_figures_of_the_page_agree_with_each_other() -> None:
    """The data set is not here, but rates and plain intervals follow from the counts that are shown."""
    shown = re.findall(
        r"^(\d+) +[\d,]+ +([\d,]+) +([\d,]+) +(\S+%) +(\S+ - \S+%)$",
        text_with("players import candy"),
        re.MULTILINE,
    )
    compared = re.findall(r"^\| (\d+) \| (\S+) \| (.*?) \| (.*?) \| (\S+) \|$", PAGE, re.MULTILINE)
    assert len(shown) == 15
    for (level, attempts, successes, rate, interval), other in zip(shown, compared, strict=True):
        n, wins = int(attempts.replace(",", "")), int(successes.replace(",", ""))
        low, high = wilson(wins, n)
        plain = f"{100 * low:.1f} - {high:.1%}"
        assert (level, f"{wins / n:.1%}") == (other[0], rate)
        assert other[1:4] == (rate, interval, plain)
        ends = [float(end) for end in re.findall(r"[\d.]+", interval)]
        # Ends are rounded to a tenth of a point.
        assert (ends[1] - ends[0]) / (100 * (high - low)) == pytest.approx(
            float(other[4]), abs=0.12 / (100 * (high - low))
        )


def test_the_example_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    exec(compile(example, "players.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"print\(.*\)  # (.*)$", example, re.MULTILINE)
