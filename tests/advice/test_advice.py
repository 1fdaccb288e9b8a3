"""Advice: each rule on a hand-drawn level that it is about, and silence on sensible ones."""

import random
from pathlib import Path
from typing import Any

import pytest

from levelsense.advice import Advice, advise
from levelsense.advice.layout import Layout
from levelsense.advice.supply import Supply
from levelsense.level.level import Level, bundled_levels
from tests.random_levels import random_level

OPEN = [". . . . ."] * 5


def level(**changes: Any) -> Level:
    plain = {"name": "Drawn", "moves": 20, "board": OPEN, "goals": {"score": 1000}}
    return Level.model_validate(
        {key: value for key, value in {**plain, **changes}.items() if value is not None}
    )


def warnings_of(**changes: Any) -> list[str]:
    return [f"{advice.severity}: {advice.sentence}" for advice in advise(level(**changes), deals=0)]


def orders(**asked: int) -> dict[str, Any]:
    return {"goals": {"orders": {name.replace("_", " "): number for name, number in asked.items()}}}


def test_an_open_board_needs_no_advice() -> None:
    assert warnings_of() == []
    assert warnings_of(**orders(red=30, striped=3, wrapped=2, color_bomb=1)) == []


@pytest.mark.parametrize("name", bundled_levels())
def test_bundled_levels_give_no_cause_for_warning(name: str) -> None:
    advice = advise(Level.load(name), deals=0)
    assert [item.sentence for item in advice if item.severity != "note"] == []


def test_the_worst_comes_first() -> None:
    timed: dict[str, Any] = {"bonus": True, "moves": None, "seconds": 60, "rules": "plain"}
    advice = advise(level(exits=["a5"], **timed, **orders(icing=1)), deals=0)
    assert [item.severity for item in advice] == ["error", "warning", "note"]
    finding = "asks for 1, but none is drawn or drops in"
    assert advice[0] == Advice("error", "goal-out-of-supply", ("goals", "orders", "icing"), finding)
    assert advice[0].sentence == f"goals, orders, icing: {finding}"


# Goals


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"board": ["#1 #3 . . .", *OPEN[1:]], **orders(icing=3)},
            "goals, orders, icing: asks for 3, but at most 2 are drawn or drop in",
        ),
        (
            {"locks": ["L L M . .", *OPEN[1:]], **orders(lock=2, marmalade=2)},
            "goals, orders, marmalade: asks for 2, but at most 1 are drawn or drop in",
        ),
        (orders(chocolate=1), "goals, orders, chocolate: asks for 1, but none is drawn or drops in"),
        (
            {"drops": [{"piece": "swirl", "rate": 0.1, "total": 4}], **orders(swirl=5)},
            "goals, orders, swirl: asks for 5, but at most 4 are drawn or drop in",
        ),
        (
            {"board": [".9 . . . .", *OPEN[1:]], **orders(countdown=2)},
            "goals, orders, countdown: asks for 2, but at most 1 are drawn or drop in",
        ),
        (
            {"board": ["C . . . .", *OPEN[1:]], "goals": {"ingredients": {"cherry": 2}}},
            "goals, ingredients, cherry: asks for 2, but at most 1 are drawn or drop in",
        ),
        (
            {"board": ["C . . . .", *OPEN[1:]], "exits": [], "goals": {"ingredients": {"cherry": 1}}},
            "goals, ingredients, cherry: asks for 1, but the level has no exit",
        ),
        (
            {"board": ["m . m . m", *OPEN[1:]], **orders(magenta=4)},
            "goals, orders, magenta: asks for 4, but magenta is not among the colors, "
            "and at most 3 are drawn or drop in",
        ),
        (
            {"rules": "plain", **orders(striped=1)},
            "goals, orders, striped: asks for 1, but the rule set plain makes none",
        ),
        (
            {"rules": "mcadams", **orders(wrapped=1)},
            "goals, orders, wrapped: asks for 1, but the rule set mcadams makes none",
        ),
        (
            {"board": [". . . ."] * 4, **orders(color_bomb=1)},
            "goals, orders, color bomb: asks for 1, but no line of five fits on the board",
        ),
        (
            {"board": [". . .", ". . -", "- . ."], **orders(striped=1)},
            "goals, orders, striped: asks for 1, but no line of four fits on the board",
        ),
        (
            {"board": [". . . . .", "- - - - -", ". . . . ."], **orders(wrapped=1)},
            "goals, orders, wrapped: asks for 1, but no L, T or + fits on the board",
        ),
        (
            {
                "rules": "plain",
                "board": ["* . * . *", *OPEN[1:]],
                "goals": {"orders": {"color bomb+color bomb": 2}},
            },
            "goals, orders, color bomb+color bomb: asks for 2, but the board can have specials for at most 1",
        ),
        (
            {"moves": 3, "goals": {"orders": {"striped+striped": 2, "striped+wrapped": 2}}},
            "goals, orders: ask for 4 combinations, but there is time for at most 3 moves",
        ),
        (
            {"moves": None, "seconds": 5, "goals": {"orders": {"striped+striped": 3}}},
            "goals, orders: ask for 3 combinations, but there is time for at most 2 moves",
        ),
    ],
)
def test_a_goal_that_cannot_be_reached_is_an_error(changes: dict[str, Any], sentence: str) -> None:
    assert warnings_of(**changes) == [f"error: {sentence}"]


