"""The grid race engine is compared with the reference engine, an independent implementation of the rules."""

from collections import Counter
from itertools import combinations, pairwise

import numpy as np
import pytest

from shoverworld.core.errors import ResetNeeded
from shoverworld.core.jit import kernel
from shoverworld.games.race.codes import FINISH, FREE, OFF, START
from shoverworld.games.race.config import FINISHES, LINES, RaceReward
from shoverworld.games.race.env import RaceEnv
from shoverworld.games.race.lines import clear_line, is_track, passes_finish
from shoverworld.games.race.tracks import Track
from shoverworld.games.race.zombie import zombie_array
from tests.oracles.race_bfs import fewest_moves, from_every_start, shortest
from tests.oracles.race_twin import RaceTwin, code, crossed, line_is_legal, reaches_finish, valid_line, zombies
from tests.paths import ROOT

SHARED = ROOT.parent / "shared" / "data" / "race"
EACH_LINE = pytest.mark.parametrize("line", LINES)


# --- the reference engine


def test_valid_line_returns_a_gate_for_every_column_and_row():
    assert [set(gate) for gate in valid_line(3, 1)] == [{(1, 0), (1, 1)}, {(2, 0), (2, 1)}, {(3, 1)}]
    assert [set(gate) for gate in valid_line(-4, 2)] == [  # columns from left to right, then the only row
        {(-3, 1), (-3, 2)},
        {(-2, 1)},
        {(-1, 0), (-1, 1)},
        {(-2, 1)},
        {(-4, 2)},
    ]
    assert valid_line(0, 0) == [((0, 0),)] and valid_line(1, -1) == [((1, -1),)]


def test_supercover_excludes_cells_touched_only_at_a_corner():
    assert crossed(2, 1) == [(0, 0), (1, 0), (1, 1), (2, 1)]
    assert crossed(3, 1) == [(0, 0), (1, 0), (2, 1), (3, 1)]
    assert crossed(-2, -2) == [(-2, -2), (-1, -1), (0, 0)]
    assert crossed(0, 2) == [(0, 0), (0, 1), (0, 2)] and crossed(0, 0) == [(0, 0)]


