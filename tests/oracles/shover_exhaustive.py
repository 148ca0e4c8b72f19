"""The true answer on small boards: every game that can be played, layer by layer, one timestep a layer.

    answer = exhaustive("BB.L\n..A.", Rules.preset("milestone1", max_timestep=20))
    answer.steps      the fewest steps in which the dock can be cleared
    answer.stamina    the greatest stamina it can be cleared with

Written from section 1 of the rules; shares no line with the engine, the planner or the twin. It knows no heuristic and
drops a game for two reasons only, proved at `exhaustive`. What it holds to be possible comes with the actions, so that
anyone can play them; what it holds to be impossible is impossible if `Dock.steps` lists all that can be done.

Sets of cells are bits of an integer: cell (row, col) is bit row * cols + col. A state is the tuple
    boxes, lava, barriers   sets of cells
    moving                  the boxes that moved on the preceding timestep; always 0 where nobody asks
    heading                 the direction they moved in, or that of the last push with `last_push`; -1: none, or not asked
    squares                 (n, corner cell, age) of each perfect square, row-major
    shover                  his cell with `walk`, else -1: no rule asks where he stands
"""

from collections.abc import Callable
from typing import NamedTuple

from shoverworld import Rules

DIRECTIONS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # up, right, down, left
BARRIER_MAKER, HELLIFY = 4, 5
OFF = -1  # beyond the map

Action = tuple[int, int, int]


class Answer(NamedTuple):
    """What is true of a board. With `exhausted=False` the search gave up, and nothing is known."""

    solvable: bool
    steps: int | None  # the fewest steps to clear the dock; None: it cannot be cleared
    stamina: float | None  # the greatest final stamina of all ways to clear it, however long
    exhausted: bool  # was every game seen?
    shortest: tuple[Action, ...] = ()  # actions that take `steps`
    richest: tuple[Action, ...] = ()  # actions that end with `stamina`
    states: int = 0  # how many games were played on from


