"""The reference engine: an independent implementation of the grid race, written from section 3 of the rules.

It shares no code with the engine. The tests compare the two engines. The reference engine is slow and simple: a cell is
a pair (x, y), a track is a list of rows (`track[y][x]`), and lines are computed with fractions.

    twin = RaceTwin.parse('''
        # # # # # #
        # S . . F #
        # # # # # #
    ''', cars=[(1, 1)])
    happened = twin.step(5)        # one cell to the right; the nine actions are nine cells in reading order
"""

import copy
import textwrap
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil, floor

OFF, TRACK, START, FINISH = -1, 0, 1, 100
DRAWN = {"#": OFF, ".": TRACK, "S": START, "F": FINISH}
ACTIONS = [(ax, ay) for ay in (-1, 0, 1) for ax in (-1, 0, 1)]  # (k, l) in the rules

HALF = Fraction(1, 2)


# ---- lines -------------------------------------------------------------------------------------


def between(a, b):
    """Return the integers strictly between a and b."""
    return range(min(a, b) + 1, max(a, b))


@cache
def valid_line(dx, dy):
    """Return the gates of the line from (0, 0) to (dx, dy), one for each integer x and y in between.

    At least one cell of each gate must be on the track.
    """
    gates = []
    for x in between(0, dx):
        y = Fraction(dy * x, dx)
        gates.append({(x, floor(y)), (x, ceil(y))})
    for y in between(0, dy):
        x = Fraction(dx * y, dy)
        gates.append({(floor(x), y), (ceil(x), y)})
    return [tuple(gate) for gate in gates] + [((dx, dy),)]


def while_within(start, change, middle):
    """Return the open interval of t in [0, 1] in which start + change * t is within half a cell of `middle`."""
    low, high = middle - HALF, middle + HALF
    if change == 0:
        return (Fraction(0), Fraction(1)) if low < start < high else (Fraction(1), Fraction(0))
    times = sorted(((low - start) / Fraction(change), (high - start) / Fraction(change)))
    return max(times[0], Fraction(0)), min(times[1], Fraction(1))


@cache
def crossed(dx, dy):
    """Return the cells whose interior the segment from (0, 0) to (dx, dy) crosses, including both ends.

    A cell that the segment only touches at a corner is not included.
    """
    if dx == dy == 0:
        return [(0, 0)]
    in_column = {x: while_within(0, dx, x) for x in range(min(0, dx), max(0, dx) + 1)}
    in_row = {y: while_within(0, dy, y) for y in range(min(0, dy), max(0, dy) + 1)}
    return [
        (x, y)
        for x, (x_from, x_to) in in_column.items()
        for y, (y_from, y_to) in in_row.items()
        if max(x_from, y_from) < min(x_to, y_to)
    ]


def supercover(dx, dy):
    return [(cell,) for cell in crossed(dx, dy)]


def landing(dx, dy):
    return [((dx, dy),)]


LINES = {"valid_line": valid_line, "supercover": supercover, "landing": landing}


def code(track, cell):
    """Return the code of a cell; cells outside the matrix are off the track."""
    x, y = cell
    return track[y][x] if 0 <= y < len(track) and 0 <= x < len(track[0]) else OFF


def line_is_legal(track, here, there, line):
    """Return whether the landing cell and the line to it are on the track."""
    (x, y), (to_x, to_y) = here, there
    gates = LINES[line](to_x - x, to_y - y)
    return all(any(code(track, (x + dx, y + dy)) != OFF for dx, dy in gate) for gate in gates)


def reaches_finish(track, here, there, finish):
    """Return whether a legal move from `here` to `there` finishes the race for the car."""
    if finish == "land":
        return code(track, there) == FINISH
    (x, y), (to_x, to_y) = here, there
    return any(code(track, (x + dx, y + dy)) == FINISH for dx, dy in crossed(to_x - x, to_y - y))