@pytest.mark.parametrize(
    "changes",
    [
        {"board": ["#1 #3 . . .", *OPEN[1:]], **orders(icing=2)},
        {"board": ["X X . . .", *OPEN[1:]], **orders(chocolate=2)},
        {"drops": [{"piece": "swirl", "rate": 0.1}], **orders(swirl=500)},
        {"drops": [{"piece": "candy", "rate": 0.1, "color": "magenta"}], **orders(magenta=50)},
        {"drops": [{"piece": "cherry", "keep": 1, "total": 2}], "goals": {"ingredients": {"cherry": 2}}},
        {
            "dispensers": [{"at": ["a1"], "drops": [{"piece": "hazelnut", "keep": 1}]}],
            "goals": {"ingredients": {"hazelnut": 9}},
        },
        {"rules": "mcadams", "goals": {"orders": {"color bomb+striped": 1}}},
        {
            "rules": "plain",
            "drops": [{"piece": "wrapped", "rate": 0.1}],
            "goals": {"orders": {"wrapped+wrapped": 9}},
        },
        {
            "rules": "plain",
            "sugar": {"every": 5, "pays": ["striped", "wrapped"]},
            "drops": [{"piece": "sugar", "rate": 0.1}],
            "goals": {"orders": {"striped+wrapped": 1, "wrapped+wrapped": 4}},
        },
        {"moves": None, "seconds": 5, "drops": [{"piece": "time", "rate": 0.1}], **orders(time=99)},
    ],
)
def test_a_goal_that_can_be_reached_is_not_remarked_on(changes: dict[str, Any]) -> None:
    assert warnings_of(**changes) == []


def test_sugar_payouts_are_counted_in_their_order() -> None:
    paying = level(
        rules="plain",
        board=[".~ .~ .~ .~ .~", ".~ .~ . . .", *OPEN[2:]],
        sugar={"every": 2, "pays": ["striped", "wrapped"]},
    )
    supply = Supply(Layout(paying))
    assert (supply.at_hand("striped"), supply.at_hand("wrapped"), supply.at_hand("color bomb")) == (1, 2, 0)


def test_chocolate_that_has_to_grow_is_noted() -> None:
    assert warnings_of(board=["X . . . .", *OPEN[1:]], **orders(chocolate=3)) == [
        "note: goals, orders, chocolate: asks for 3, but 1 are drawn: the player has to let chocolate grow"
    ]