def test_the_search_finds_the_minimum_number_of_moves():
    bend = [[1, 0, 0, 0], [-1, -1, -1, 0], [100, 0, 0, 0]]
    assert shortest(bend) == [(0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (2, 2), (0, 2)]
    assert fewest_moves([[1, 0, 0, 100]]) == 2 and fewest_moves([[1, -1, 100]]) is None
    assert fewest_moves([[1, 0, -1, 100]]) is None and fewest_moves([[1, 0, -1, 100]], line="landing") == 2
    assert shortest([[1, 0, 100, 0]], finish="cross") in ([(0, 0), (1, 0), (2, 0)], [(0, 0), (1, 0), (3, 0)])
    assert from_every_start([[1, 1, 100, -1, 1]]) == {(0, 0): 2, (1, 0): 1, (4, 0): None}


@pytest.mark.skipif(not SHARED.exists(), reason="the shared tracks are not available")
@pytest.mark.parametrize(("name", "moves"), [("straight", 7), ("small1", 32), ("large1", 72)])
def test_the_search_finds_the_known_optimum_for_each_track(name, moves):
    rows = (SHARED / f"{name}.txt").read_text().split("\n")
    assert fewest_moves([list(map(int, row.split())) for row in rows if row.strip()]) == moves


# --- lines: the compiled rules and the reference rules


@kernel
def judge(cells, rows, cols, moves, kind, clear, home):
    """Compute whether each move (x, y, to x, to y) is legal without other cars, and whether it crosses the finish."""
    for m in range(len(moves)):
        x, y, to_x, to_y = moves[m]
        clear[m] = is_track(cells, rows, cols, to_y, to_x) and clear_line(cells, cols, y, x, to_y, to_x, kind)
        home[m] = clear[m] and passes_finish(cells, cols, y, x, to_y, to_x)


def judged(ground, moves, line):
    """Evaluate these moves with the compiled rule."""
    moves = np.ascontiguousarray(moves, np.int64)
    clear, home = np.zeros((2, len(moves)), bool)
    judge(ground.ravel(), *ground.shape, moves, LINES.index(line), clear, home)
    return clear, home


def random_ground(rng, longest=26):
    """Return a matrix of cells, from nearly empty to nearly full, with some finish cells."""
    rows, cols = rng.integers(1, longest, 2)
    off = rng.choice([0.03, 0.1, 0.25, 0.5])
    return rng.choice(np.array([OFF, FREE, FINISH], np.int8), (rows, cols), p=[off, 0.97 - off, 0.03])


def random_moves(rng, ground, count):
    """Return moves from free track cells: short moves, long moves, and some that leave the board."""
    homes = np.argwhere(ground == FREE)[:, ::-1]
    if not len(homes):
        return np.zeros((0, 4), np.int64)
    starts = homes[rng.integers(len(homes), size=count)]
    reach = rng.choice([2, 5, 18], (count, 1))
    return np.concatenate((starts, starts + rng.integers(-reach, reach + 1, (count, 2))), axis=1)


@EACH_LINE
def test_the_line_rules_agree_with_the_reference_engine_on_100_000_random_moves(line):
    rng = np.random.default_rng(LINES.index(line))
    moves_judged = legal = finishing = beyond_the_landing = 0
    while moves_judged < 100_000:
        ground = random_ground(rng)
        moves = random_moves(rng, ground, 1000)
        clear, home = judged(ground, moves, line)
        track = ground.tolist()
        for (x, y, to_x, to_y), is_clear, is_home in zip(moves.tolist(), clear.tolist(), home.tolist(), strict=True):
            here, there = (x, y), (to_x, to_y)
            assert is_clear == line_is_legal(track, here, there, line), (track, here, there)
            if is_clear:
                assert is_home == reaches_finish(track, here, there, "cross"), (track, here, there)
            elif 0 <= to_y < len(track) and 0 <= to_x < len(track[0]) and track[to_y][to_x] != OFF:
                beyond_the_landing += 1
        moves_judged += len(moves)
        legal += int(clear.sum())
        finishing += int(home.sum())
    assert 20_000 < legal < 90_000 and finishing > 2000  # legal, illegal and finishing moves all occurred often
    assert beyond_the_landing > 1000 if line != "landing" else beyond_the_landing == 0


@EACH_LINE
def test_the_line_rules_agree_with_the_reference_engine_if_any_two_cells_are_off_the_track(line):
    """A line rule requires that a given cell, or one of two given cells, is on the track. Therefore, two cells off the
    track reveal every difference."""
    side, cases = 6, 0
    cells = [(x, y) for x in range(side) for y in range(side)]
    moves = [(x, y, side - 1 - x, to_y) for x in (0, 1) for y in range(side) for to_y in range(side)]
    moves += [(y, x, to_y, side - 1 - x) for x, y, _, to_y in moves]
    for off in combinations(cells, 2):
        ground = np.zeros((side, side), np.int8)
        for x, y in off:
            ground[y, x] = OFF
        own = [move for move in moves if move[:2] not in off]
        clear, _ = judged(ground, own, line)
        track = ground.tolist()
        assert clear.tolist() == [line_is_legal(track, move[:2], move[2:], line) for move in own]
        cases += len(own)
    assert cases > 80_000


# --- symmetries


def turned(ground, moves, how):
    """Return the ground and the moves after mirroring, transposing or reversing them."""
    x, y, to_x, to_y = moves.T
    rows, cols = ground.shape
    if how == "left and right":
        return ground[:, ::-1], np.stack((cols - 1 - x, y, cols - 1 - to_x, to_y), 1)
    if how == "up and down":
        return ground[::-1], np.stack((x, rows - 1 - y, to_x, rows - 1 - to_y), 1)
    if how == "rows and columns":
        return ground.T, np.stack((y, x, to_y, to_x), 1)
    return ground, np.stack((to_x, to_y, x, y), 1)  # reversed


@EACH_LINE
@pytest.mark.parametrize("how", ["left and right", "up and down", "rows and columns", "reversed"])
def test_line_rules_are_symmetric(line, how):
    """All three line rules are symmetric under reflection and transposition.

    They are symmetric under reversal if both ends of the line are on the track, because a move checks its landing cell
    but not its first cell. Crossing the finish is symmetric under reversal if neither end is a finish cell.
    """
    rng = np.random.default_rng(7)
    compared = 0
    for _ in range(40):
        ground = random_ground(rng)
        moves = random_moves(rng, ground, 1000)
        if how == "reversed":
            x, y = moves[:, 2:].T
            inside = (x >= 0) & (y >= 0) & (x < ground.shape[1]) & (y < ground.shape[0])
            moves = moves[inside]
            moves = moves[ground[moves[:, 3], moves[:, 2]] == FREE]
        other_ground, other_moves = turned(ground, moves, how)
        for one, other in zip(
            judged(ground, moves, line), judged(np.ascontiguousarray(other_ground), other_moves, line), strict=True
        ):
            assert np.array_equal(one, other)
        compared += len(moves)
    assert compared > 8000


def test_the_zombie_array_agrees_with_the_reference_engine():
    rng = np.random.default_rng(3)
    for _ in range(150):
        ground = random_ground(rng)
        assert zombie_array(ground).tolist() == zombies(ground.tolist())


# --- whole races


class PairedRace:
    """One race that is played in both engines. The engines are compared after every step."""

    def __init__(self, track, reward, seed, **rules):
        self.env = RaceEnv(track, reward=reward, **rules)
        self.env.reset(seed=seed)
        starts = [(int(car.col), int(car.row)) for car in self.env.cars]
        assert len(set(starts)) == len(starts) and set(starts) <= set(track.starts)
        cars = rules.pop("cars")
        assert len(starts) == cars
        self.twin = RaceTwin(track.cells.tolist(), starts, **rules)
        self.reward, self.earned = reward, [0.0] * cars
        self.compare()

    def compare(self):
        env, twin = self.env, self.twin
        for car, other in zip(env.cars, twin.cars, strict=True):
            assert (car.col, car.row) == other.at and (car.dcol, car.drow) == other.velocity
            assert (car.wait, car.steps, car.penalties) == (other.wait, other.steps, other.penalties)
        assert [car.place or None for car in env.cars] == twin.places()
        assert env.outcome == twin.outcome
        if twin.outcome is None:
            assert env.turn == twin.turn and env.get_state().game[0]["rounds"] == twin.rounds + 1
            legal = [action for action in range(9) if not twin.faults(action)]
            assert env.action_mask().tolist() == [action in legal for action in range(9)]
            assert env.valid_actions() == legal == [action for action in range(9) if env.explain(action) == ""]
        else:
            assert not env.action_mask().any()

    def step(self, action, seen):
        before = [car.steps for car in self.twin.cars]
        happened = self.twin.step(action)
        _, reward, terminated, truncated, info = self.env.step(action)
        self.compare()
        who, faults = happened["car"], happened["faults"]
        event = self.env.get_state().game[0]
        assert (event.car, event.action, bool(event.finished)) == (who, action, happened["finished"])
        assert ((event.from_col, event.from_row), (event.to_col, event.to_row)) == (happened["from"], happened["to"])
        named = next(
            (word for fault, word in FAULT_NAMES.items() if fault in faults), None
        )  # the name of the first fault
        assert (info["last_action_valid"], info["fault"], info["invalid_reason"]) == (not faults, named, named or "")
        assert terminated == (happened["outcome"] == "finished") and truncated == (happened["outcome"] == "timeout")
        expected = [self.reward.step * (car.steps - was) for car, was in zip(self.twin.cars, before, strict=True)]
        expected[who] += self.reward.illegal * bool(faults) + self.reward.finish * happened["finished"]
        assert self.env.rewards().tolist() == expected and reward == expected[who]
        self.note(happened, seen)

    def note(self, happened, seen):
        """Count the events by kind, so that the test can check that every kind occurred."""
        seen["moves"] += 1
        seen.update(happened["faults"])
        seen["only another car"] += happened["faults"] == {"car"}
        seen["only the line"] += happened["faults"] == {"line"}
        skipped = happened["skipped"]
        seen["skipped"] += len(skipped)
        seen["skipped several rounds at once"] += len(skipped) > len(set(skipped))
        seen["finished cars"] += happened["finished"]
        seen["crossed the finish"] += happened["finished"] and code(self.twin.track, happened["to"]) != FINISH
        seen["stood still"] += not happened["faults"] and happened["from"] == happened["to"]
        if happened["outcome"]:
            seen[happened["outcome"]] += 1
            places = [place for place in self.twin.places() if place]
            seen["shared places"] += len(places) > len(set(places))
            seen["last places"] += max(places, default=0) > 1
            seen["timeout while waiting"] += happened["outcome"] == "timeout" and bool(skipped)


FAULT_NAMES = {"landing": "off_track", "line": "line", "car": "occupied"}


def random_driver(twin, rng):
    return int(rng.integers(9))


def cautious_driver(twin, rng, away):
    """Choose a slow, legal move that follows the zombie array to the finish, if such a move exists."""
    fine = [action for action in range(9) if not twin.faults(action)]
    x, y = twin.cars[twin.turn].at
    slow = [a for a in fine if max(abs(twin.landing_of(a)[0] - x), abs(twin.landing_of(a)[1] - y)) <= 1]
    choice = slow or fine or [4]

    def cost(action):
        to_x, to_y = twin.landing_of(action)
        on = 0 <= to_y < len(away) and 0 <= to_x < len(away[0]) and away[to_y][to_x] >= 0
        return away[to_y][to_x] if on else 10**6

    best = min(map(cost, choice))
    if rng.random() < 0.15:  # prevents the car from being stuck behind a waiting car forever
        return int(rng.choice(choice))
    return int(rng.choice([action for action in choice if cost(action) == best]))


def reckless_driver(twin, rng):
    """Choose a move that hits another car or cuts a corner. If there is no such move, choose the fastest move."""
    x, y = twin.cars[twin.turn].at
    near = [action for action in range(9) if twin.faults(action) and "landing" not in twin.faults(action)]
    if near:
        return int(rng.choice(near))
    fine = [action for action in range(9) if not twin.faults(action)]
    if not fine or rng.random() < 0.1:
        return int(rng.integers(9))
    return max(fine, key=lambda action: abs(twin.landing_of(action)[0] - x) + abs(twin.landing_of(action)[1] - y))


def random_track(rng, cars):
    """Return a random track with enough start cells. The finish is reachable from at least one start cell."""
    while True:
        ground = random_ground(rng, 20)
        free = np.argwhere(ground == FREE)
        if len(free) < cars + 1:
            continue
        chosen = free[rng.permutation(len(free))[: cars + int(rng.integers(1, 4))]]
        ground[tuple(chosen.T)] = START
        ground[tuple(chosen[-1])] = FINISH
        away = zombies(ground.tolist())
        if (ground == START).sum() >= cars and any(away[row][col] > 0 for row, col in np.argwhere(ground == START)):
            return Track(ground), away


@EACH_LINE
@pytest.mark.parametrize("finish", FINISHES)
def test_whole_races_agree_with_the_reference_engine(line, finish):
    rng = np.random.default_rng([LINES.index(line), FINISHES.index(finish)])
    seen = Counter()
    for number in range(80):
        cars = int(rng.choice([1, 2, 3, 5]))
        track, away = random_track(rng, cars)
        penalty, max_rounds = int(rng.choice([0, 1, 3, 5])), int(rng.choice([1, 7, 40, 120]))
        rules = {"cars": cars, "line": line, "finish": finish, "penalty": penalty, "max_rounds": max_rounds}
        race = PairedRace(track, RaceReward(step=-1.5, finish=8.0, illegal=-0.25), number, **rules)
        drivers = rng.choice(["random", "cautious", "cautious", "reckless"], cars)
        while race.twin.outcome is None:
            driver = drivers[race.twin.turn]
            if driver == "cautious":
                action = cautious_driver(race.twin, rng, away)
            else:
                action = {"random": random_driver, "reckless": reckless_driver}[driver](race.twin, rng)
            race.step(action, seen)
        with pytest.raises(ResetNeeded):
            race.env.step(4)
    wanted = {
        "landing": 50,
        "car": 20,
        "only another car": 5,
        "skipped": 200,
        "skipped several rounds at once": 10,
    }
    wanted |= {
        "finished cars": 20,
        "stood still": 20,
        "finished": 5,
        "timeout": 10,
        "shared places": 1,
        "last places": 3,
    }
    wanted |= {"timeout while waiting": 1, "only the line": 0 if line == "landing" else 20, "moves": 1000}
    wanted["crossed the finish"] = 5 if finish == "cross" else 0
    assert not {what: (seen[what], least) for what, least in wanted.items() if seen[what] < least}


@EACH_LINE
@pytest.mark.parametrize("finish", FINISHES)
def test_the_shortest_paths_can_be_driven(line, finish):
    rng, driven = np.random.default_rng(11), 0
    for _ in range(50):
        track, _ = random_track(rng, 1)
        path = shortest(track.cells.tolist(), line=line, finish=finish)
        assert path is not None  # the finish is reachable in steps of one cell, and a car can move one cell at a time
        env = RaceEnv(track, line=line, finish=finish)
        env.reset(options={"starts": [path[0]]})
        velocity, ended, info = (0, 0), False, {}
        for (x, y), (to_x, to_y) in pairwise(path):
            assert not ended
            dx, dy = to_x - x, to_y - y
            _, _, ended, _, info = env.step(3 * (dy - velocity[1] + 1) + dx - velocity[0] + 1)
            assert info["last_action_valid"] and info["position"] == (to_x, to_y)
            velocity = dx, dy
        assert ended and info["steps"] == len(path) - 1
        driven += len(path) - 1
    assert driven > 70