def zombies(track):
    """Return each cell's distance to the finish, in steps to one of the four neighbours; -1 if unreachable."""
    reached = {(x, y): 0 for y, row in enumerate(track) for x, what in enumerate(row) if what == FINISH}
    distance, last = 0, set(reached)
    while last:
        distance += 1
        beside = {(x + dx, y + dy) for x, y in last for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))}
        last = {cell for cell in beside if code(track, cell) != OFF and cell not in reached}
        reached.update(dict.fromkeys(last, distance))
    return [[reached.get((x, y), -1) for x in range(len(row))] for y, row in enumerate(track)]


# ---- the race ----------------------------------------------------------------------------------


@dataclass
class TwinCar:
    at: tuple[int, int]
    before: tuple[int, int]
    wait: int = 0  # turns to skip
    steps: int = 0  # turns taken, including skipped ones
    penalties: int = 0
    finished: bool = False

    @property
    def velocity(self):
        return self.at[0] - self.before[0], self.at[1] - self.before[1]


class RaceTwin:
    """One race. `cars` are the start cells in turn order."""

    def __init__(self, track, cars, line="valid_line", finish="land", penalty=5, max_rounds=500):
        self.track = [list(row) for row in track]
        self.cars = [TwinCar(tuple(cell), tuple(cell)) for cell in cars]
        self.line, self.finish, self.penalty, self.max_rounds = line, finish, penalty, max_rounds
        self.turn = 0  # the car whose turn is next
        self.rounds = 0  # number of completed rounds
        self.outcome = None

    @classmethod
    def parse(cls, text, cars, **options):
        """Parse a drawn track: # off the track, . track, S start, F finish."""
        rows = textwrap.dedent(text).strip("\n").split("\n")
        return cls([[DRAWN[char] for char in row if char != " "] for row in rows], cars, **options)

    def copy(self):
        return copy.deepcopy(self)

    def landing_of(self, action):
        """Return the landing cell 2p - q + (k, l)."""
        car, (ax, ay) = self.cars[self.turn], ACTIONS[action]
        return 2 * car.at[0] - car.before[0] + ax, 2 * car.at[1] - car.before[1] + ay

    def faults(self, action):
        """Return the reasons why the action is illegal for the car whose turn it is: a subset of "landing", "line", "car"."""
        me, there = self.cars[self.turn], self.landing_of(action)
        faults = set()
        if code(self.track, there) == OFF:
            faults.add("landing")
        if not line_is_legal(self.track, me.at, there, self.line):
            faults.add("line")
        if any(car is not me and not car.finished and car.at == there for car in self.cars):
            faults.add("car")
        return faults

    def step(self, action):
        """Move the car whose turn it is and pass the turn to the next car; return what happened as a dict."""
        if self.outcome is not None:
            raise RuntimeError(f"the race is over ({self.outcome})")
        who, here, there, faults = self.turn, self.cars[self.turn].at, self.landing_of(action), self.faults(action)
        car = self.cars[who]
        car.steps += 1
        if faults:
            car.before = car.at
            car.wait = self.penalty
            car.penalties += 1
        else:
            car.before, car.at = here, there
            car.finished = reaches_finish(self.track, here, there, self.finish)
        skipped = self.pass_on()
        happened = {"car": who, "from": here, "to": there, "faults": faults, "finished": car.finished}
        return happened | {"skipped": skipped, "outcome": self.outcome}

    def pass_on(self):
        """Pass the turn to the next car that may move, unless the race is over; return the cars that skip a turn."""
        skipped = []
        while True:
            if all(car.finished for car in self.cars):
                self.outcome = "finished"
                return skipped
            self.turn += 1
            if self.turn == len(self.cars):
                self.turn = 0
                self.rounds += 1
                if self.rounds >= self.max_rounds:
                    self.outcome = "timeout"
                    return skipped
            car = self.cars[self.turn]
            if car.finished:
                continue
            if car.wait == 0:
                return skipped
            car.wait -= 1
            car.steps += 1
            skipped.append(self.turn)

    def places(self):
        """Return each car's place: 1 + the number of cars that finished in fewer steps; None for unfinished cars."""
        steps = [car.steps for car in self.cars if car.finished]
        return [1 + sum(other < car.steps for other in steps) if car.finished else None for car in self.cars]
