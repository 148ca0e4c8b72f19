"""`solve` and `fewest` find the fewest moves for a car alone on a track, with a proof of optimality."""

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from shoverworld.core.checks import number, whole, word
from shoverworld.core.errors import ConfigError
from shoverworld.core.plan import PlanOrigin, Status, StoppedBy
from shoverworld.core.rules_text import parse_rules

from ..checking import checked_state
from ..codes import FINISH, LARGEST_SIDE, OFF
from ..config import FINISHES, LINES, RULES, USUAL, Finish, Line
from ..record import recipe, text_with_cars, track_of
from ..state import RaceState
from ..tracks import Track
from .bitboard import TrackBitboard, build_bitboard
from .moves import new_moves
from .plan import OutOfMemory, OutOfTime, RacePlan
from .search import (
    BIT,
    COUNT,
    CURSOR,
    DEPTH,
    ENTRY,
    FOUND,
    FULL,
    GOING,
    LAST,
    MAX_NEW_ENTRIES,
    MOVED,
    NOT_YET,
    STATES,
    BackwardQuery,
    expand_backward,
    expand_forward,
    new_layer_log,
    new_workspace,
    seed_backward,
    trace_back,
)

AT_A_TIME = 50_000  # entries between two checks of the clock
_DISPLACEMENTS = 50  # displacements between two checks of the clock while moves are being computed
_TELL_EVERY = 0.1  # seconds between two calls to `progress`
_FIRST_ROOM = 1 << 12  # entries in a new log
_SMALL = 15_000  # values take two bytes up to this number of moves, and four bytes beyond it

Cell = tuple[int, int]
Progress = Callable[[RacePlan], object]


def solve(
    track: Track | RaceState,
    start: Cell | None = None,
    line: Line | None = None,
    finish: Finish | None = None,
    velocity: Cell = (0, 0),
    time_limit: float | None = 10.0,
    memory_limit: float = 1024.0,
    progress: Progress | None = None,
) -> RacePlan:
    """Find the fewest moves to the finish for a car alone on the track, from the best start cell or from `start`.

    track: a Track, or the state of a race (`env.get_state()`). For a state, the plan is for the car whose turn it is.
    line, finish: the rules with these names. By default, the rules in the track's header apply or, if it specifies
    none, "valid_line" and "land".
    start: the start cell (x, y). velocity: the velocity (dx, dy) of the car at `start`, if the car is already moving.
    time_limit: in seconds, excluding compilation; None for no limit.
    memory_limit: in megabytes. Large open tracks may need more than the default.
    progress: a function, called about ten times a second with the plan so far. If it returns True, the search stops.

    The plan's `status` is "solved", "unsolvable" (proved: no sequence of legal moves leads to the finish) or "unknown".
    A solution is always optimal. Plans contain only legal moves: a car never crashes in order to brake, which would
    incur a penalty.
    """
    is_state = isinstance(track, RaceState)
    if isinstance(track, RaceState):
        if start is not None or velocity != (0, 0):
            raise ConfigError("solve() on a state starts from the state's car: omit start and velocity")
        track, start, velocity = _of_state(track)
    speed = _pair("velocity", velocity)
    named = track.rules if isinstance(track, Track) else None  # `Search` rejects any other type
    rules = parse_rules(named or USUAL, RULES)
    search = Search(track, line or rules.line, finish or rules.finish, speed, time_limit, memory_limit, progress)
    if start is None and speed != (0, 0):
        raise ConfigError(f"velocity={velocity!r}: also pass the start cell, as start=(x, y)")
    plan = search.forward(list(track.starts) if start is None else [on_track(track, start)])
    if is_state or speed != (0, 0) or not plan.positions:
        return plan
    changed = rules.change(cars=1, line=line or rules.line, finish=finish or rules.finish)
    return replace(plan, origin=PlanOrigin(*recipe(changed), text_with_cars(track.cells, plan.positions[:1])))


def _of_state(state: RaceState) -> tuple[Track, Cell, Cell]:
    """Return the track, and the position and velocity of the car whose turn it is."""
    checked_state(state)
    car: Any = state.cars[0, state.game["turn"][0]]
    if car.place:
        raise ConfigError("solve() needs a race in progress, but the race in this state is over")
    return track_of(state), (int(car.col), int(car.row)), (int(car.dcol), int(car.drow))


def fewest(
    track: Track,
    line: Line = "valid_line",
    finish: Finish = "land",
    time_limit: float | None = None,
    memory_limit: float = 4096.0,
    progress: Progress | None = None,
) -> dict[Cell, int]:
    """Return the minimum number of moves from every start cell (x, y) from which the finish can be reached legally.

    Raise OutOfTime or OutOfMemory if a limit or `progress` stops the search, because there is no partial result.
    """
    search = Search(track, line, finish, (0, 0), time_limit, memory_limit, progress)
    moves = search.backward(list(track.starts)).moves.tolist()
    return {start: count for start, count in zip(track.starts, moves, strict=True) if count != NOT_YET}


