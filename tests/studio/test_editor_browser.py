"""The editor in a real browser: paint, see the estimate change, apply a suggestion, save, meet a conflict."""

import json
import re
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.studio.conftest import StudioProcess, cell_point
from tests.studio.test_levels import SMALL

# Until the next reload, the server is out of reach for drafts.
NO_DRAFTS = """() => {
    const ask = window.fetch;
    window.fetch = (path, options) =>
        String(path).endsWith("/draft") ? Promise.reject(new Error("out of reach")) : ask(path, options);
}"""


def opened(page: Page, server: StudioProcess, text: str = SMALL) -> Path:
    """Opens a new level of the folder, and waits for its last figure; gives its file."""
    name = f"small-{uuid4().hex[:8]}"
    server.levels.mkdir(exist_ok=True)
    file = server.levels / f"{name}.json"
    file.write_text(text)
    page.goto(f"{server.url}#/edit/{name}")
    expect(page.get_by_test_id("rate")).to_have_text(re.compile(r"\d.* %"))
    expect(page.get_by_text("all attempts played")).to_be_visible()
    return file


def text_of(page: Page) -> str:
    page.get_by_test_id("tab-json").click()
    return page.get_by_test_id("json").input_value()


def board_of(page: Page) -> list[list[str]]:
    return [row.split() for row in json.loads(text_of(page))["board"]]


def drag(page: Page, *cells: str) -> None:
    page.mouse.move(*cell_point(page, cells[0]))
    page.mouse.down()
    for cell in cells[1:]:
        page.mouse.move(*cell_point(page, cell))
    page.mouse.up()


def choose(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).first.click()


def test_paint_changes_the_figure_and_a_drag_is_one_step(page: Page, server: StudioProcess):
    opened(page, server)
    before = page.get_by_test_id("rate").text_content()
    choose(page, "chocolate")
    drag(page, "a1", "b1", "c1", "d1")
    expect(page.locator(".evaluation.stale")).to_have_count(0)
    expect(page.get_by_test_id("rate")).not_to_have_text(before or "")
    assert board_of(page)[0] == ["X", "X", "X", "X", "."]
    page.get_by_test_id("undo").click()
    assert text_of(page) == SMALL


def test_paint_keeps_all_else_as_it_is_written(page: Page, server: StudioProcess):
    opened(page, server)
    choose(page, "Jelly")
    choose(page, "two layers")
    page.mouse.click(*cell_point(page, "e4"))
    text = text_of(page)
    assert '"moves":   12' in text
    drawn = [row.split() for row in json.loads(text)["jelly"]]
    assert drawn == [*[["."] * 5] * 3, [".", ".", ".", ".", "2"]]
    assert '". .  . . .",' in text  # in line with the board's columns
    assert text.index('"board"') < text.index('"jelly"') < text.index('"goals"')


def test_mirror_rectangle_fill_and_erase(page: Page, server: StudioProcess):
    opened(page, server)
    choose(page, "mirrored left and right")
    choose(page, "toffee 1")
    page.mouse.click(*cell_point(page, "a4"))
    assert board_of(page)[3] == ["T1", ".", ".", ".", "T1"]
    choose(page, "no mirror")
    choose(page, "Rectangle")
    drag(page, "b3", "c4")
    assert [row[1:3] for row in board_of(page)[2:]] == [["T1", "T1"], ["T1", "T1"]]
    choose(page, "Erase")
    page.mouse.click(*cell_point(page, "b3"))
    assert board_of(page)[2][1] == "."
    choose(page, "Fill")
    choose(page, "no tile")
    page.mouse.click(*cell_point(page, "a1"))
    board = board_of(page)
    assert board[0] == ["-"] * 5
    assert board[1][1] == "#1"


def test_the_keyboard_paints_picks_and_undoes(page: Page, server: StudioProcess):
    opened(page, server)
    board = page.get_by_test_id("board")
    board.focus()
    page.keyboard.press("2")  # no tile
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    assert board_of(page)[0][0] == "-"
    board.focus()
    page.keyboard.press("i")
    page.mouse.click(*cell_point(page, "b2"))
    page.mouse.click(*cell_point(page, "c3"))
    assert board_of(page)[2][2] == "#1"
    page.get_by_test_id("board").focus()
    page.keyboard.press("Control+z")
    assert board_of(page)[2][2] == "."


def test_a_teleporter_is_drawn_moved_and_taken_away(page: Page, server: StudioProcess):
    opened(page, server)
    choose(page, "Teleporter")
    drag(page, "a4", "c2")
    assert json.loads(text_of(page))["teleporters"] == [{"from": "a4", "to": "c2"}]
    drag(page, "c2", "d2")
    assert json.loads(text_of(page))["teleporters"] == [{"from": "a4", "to": "d2"}]
    page.mouse.click(*cell_point(page, "a4"))
    assert "teleporters" not in json.loads(text_of(page))


