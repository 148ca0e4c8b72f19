"""An exhaustive search for small boards: it plays every possible game, layer by layer, one layer per timestep.

    answer = exhaustive("BB.L\n..A.", Rules.preset("milestone1", max_timestep=20))
    answer.steps      the fewest steps that clear the board
    answer.stamina    the most stamina with which the board can be cleared

It implements section 1 of the rules and shares no code with the engine, the planner or the reference engine. It uses no
heuristic, and it drops a game only for the reason proved in `exhaustive`. Every positive claim comes with actions that
can be played. Every negative claim is correct if `OracleBoard.steps` lists all possible steps.

Sets of cells are bits of an integer: cell (row, col) is bit row * cols + col. A state is the tuple
    boxes, lava, barriers   sets of cells
    moving                  the boxes that moved in the preceding timestep; always 0 if the rules do not use it
    heading                 their direction or, with `last_push`, the direction of the last push; -1 if none or unused
    squares                 (n, corner cell, age) of each perfect square, row-major
    shover                  the shover's cell with `walk`; otherwise -1, because the rules do not use it
"""

from collections.abc import Callable
from typing import NamedTuple

from shoverworld import Rules

DIRECTIONS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # up, right, down, left
BARRIER_MAKER, HELLIFY = 4, 5
OFF = -1  # beyond the map

Action = tuple[int, int, int]


class Answer(NamedTuple):
    """The answer for a board. If `exhausted` is False, the search stopped early and nothing is known."""

    solvable: bool
    steps: int | None  # the fewest steps that clear the board; None if it cannot be cleared
    stamina: float | None  # the highest final stamina of all plans of any length
    exhausted: bool  # whether every game was explored
    shortest: tuple[Action, ...] = ()  # a plan with `steps` steps
    richest: tuple[Action, ...] = ()  # a plan that ends with `stamina`
    states: int = 0  # number of games expanded


