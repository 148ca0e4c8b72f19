"""Tests of the textbook searches, including a comparison with a slow oracle, the Bellman-Ford algorithm."""

import doctest
import math
import random
import re
import subprocess
import sys
from itertools import pairwise, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoverworld.search
from shoverworld.core.errors import ConfigError
from shoverworld.search import (
    Budget,
    Problem,
    astar,
    best_first,
    breadth_first,
    greedy_best_first,
    rbfs,
    uniform_cost,
    weighted_astar,
)
from tests.paths import ROOT

OPTIMAL = [astar, uniform_cost, rbfs]
ALL = [*OPTIMAL, weighted_astar, greedy_best_first, breadth_first]


class Graph(Problem):
    """A search problem on a graph {node: {next node: cost}}. An action is the name of the next node."""

    def __init__(self, edges, goals, start=0, h=None):
        self.edges, self.goals, self.h, self._start = edges, set(goals), h or {}, start

    def start(self):
        return self._start

    def is_goal(self, state):
        return state in self.goals

    def successors(self, state):
        return [(to, to, cost) for to, cost in self.edges.get(state, {}).items()]

    def heuristic(self, state):
        return self.h.get(state, 0)


def cheapest(graph, actions=None):
    """Return the lowest cost of reaching a goal within `actions` actions, and the fewest actions (Bellman-Ford)."""
    nodes = {graph.start(), *graph.edges, *(to for out in graph.edges.values() for to in out)}
    cost = {graph.start(): 0}
    fewest = 0 if graph.goals & set(cost) else math.inf
    for number in range(1, (len(nodes) if actions is None else actions) + 1):
        longer = dict(cost)
        for node, so_far in cost.items():
            for to, step in graph.edges.get(node, {}).items():
                longer[to] = min(longer.get(to, math.inf), so_far + step)
        cost = longer
        if graph.goals & set(cost):
            fewest = min(fewest, number)
    return min((cost.get(goal, math.inf) for goal in graph.goals), default=math.inf), fewest


def to_goal(graph):
    """Return the true cost from every node to the nearest goal."""
    nodes = {graph.start(), *graph.edges, *(to for out in graph.edges.values() for to in out)}
    return {node: cheapest(Graph(graph.edges, graph.goals, node))[0] for node in nodes}


def leads_there(graph, result):
    """Assert that the path in the result is valid and has the stated cost."""
    assert result.status == "solved" and result.solved and result.stopped_by is None
    assert result.states[0] == graph.start() and graph.is_goal(result.states[-1])
    assert result.states[1:] == result.actions == result.best_actions
    assert result.cost == sum(graph.edges[one][two] for one, two in pairwise(result.states))
    return True


def random_graph(size, edges, seed, costs=(0, 1, 2, 3, 7)):
    rng = random.Random(seed)
    graph = {node: {} for node in range(size)}
    for _ in range(edges):
        graph[rng.randrange(size)][rng.randrange(size)] = rng.choice(costs)
    return Graph(graph, {size - 1})


# --- comparison with the oracle


@pytest.mark.parametrize("seed", range(30))
def test_the_searches_agree_with_the_oracle_on_random_graphs(seed):
    graph = random_graph(60, 150, seed)
    optimum, fewest = cheapest(graph)
    graph.h = {node: cost * 0.7 if cost < math.inf else cost for node, cost in to_goal(graph).items()}
    for search in (astar, uniform_cost):
        result = search(graph)
        assert (leads_there(graph, result) and result.cost == optimum) if optimum < math.inf else not result.solved
    short = breadth_first(graph)
    assert (leads_there(graph, short) and len(short.actions) == fewest) if optimum < math.inf else not short.solved
    if optimum < math.inf:
        assert leads_there(graph, greedy_best_first(graph))
        for weight in (1, 1.2, 3):
            result = weighted_astar(graph, weight=weight)
            assert leads_there(graph, result) and result.cost <= weight * optimum
    else:
        assert all(search(graph).status == "no solution" for search in (astar, breadth_first, greedy_best_first))


@st.composite
def graphs(draw):
    """Generate small graphs with loops, zero-cost edges and a heuristic that is admissible but not consistent."""
    size = draw(st.integers(1, 6))
    costs = st.none() | st.sampled_from([0, 1, 2, 5])
    edges = {a: {b: c for b in range(size) if (c := draw(costs)) is not None} for a in range(size)}
    graph = Graph(edges, draw(st.sets(st.integers(0, size - 1), max_size=2)))
    graph.h = {node: draw(st.floats(0, min(cost, 50))) for node, cost in to_goal(graph).items()}
    return graph