def test_a_bad_level_is_a_sentence_on_its_cell(page: Page, server: StudioProcess):
    opened(page, server)
    page.get_by_test_id("tab-json").click()
    page.get_by_test_id("json").fill(SMALL.replace('"icing": 1', '"icing": 5'))
    expect(page.get_by_test_id("findings")).to_contain_text("icing")
    expect(page.get_by_label("Verdict").get_by_role("alert")).to_contain_text("icing")
    page.get_by_test_id("json").fill("{ no level")
    expect(page.get_by_test_id("findings")).to_contain_text("error")
    expect(page.get_by_test_id("board")).to_be_visible()


def test_the_last_edit_wins(page: Page, server: StudioProcess):
    opened(page, server)
    page.get_by_test_id("tab-level").click()
    for moves in ("3", "4", "30"):
        page.get_by_test_id("limit-field").fill(moves)
        page.get_by_test_id("limit-field").press("Tab")
    expect(page.get_by_text("all attempts played")).to_be_visible()
    expect(page.locator(".evaluation.stale")).to_have_count(0)
    rate = float((page.get_by_test_id("rate").text_content() or "").strip(" %<"))
    assert rate > 90


def test_the_limit_is_dragged_by_keys_and_the_target_moves_the_verdict(page: Page, server: StudioProcess):
    opened(page, server, SMALL.replace("#1", "#3").replace("12", "6"))
    page.get_by_test_id("limit").focus()
    page.keyboard.press("ArrowRight")
    assert json.loads(text_of(page))["moves"] == 7
    page.get_by_test_id("tab-why").click()
    target = page.get_by_test_id("target")
    for _ in range(9):
        target.press("PageUp")
    assert target.get_attribute("aria-valuenow") == "99"
    expect(page.get_by_test_id("verdict")).to_contain_text("arder than your target")


def test_a_suggestion_is_a_ghost_applied_and_undone_by_one_click(page: Page, server: StudioProcess):
    opened(page, server, SMALL.replace("#1", "#4").replace("12", "8"))
    before = text_of(page)
    page.get_by_label("Target in per cent").fill("85")
    page.get_by_label("Target in per cent").press("Tab")
    page.get_by_test_id("tab-change").click()
    page.get_by_test_id("suggest").click()
    expect(page.get_by_test_id("apply").first).to_be_visible(timeout=120_000)
    page.locator(".suggestions li").first.hover()
    page.get_by_test_id("apply").first.click()
    expect(page.locator(".evaluation.stale")).to_have_count(0)
    assert text_of(page) != before
    page.get_by_test_id("undo").click()
    assert text_of(page) == before


def test_cells_that_must_stay_are_not_painted(page: Page, server: StudioProcess):
    opened(page, server)
    choose(page, "Must stay")
    page.mouse.click(*cell_point(page, "b2"))
    choose(page, "Erase")
    drag(page, "a2", "b2", "c2")
    assert board_of(page)[1][1] == "#1"


def test_save_and_a_conflict_that_loses_nothing(page: Page, server: StudioProcess):
    file = opened(page, server)
    choose(page, "chocolate")
    page.mouse.click(*cell_point(page, "a1"))
    page.get_by_test_id("save").click()
    expect(page.get_by_test_id("save")).to_have_text("Saved")
    mine = json.loads(file.read_text())
    assert mine["board"][0].split()[0] == "X"
    theirs = file.read_text().replace('"Small"', '"Theirs"')
    file.write_text(theirs)
    page.mouse.click(*cell_point(page, "b1"))
    page.get_by_test_id("save").click()
    expect(page.get_by_role("dialog")).to_contain_text("Nothing was written")
    assert file.read_text() == theirs
    page.get_by_test_id("overwrite").click()
    expect(page.get_by_test_id("save")).to_have_text("Saved")
    assert json.loads(file.read_text())["board"][0].split()[:2] == ["X", "X"]
    kept = [path.read_text() for path in (server.levels / ".studio" / "versions" / file.stem).iterdir()]
    assert theirs in kept


def test_what_was_not_saved_is_there_after_a_kill(page: Page, own_server: StudioProcess):
    opened(page, own_server)
    choose(page, "chocolate")
    with page.expect_response(re.compile("/draft")):
        page.mouse.click(*cell_point(page, "a1"))
    port = own_server.port
    own_server.kill()
    own_server.start(port)
    page.reload()
    expect(page.get_by_text("Changes that were not saved are back")).to_be_visible()
    assert board_of(page)[0][0] == "X"


def test_a_draft_that_was_undone_does_not_come_back(page: Page, server: StudioProcess):
    opened(page, server)
    choose(page, "chocolate")
    with page.expect_response(re.compile("/draft")):
        page.mouse.click(*cell_point(page, "a1"))
    with page.expect_response(re.compile("/draft")):
        page.get_by_test_id("undo").click()
    page.reload()
    expect(page.get_by_test_id("board")).to_be_visible()
    assert text_of(page) == SMALL


