"""Small interactions of the editor in a browser: tools by mouse and keyboard, ghosts, what a cell tells."""

import json
import re

from playwright.sync_api import Page, expect

from tests.studio.conftest import StudioProcess, cell_point
from tests.studio.test_editor_browser import board_of, choose, drag, opened, text_of
from tests.studio.test_levels import SMALL


def test_pick_up_takes_what_is_seen_whatever_the_layer(page: Page, server: StudioProcess):
    opened(page, server)
    choose(page, "Jelly")
    choose(page, "two layers")
    page.mouse.click(*cell_point(page, "e4"))
    choose(page, "Board")
    choose(page, "Pick up")
    page.mouse.click(*cell_point(page, "e4"))
    expect(page.get_by_role("button", name="Jelly", exact=True)).to_have_attribute("aria-pressed", "true")
    page.mouse.click(*cell_point(page, "a1"))
    assert json.loads(text_of(page))["jelly"][0].split()[0] == "2"


def test_cells_that_must_stay_are_marked_and_freed_by_a_drag(page: Page, server: StudioProcess):
    opened(page, server)
    choose(page, "Must stay")
    drag(page, "a1", "b1", "c1", "d1")
    expect(page.locator(".kept-cell")).to_have_count(4)
    drag(page, "c1", "d1")
    expect(page.locator(".kept-cell")).to_have_count(2)


def test_a_rectangle_and_a_teleporter_by_keyboard(page: Page, server: StudioProcess):
    opened(page, server)
    choose(page, "chocolate")
    board = page.get_by_test_id("board")
    board.focus()
    for key in ("r", "ArrowRight", "ArrowLeft", "Space", "ArrowRight", "ArrowDown", "Space"):
        page.keyboard.press(key)
    assert [row[:3] for row in board_of(page)] == [
        ["X", "X", "."],
        ["X", "X", "."],
        [".", ".", "."],
        [".", ".", "."],
    ]
    board.focus()
    for key in ("t", "ArrowRight", "ArrowLeft", "Space", "ArrowDown", "ArrowDown", "Escape"):
        page.keyboard.press(key)
    assert "teleporters" not in json.loads(text_of(page))
    board.focus()
    for key in ("ArrowRight", "ArrowLeft", "Space", "ArrowDown", "ArrowDown", "Space"):
        page.keyboard.press(key)
    assert json.loads(text_of(page))["teleporters"] == [{"from": "a1", "to": "a3"}]


def test_a_key_that_follows_a_click_at_once_keeps_what_was_chosen(page: Page, server: StudioProcess):
    opened(page, server)
    page.evaluate(
        """() => {
          document.querySelector(".swatch[aria-label=chocolate]").click();
          for (const key of ["r", "m"]) window.dispatchEvent(new KeyboardEvent("keydown", { key }));
        }"""
    )
    for name in ("chocolate", "Rectangle", "mirrored left and right"):
        button = page.get_by_role("button", name=name, exact=True)
        expect(button).to_have_attribute("aria-pressed", "true")


def test_shift_and_arrows_paint_one_step(page: Page, server: StudioProcess):
    opened(page, server)
    choose(page, "chocolate")
    page.get_by_test_id("board").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.down("Shift")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.up("Shift")
    assert board_of(page)[1] == [".", "X", "X", "X", "."]
    page.get_by_test_id("undo").click()
    assert text_of(page) == SMALL


def test_a_cell_tells_what_happens_there_and_the_board_stays_where_it_is(page: Page, server: StudioProcess):
    opened(page, server, SMALL.replace("#1", "#5").replace("12", "3"))
    before = cell_point(page, "b2")
    page.get_by_role("button", name="Left", exact=True).click()
    choose(page, "Ask a cell")
    page.mouse.click(*cell_point(page, "b2"))
    cell_words = page.get_by_test_id("cell-words")
    expect(cell_words).to_contain_text(re.compile(r"\d % of losses end with \w+ left here\."))
    assert cell_point(page, "b2") == before
    cell_words.get_by_role("link", name="Show such an attempt").click()
    expect(page.get_by_text("Where it was lost")).to_be_visible()