class Dock:
    """One board and its rules: the state at the beginning, and what one step can lead to."""

    def __init__(self, board: str, rules: Rules):
        lines = board.split()
        self.rules, self.rows, self.cols = rules, len(lines), len(lines[0])
        symbols = "".join(lines)
        if len(symbols) != self.rows * self.cols or set(symbols) - set(".B#LA") or symbols.count("A") != 1:
            raise ValueError(f"not rows of equal length in . B # L and one A:\n{board}")
        boxes, lava, barriers = (sum(1 << i for i, s in enumerate(symbols) if s == kind) for kind in "BL#")
        if not boxes:
            raise ValueError(f"a dock without a box is cleared before it begins:\n{board}")
        self.next = [[self.neighbour(cell, *way) for cell in range(len(symbols))] for way in DIRECTIONS]
        self.shapes = self.all_shapes()
        self.known_squares: dict[int, tuple] = {}
        self.known_pushes: dict[tuple, dict] = {}
        self.marks = rules.stationary != "last_push" and rules.initial_force > 0  # does anyone ask who is moving?
        self.remembers = rules.stationary == "last_push" and rules.initial_force > 0  # or where the last push went?
        squares = tuple((n, corner, 0) for n, corner in self.squares_of(boxes))  # 1.4: age 0 at reset
        self.start = (boxes, lava, barriers, 0, -1, squares, symbols.index("A") if rules.actor == "walk" else -1)

    def neighbour(self, cell: int, down: int, right: int) -> int:
        row, col = cell // self.cols + down, cell % self.cols + right
        return row * self.cols + col if 0 <= row < self.rows and 0 <= col < self.cols else OFF

    def rectangle(self, top: int, left: int, bottom: int, right: int) -> int:
        """The cells of rows top to bottom and columns left to right that are on the map."""
        rows, cols = range(max(top, 0), min(bottom, self.rows)), range(max(left, 0), min(right, self.cols))
        return sum(1 << row * self.cols + col for row in rows for col in cols)

    # ---- 1.4 perfect squares -------------------------------------------------------------------

    def all_shapes(self) -> dict[tuple[int, int], tuple[int, int]]:
        """Every square there could be, row-major: (n, corner) -> its cells, and its cells with the ring around them."""
        shapes = {}
        for corner in range(self.rows * self.cols):
            row, col = divmod(corner, self.cols)
            for n in range(2, min(self.rows - row, self.cols - col) + 1):
                inside = self.rectangle(row, col, row + n, col + n)
                shapes[n, corner] = inside, self.rectangle(row - 1, col - 1, row + n + 1, col + n + 1)
        return shapes

    def squares_of(self, boxes: int) -> tuple[tuple[int, int], ...]:
        """The squares (n, corner) on the map: all boxes inside, and no box in the ring."""
        found = self.known_squares.get(boxes)
        if found is None:
            found = tuple(square for square, (inside, around) in self.shapes.items() if boxes & around == inside)
            self.known_squares[boxes] = found
        return found

    def update(self, boxes: int, squares: tuple) -> tuple[int, tuple]:
        """The squares grow older by a step and the old ones dissolve: the boxes and the squares that are left."""
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
        """Every push that is valid: (target, direction) -> boxes after it, those that moved, front cell, chain, burnt."""
        key = boxes, lava, barriers
        if key not in self.known_pushes:
            pushes = {}
            for target in range(self.rows * self.cols):
                for direction in range(4):
                    if boxes >> target & 1:
                        pushes[target, direction] = self.push(boxes, lava, barriers, target, self.next[direction])
            self.known_pushes[key] = {way: result for way, result in pushes.items() if result}
        return self.known_pushes[key]

    def push(self, boxes: int, lava: int, barriers: int, target: int, following: list[int]) -> tuple | None:
        chain = [target]
        while (beyond := following[chain[-1]]) != OFF and boxes >> beyond & 1:
            chain.append(beyond)
        burnt = self.rules.edge == "lava" if beyond == OFF else bool(lava >> beyond & 1)
        if not burnt and (beyond == OFF or barriers >> beyond & 1):
            return None
        moved = sum(1 << cell for cell in chain[1:] + [beyond] * (not burnt))
        return boxes & ~(1 << target) | moved, moved, chain[-1], len(chain), burnt

    def price(self, target: int, direction: int, front: int, chain: int, burnt: bool, moving: int, heading: int):
        """What a push gives to stamina, mostly less than nothing."""
        from_rest = heading != direction
        if self.rules.stationary != "last_push":
            from_rest = from_rest or not moving >> (target if self.rules.stationary == "contact" else front) & 1
        return self.rules.initial_force * (burnt - from_rest) - self.rules.unit_force * chain

    # ---- one step ------------------------------------------------------------------------------

    def steps(self, state: tuple):
        """Everything that can be done in one step: (deed, action, gain of stamina, state after it).

        Of the actions that do the same thing only one is listed. With `leap` and `select` one can always wait: there
        is a cell without a box (the shover's own); to go there only costs `step_cost`, be it valid (`leap`) or not.
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
            deed, gain, child = self.special(state, which)
            yield deed, (0, 0, up + which), gain, child

    def quiet(self, state: tuple, shover: int) -> tuple[float, tuple]:
        """A step in which no box is pushed and no square used: all comes to rest, and the squares grow older."""
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
        """The special before or after the update (1.4); without a square for it, it is no more than waiting."""
        boxes, lava, barriers, _, heading, squares, shover = state
        deed, gain = "wait", -self.rules.step_cost
        if self.rules.order == "squares_first":
            boxes, squares = self.update(boxes, squares)
        square = self.pick([square for square in squares if square[0] >= (2 if which == BARRIER_MAKER else 3)])
        if square:
            deed = "barrier maker" if which == BARRIER_MAKER else "hellify"
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
        return deed, gain, (boxes, lava, barriers, 0, heading if self.remembers else -1, squares, shover)

    def pick(self, squares: list[tuple[int, int, int]]) -> tuple[int, int, int] | None:
        if self.rules.pick == "smallest":
            return min(squares, key=lambda square: (square[0], -square[2], square[1]), default=None)
        return min(squares, key=lambda square: (-square[2], square[1]), default=None)


def exhaustive(
    board: str, rules: Rules, budget: int = 200_000, allowed: Callable[[str, int], bool] | None = None
) -> Answer:
    """The fewest steps and the greatest final stamina over all ways to clear a board (Format B, with an A).

    `budget` is how many games may be played on from; beyond it the answer is `exhausted=False`. With `allowed`, only
    steps count for which `allowed(deed, boxes gone)` is true: what cannot be done without the others needs them.

    A game is dropped only if the same state has been met at this or an earlier timestep with at least as much stamina.
    No rule but the end of the game looks at stamina or timestep (ages are part of the state). So whatever clears the
    dock from the dropped game clears it from the other one with the same actions: no stamina runs out, for it is at
    least as great after each of them; no time runs out, for no step is later; and the end is as early and as rich.
    """
    dock = Dock(board, rules)
    best = {dock.start: rules.initial_stamina}  # the greatest stamina a state has been met with so far
    layers: list[dict] = [{dock.start: (rules.initial_stamina, None, None)}]  # state -> stamina, state before, action
    earliest = richest = None  # (stamina, layer, state before, action) of a step that clears the dock
    states = 0
    for timestep in range(1, rules.max_timestep + 1):
        following = {}
        for state, (stamina, _, _) in layers[-1].items():
            states += 1
            if states > budget:
                return Answer(False, None, None, False, states=states)
            for deed, action, gain, child in dock.steps(state):
                if allowed and not allowed(deed, state[0].bit_count() - child[0].bit_count()):
                    continue
                left = stamina + gain
                if not child[0]:  # 1.6: cleared, whatever the stamina
                    end = left, timestep, state, action
                    earliest = earliest or end
                    richest = end if richest is None or left > richest[0] else richest
                elif left > best.get(child, 0):  # 1.6: without stamina it is lost
                    best[child] = left
                    following[child] = left, state, action
        if not following:
            break
        layers.append(following)
    if not earliest or not richest:
        return Answer(False, None, None, True, states=states)
    return Answer(True, earliest[1], richest[0], True, way_to(layers, earliest), way_to(layers, richest), states)


def way_to(layers: list[dict], end: tuple) -> tuple[Action, ...]:
    """The actions that led there, first one first."""
    _, timestep, state, action = end
    actions = [action]
    while timestep > 1:
        timestep -= 1
        _, state, action = layers[timestep][state]
        actions.append(action)
    return tuple(reversed(actions))