def test_a_stroke_just_before_leaving_is_kept(page: Page, server: StudioProcess):
    opened(page, server)
    choose(page, "chocolate")
    page.mouse.click(*cell_point(page, "a1"))
    page.reload()
    expect(page.get_by_text("Changes that were not saved are back")).to_be_visible()
    assert board_of(page)[0][0] == "X"


def test_a_stroke_that_the_server_did_not_get_is_there_after_a_reload(page: Page, server: StudioProcess):
    file = opened(page, server)
    choose(page, "chocolate")
    page.evaluate(NO_DRAFTS)
    page.mouse.click(*cell_point(page, "a1"))
    page.reload()
    expect(page.get_by_text("Changes that were not saved are back")).to_be_visible()
    assert board_of(page)[0][0] == "X"
    page.get_by_test_id("save").click()
    expect(page.get_by_test_id("save")).to_have_text("Saved")
    file.write_text(SMALL)  # what was saved is not held against what somebody else writes later
    page.reload()
    expect(page.get_by_text("all attempts played")).to_be_visible()
    assert text_of(page) == SMALL


def test_goals_are_added_and_taken_away(page: Page, server: StudioProcess):
    opened(page, server)
    page.get_by_test_id("tab-level").click()
    for goal in ("cherry", "score", "red"):
        page.get_by_label("Add a goal").select_option(goal)
    page.get_by_role("button", name="No goal red").click()
    goals = json.loads(text_of(page))["goals"]
    assert goals == {"orders": {"icing": 1}, "ingredients": {"cherry": 1}, "score": 10000}


def test_a_level_that_cannot_be_won_is_saved_only_if_that_is_meant(page: Page, server: StudioProcess):
    file = opened(page, server)
    page.get_by_test_id("tab-json").click()
    page.get_by_test_id("json").fill(SMALL.replace('"icing": 1', '"icing": 5'))
    expect(page.get_by_test_id("findings")).to_contain_text("icing")
    page.get_by_test_id("save").click()
    page.get_by_role("button", name="Go on editing").click()
    assert file.read_text() == SMALL
    page.get_by_test_id("save").click()
    page.get_by_role("button", name="Save all the same").click()
    expect(page.get_by_test_id("save")).to_have_text("Saved")
    assert '"icing": 5' in file.read_text()


def test_a_second_copy_of_an_example_leaves_the_first_alone(page: Page, server: StudioProcess):
    for name in ("first-steps", "first-steps-2"):
        page.goto(f"{server.url}#/edit/bundled/01-first-steps")
        page.get_by_test_id("save").click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_label("File")).to_have_value(name)
        dialog.get_by_role("button", name="Save").click()
        expect(page.get_by_text(f"{name}.json")).to_be_visible()
        assert (server.levels / f"{name}.json").is_file()


def test_the_target_is_the_level_s_own(page: Page, server: StudioProcess):
    file = opened(page, server)
    with page.expect_response(re.compile("/targets/")):
        page.get_by_label("Target in per cent").fill("35")
        page.get_by_label("Target in per cent").press("Tab")
    kept = json.loads((server.levels / ".studio" / "saga.json").read_text())
    assert kept["targets"][file.stem] == 0.35


def test_an_eraser_takes_what_is_seen(page: Page, server: StudioProcess):
    opened(page, server)
    choose(page, "Jelly")
    choose(page, "one layer")
    page.mouse.click(*cell_point(page, "e4"))
    choose(page, "Board")
    choose(page, "Erase")
    page.mouse.click(*cell_point(page, "e4"))
    assert all(set(row.split()) == {"."} for row in json.loads(text_of(page))["jelly"])


def test_before_and_after_on_the_same_boards(page: Page, server: StudioProcess):
    opened(page, server, SMALL.replace("#1", "#3"))
    choose(page, "icing 1")
    page.mouse.click(*cell_point(page, "b2"))
    page.get_by_test_id("tab-change").click()
    expect(page.get_by_test_id("compare")).to_contain_text("1 cell: b2")
    page.get_by_role("button", name="Compare on the same boards").click()
    expect(page.get_by_test_id("compared")).to_contain_text(re.compile(r"\+\d"))


def test_closing_the_tab_ends_its_work(page: Page, server: StudioProcess):
    """A level whose agents would play for long: the next tab's first figure does not wait for it."""
    opened(page, server)
    other = page.context.new_page()
    other.goto(f"{server.url}#/edit/bundled/31-great-plain")
    expect(other.get_by_test_id("rate")).to_have_text(re.compile(r"\d.* %"))
    other.close()
    choose(page, "chocolate")
    page.mouse.click(*cell_point(page, "a1"))
    expect(page.get_by_text("all attempts played")).to_be_visible()


@pytest.mark.parametrize("size", [(1280, 800), (820, 1180)])
def test_board_and_verdict_fit_on_the_screen(page: Page, server: StudioProcess, size: tuple[int, int]):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme="dark")
    opened(page, server)
    for part in (page.get_by_test_id("board"), page.get_by_test_id("rate")):
        box = part.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]
        assert box["y"] + box["height"] <= size[1]
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(21, 23, 28)"
