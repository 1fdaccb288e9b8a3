"""How tables and sentences look on a terminal that is too narrow for them, and elsewhere."""

import io

from rich.console import Console

from levelsense.cli.terminal.screen import print_rows, print_words

ROWS = [
    ("level", "success", "95% band", "attempts a success"),
    ("30-grand-tour", "2.8%", "0.8 - 8.8%", "36 (11 - 118)"),
    ("a level whose name is long", "65.2%", "41.9 - 83.1%", "1.5 (1.2 - 2.4)"),
]


def console_of(width: int, *, terminal: bool = True) -> Console:
    return Console(file=io.StringIO(), force_terminal=terminal, width=width, color_system=None, _environ={})


def printed(console: Console) -> list[str]:
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return text.splitlines()


def test_elsewhere_nothing_is_cut() -> None:
    console = console_of(40, terminal=False)
    print_rows(console, ROWS)
    print_words(console, "Over 99% of lost attempts end with jelly left at a9 or i9.")
    assert printed(console) == [
        "level                       success  95% band      attempts a success",
        "30-grand-tour               2.8%     0.8 - 8.8%    36 (11 - 118)",
        "a level whose name is long  65.2%    41.9 - 83.1%  1.5 (1.2 - 2.4)",
        "Over 99% of lost attempts end with jelly left at a9 or i9.",
    ]


def test_names_are_cut_before_figures() -> None:
    console = console_of(66)
    print_rows(console, ROWS)
    assert printed(console) == [
        "level                    success  95% band      attempts a success",
        "30-grand-tour            2.8%     0.8 - 8.8%    36 (11 - 118)",
        "a level whose name is …  65.2%    41.9 - 83.1%  1.5 (1.2 - 2.4)",
    ]


def test_columns_that_do_not_fit_stand_below_with_the_names() -> None:
    console = console_of(50)
    print_rows(console, ROWS)
    assert printed(console) == [
        "level                      success  95% band",
        "30-grand-tour              2.8%     0.8 - 8.8%",
        "a level whose name is lo…  65.2%    41.9 - 83.1%",
        "",
        "level                      attempts a success",
        "30-grand-tour              36 (11 - 118)",
        "a level whose name is lo…  1.5 (1.2 - 2.4)",
    ]


def test_they_stand_with_all_that_tells_rows_apart() -> None:
    console = console_of(40)
    rows = [("level", "agent", "success", "score"), ("a name that is too long", "random", "2.8%", "20,198")]
    print_rows(console, rows, keys=2)
    assert printed(console) == [
        "level                 agent   success",
        "a name that is too …  random  2.8%",
        "",
        "level                 agent   score",
        "a name that is too …  random  20,198",
    ]


def test_a_last_column_of_texts_is_cut_if_asked() -> None:
    console = console_of(20)
    print_rows(console, [("name", "goals"), ("first", "clear 12 layers of jelly")], cuts_last=True)
    assert printed(console) == ["name   goals", "first  clear 12 lay…"]


def test_lines_end_between_words() -> None:
    console = console_of(30)
    print_words(console, "1. Over 99% of lost attempts end with jelly left at a9 or i9.", 3)
    assert printed(console) == [
        "1. Over 99% of lost",
        "   attempts end with jelly",
        "   left at a9 or i9.",
    ]
