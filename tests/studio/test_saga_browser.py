"""The library, the saga and the API's page in a real browser."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from levelsense.level.level import bundled_levels
from levelsense.prediction.explain import verdict_words
from tests.studio.conftest import StudioProcess, running
from tests.studio.test_estimates import HARD
from tests.studio.test_levels import SMALL
from tests.studio.test_library import BROKEN

JELLY = """{
  "name": "Jelly <b>day</b>",
  "moves": 15,
  "colors": 4,
  "board": [". . . . .", ". . . . .", ". . . . .", ". . . . ."],
  "jelly": [". . . . .", ". 1 1 1 .", ". 1 1 1 .", ". . . . ."],
  "goals": {"jelly": "all"}
}
"""
LEVELS = {"1-small": SMALL, "2-hard": HARD.replace("Small", "Hard"), "3-jelly": JELLY, "4-broken": BROKEN}


@pytest.fixture(scope="module")
def saga_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudioProcess]:
    """A studio with four levels; tests of this module leave them there."""
    folder = tmp_path_factory.mktemp("saga")
    (folder / "levels").mkdir()
    for name, text in LEVELS.items():
        (folder / "levels" / f"{name}.json").write_text(text)
    yield from running(folder)


def cards(page: Page) -> list[str]:
    names = page.get_by_role("region", name="Your levels").locator(".card")
    return [str(card.get_attribute("data-name")) for card in names.all()]


def card(page: Page, name: str) -> Locator:
    return page.locator(f"[aria-label='Your levels'] .card[data-name='{name}']")


def places(page: Page) -> list[str]:
    return [str(row.get_attribute("data-name")) for row in page.locator(".saga-list li[data-name]").all()]


def kept(server: StudioProcess) -> dict:
    path = server.levels / ".studio" / "saga.json"
    return json.loads(path.read_text()) if path.exists() else {}


def open_library(page: Page, server: StudioProcess) -> None:
    page.goto(f"{server.url}#/library")
    expect(card(page, "1-small")).to_be_visible()


def open_saga(page: Page, server: StudioProcess) -> None:
    page.goto(f"{server.url}#/saga")
    expect(page.locator(".saga-list li[data-name]")).to_have_count(len(LEVELS))


def open_predicted(page: Page, server: StudioProcess) -> None:
    """Opens the saga with predictions, whichever tests have run before on this server."""
    open_saga(page, server)
    page.get_by_role("button", name=re.compile("Predict|All are predicted")).wait_for()
    unknown = page.get_by_role("button", name=re.compile("Predict "))
    if unknown.count():
        unknown.click()
    expect(page.get_by_role("button", name="All are predicted")).to_be_visible()


class TestLibrary:
    def test_levels_are_boards_and_a_broken_one_is_a_sentence(
        self, page: Page, saga_server: StudioProcess
    ) -> None:
        open_library(page, saga_server)
        assert cards(page) == list(LEVELS)
        expect(card(page, "1-small").locator("svg.board .tile")).to_have_count(20)
        expect(card(page, "3-jelly").locator(".tile.jelly-1")).to_have_count(6)
        expect(card(page, "3-jelly")).to_contain_text("Jelly <b>day</b>")  # as text, never as a page's own
        expect(card(page, "3-jelly")).to_contain_text("15 moves: clear 6 layers of jelly")
        expect(card(page, "4-broken")).to_contain_text("expected ] for the [ in line 1")
        expect(card(page, "4-broken").get_by_role("link", name="Edit")).to_be_visible()
        expect(card(page, "4-broken").get_by_role("link", name="Play")).to_have_count(0)
        expect(card(page, "1-small")).to_contain_text("not predicted yet")

    def test_search_and_filter(self, page: Page, saga_server: StudioProcess) -> None:
        open_library(page, saga_server)
        page.get_by_role("searchbox", name="Search").fill("layers jelly")
        expect(card(page, "1-small")).to_have_count(0)
        assert cards(page) == ["3-jelly"]
        page.get_by_role("searchbox", name="Search").fill("")
        page.get_by_label("Element").select_option("icing")
        expect(card(page, "3-jelly")).to_have_count(0)
        assert cards(page) == ["1-small", "2-hard"]
        examples = page.locator("[aria-label='Examples'] .card")
        expect(examples.first).to_be_visible()  # they are filtered, too
        assert 0 < examples.count() < len(bundled_levels())
        page.get_by_role("searchbox", name="Search").fill("nothing is called so")
        expect(page.get_by_text("No level matches.")).to_have_count(2)

    def test_a_new_level_and_a_copy(self, page: Page, saga_server: StudioProcess) -> None:
        open_library(page, saga_server)
        page.get_by_role("button", name="New level").first.click()
        dialog = page.get_by_role("dialog", name="New level")
        dialog.get_by_label("Title").fill("Brand new, étage 2")
        dialog.get_by_label("Rows").fill("5")
        expect(dialog.get_by_label("File")).to_have_value("brand-new-e-tage-2")
        dialog.get_by_role("button", name="Create and open").click()
        page.wait_for_url("**/#/edit/brand-new-e-tage-2")
        made = saga_server.levels / "brand-new-e-tage-2.json"
        level = json.loads(made.read_text())
        assert (level["name"], len(level["board"])) == ("Brand new, étage 2", 5)
        open_library(page, saga_server)
        card(page, "1-small").get_by_role("button", name="Copy").click()
        dialog = page.get_by_role("dialog", name="Copy Small")
        dialog.get_by_label("File").fill("2-hard")
        dialog.get_by_role("button", name="Copy").click()
        expect(dialog).to_contain_text("There is a level 2-hard already")
        dialog.get_by_label("File").fill("small-2")
        dialog.get_by_role("button", name="Copy").click()
        expect(card(page, "small-2")).to_be_visible()
        copied = saga_server.levels / "small-2.json"
        assert json.loads(copied.read_text())["board"] == json.loads(SMALL)["board"]
        copied.unlink()
        made.unlink()

    def test_a_level_is_opened_by_its_board(self, page: Page, saga_server: StudioProcess) -> None:
        open_library(page, saga_server)
        card(page, "2-hard").get_by_role("link", name="Hard").click()
        page.wait_for_url("**/#/edit/2-hard")


class TestSaga:
    def test_a_folder_is_predicted_with_progress(self, page: Page, saga_server: StudioProcess) -> None:
        open_saga(page, saga_server)
        expect(page.locator(".point.unknown")).to_have_count(4)
        page.get_by_role("button", name="Predict 3 levels").click()
        expect(page.locator(".batch")).to_contain_text("3 levels predicted")
        expect(page.locator(".batch")).to_contain_text("1 skipped")
        expect(page.locator(".batch")).to_contain_text("4-broken: not JSON")
        expect(page.locator(".point .band")).to_have_count(3)
        expect(page.get_by_role("button", name="All are predicted")).to_be_disabled()
        with page.expect_download() as waited:
            page.get_by_role("link", name="CSV").click()
        table = Path(waited.value.path()).read_text().splitlines()
        assert [line.split(",")[0] for line in table] == ["level", "1-small", "2-hard", "3-jelly"]

    def test_the_verdict_follows_the_target(self, page: Page, saga_server: StudioProcess) -> None:
        """By the page's own rule, which is that of predictions."""
        open_predicted(page, saga_server)
        points = page.evaluate("fetch('/api/saga').then((answer) => answer.json())")["levels"]
        for name, prediction in ((point["name"], point["prediction"]) for point in points):
            if prediction is None:
                assert name == "4-broken"
                continue
            row = page.locator(f".saga-list li[data-name='{name}']")
            for target in (0.01, 0.2, 0.5, 0.8, 0.97, 0.99):
                row.get_by_label("in per cent").fill(str(round(100 * target)))
                expected = verdict_words(target, prediction["band_50"], prediction["band_95"])
                expect(row.locator(".word")).to_have_text(expected)
        expect(page.get_by_role("region", name="Outliers")).to_contain_text(
            re.compile(r"(Harder|Easier) than the target of 99%: .* of simulated players' attempts")
        )
        with page.expect_response(lambda answer: '"targets":{}' in str(answer.request.post_data)):
            page.get_by_label("Target for all").fill("50")

    def test_targets_are_dragged_and_kept(self, page: Page, saga_server: StudioProcess) -> None:
        open_saga(page, saga_server)
        handle = page.get_by_role("slider", name="Target of Small")
        box = handle.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 5)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] - 60, steps=4)
        page.mouse.up()
        expect(handle).not_to_have_attribute("aria-valuenow", "50")
        dragged = int(str(handle.get_attribute("aria-valuenow")))
        assert dragged > 60
        handle.focus()
        with page.expect_response(
            lambda answer: (
                answer.request.method == "PUT" and f"0.{dragged - 1}" in str(answer.request.post_data)
            )
        ):
            handle.press("ArrowDown")
            expect(handle).to_have_attribute("aria-valuenow", str(dragged - 1))
        expect(page.get_by_label("Target of Small in per cent")).to_have_value(str(dragged - 1))
        assert kept(saga_server)["targets"] == {"1-small": (dragged - 1) / 100}
        page.reload()
        expect(page.get_by_label("Target of Small in per cent")).to_have_value(str(dragged - 1))

    def test_the_order_is_changed_by_drag_and_by_keys(self, page: Page, saga_server: StudioProcess) -> None:
        open_saga(page, saga_server)
        first, third = (page.locator(".saga-list .handle").nth(place) for place in (0, 2))
        start, end = first.bounding_box(), third.bounding_box()
        assert start is not None
        assert end is not None
        page.mouse.move(start["x"] + 8, start["y"] + 12)
        page.mouse.down()
        page.mouse.move(end["x"] + 8, end["y"] + end["height"] + 4, steps=6)
        with page.expect_response(lambda answer: answer.request.method == "PUT"):
            page.mouse.up()
        assert places(page) == ["2-hard", "3-jelly", "1-small", "4-broken"]
        assert kept(saga_server)["order"] == places(page)
        handle = page.get_by_role("button", name="Move Small: place 3")
        handle.focus()
        with page.expect_response(lambda answer: answer.request.method == "PUT"):
            handle.press("ArrowUp")
            page.get_by_role("button", name="Move Small: place 2").press("ArrowUp")
        assert places(page) == ["1-small", "2-hard", "3-jelly", "4-broken"]
        expect(page.locator(".saga-list .unseen")).to_have_text("1-small is at place 1 of 4")
        page.get_by_role("button", name="Move Small: place 1").press("End")
        assert places(page)[-1] == "1-small"
        with page.expect_response(lambda answer: answer.request.method == "PUT"):
            page.get_by_role("button", name="Order by name").click()
        assert kept(saga_server)["order"] == list(LEVELS)

    def test_somebody_elses_order_is_not_overwritten(self, page: Page, saga_server: StudioProcess) -> None:
        open_saga(page, saga_server)
        page.request.put(
            f"{saga_server.url}api/saga",
            data={"order": ["3-jelly"], "target": 0.25},
            headers={"Content-Type": "application/json"},
        )
        page.get_by_role("button", name="Move Small: place 1").press("End")
        expect(page.get_by_role("alert")).to_contain_text("Somebody else has changed the saga")
        expect(page.locator(".saga-list li[data-name]").first).to_have_attribute("data-name", "3-jelly")
        assert kept(saga_server) == {"order": ["3-jelly"], "target": 0.25, "targets": {}}
        page.get_by_label("Target for all").fill("50")
        with page.expect_response(lambda answer: answer.request.method == "PUT"):
            page.get_by_role("button", name="Order by name").click()

    def test_two_levels_side_by_side(self, page: Page, saga_server: StudioProcess) -> None:
        open_predicted(page, saga_server)
        page.get_by_label("Compare Small").check()
        page.get_by_label("Compare Hard").check()
        compared = page.get_by_role("region", name="Comparison")
        expect(compared.locator("svg.board")).to_have_count(2)
        expect(compared).to_contain_text(re.compile(r"Small is \d+ points? easier than Hard"))
        page.get_by_label("Compare Jelly").check()  # takes the place of the first
        expect(compared.get_by_role("link", name="Small")).to_have_count(0)

    def test_a_playtest_is_cancelled_and_another_runs(self, page: Page, saga_server: StudioProcess) -> None:
        open_saga(page, saga_server)
        page.get_by_role("button", name="Playtest").click()
        dialog = page.get_by_role("dialog")
        for name in ("heuristic", "mcts"):
            dialog.get_by_role("checkbox", name=name).click()
        dialog.get_by_label("Attempts").fill("20000")
        dialog.get_by_role("button", name="Start").click()
        page.get_by_role("button", name="Cancel").click()
        expect(page.locator(".batch")).to_contain_text("what was played is kept")
        page.get_by_role("button", name="Playtest").click()
        for name in ("random", "mcts"):
            dialog.get_by_role("checkbox", name=name).click()
        dialog.get_by_label("Attempts").fill("30")
        dialog.get_by_role("button", name="Start").click()
        expect(page.locator(".batch")).to_contain_text("3 levels played")
        expect(page.locator(".saga-list li[data-name='1-small']")).to_contain_text(
            re.compile(r"random [\d.]+ %")
        )


