"""A search tree drawn as rings around its root, as in Poromaa's thesis, figures 4.1 and 4.2."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from levelsense.agents.mcts.tree import CHOSEN, LEAF, NONE, ROOT, Tree
from levelsense.game.game import Move

RING = 46.0
MARGIN = 40.0
CAPTION = 96.0
# Labels of visits and wins would cover each other on crowded rings.
ROOM_FOR_A_LABEL = 17.0

STYLE = """
  text { font-family: system-ui, sans-serif; fill: #333; }
  .title { font-size: 15px; font-weight: 600; }
  .note { font-size: 11.5px; }
  .label { font-size: 7px; text-anchor: middle; fill: #222; }
  .label { paint-order: stroke; stroke: #fff; stroke-width: 2px; }
  .edge { stroke: #b9bec7; stroke-width: 0.9; }
  .winning { stroke: #2e9e4f; stroke-width: 1.5; }
  .last { stroke: #d33a2c; stroke-width: 2.4; }
  .chance { fill: #fff; stroke: #7b8494; stroke-width: 1; }
  .decision { fill: #51607a; }
  .chosen { fill: #f2a900; stroke: #8a6100; }
"""


@dataclass
class _Spot:
    """A node or an action of the tree, and where it is drawn: ring and angle."""

    kind: str
    number: int
    visits: int
    wins: int
    below: list["_Spot"] = field(default_factory=list)
    ring: int = 0
    angle: float = 0.0
    width: float = 0.0
    is_last: bool = False

    @property
    def place(self) -> tuple[float, float]:
        """Coordinates around the root."""
        return self.ring * RING * math.cos(self.angle), self.ring * RING * math.sin(self.angle)

    @property
    def label(self) -> str:
        """Visits and wins, as in the thesis."""
        return f"{self.visits} / {self.wins}"


def _node(tree: Tree, number: int, last: set[int]) -> _Spot:
    """A node with everything below it; `last` are the nodes on the last path."""
    spot = _Spot("decision", number, int(tree.node_visits[number]), int(tree.node_wins[number]))
    spot.is_last = number in last
    first = int(tree.node_first[number])
    if first == NONE:
        return spot
    for action in range(first, first + int(tree.node_actions[number])):
        if tree.action_visits[action]:
            spot.below.append(_action(tree, action, last))
    return spot


def _action(tree: Tree, number: int, last: set[int]) -> _Spot:
    """An action with the nodes that were sampled for it."""
    spot = _Spot("chance", number, int(tree.action_visits[number]), int(tree.action_wins[number]))
    node = int(tree.action_first[number])
    while node != NONE:
        spot.below.append(_node(tree, node, last))
        node = int(tree.node_next[node])
    spot.is_last = any(child.is_last for child in spot.below)
    return spot


def _last_path(tree: Tree) -> set[int]:
    """The nodes that the last simulation went through."""
    path: set[int] = set()
    node = int(tree.number[LEAF])
    while True:
        path.add(node)
        action = int(tree.node_from[node])
        if action == NONE or node == int(tree.number[ROOT]):
            return path
        node = int(tree.action_of[action])


def _spread(spot: _Spot, start: float, end: float, ring: int = 0) -> None:
    """Gives everything below a share of the circle in proportion to its leaves. Modified in place."""
    spot.ring, spot.angle, spot.width = ring, (start + end) / 2, end - start
    leaves = [_leaves(child) for child in spot.below]
    for child, share in zip(spot.below, leaves, strict=True):
        stop = start + spot.width * share / sum(leaves)
        _spread(child, start, stop, ring + 1)
        start = stop


def _leaves(spot: _Spot) -> int:
    return sum(map(_leaves, spot.below)) or 1


def _all(spot: _Spot) -> Iterator[_Spot]:
    yield spot
    for child in spot.below:
        yield from _all(child)


def _edges(spot: _Spot) -> Iterator[tuple[str, str]]:
    """Each edge with its class, to be drawn in the order gray, green, red."""
    for child in spot.below:
        (x, y), (u, v) = spot.place, child.place
        kind = "last" if spot.is_last and child.is_last else "winning" if child.wins else "edge"
        yield kind, f'<line class="{kind}" x1="{x:.1f}" y1="{y:.1f}" x2="{u:.1f}" y2="{v:.1f}"/>'
        yield from _edges(child)


def _mark(spot: _Spot, is_chosen: bool) -> str:
    """A circle for an action, a square for a state, with its label where there is room."""
    x, y = spot.place
    chosen = " chosen" if is_chosen else ""
    if spot.kind == "chance":
        mark = f'<circle class="chance{chosen}" cx="{x:.1f}" cy="{y:.1f}" r="{5 if is_chosen else 3.2}"/>'
    else:
        mark = f'<rect class="decision" x="{x - 2.6:.1f}" y="{y - 2.6:.1f}" width="5.2" height="5.2"/>'
    if spot.ring * RING * spot.width >= ROOM_FOR_A_LABEL or spot.ring == 0:
        mark += f'<text class="label" x="{x:.1f}" y="{y - 6:.1f}">{spot.label}</text>'
    return mark


def draw_tree(tree: Tree, title: str) -> str:
    """The tree as an SVG text: winning paths green, the last path red, the chosen move gold."""
    root = _node(tree, int(tree.number[ROOT]), _last_path(tree))
    _spread(root, -math.pi / 2, 1.5 * math.pi)
    spots = list(_all(root))
    half = max(spot.ring for spot in spots) * RING + MARGIN
    half = max(half, 5 * RING)
    chosen = int(tree.number[CHOSEN])
    order = {"edge": 0, "winning": 1, "last": 2}
    edges = [line for _, line in sorted(_edges(root), key=lambda edge: order[edge[0]])]
    marks = [_mark(spot, spot.kind == "chance" and spot.number == chosen) for spot in spots]
    move = Move.from_code(int(tree.action_move[chosen]))
    visits, wins = int(tree.action_visits[chosen]), int(tree.action_wins[chosen])
    notes = (
        f"{root.visits} simulations, {root.wins} of them won. Labels: visits / wins.",
        "Circles are moves, squares the states sampled for them.",
        "Green: paths to playouts that were won. Red: the last path.",
        f"Gold: the move chosen, {move}, with {visits} visits and {wins} wins.",
    )
    left, top, width, height = -half, -half - CAPTION, 2 * half, 2 * half + CAPTION
    frame = f'x="{left:.0f}" y="{top:.0f}" width="{width:.0f}" height="{height:.0f}"'
    box = f'viewBox="{left:.0f} {top:.0f} {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {box}>',
        f"<style>{STYLE}</style>",
        f'<rect {frame} fill="#fff"/>',
        *_caption(left + 14, top + 22, (title, *notes)),
    ]
    return "\n".join([*head, *edges, *marks, "</svg>", ""])


def _caption(x: float, y: float, texts: tuple[str, ...]) -> Iterator[str]:
    """The title and the notes below it."""
    for k, text in enumerate(texts):
        kind = "note" if k else "title"
        yield f'<text class="{kind}" x="{x:.0f}" y="{y + 17 * k:.0f}">{escape(text)}</text>'
