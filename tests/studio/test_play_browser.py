"""People play in a real browser on a real server: by mouse, by keyboard, across kill -9; and watch agents."""

import json
from typing import Any
from uuid import uuid4

import httpx2 as httpx
from playwright.sync_api import Page, expect

from levelsense import Lab
from tests.studio.conftest import StudioProcess

SMALL = {
    "name": "Small",
    "moves": 4,
    "colors": 4,
    "board": [". . . . ."] * 5,
    "goals": {"score": 100000},
}
SIDE = 5
MARGIN = 0.42  # of a cell's side, left and above the board on the canvas
ALL_MARGINS = 0.52


def opened(page: Page, server: StudioProcess, view: str, tester: str = "Ann", **other: Any) -> str:
    """Opens a new level to play or to watch; gives its name."""
    name = f"small-{uuid4().hex[:8]}"
    server.levels.mkdir(exist_ok=True)
    (server.levels / f"{name}.json").write_text(json.dumps({**SMALL, **other}))
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{server.url}#/{view}/{name}")
    if view == "play":
        page.fill("input[name=tester]", tester, timeout=60_000)
        page.press("input[name=tester]", "Enter")
    expect(page.locator(".play-canvas")).to_be_visible()
    return name


def point(page: Page, cell: str) -> tuple[float, float]:
    """The middle of a cell on the screen."""
    box = page.locator(".play-canvas").bounding_box()
    assert box is not None
    side = box["width"] / (SIDE + ALL_MARGINS)
    row, column = int(cell[1:]) - 1, "abcdefghijkl".index(cell[0])
    return box["x"] + side * (MARGIN + column + 0.5), box["y"] + side * (MARGIN + row + 0.5)


def playing(page: Page) -> dict[str, Any]:
    """The game that the page shows."""
    game: dict[str, Any] = page.evaluate("document.querySelector('.play-canvas').game")
    return game


def expect_moves(page: Page, moves: int) -> None:
    expect(page.locator(".play-canvas")).to_have_attribute("data-moves", str(moves))


def drag(page: Page, move: str) -> None:
    page.mouse.move(*point(page, move[:2]))
    page.mouse.down()
    page.mouse.move(*point(page, move[2:]), steps=4)
    page.mouse.up()


def click_twice(page: Page, move: str) -> None:
    page.mouse.click(*point(page, move[:2]))
    page.mouse.click(*point(page, move[2:]))


def walk_to(page: Page, cell: str) -> None:
    """Moves the cursor from wherever it is: to the left upper corner first, then to the cell."""
    for key, times in (("ArrowLeft", SIDE), ("ArrowUp", SIDE)):
        for _ in range(times):
            page.keyboard.press(key)
    for key, times in (("ArrowRight", "abcdefghijkl".index(cell[0])), ("ArrowDown", int(cell[1:]) - 1)):
        for _ in range(times):
            page.keyboard.press(key)
    expect(page.locator(".play-said")).to_contain_text(f"{cell}, ")


def rates(server: StudioProcess, name: str) -> list[dict[str, Any]]:
    """The success rates of testers at a level, as `levelsense players rates` has them."""
    return Lab(server.database).rates([f"{name}@*"]).to_dicts()


def test_a_level_is_lost_by_mouse_and_found_in_the_database(page: Page, server: StudioProcess):
    name = opened(page, server, "play")
    for turn in range(4):
        move = playing(page)["state"]["legal"][0]
        (drag if turn % 2 else click_twice)(page, move)
        expect_moves(page, turn + 1)
    expect(page.locator(".play-ending")).to_contain_text("No moves are left.")
    (row,) = rates(server, name)
    assert (row["cohort"], row["players"], row["attempts"], row["successes"]) == ("testers", 1, 1, 0)


def test_a_level_is_won_by_keyboard_and_found_in_the_database(page: Page, server: StudioProcess):
    name = opened(page, server, "play", "Bob", moves=20, goals={"score": 200})
    made = 0
    while playing(page)["state"]["status"] == "playing":
        move = playing(page)["state"]["legal"][0]
        walk_to(page, move[:2])
        page.keyboard.press("Space")
        page.keyboard.press("ArrowRight" if move[0] != move[2] else "ArrowDown")
        made += 1
        expect_moves(page, made)
    expect(page.locator(".play-ending")).to_contain_text("Won")
    expect(page.locator(".play-said")).to_contain_text("Won: all goals are met")
    (row,) = rates(server, name)
    assert (row["attempts"], row["successes"]) == (1, 1)
    telemetry = Lab().check_telemetry(server.levels / ".studio" / "games")
    assert (telemetry.wrong, telemetry.by_level[name]) == (0, made)