def test_suggestions_show_at_once_and_are_taken_back_or_exchanged(page: Page, server: StudioProcess):
    opened(page, server, SMALL.replace("#1", "#4").replace("12", "8"))
    before = text_of(page)
    page.get_by_label("Target in per cent").fill("85")
    page.get_by_label("Target in per cent").press("Tab")
    page.get_by_test_id("suggest-now").click()
    expect(page.get_by_test_id("apply").first).to_be_visible(timeout=120_000)
    expect(page.locator(".suggestions li").first).to_have_class("is-shown")
    number = page.get_by_test_id("apply").count()
    page.get_by_test_id("apply").first.click()
    expect(page.get_by_test_id("unapply")).to_have_count(1)
    expect(page.get_by_test_id("apply")).to_have_count(number - 1)
    if number > 1:
        page.get_by_test_id("apply").first.click()
        expect(page.get_by_test_id("unapply")).to_have_count(1)
    page.get_by_test_id("unapply").click()
    assert text_of(page) == before


def test_a_mistake_in_the_text_is_found_by_a_click(page: Page, server: StudioProcess):
    opened(page, server)
    page.get_by_test_id("tab-json").click()
    field = page.get_by_test_id("json")
    field.fill(SMALL.replace(". #1 . . .", ". Q . . ."))
    page.get_by_test_id("json-problem").get_by_role("button", name="line 7").click()
    chosen = field.evaluate("field => field.value.slice(field.selectionStart, field.selectionEnd)")
    assert chosen == '    ". Q . . .",'
    expect(page.get_by_label("Verdict").locator(".band-95")).to_have_count(0)


def test_limit_and_goals_stand_beside_the_title(page: Page, server: StudioProcess):
    opened(page, server)
    page.get_by_test_id("task").get_by_text("12 moves: ").click()
    expect(page.get_by_test_id("limit-field")).to_have_value("12")


def test_a_copy_of_an_example_keeps_the_target_that_it_was_changed_to(page: Page, server: StudioProcess):
    page.goto(f"{server.url}#/edit/bundled/02-four-in-a-row")
    page.get_by_label("Target in per cent").fill("83")
    page.get_by_label("Target in per cent").press("Tab")
    page.get_by_test_id("save").click()
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_text("four-in-a-row.json")).to_be_visible()
    expect(page.get_by_label("Target in per cent")).to_have_value("83")
    kept = json.loads((server.levels / ".studio" / "saga.json").read_text())
    assert kept["targets"]["four-in-a-row"] == 0.83


def test_drops_are_set_in_per_cent_and_dispensers_by_a_click(page: Page, server: StudioProcess):
    opened(page, server)
    choose(page, "Dispenser")
    page.mouse.click(*cell_point(page, "c1"))
    page.get_by_test_id("tab-level").click()
    dispenser = page.get_by_role("group", name="Dispenser at c1")
    dispenser.get_by_label("per cent of new pieces").fill("35")
    dispenser.get_by_label("per cent of new pieces").press("Tab")
    dispenser.get_by_label("piece", exact=True).select_option("countdown")
    dispenser.get_by_label("the bomb's number").fill("7")
    dispenser.get_by_label("the bomb's number").press("Tab")
    data = json.loads(text_of(page))["dispensers"]
    assert data == [{"at": ["c1"], "drops": [{"piece": "countdown", "rate": 0.35, "timer": 7}]}]


def test_what_is_being_typed_stays_while_figures_come_in(page: Page, server: StudioProcess):
    opened(page, server)
    choose(page, "chocolate")
    page.mouse.click(*cell_point(page, "a1"))
    field = page.get_by_label("Target in per cent")
    field.fill("7")
    expect(page.locator(".evaluation.stale")).to_have_count(0)
    expect(page.get_by_text("all attempts played")).to_be_visible()
    expect(field).to_have_value("7")
    field.press("End")
    field.press("3")
    field.press("Enter")
    expect(page.get_by_test_id("target")).to_have_attribute("aria-valuenow", "73")


def test_what_was_not_saved_is_compared_with_the_file(page: Page, server: StudioProcess):
    opened(page, server)
    rate = page.get_by_test_id("rate").text_content()
    choose(page, "chocolate")
    drag(page, "a1", "b1", "c1")
    page.reload()
    expect(page.get_by_test_id("before")).to_have_text(f"▲ {rate} as opened")