def on_track(track: Track, start: Any) -> Cell:
    """Check that a cell is on the track and not a finish cell."""
    x, y = _pair("start", start)
    if not (0 <= x < track.cols and 0 <= y < track.rows):
        raise ConfigError(f"start={start!r} is outside the board of {track.cols} columns and {track.rows} rows")
    if track.cells[y, x] in (OFF, FINISH):
        what = "a finish cell" if track.cells[y, x] == FINISH else "off the track"
        raise ConfigError(f"start={start!r} is {what}; a car must start on a start or track cell")
    return x, y


def _pair(name: str, given: Any) -> Cell:
    try:
        x, y = given
        return whole(name, x, -LARGEST_SIDE, LARGEST_SIDE), whole(name, y, -LARGEST_SIDE, LARGEST_SIDE)
    except (TypeError, ValueError) as reason:
        raise ConfigError(f"{name}={given!r}: must be two integers, x and y") from reason


class Search:
    """A search over the states of a car on a track, within limits on time and memory."""

    def __init__(
        self,
        track: Track,
        line: str,
        finish: str,
        velocity: Cell = (0, 0),
        time_limit: float | None = None,
        memory_limit: float = 4096.0,
        progress: Progress | None = None,
    ):
        if not isinstance(track, Track):
            raise ConfigError(
                f"the planner takes a Track (or a RaceState), not {type(track).__name__}; read a track with Track.read"
            )
        word("line", line, LINES)
        word("finish", finish, FINISHES)
        self.limit = float("inf") if time_limit is None else number("time_limit", time_limit, at_least=0)
        self.memory = number("memory_limit", memory_limit, at_least=1) * 2**20
        self.progress = progress
        self.track, self.rules, self.velocity = track, (line, finish), velocity
        self.ground: TrackBitboard = build_bitboard(track.cells, LINES.index(line), finish == "cross", velocity)
        self.moves = new_moves(self.ground)
        self.workspace = new_workspace(self.ground)
        self.log = new_layer_log(_FIRST_ROOM)
        self.held = 0  # size of the requested results in bytes
        self.stopped_by: StoppedBy = "proof"
        self.began = self.told = time.perf_counter()

    # ---------------------------------------------------------------- from the start

    def forward(self, starts: list[Cell]) -> RacePlan:
        compiled()
        self.began = self.told = time.perf_counter()
        self._begin([self.ground.bit(x, y) for x, y in starts])
        result = GOING
        try:
            while result in (GOING, FULL) and not self._must_stop():
                result = expand_forward(self.ground, self.moves, self.workspace, self.log, AT_A_TIME)
                if result == FULL:
                    self._more_room()
        except KeyboardInterrupt:
            self.stopped_by = "interrupt"
        if self.stopped_by != "proof":
            return self._plan("unknown")
        if result != FOUND:
            return self._plan("unsolvable")
        plan = self._plan("solved", self._way())
        plan.check(self.track, *self.rules, self.velocity)
        return plan

    def _begin(self, bits: list[int]) -> None:
        numbers, at = self.workspace.numbers, self.ground.velocity(*self.velocity) * self.ground.words
        if len(bits) > _FIRST_ROOM:
            self.log = new_layer_log(2 * len(bits))
        for bit in bits:
            place = at + bit // 64
            if not self.workspace.fresh[place]:
                self.log.place[numbers[COUNT]] = place
                numbers[COUNT] += 1
            self.workspace.fresh[place] |= np.uint64(1) << np.uint64(bit % 64)
            self.workspace.seen[place] = self.workspace.fresh[place]
        numbers[DEPTH] = -1

    def _plan(self, status: Status, way: list[tuple[Cell, Cell]] | None = None) -> RacePlan:
        """Return the plan for a path. `way` contains its cells, each with the velocity of the car on arrival."""
        way = way or []
        actions = []
        for (_, before), (_, after) in pairwise(way):
            actions.append((after[1] - before[1] + 1) * 3 + after[0] - before[0] + 1)
        unknown = max(0, int(self.workspace.numbers[DEPTH])) + 1 if status == "unknown" else 0
        return RacePlan(
            status, actions=actions, positions=[cell for cell, _ in way],
            expanded=int(self.workspace.numbers[STATES]), proved_optimal=status == "solved",
            lower_bound=len(actions) or unknown,
            seconds=time.perf_counter() - self.began, stopped_by=self.stopped_by,
        )  # fmt: skip

    def _way(self) -> list[tuple[Cell, Cell]]:
        ground, numbers = self.ground, self.workspace.numbers
        velocities = np.zeros(numbers[DEPTH] + 1, np.int64)
        trace_back(ground, self.workspace, self.log, velocities)
        speeds = [ground.speeds(velocity) for velocity in [*velocities.tolist(), int(numbers[MOVED])]]
        bit = int(self.log.place[numbers[ENTRY]]) % ground.words * 64 + int(numbers[BIT])
        x, y = ground.cell(bit)
        cells = [(x + speeds[-1][0], y + speeds[-1][1])]
        for dx, dy in reversed(speeds[:-1]):
            cells.append((x, y))
            x, y = x - dx, y - dy
        return list(zip(reversed(cells), speeds, strict=True))

    # ---------------------------------------------------------------- from the finish

    def backward(
        self, starts: list[Cell], value: np.ndarray | None = None, rank: np.ndarray | None = None
    ) -> BackwardQuery:
        """Find the minimum number of moves from rest on each of these cells; NOT_YET if the finish is unreachable.

        If a table `value` is given, the search continues until the table is complete. Otherwise, it stops as soon as the
        numbers for all these cells are known.
        """
        compiled()
        self.began = self.told = time.perf_counter()
        ground, workspace = self.ground, self.workspace
        if value is None or rank is None:
            value, rank = np.zeros((0, 0), np.uint16), np.zeros(0, np.int32)
        bits = np.array([ground.bit(x, y) for x, y in starts], np.int64)
        wanted = BackwardQuery(ground.velocity(0, 0) * ground.words, bits, np.zeros(len(bits), np.int32), rank, value)
        self.held = value.nbytes
        result = GOING
        while result in (GOING, FULL) and not self._must_stop():
            result = seed_backward(ground, self.moves, workspace, self.log, _DISPLACEMENTS)
            if result == FULL:
                self._more_room(9 * ground.words)
        result = GOING
        while result in (GOING, FULL) and not self._must_stop():
            result = expand_backward(ground, self.moves, workspace, self.log, wanted, AT_A_TIME)
            if result == FULL:
                self._forget()
                self._more_room()
            if workspace.numbers[DEPTH] > _SMALL and value.dtype == np.uint16:
                value = value.astype(np.uint32)
                wanted = wanted._replace(value=value)
                self.held = value.nbytes
        if self.stopped_by == "memory":
            raise OutOfMemory(f"the planner reached its memory_limit of {self.memory / 2**20:g} MB")
        if self.stopped_by != "proof":
            moves = int(workspace.numbers[DEPTH])
            raise OutOfTime(
                f"the planner was stopped ({self.stopped_by}) while it searched states {moves} "
                f"move{'s' * (moves != 1)} from the finish"
            )
        return wanted

    def _forget(self) -> None:
        """Discard the completed layers, which are not needed again."""
        numbers = self.workspace.numbers
        first, count = int(numbers[CURSOR]), int(numbers[COUNT])
        for column in self.log[:2]:
            column[: count - first] = column[first:count].copy()
        numbers[[CURSOR, LAST, COUNT]] -= first

    # ---------------------------------------------------------------- both directions

    def _more_room(self, at_least: int = 0) -> None:
        """Extend the log, in place if the system supports it."""
        log, numbers = self.log, self.workspace.numbers
        if numbers[COUNT] + max(MAX_NEW_ENTRIES, at_least) > len(log.place):
            room = 2 * len(log.place) + at_least
            for column in log[:2]:
                column.resize(room, refcheck=False)
        if numbers[DEPTH] + 1 == len(log.first):
            log.first.resize(2 * len(log.first), refcheck=False)

    def _must_stop(self) -> bool:
        now = time.perf_counter()
        # Every velocity in use has a row in each of four tables of bits.
        tables = int(self.moves.count[0]) * self.ground.words * 8 * 4
        if tables + self.held + 12 * len(self.log.place) > self.memory:
            self.stopped_by = "memory"
        elif now - self.began >= self.limit:
            self.stopped_by = "time"
        elif self.progress is not None and now - self.told >= _TELL_EVERY:
            self.told = now
            if self.progress(self._plan("unknown")) is True:
                self.stopped_by = "progress"
        return self.stopped_by != "proof"


_compiled = False


def compiled() -> None:
    """Compile everything, so that compilation does not count towards the time limit."""
    global _compiled
    if not _compiled:
        _compiled = True
        small = Track(np.array([[1, 0, 0, 100]]), "small")
        Search(small, LINES[0], FINISHES[0]).forward([(0, 0)])
        Search(small, LINES[0], FINISHES[0]).backward([(0, 0)])