def test_a_swap_that_is_not_legal_is_told_and_not_played(page: Page, server: StudioProcess):
    opened(page, server, "play")
    legal = playing(page)["state"]["legal"]
    wrong = next(
        f"{c}{r}{c}{r + 1}" for c in "abcde" for r in range(1, 5) if f"{c}{r}{c}{r + 1}" not in legal
    )
    drag(page, wrong)
    expect(page.locator(".play-said")).to_contain_text("no line")
    expect_moves(page, 0)


def test_a_game_goes_on_after_the_server_was_killed(page: Page, own_server: StudioProcess):
    opened(page, own_server, "play", "Cleo")
    first = playing(page)["state"]["legal"][0]
    drag(page, first)
    expect_moves(page, 1)
    game, port = playing(page)["id"], own_server.port
    own_server.kill()
    second = playing(page)["state"]["legal"][0]
    drag(page, second)  # nobody answers
    expect(page.get_by_text("The server does not answer")).to_be_visible()
    expect_moves(page, 1)
    own_server.start(port)
    expect_moves(page, 2)
    expect(page.get_by_text("The server does not answer")).to_have_count(0)
    page.reload()  # the page dies, too
    expect_moves(page, 2)
    assert playing(page)["id"] == game
    assert httpx.get(f"{own_server.url}api/games/{game}").json()["moves"] == 2
    (file,) = (own_server.levels / ".studio" / "games").glob(f"*{game}*")
    written = [json.loads(line) for line in file.read_text().splitlines()[1:]]
    assert [(line["turn"], line["move"]) for line in written] == [(0, first), (1, second)]


def test_the_same_board_comes_again_and_a_hint_points_at_a_legal_move(page: Page, server: StudioProcess):
    name = opened(page, server, "play", "Dana")
    before = playing(page)
    drag(page, before["state"]["legal"][0])
    expect_moves(page, 1)
    page.get_by_role("button", name="Same seed again").click()
    expect_moves(page, 0)
    again = playing(page)
    assert again["id"] != before["id"]
    assert again["state"]["board"] == before["state"]["board"]
    page.get_by_role("button", name="Hint").click()
    hint = page.locator(".play-hint b").first.text_content()
    assert hint in again["state"]["legal"]
    (row,) = rates(server, name)
    assert (row["cohort"], row["attempts"]) == ("testers, broken off", 1)


def test_a_position_is_edited_and_played_on_and_taken_into_the_editor(page: Page, server: StudioProcess):
    name = opened(page, server, "play")
    page.get_by_role("button", name="Position").click()
    text = page.input_value(".play-position")
    page.fill(".play-position", text.replace("moves: 4", "moves: many"))
    page.get_by_role("button", name="Play on from this").click()
    expect(page.locator("dialog .problem")).to_contain_text("expected a whole number")
    page.fill(".play-position", text.replace("moves: 4", "moves: 9"))
    page.get_by_role("button", name="Play on from this").click()
    expect(page.get_by_text("From a position")).to_be_visible()
    expect(page.locator(".play-limit > b")).to_have_text("9")
    page.get_by_role("button", name="Position").click()
    page.get_by_role("button", name="Take into the editor").click()
    page.wait_for_url(f"**#/edit/{name}-move-0")
    draft = httpx.get(f"{server.url}api/levels/{name}-move-0").json()["draft"]
    assert json.loads(draft["text"])["moves"] == 9


def test_an_attempt_is_watched_by_arrow_keys(page: Page, server: StudioProcess):
    opened(page, server, "watch")
    at = page.get_by_test_id("watch-at")
    expect(at).to_have_text("0 of 4")
    expect(page.locator(".watch-values tbody tr")).not_to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(at).to_have_text("1 of 4")
    first = page.locator(".play-said").text_content()
    page.keyboard.press("ArrowRight")
    expect(at).to_have_text("2 of 4")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".play-said")).to_have_text(first or "")
    page.keyboard.press("End")
    expect(at).to_have_text("4 of 4")
    expect(page.get_by_text("Lost: no moves are left").last).to_be_visible()
    expect(page.get_by_test_id("lost")).to_contain_text("as good as lost from the start")


def test_a_search_is_watched_with_its_tree(page: Page, server: StudioProcess):
    name = opened(page, server, "watch")
    page.get_by_label("Agent").select_option("mcts")
    expect(page.locator(".watch-values th").last).to_have_text("visits")
    page.get_by_role("button", name="Search tree").click()
    tree = page.locator(".watch-tree")
    expect(tree).to_be_visible()
    assert tree.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
    assert page.url.endswith(f"#/watch/{name}?agent=mcts&attempt=0")