@settings(max_examples=200, deadline=None)
@given(graphs(), st.sampled_from([1, 1.5, 4]))
def test_the_searches_agree_with_the_oracle_on_any_graph(graph, weight):
    optimum, fewest = cheapest(graph)
    for search in ALL:
        result = search(graph)
        if optimum == math.inf:
            assert (result.status, result.actions, result.states, result.cost) == ("no solution", [], [], math.inf)
            continue
        assert leads_there(graph, result)
        if search in OPTIMAL:
            assert result.cost == optimum
        if search is breadth_first:
            assert len(result.actions) == fewest
    if optimum < math.inf:
        for search in (astar, weighted_astar, rbfs):
            assert search(graph, weight=weight).cost <= weight * optimum * (1 + 1e-9)


@settings(max_examples=200, deadline=None)
@given(graphs(), st.integers(0, 6))
def test_the_searches_agree_with_the_oracle_within_a_depth_budget(graph, depth):
    """The result is the cheapest path within the depth limit, even if a longer, cheaper path leads to the same states."""
    within, _ = cheapest(graph, depth)
    beyond, _ = cheapest(graph)
    for search in ALL:
        result = search(graph, Budget(depth=depth))
        if within < math.inf:
            assert leads_there(graph, result) and len(result.actions) <= depth
            if search in OPTIMAL:
                assert result.cost == within
        else:
            assert result.status == "no solution" or (result.status, result.stopped_by) == ("budget", "depth")
            assert beyond == math.inf or result.status == "budget"
        assert result.depth <= depth and len(result.best_actions) <= depth


# --- puzzles