def test_dark_chocolate_that_has_to_grow_is_noted_and_the_plain_kind_does_not_help() -> None:
    board = ["D2 . X . .", *OPEN[1:]]
    assert warnings_of(board=board, **orders(dark_chocolate=2)) == [
        "note: goals, orders, dark chocolate: asks for 2, but 1 are drawn: "
        "the player has to let dark chocolate grow"
    ]
    assert warnings_of(board=["X . . . .", *OPEN[1:]], **orders(dark_chocolate=1)) == [
        "error: goals, orders, dark chocolate: asks for 1, but none is drawn or drops in"
    ]


@pytest.mark.parametrize(("token", "name"), [("P2", "popcorn"), ("T2", "toffee")])
def test_more_of_a_blocker_than_there_is_cannot_be_asked_for(token: str, name: str) -> None:
    board = [f"{token} {token} . . .", *OPEN[1:]]
    assert warnings_of(board=board, goals={"orders": {name: 2}}) == []
    assert warnings_of(board=board, goals={"orders": {name: 3}}) == [
        f"error: goals, orders, {name}: asks for 3, but at most 2 are drawn or drop in"
    ]


def test_popcorn_needs_blasts() -> None:
    board = ["P1 . . . .", *OPEN[1:]]
    assert warnings_of(board=board) == []  # lines of four fit, and leave stripes
    assert warnings_of(board=board, rules="plain") == ["warning: board, a1: nothing can remove this popcorn"]
    assert warnings_of(board=board, rules="plain", **orders(popcorn=1)) == [
        "error: board, a1: nothing can remove this popcorn"
    ]
    striped = ["P1 . .= . .", *OPEN[1:]]
    assert warnings_of(board=striped, rules="plain", **orders(popcorn=1)) == []


def test_color_bombs_that_popcorn_leaves_are_at_hand_if_anything_opens_it() -> None:
    board = ["P1 P3 . . .", *OPEN[1:]]
    assert Supply(Layout(level(board=board, rules="plain"))).at_hand("color bomb") == 0
    opened = level(board=[*board[:4], ". . .= . ."], rules="plain")
    assert Supply(Layout(opened)).at_hand("color bomb") == 2
    assert Supply(Layout(opened)).most("color bomb") == 0  # it is not made by a line


@pytest.mark.parametrize(("token", "name"), [("T2", "toffee"), ("D2", "dark chocolate")])
def test_toffee_and_dark_chocolate_need_a_line_beside_them_or_a_blast(token: str, name: str) -> None:
    alone = [f"{token} - . . .", "- - . . .", ". . . . ."]
    assert warnings_of(board=alone) == [f"warning: board, a1: no line can remove this {name}: only blasts do"]


NOOK = [
    ". . . . .",
    ". . . . .",
    "- - - . -",  # the cells below d3 are two wide and two high: no line fits in c4, c5
    "- - . . -",
    "- - . . -",
]


def test_jelly_where_no_line_fits_is_left_to_blasts() -> None:
    jelly = [". . . . .", ". . . . .", "- - - . -", "- - 1 1 -", "- - 2 . -"]
    changes: dict[str, Any] = {"board": NOOK, "jelly": jelly, "goals": {"jelly": "all"}}
    assert warnings_of(**changes) == [
        "warning: jelly, c4, c5: no line of three fits here: only blasts reach the jelly"
    ]
    assert warnings_of(rules="plain", **changes) == [
        "error: jelly, c4, c5: no line of three fits here, and the level has no blasts"
    ]
    assert warnings_of(rules="plain", **{**changes, "goals": {"jelly": 1}}) == []
    assert warnings_of(**{**changes, "goals": {"score": 100}}) == []


def test_blockers_that_no_line_can_remove_are_told() -> None:
    icing = [". . . . .", ". . . . .", "- - - . -", "- - . . -", "- - #1 . -"]
    assert warnings_of(board=icing) == []  # a line down the fourth column touches it
    hidden = [". . . . .", ". . . . .", "- - - . -", "- . . . -", "- #2 - - -"]
    assert warnings_of(board=hidden) == []
    alone = ["#2 - . . .", "- - . . .", ". . . . ."]
    assert warnings_of(board=alone) == ["warning: board, a1: no line can remove this icing: only blasts do"]
    assert warnings_of(board=alone, rules="plain", **orders(icing=1)) == [
        "error: board, a1: nothing can remove this icing"
    ]


