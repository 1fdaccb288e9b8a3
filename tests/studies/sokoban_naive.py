"""Sokoban by the rules and nothing else, in plain Python, for comparison with the kernels."""

from collections import deque

Place = tuple[int, int]
State = tuple[Place, frozenset[Place]]  # the player and the boxes
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


class NaiveBoard:
    """A board that is played move by move."""

    def __init__(self, rows: list[str]) -> None:
        tokens = {(r, c): token for r, row in enumerate(rows) for c, token in enumerate(row)}
        self.walls = {place for place, token in tokens.items() if token == "#"}
        self.goals = {place for place, token in tokens.items() if token in ".*+"}
        boxes = frozenset(place for place, token in tokens.items() if token in "$*")
        (player,) = (place for place, token in tokens.items() if token in "@+")
        self.start: State = (player, boxes)

    def moves(self, state: State) -> list[State]:
        """What a step in each direction leads to, with a push if a box is there."""
        (row, column), boxes = state
        following = []
        for down, right in STEPS:
            there, behind = (row + down, column + right), (row + 2 * down, column + 2 * right)
            if there in self.walls:
                continue
            if there not in boxes:
                following.append((there, boxes))
            elif behind not in self.walls and behind not in boxes:
                following.append((there, boxes - {there} | {behind}))
        return following

    def all_states(self) -> dict[State, list[State]]:
        """Every state that can be reached, with those that follow it."""
        graph: dict[State, list[State]] = {}
        waiting = deque([self.start])
        while waiting:
            state = waiting.popleft()
            if state not in graph:
                graph[state] = self.moves(state)
                waiting.extend(graph[state])
        return graph

    def solvable(self, graph: dict[State, list[State]]) -> set[State]:
        """The states from which all boxes can be brought to goals."""
        before: dict[State, list[State]] = {}
        for state, following in graph.items():
            for later in following:
                before.setdefault(later, []).append(state)
        solvable = {state for state in graph if state[1] == self.goals}
        waiting = deque(solvable)
        while waiting:
            for earlier in before.get(waiting.popleft(), ()):
                if earlier not in solvable:
                    solvable.add(earlier)
                    waiting.append(earlier)
        return solvable

    def fewest_pushes(self) -> int | None:
        """The pushes of a solution that has the fewest; None if there is none."""
        fewest, waiting = {self.start: 0}, deque([self.start])
        while waiting:
            state = waiting.popleft()
            if state[1] == self.goals:
                return fewest[state]
            for later in self.moves(state):
                pushes = fewest[state] + (later[1] != state[1])
                if pushes < fewest.get(later, 1 << 30):
                    fewest[later] = pushes
                    (waiting.append if later[1] != state[1] else waiting.appendleft)(later)
        return None


def positions(graph: dict[State, list[State]]) -> dict[State, tuple[Place, frozenset[Place]]]:
    """The position of every state: its boxes, and the first of the places that the player can walk to."""
    reached: dict[State, tuple[Place, frozenset[Place]]] = {}
    for state in graph:
        if state in reached:
            continue
        walked, waiting = {state}, [state]
        while waiting:
            for later in graph[waiting.pop()]:
                if later[1] == state[1] and later not in walked:
                    walked.add(later)
                    waiting.append(later)
        name = min(player for player, _ in walked), state[1]
        reached |= dict.fromkeys(walked, name)
    return reached