class Puzzle(Problem):
    """The 8-puzzle with the Manhattan-distance heuristic."""

    def __init__(self, tiles):
        self.tiles = tiles

    def start(self):
        return self.tiles

    def is_goal(self, state):
        return state == (0, 1, 2, 3, 4, 5, 6, 7, 8)

    def successors(self, state):
        hole = state.index(0)
        for action, by in (("up", -3), ("right", 1), ("down", 3), ("left", -1)):
            to = hole + by
            if 0 <= to < 9 and (abs(by) == 3 or to // 3 == hole // 3):
                tiles = list(state)
                tiles[hole], tiles[to] = tiles[to], 0
                yield action, tuple(tiles), 1

    def heuristic(self, state):
        return sum(abs(at // 3 - tile // 3) + abs(at % 3 - tile % 3) for at, tile in enumerate(state) if tile)


def scrambled(moves, seed):
    rng, tiles = random.Random(seed), tuple(range(9))
    for _ in range(moves):
        tiles = rng.choice([state for _, state, _ in Puzzle(tiles).successors(tiles)])
    return Puzzle(tiles)


def after(puzzle, actions):
    state = puzzle.start()
    for action in actions:
        state = {done: to for done, to, _ in puzzle.successors(state)}[action]
    return state


@pytest.mark.parametrize("seed", range(8))
def test_the_searches_solve_the_8_puzzle(seed):
    puzzle = scrambled(30, seed)
    results = {search: search(puzzle) for search in ALL}
    fewest = len(results[breadth_first].actions)
    assert [results[search].cost for search in OPTIMAL] == [fewest] * 3
    assert results[astar].expanded < results[uniform_cost].expanded
    assert results[rbfs].most_held <= 1 + 4 * fewest  # at most four siblings per level
    assert results[weighted_astar].cost <= 1.5 * fewest
    for result in results.values():
        assert puzzle.is_goal(after(puzzle, result.actions))


def test_a_puzzle_with_two_swapped_tiles_has_no_solution():
    """If two tiles of a 2 x 3 board are swapped, no solution exists; the search visits half of all arrangements."""

    class Small(Puzzle):
        def is_goal(self, state):
            return state == (0, 1, 2, 3, 4, 5)

        def successors(self, state):
            return [(a, s[:6], c) for a, s, c in super().successors((*state, 7, 8, 6)) if s[6:] == (7, 8, 6)]

    for search in (astar, uniform_cost, breadth_first):
        result = search(Small((0, 2, 1, 3, 4, 5)))
        assert (result.status, result.expanded) == ("no solution", math.factorial(6) // 2)
    assert greedy_best_first(Small((0, 2, 1, 3, 4, 5))).status == "no solution"
    assert sum(astar(Small((0, *tiles))).solved for tiles in permutations(range(1, 6))) == math.factorial(5) // 2


class Maze(Problem):
    """A maze in which the path from S to G consists of steps in four directions. Each step costs 1."""

    def __init__(self, board):
        self.cells = {(r, c): mark for r, line in enumerate(board.split()) for c, mark in enumerate(line)}
        self.goal = self.place("G")

    def place(self, mark):
        return next(cell for cell, m in self.cells.items() if m == mark)

    def start(self):
        return self.place("S")

    def is_goal(self, state):
        return state == self.goal

    def successors(self, state):
        for direction, (dr, dc) in {"^": (-1, 0), ">": (0, 1), "v": (1, 0), "<": (0, -1)}.items():
            cell = state[0] + dr, state[1] + dc
            if self.cells.get(cell, "#") != "#":
                yield direction, cell, 1

    def heuristic(self, state):
        return abs(state[0] - self.goal[0]) + abs(state[1] - self.goal[1])


def test_the_searches_solve_a_maze():
    maze = Maze("""
        S.#.....
        ..#.###.
        .....#..
        .###.#.#
        ...#...G
    """)
    for search in (*OPTIMAL, breadth_first):
        assert search(maze).cost == 11
    assert "".join(astar(maze).actions) == ">vv>>>vv>>>"


def test_nodes_with_equal_values_are_expanded_in_order_of_creation():
    for search in ALL:
        assert search(Graph({0: {1: 1, 2: 1}}, {1, 2})).actions == [1]
        assert search(Graph({0: {2: 1, 1: 1}}, {1, 2})).actions == [2]
    for search in set(ALL) - {rbfs}:  # RBFS discards one path when it tries the other path
        diamond = Graph({0: {"a": 1, "b": 1}, "a": {9: 1}, "b": {9: 1}}, {9})
        assert search(diamond).actions == ["a", 9]
        diamond.edges[0] = {"b": 1, "a": 1}
        assert search(diamond).actions == ["b", 9]


# --- edge cases


@pytest.mark.parametrize("search", ALL)
def test_if_the_start_is_a_goal_the_solution_has_no_actions(search):
    for budget in (Budget(), Budget(expansions=0), Budget(seconds=0), Budget(depth=0)):
        result = search(Graph({0: {1: 1}}, {0}), budget)
        assert (result.status, result.actions, result.states, result.cost) == ("solved", [], [0], 0)
        assert (result.expanded, result.generated, result.most_held, result.depth) == (0, 0, 1, 0)


def test_nodes_are_reopened_if_the_heuristic_is_inconsistent():
    """The cheap path to c is found second, after c has been expanded, so c must be reopened.

    s --1--> a --1--> c --10--> g       h(a) = 11 hides the cheap path, so s-b-c is explored first
    s --2--> b --2--> c                 (f: b 2, c 4, a 12; then c again with cost 2)
    """
    edges = {"s": {"a": 1, "b": 2}, "a": {"c": 1}, "b": {"c": 2}, "c": {"d": 9}, "d": {"g": 1}}
    graph = Graph(edges, {"g"}, "s", {"a": 11})
    for search in (astar, rbfs):
        assert search(graph).actions == ["a", "c", "d", "g"]
        assert search(graph).cost == 12
    graph.h = {"a": 10}
    result = astar(graph)
    assert (result.cost, result.expanded) == (12, 6)  # expanded: s, b, c, a, c again, d


def test_the_searches_handle_zero_cost_cycles():
    edges = {0: {1: 0}, 1: {2: 0, 0: 0}, 2: {0: 0, 1: 0, 3: 0}, 3: {2: 0, 4: 1}}
    for search in ALL:
        graph = Graph(edges, {4})
        assert leads_there(graph, search(graph))
        assert search(Graph(edges, {5})).status == "no solution"


def test_dead_ends_are_not_expanded():
    """States with an infinite heuristic cannot reach a goal, so they are not expanded."""
    endless = Graph({0: {1: 1, -1: 1}, 1: {2: 5}}, {2}, h={-1: math.inf})
    endless.successors = lambda state: (  # type: ignore[method-assign]
        [(state - 1, state - 1, 0)] if state < 0 else Graph.successors(endless, state)
    )
    endless.heuristic = lambda state: math.inf if state < 0 else 0  # type: ignore[method-assign]
    for search in (astar, weighted_astar, greedy_best_first, rbfs):
        assert search(endless).actions == [1, 2]


class Chain(Problem):
    """A chain of `length` edges, each of which can also be followed backwards."""

    def __init__(self, length, guess=False):
        self.length, self.guess = length, guess

    def start(self):
        return 0

    def is_goal(self, state):
        return state == self.length

    def successors(self, state):
        if state > 0:
            yield "back", state - 1, 1
        yield "on", state + 1, 1

    def heuristic(self, state):
        return self.length - state if self.guess else 0


@pytest.mark.parametrize(("search", "guess"), [(rbfs, True), *((search, False) for search in ALL)])
def test_a_path_of_50_000_actions_is_found(search, guess):
    result = search(Chain(50_000, guess))
    assert (result.cost, result.depth) == (50_000, 50_000)
    assert result.actions == ["on"] * 50_000
    assert result.states == list(range(50_001))


def test_rbfs_stores_only_one_path_and_the_siblings_of_its_nodes():
    """The last leaf of a ternary tree of depth 7 is the only goal. Best-first search stores almost the whole tree."""
    tree = {}
    for depth in range(7):
        for path in product("abc", repeat=depth):
            tree["".join(path)] = {"".join(path) + branch: 1 for branch in "abc"}
    graph = Graph(tree, {"c" * 7}, "")
    assert rbfs(graph).most_held == 1 + 3 * 7
    assert uniform_cost(graph).most_held > 3**7
    assert rbfs(graph).cost == 7


def test_rbfs_remembers_the_f_value_of_a_discarded_path():
    """Expanded: s, a (c costs 3: back), b (d costs 4: back), a c (g costs 5) e (x costs 6: back), b d (dead end), a, c.

    When a is expanded for the third time, its stored f is 5. The children of a inherit this value, so e is skipped.
    """
    edges = {"s": {"a": 1, "b": 2}, "a": {"c": 2, "e": 2.5}, "b": {"d": 2}, "c": {"g": 2}, "e": {"x": 2.5}}
    seen = []
    graph = Graph(edges, {"g"}, "s")
    graph.successors = lambda state: seen.append(state) or Graph.successors(graph, state)  # type: ignore[method-assign]
    assert rbfs(graph).cost == 5
    assert "".join(seen) == "sabacebdac"


def test_the_statistics_agree_with_a_search_done_by_hand():
    """Node 0 generates 1 and 2; node 1 generates 3. Breadth-first search finds the goal 4 among the successors of 2."""
    graph = Graph({0: {1: 1, 2: 1}, 1: {3: 1}, 2: {4: 1, 5: 1}}, {4})
    result = breadth_first(graph)
    assert (result.expanded, result.generated, result.depth) == (3, 5, 2)
    assert result.most_held == 4  # 0 and 1 are expanded; 2 and 3 are in the frontier
    result = uniform_cost(
        graph
    )  # the goal test happens when a node leaves the frontier, so 3 is expanded before 4 is tested
    assert (result.expanded, result.generated, result.depth, result.most_held) == (4, 5, 2, 6)


# --- budgets


@pytest.mark.parametrize("search", ALL)
def test_the_expansion_budget_stops_the_search(search):
    needed = search(Chain(10)).expanded
    assert search(Chain(10), Budget(expansions=needed)).solved
    for few in range(needed):
        result = search(Chain(10), Budget(expansions=few))
        assert (result.status, result.stopped_by, result.expanded) == ("budget", "expansions", few)
        assert (result.actions, result.states, result.cost) == ([], [], math.inf)


@pytest.mark.parametrize("search", ALL)
def test_the_time_budget_stops_the_search(search):
    result = search(Chain(10), Budget(seconds=0))
    assert (result.status, result.stopped_by, result.expanded) == ("budget", "seconds", 0)
    result = search(Chain(math.inf), Budget(seconds=0.02))
    assert (result.status, result.stopped_by) == ("budget", "seconds")
    assert result.seconds >= 0.02 and result.expanded > 0


@pytest.mark.parametrize("search", ALL)
def test_the_depth_budget_limits_the_search(search):
    assert search(Chain(10), Budget(depth=10)).cost == 10
    result = search(Chain(10), Budget(depth=9))
    assert (result.status, result.stopped_by, result.depth) == ("budget", "depth", 9)
    result = search(Chain(10), Budget(depth=0))
    assert (result.status, result.stopped_by, result.expanded) == ("budget", "depth", 0)


@pytest.mark.parametrize("search", OPTIMAL)
def test_within_a_depth_budget_a_shorter_path_is_kept_even_if_it_costs_more(search):
    """With the cheap path to node 2, the path to the goal is one action too long."""
    graph = Graph({0: {1: 0, 2: 5}, 1: {2: 0}, 2: {3: 1}}, {3})
    assert search(graph).actions == [1, 2, 3]
    assert search(graph, Budget(depth=2)).actions == [2, 3]


@pytest.mark.parametrize("search", ALL)
def test_a_search_that_stays_within_its_budget_can_prove_that_there_is_no_solution(search):
    graph = Graph({0: {1: 1}, 1: {2: 1}}, {7})
    assert search(graph, Budget(depth=2)).status == "no solution"
    assert search(graph, Budget(depth=1)).status == "budget"
    assert search(graph, Budget(expansions=3)).status == "no solution"
    assert search(graph, Budget(expansions=2)).status == "budget"


@pytest.mark.parametrize("search", ALL)
def test_nodes_at_the_depth_limit_do_not_count_as_expansions(search):
    graph = Graph({0: {1: 1, 2: 1, 3: 1}, 1: {4: 1}, 2: {4: 1}}, {3})
    assert search(graph, Budget(expansions=1, depth=1)).actions == [3]


def test_a_search_that_uses_up_its_budget_returns_the_best_actions_found():
    puzzle = scrambled(200, 1)
    for search in ALL:
        result = search(puzzle, Budget(expansions=40))
        assert result.status == "budget"
        assert puzzle.heuristic(after(puzzle, result.best_actions)) < puzzle.heuristic(puzzle.tiles)
        assert search(Chain(10), Budget(expansions=4)).best_actions == []  # without a heuristic, the start is best
    assert astar(Chain(10, guess=True), Budget(expansions=4)).best_actions == ["on"] * 4


# --- user errors


@pytest.mark.parametrize("field", ["expansions", "seconds", "depth"])
@pytest.mark.parametrize("value", [-1, math.nan, "ten", True, math.inf])
def test_invalid_budgets_raise_an_error(field, value):
    with pytest.raises(ConfigError, match=field):
        Budget(**{field: value})


@pytest.mark.parametrize("search", ALL)
def test_invalid_arguments_raise_an_error(search):
    with pytest.raises(ConfigError, match=r"Budget\(expansions="):
        search(Chain(3), 1000)
    with pytest.raises(ConfigError, match=r"successors\(0\) returned the cost -2 for action 1"):
        search(Graph({0: {1: -2}}, {1}))
    with pytest.raises(ConfigError, match=r"heuristic\(1\) returned nan"):
        search(Graph({0: {1: 2}}, {1}, h={1: math.nan}))


@pytest.mark.parametrize("search", [astar, weighted_astar, rbfs])
@pytest.mark.parametrize("weight", [0.5, -1, math.inf, "two"])
def test_invalid_weights_raise_an_error(search, weight):
    with pytest.raises(ConfigError, match="weight"):
        search(Chain(3), weight=weight)


def test_a_problem_must_define_all_three_abstract_methods():
    class Two(Problem):
        def start(self):
            return 0

        def is_goal(self, state):
            return True

    with pytest.raises(TypeError, match="successors"):
        Two()  # type: ignore[abstract]


def test_a_custom_search_can_use_any_evaluation_function():
    """`best_first` accepts any function f. Here f makes the search follow the most expensive path first."""
    graph = Graph({0: {"cheap": 1, "expensive": 5}, "cheap": {9: 1}, "expensive": {9: 1}}, {9})
    assert best_first(graph, lambda node: -node.cost).cost == 6


# --- examples in the docstring and on the documentation page


def test_the_examples_in_the_docstring_run():
    assert doctest.testmod(shoverworld.search) == (0, 3)


def test_the_examples_on_the_documentation_page_run():
    """All Python blocks on the page run in order and print the output that the page shows."""
    page = (ROOT / "docs" / "search.md").read_text(encoding="utf-8")
    blocks, shown = (re.findall(rf"```{kind}\n(.*?)```", page, re.DOTALL) for kind in ("python", "text"))
    assert len(blocks) == len(shown) > 1
    run = subprocess.run([sys.executable, "-c", "\n".join(blocks)], check=True, capture_output=True, text=True)
    assert run.stdout == "".join(shown)