class OracleBoard:
    """A board and its rules: the start state and the possible steps."""

    def __init__(self, board: str, rules: Rules):
        lines = board.split()
        self.rules, self.rows, self.cols = rules, len(lines), len(lines[0])
        symbols = "".join(lines)
        if len(symbols) != self.rows * self.cols or set(symbols) - set(".B#LA") or symbols.count("A") != 1:
            raise ValueError(f"expected rows of equal length with . B # L and exactly one A:\n{board}")
        boxes, lava, barriers = (sum(1 << i for i, s in enumerate(symbols) if s == kind) for kind in "BL#")
        if not boxes:
            raise ValueError(f"expected a board with at least one box:\n{board}")
        self.next = [[self.neighbour(cell, *offset) for cell in range(len(symbols))] for offset in DIRECTIONS]
        self.shapes = self.all_shapes()
        self.known_squares: dict[int, tuple] = {}
        self.known_pushes: dict[tuple, dict] = {}
        self.marks = rules.stationary != "last_push" and rules.initial_force > 0  # whether moving boxes matter
        self.remembers = rules.stationary == "last_push" and rules.initial_force > 0  # whether the last push matters
        squares = tuple((n, corner, 0) for n, corner in self.squares_of(boxes))  # 1.4: age 0 at reset
        self.start = (boxes, lava, barriers, 0, -1, squares, symbols.index("A") if rules.actor == "walk" else -1)

    def neighbour(self, cell: int, down: int, right: int) -> int:
        row, col = cell // self.cols + down, cell % self.cols + right
        return row * self.cols + col if 0 <= row < self.rows and 0 <= col < self.cols else OFF

    def rectangle(self, top: int, left: int, bottom: int, right: int) -> int:
        """Return the cells of a rectangle that are on the map."""
        rows, cols = range(max(top, 0), min(bottom, self.rows)), range(max(left, 0), min(right, self.cols))
        return sum(1 << row * self.cols + col for row in rows for col in cols)

    # ---- 1.4 perfect squares -------------------------------------------------------------------

    def all_shapes(self) -> dict[tuple[int, int], tuple[int, int]]:
        """Return every possible square, row-major: (n, corner) -> its cells, and its cells with the ring around them."""
        shapes = {}
        for corner in range(self.rows * self.cols):
            row, col = divmod(corner, self.cols)
            for n in range(2, min(self.rows - row, self.cols - col) + 1):
                inside = self.rectangle(row, col, row + n, col + n)
                shapes[n, corner] = inside, self.rectangle(row - 1, col - 1, row + n + 1, col + n + 1)
        return shapes

    def squares_of(self, boxes: int) -> tuple[tuple[int, int], ...]:
        """Return the squares (n, corner) on the map: all cells are boxes and the ring contains no box."""
        found = self.known_squares.get(boxes)
        if found is None:
            found = tuple(square for square, (inside, around) in self.shapes.items() if boxes & around == inside)
            self.known_squares[boxes] = found
        return found

    def update(self, boxes: int, squares: tuple) -> tuple[int, tuple]:
        """Age the squares by one step and dissolve the old ones; return the remaining boxes and squares."""
        present = self.squares_of(boxes)
        if not present:
            return boxes, ()
        ages = {(n, corner): age for n, corner, age in squares}
        left = []
        for square in present:
            age = ages[square] + 1 if square in ages else 0
            if age >= self.rules.perf_sq_initial_age:
                boxes &= ~self.shapes[square][0]
            else:
                left.append((*square, age))
        return boxes, tuple(left)

    # ---- 1.2 and 1.3 pushes --------------------------------------------------------------------

    def pushes_of(self, boxes: int, lava: int, barriers: int) -> dict:
        """Return every valid push: (target, direction) -> boxes after it, moved boxes, front cell, chain length, burnt."""
        key = boxes, lava, barriers
        if key not in self.known_pushes:
            pushes = {}
            for target in range(self.rows * self.cols):
                for direction in range(4):
                    if boxes >> target & 1:
                        pushes[target, direction] = self.push(boxes, lava, barriers, target, self.next[direction])
            self.known_pushes[key] = {push: result for push, result in pushes.items() if result}
        return self.known_pushes[key]

    def push(self, boxes: int, lava: int, barriers: int, target: int, neighbours: list[int]) -> tuple | None:
        chain = [target]
        while (beyond := neighbours[chain[-1]]) != OFF and boxes >> beyond & 1:
            chain.append(beyond)
        burnt = self.rules.edge == "lava" if beyond == OFF else bool(lava >> beyond & 1)
        if not burnt and (beyond == OFF or barriers >> beyond & 1):
            return None
        moved = sum(1 << cell for cell in chain[1:] + [beyond] * (not burnt))
        return boxes & ~(1 << target) | moved, moved, chain[-1], len(chain), burnt

    def price(self, target: int, direction: int, front: int, chain: int, burnt: bool, moving: int, heading: int):
        """Return the change in stamina that a push causes, which is usually negative."""
        from_rest = heading != direction
        if self.rules.stationary != "last_push":
            from_rest = from_rest or not moving >> (target if self.rules.stationary == "contact" else front) & 1
        change = self.rules.initial_force * (burnt - from_rest) - self.rules.unit_force * chain
        return change - self.rules.step_cost if self.rules.push_pays_step_cost else change

    # ---- one step ------------------------------------------------------------------------------

    def steps(self, state: tuple):
        """Yield every possible step: (kind, action, change in stamina, next state).

        Only one of several equivalent actions is listed. With `leap` and `select`, waiting is always possible: at least
        the shover's cell contains no box, and acting on it only costs `step_cost`, whether valid (`leap`) or not.
        """
        boxes, lava, barriers, _, _, _, shover = state
        pushes = self.pushes_of(boxes, lava, barriers)
        up = self.rules.z_base
        if self.rules.actor == "walk":
            if self.rules.noop:
                yield "wait", (0, 0, up - 1), *self.quiet(state, shover)
            for direction in range(4):
                target, action = self.next[direction][shover], (0, 0, up + direction)
                if target == OFF or (lava | barriers) >> target & 1:
                    yield "wait", action, *self.quiet(state, shover)
                elif not boxes >> target & 1:
                    yield "walk", action, *self.quiet(state, target)
                elif (target, direction) not in pushes:
                    yield "wait", action, *self.quiet(state, shover)
                else:
                    yield "push", action, *self.pushed(state, target, direction, pushes[target, direction])
        else:
            cell = (~boxes & boxes + 1).bit_length() - 1  # the first cell without a box
            yield "wait", (*divmod(cell, self.cols), up), *self.quiet(state, shover)
            for (target, direction), push in pushes.items():
                action = (*divmod(target, self.cols), up + direction)
                yield "push", action, *self.pushed(state, target, direction, push)
        for which in (BARRIER_MAKER, HELLIFY):
            kind, gain, child = self.special(state, which)
            yield kind, (0, 0, up + which), gain, child

    def quiet(self, state: tuple, shover: int) -> tuple[float, tuple]:
        """Make a step without a push or a special: all boxes come to rest and the squares age."""
        boxes, lava, barriers, _, heading, squares, _ = state
        boxes, squares = self.update(boxes, squares)
        return -self.rules.step_cost, (boxes, lava, barriers, 0, heading if self.remembers else -1, squares, shover)

    def pushed(self, state: tuple, target: int, direction: int, push: tuple) -> tuple[float, tuple]:
        _, lava, barriers, moving, heading, squares, shover = state
        boxes, moved, front, chain, burnt = push
        gain = self.price(target, direction, front, chain, burnt, moving, heading)
        boxes, squares = self.update(boxes, squares)
        moving = moved & boxes if self.marks else 0
        heading = direction if moving or self.remembers else -1
        return gain, (boxes, lava, barriers, moving, heading, squares, shover if shover < 0 else target)

    # ---- 1.5 specials --------------------------------------------------------------------------

    def special(self, state: tuple, which: int) -> tuple[str, float, tuple]:
        """Perform a special before or after the update (1.4); without a suitable square, only wait."""
        boxes, lava, barriers, _, heading, squares, shover = state
        kind, gain = "wait", -self.rules.step_cost
        if self.rules.order == "squares_first":
            boxes, squares = self.update(boxes, squares)
        square = self.pick([square for square in squares if square[0] >= (2 if which == BARRIER_MAKER else 3)])
        if square:
            kind = "barrier maker" if which == BARRIER_MAKER else "hellify"
            n, corner, _ = square
            inside, _ = self.shapes[n, corner]
            boxes &= ~inside
            squares = tuple(other for other in squares if other != square)
            if which == BARRIER_MAKER:
                barriers |= inside
                gain += self.rules.barrier_stamina * n * n
            elif self.rules.hellify == "whole":
                lava |= inside
            else:
                row, col = divmod(corner, self.cols)
                lava |= self.rectangle(row + 1, col + 1, row + n - 1, col + n - 1)
        if self.rules.order == "action_first":
            boxes, squares = self.update(boxes, squares)
        return kind, gain, (boxes, lava, barriers, 0, heading if self.remembers else -1, squares, shover)

    def pick(self, squares: list[tuple[int, int, int]]) -> tuple[int, int, int] | None:
        if self.rules.pick == "smallest":
            return min(squares, key=lambda square: (square[0], -square[2], square[1]), default=None)
        return min(squares, key=lambda square: (-square[2], square[1]), default=None)