def test_a_lock_on_a_piece_without_color_is_noted() -> None:
    sentences = warnings_of(
        board=["C r . . .", *OPEN[1:]], locks=["L L . . .", *OPEN[1:]], goals={"ingredients": {"cherry": 1}}
    )
    assert sentences == ["note: locks, a1: no line can remove this lock: only blasts do"]


def test_a_score_far_out_of_reach_is_a_warning() -> None:
    assert warnings_of(goals={"score": 100_000}) == [
        "warning: goals, score: 100000 is out of reach: 20 very good moves bring about 90000"
    ]
    assert warnings_of(rules="mcadams", goals={"score": 2000}) == [
        "warning: goals, score: 2000 is out of reach: 20 very good moves bring about 1500"
    ]
    assert warnings_of(stars=[1000, 2000, 100_000]) == [
        "warning: stars: 100000 is out of reach: 20 very good moves bring about 90000"
    ]
    assert warnings_of(stars=[1000, 2000, 100_000], bonus=True) == []
    assert warnings_of(goals={"score": 100_000}, colors=4) == []
    assert warnings_of(goals={"score": 100_000}, rules="plain") == []


def test_stars_below_the_score_goal_are_told() -> None:
    assert warnings_of(stars=[500, 2000, 3000]) == [
        "note: stars: 500 is below the score goal, 1000: it could be the same"
    ]
    assert warnings_of(stars=[500, 600, 3000]) == [
        "warning: stars: 600 is below the score goal, 1000: every win earns 2 stars"
    ]


# Falling

CHERRY = {"goals": {"ingredients": {"cherry": 1}}}


def test_an_ingredient_above_an_exit_is_fine() -> None:
    assert warnings_of(board=["C . . . .", *OPEN[1:]], exits=["a5"], **CHERRY) == []


def test_a_teleporter_on_the_way_to_the_exit_is_followed() -> None:
    halves = [". . C - . . .", *[". . . - . . ."] * 4]
    assert warnings_of(board=halves, teleporters=[{"from": "c5", "to": "e1"}], exits=["e5"], **CHERRY) == []


def test_an_ingredient_with_no_exit_below_has_to_be_moved_sideways() -> None:
    assert warnings_of(board=["C . . . .", *OPEN[1:]], exits=["c5"], **CHERRY) == [
        "warning: board, a1: no exit below this cherry: it has to be moved sideways"
    ]


def test_an_ingredient_that_can_never_get_to_an_exit_is_an_error() -> None:
    split = ["C . . - . . ."] + [". . . - . . ."] * 4
    assert warnings_of(board=split, exits=["e5"], **CHERRY) == [
        "error: board, a1: this cherry can never get to an exit",
        "warning: exits, e5: no ingredient can get here",
    ]
    two = ["C . . - C . ."] + [". . . - . . ."] * 4
    assert warnings_of(board=two, exits=["e5"], **CHERRY) == [
        "warning: board, a1: this cherry can never get to an exit"
    ]


def test_ingredients_that_enter_away_from_the_exits_are_told() -> None:
    cherry = [{"piece": "cherry", "keep": 1, "total": 1}]
    assert warnings_of(drops=cherry, **CHERRY) == []
    assert warnings_of(drops=cherry, exits=["a5", "b5", "c5"], **CHERRY) == [
        "note: drops, cherry: a cherry may enter at d1, e1, with no exit below"
    ]
    assert warnings_of(dispensers=[{"at": ["e1"], "drops": cherry}], exits=["a5"], **CHERRY) == [
        "warning: drops, cherry: no exit below any entry: every cherry has to be moved sideways"
    ]
    split = [". . . - . . ."] * 5
    sentences = warnings_of(board=split, dispensers=[{"at": ["a1"], "drops": cherry}], exits=["e5"], **CHERRY)
    assert sentences[0] == "error: drops, cherry: a cherry that enters can never get to an exit"


def test_exits_without_ingredients_are_told() -> None:
    assert warnings_of(exits=["a5"]) == ["warning: exits: the level has no ingredient to leave by them"]