@pytest.mark.parametrize("size", [(1280, 800), (820, 1180)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_screen(
    browser: Browser, saga_server: StudioProcess, size: tuple[int, int], scheme: str
) -> None:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    page = context.new_page()
    for view, landmark in (("library", ".card"), ("saga", ".saga-list"), ("api", ".route")):
        page.goto(f"{saga_server.url}#/{view}")
        expect(page.locator(landmark).first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], view
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        bright = sum(map(int, re.findall(r"\d+", ground)[:3])) > 3 * 128
        assert bright == (scheme == "light"), view
    context.close()


def test_the_api_page_tells_every_route_with_a_command(page: Page, saga_server: StudioProcess) -> None:
    page.goto(f"{saga_server.url}#/api")
    expect(page.locator(".route").first).to_be_visible()
    described = page.request.get(f"{saga_server.url}api/openapi.json").json()["paths"]
    routes = {(method.upper(), path) for path, methods in described.items() for method in methods}
    shown = {
        (route.locator(".method").inner_text(), route.locator("h3 code").inner_text())
        for route in page.locator(".route").all()
    }
    assert shown == routes
    for command in page.locator(".example code").all_inner_texts():
        assert command.startswith("curl -s ")
        assert "undefined" not in command
    page.get_by_role("searchbox", name="Search routes").fill("get /api/saga/predictions.csv")
    expect(page.locator(".route")).to_have_count(1)