def exhaustive(
    board: str, rules: Rules, budget: int = 200_000, allowed: Callable[[str, int], bool] | None = None
) -> Answer:
    """Return the minimum steps and the maximum final stamina of all plans that clear a board (Format B, with an A).

    `budget` is the maximum number of games to expand; if the search needs more, the answer has `exhausted=False`. With
    `allowed`, the search uses only steps for which `allowed(kind, removed boxes)` is true. A board that is unsolvable
    only with this restriction cannot be cleared without other steps.

    A game is dropped only if the same state was reached at this or an earlier timestep with at least as much stamina.
    Only the end of the game depends on stamina and timestep (ages are part of the state). So the actions that clear the
    board from the dropped game also clear it from the other one: stamina is at least as high after each action, no step
    comes later, and the result is at least as good.
    """
    dock = OracleBoard(board, rules)
    best = {dock.start: rules.initial_stamina}  # the highest stamina with which a state has been reached so far
    layers: list[dict] = [{dock.start: (rules.initial_stamina, None, None)}]  # state -> stamina, previous state, action
    earliest = richest = None  # (stamina, layer, previous state, action) of a step that clears the board
    states = 0
    for timestep in range(1, rules.max_timestep + 1):
        next_layer = {}
        for state, (stamina, _, _) in layers[-1].items():
            states += 1
            if states > budget:
                return Answer(False, None, None, False, states=states)
            for kind, action, gain, child in dock.steps(state):
                if allowed and not allowed(kind, state[0].bit_count() - child[0].bit_count()):
                    continue
                left = stamina + gain
                if not child[0]:  # 1.6: cleared, regardless of stamina
                    end = left, timestep, state, action
                    earliest = earliest or end
                    richest = end if richest is None or left > richest[0] else richest
                elif left > best.get(child, 0):  # 1.6: a game without stamina is lost
                    best[child] = left
                    next_layer[child] = left, state, action
        if not next_layer:
            break
        layers.append(next_layer)
    if not earliest or not richest:
        return Answer(False, None, None, True, states=states)
    return Answer(
        True, earliest[1], richest[0], True, actions_to(layers, earliest), actions_to(layers, richest), states
    )


def actions_to(layers: list[dict], end: tuple) -> tuple[Action, ...]:
    """Return the actions that lead from the start to this final state."""
    _, timestep, state, action = end
    actions = [action]
    while timestep > 1:
        timestep -= 1
        _, state, action = layers[timestep][state]
        actions.append(action)
    return tuple(reversed(actions))