def test_an_exit_that_no_ingredient_can_get_to_is_told() -> None:
    split = ["C . . - . . ."] + [". . . - . . ."] * 4
    assert warnings_of(board=split, exits=["a5", "e5"], **CHERRY) == [
        "warning: exits, e5: no ingredient can get here"
    ]


def test_cells_below_an_entrance_are_told() -> None:
    assert warnings_of(teleporters=[{"from": "a2", "to": "e3"}]) == [
        "note: board, a3, a4, a5: cut off by a teleporter: filled only by pieces that slide in from the side"
    ]


def test_cells_and_teleporters_that_nothing_gets_to_are_told() -> None:
    #     a b c d e
    #   1 . - . . .    a2 leads away, so nothing gets to a3 and a4,
    #   2 . - . . .    nor out of a4 to e1
    #   3 . - . . .
    #   4 . - . . .
    sentences = warnings_of(
        board=[". - . . ."] * 4, teleporters=[{"from": "a2", "to": "c2"}, {"from": "a4", "to": "e1"}]
    )
    assert sentences == [
        "warning: board, e1, a3, a4: nothing can fall in here: once empty, it stays empty",
        "warning: teleporters 2: no new piece gets to its entrance, a4",
        "note: board, e2, e3, e4: cut off by a teleporter: filled only by pieces that slide in from the side",
    ]


def test_ingredients_that_leave_as_they_enter_are_told() -> None:
    kept = [{"piece": "cherry", "keep": 3}]
    at_once = (
        "as soon as the next enters at {}, with nothing to clear, up to 100 times a round; "
        "a total would end that"
    )
    assert warnings_of(board=["r b g", "r y p", "o r c"], colors=8, drops=kept, **CHERRY) == [
        f"warning: drops, cherry: a cherry may leave at a3, b3, c3 {at_once.format('a1, b1, c1')}"
    ]
    both = [{"piece": "cherry", "keep": 1}, {"piece": "hazelnut", "keep": 2}]
    assert warnings_of(board=["r b g", "r y p", "o r c"], colors=8, drops=both, **CHERRY)[:2] == [
        f"warning: drops, {piece}: a {piece} may leave at a3, b3, c3 {at_once.format('a1, b1, c1')}"
        for piece in ("cherry", "hazelnut")
    ]
    dispenser: dict[str, Any] = {"dispensers": [{"at": ["c5"], "drops": [{"piece": "cherry", "keep": 1}]}]}
    assert warnings_of(exits=["c5"], **dispenser, **CHERRY) == [
        f"warning: drops, cherry: a cherry may leave at c5 {at_once.format('c5')}"
    ]
    assert warnings_of(exits=["c1"], drops=[{"piece": "cherry", "keep": 1}], **CHERRY)[0] == (
        f"warning: drops, cherry: a cherry may leave at c1 {at_once.format('c1')}"
    )
    assert warnings_of(drops=kept, **CHERRY) == []  # three do not fill a column of five
    assert warnings_of(board=[". . ."] * 3, drops=[{**kept[0], "total": 9}], **CHERRY) == []


def test_a_teleporter_that_leads_pieces_up_again_is_told() -> None:
    #     a b c d e
    #   1 - . . . .     d1 leads to c1, so d2 and d3 are dry; d3 leads up to c2,
    #   2 . . . . .     from where pieces slide into d3 again
    #   3 - . . . .
    board = ["- . . . .", ". . . . .", "- . . . ."]
    circle = [{"from": "d1", "to": "c1"}, {"from": "d3", "to": "c2"}]
    assert (
        "warning: teleporters 2: leads up from d3 to c2: pieces that slide into d3 may come round again and "
        "again, up to 500 slides"
    ) in warnings_of(board=board, teleporters=circle)
    for teleporters in (circle[:1], circle[1:]):
        assert not [line for line in warnings_of(board=board, teleporters=teleporters) if "again" in line]


# Pieces


def test_bombs_that_leave_a_single_move_are_told() -> None:
    assert warnings_of(board=["r1 . . . .", *OPEN[1:]]) == [
        "warning: board, a1: the first move has to clear this bomb"
    ]
    assert warnings_of(board=["r1 .1 . . .", *OPEN[1:]], locks=["L . . . .", *OPEN[1:]]) == [
        "warning: board, a1, b1: the first move has to clear all of these bombs"
    ]
    assert warnings_of(board=["r1 . . . .", *OPEN[1:]], locks=["M . . . .", *OPEN[1:]]) == [
        "warning: board, a1: this bomb goes off with the move that frees it, "
        "unless the same move clears it too"
    ]
    assert warnings_of(drops=[{"piece": "countdown", "rate": 0.1, "timer": 1}]) == [
        "warning: drops, countdown: a timer of 1 leaves a single move to clear the bomb"
    ]
    assert warnings_of(board=["r2 . . . .", *OPEN[1:]], locks=["L . . . .", *OPEN[1:]]) == []


def test_bombs_that_outlast_the_level_are_noted() -> None:
    harmless = "harmless: the level ends after 20 moves, before the bomb goes off"
    assert warnings_of(board=["r20 r19 . . .", *OPEN[1:]]) == [f"note: board, a1: {harmless}"]
    assert warnings_of(drops=[{"piece": "countdown", "rate": 0.1, "timer": 19}]) == [
        f"note: drops, countdown: {harmless}"
    ]
    assert warnings_of(drops=[{"piece": "countdown", "rate": 0.1, "timer": 18}]) == []
    assert warnings_of(board=["r20 . . . .", *OPEN[1:]], moves=None, seconds=60) == []


def test_bombs_that_no_line_can_clear_are_told() -> None:
    apart = ["r9 - . . .", ". - . . .", "- - . . .", "- - . . ."]
    assert warnings_of(board=apart) == [
        "warning: board, a1: no line of three fits here: only a blast can clear this bomb"
    ]
    assert warnings_of(board=apart, rules="plain") == [
        "warning: board, a1: no line of three fits here: nothing can clear this bomb"
    ]
    assert warnings_of(board=["m9 . . . .", *OPEN[1:]]) == [
        "warning: board, a1: there are fewer than three of its color: only a blast can clear this bomb"
    ]
    assert warnings_of(board=["m9 m . m9 .", *OPEN[1:]]) == []


def test_drawn_colors_too_few_for_a_line_are_noted() -> None:
    assert warnings_of(board=["m . m . .", *OPEN[1:]]) == [
        "note: board, a1, c1: no magenta drops in, and there are fewer than three: no line can clear it"
    ]
    assert warnings_of(board=["m . m . m", *OPEN[1:]]) == []


def test_drops_that_never_apply_are_told() -> None:
    swirls = [{"piece": "swirl", "rate": 0.1}]
    every_top = [{"at": ["a1", "b1", "c1", "d1", "e1"], "drops": []}]
    assert warnings_of(drops=swirls, dispensers=every_top) == [
        "warning: drops: never used: there is a dispenser at every entry"
    ]
    always = [{"piece": "candy", "rate": 1, "color": "red"}]
    kept = [{"piece": "swirl", "keep": 2}]
    assert warnings_of(drops=always + kept) == [
        "warning: drops 2: never used: the rates before it add up to 1"
    ]
    assert warnings_of(dispensers=[{"at": ["a1"], "drops": always + kept}]) == [
        "warning: dispensers 1, drops 2: never used: the rates before it add up to 1"
    ]
    halves = [{"piece": "candy", "rate": 0.5, "color": color} for color in ("red", "blue")]
    assert warnings_of(drops=halves + kept) == [
        "warning: drops 3: never used: the rates before it add up to 1"
    ]
    assert warnings_of(drops=[{**halves[0], "total": 9}, halves[1], *kept]) == []


def test_entries_that_let_in_nothing_to_match_are_told() -> None:
    swirls, bombs = {"piece": "swirl", "rate": 1}, {"piece": "color bomb", "rate": 0.5}
    assert warnings_of(drops=[swirls]) == [
        "warning: drops: only swirl pieces enter, at rates that add up to 1: nothing comes in to match"
    ]
    assert warnings_of(dispensers=[{"at": ["a1"], "drops": [bombs, {**swirls, "rate": 0.5}]}]) == [
        "warning: dispensers 1, drops: only color bomb and swirl pieces enter, at rates that add up to 1: "
        "nothing comes in to match"
    ]
    assert warnings_of(drops=[bombs, {**swirls, "rate": 0.4999}]) == []
    assert warnings_of(drops=[{**swirls, "total": 9}]) == []
    assert warnings_of(drops=[bombs, {"piece": "candy", "rate": 0.5}]) == []


def test_sugar_without_effect_is_told() -> None:
    assert warnings_of(sugar={"every": 5, "pays": ["striped"]}) == [
        "warning: sugar: never pays: it takes 5, and at most 0 can come"
    ]
    assert warnings_of(board=[".~ . . . .", *OPEN[1:]]) == [
        "note: sugar: left out: sugar candies pay nothing and are not asked for"
    ]
    assert warnings_of(board=[".~ . . . .", *OPEN[1:]], **orders(sugar=1)) == []


def test_time_candies_in_a_level_with_moves_are_noted() -> None:
    assert warnings_of(board=[".@ . . . .", *OPEN[1:]]) == [
        "note: moves: time candies give nothing in a level with moves, and are not asked for"
    ]
    assert warnings_of(board=[".@ . . . .", *OPEN[1:]], moves=None, seconds=60) == []


def test_time_that_never_runs_out_is_told() -> None:
    often = [{"piece": "time", "rate": 0.2}]
    assert warnings_of(moves=None, seconds=60, drops=often) == [
        "warning: pace: time candies give more time than moves cost: an attempt may never end"
    ]
    assert warnings_of(moves=None, seconds=60, drops=[{"piece": "time", "rate": 0.1}]) == []
    assert warnings_of(moves=None, seconds=60, drops=[{"piece": "time", "rate": 0.2, "total": 9}]) == []


def test_ingredients_that_nobody_asks_for_are_noted() -> None:
    assert warnings_of(board=["H . . . .", *OPEN[1:]]) == [
        "note: goals: the level has a hazelnut, but no goal asks for it"
    ]


def test_a_bonus_without_moves_and_specials_is_noted() -> None:
    assert warnings_of(bonus=True, moves=None, seconds=60) == []  # specials go off
    assert warnings_of(bonus=True, moves=None, seconds=60, rules="plain") == [
        "note: bonus: without effect: the level has no moves that could be left, and no specials to go off"
    ]


# Dealing


def test_boards_that_cannot_be_dealt_are_an_error() -> None:
    blocked = level(board=[". #5 .", "#5 . #5", ". #5 ."])
    assert [item.sentence for item in advise(blocked, deals=3) if item.severity == "error"] == [
        "board: none of 3 first boards could be dealt with a legal move"
    ]
    assert advise(level(), deals=3) == ()


# The layout


def test_ways_down_follow_gaps_and_teleporters() -> None:
    #     a b c
    #   1 . - .        what falls out of a3 comes out at c1
    #   2 - . .
    #   3 . . .
    layout = Layout(level(board=[". - .", "- . .", ". . ."], teleporters=[{"from": "a3", "to": "c1"}]))
    assert layout.way_down(0) == [0, 6, 2, 5, 8]
    assert set(layout.entries) == {0, 4}


def test_a_level_of_the_docs_needs_no_warning() -> None:
    text = (Path(__file__).parents[2] / "docs" / "levels.md").read_text("utf-8")
    example = Level.from_json(text.split("```json\n")[1].split("```")[0])
    assert [item for item in advise(example, deals=0) if item.severity != "note"] == []


@pytest.mark.parametrize("seed", range(30))
def test_any_level_can_be_advised_on(seed: int) -> None:
    drawn = Level.model_validate(random_level(random.Random(seed)))
    assert all(item.sentence for item in advise(drawn, deals=0))
