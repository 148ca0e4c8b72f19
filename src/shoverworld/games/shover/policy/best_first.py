# pyright: basic
"""LevinTS and PHS*: searches that expand the most promising of all known games, in the order of core/policy.py.

A node is a move in an expanded game. Its game is built when the node is taken from the open list. A game is left out if
an expanded game dominates it (planner/keys.py), so every position is expanded at most once for the same or more steps.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from shoverworld.core.jit import inner, kernel
from shoverworld.core.open_list import OpenList, new_open_list, pop_open, push_open
from shoverworld.core.policy import log_policy, priority

from ..engine import copy_game
from ..planner.beam import STAY, Layer
from ..planner.bounds import rounding
from ..planner.distances import cached_row
from ..planner.expansion import build, highest_cost, undo_push
from ..planner.keys import TERRAIN, A, B, game_keys, insert, motion_of
from ..planner.moves import make_move
from ..planner.searcher import Solution
from ..state import CLEARED, PLAYING, State
from .guided import UNIFORM, GuidedSearcher, score_moves

NOT_YET, EXHAUSTED, NO_ROOM = -1, -2, -3  # results of `expand_best` other than the node that clears the map
MOST_NODES = 1 << 22
_FIRST_GAMES = 1 << 10
_AT_A_TIME = 32  # expansions between two checks of the clock


class OpenNodes(NamedTuple):
    """Moves in expanded games, and the open list of those that were not made yet."""

    parent: np.ndarray  # int32: the number of the expanded game
    move: np.ndarray  # int32, or STAY for the start
    log_policy: np.ndarray  # float64: the logarithm of the probability of the path
    open: OpenList
    count: np.ndarray  # int64 (1,)


def new_open_nodes(capacity: int) -> OpenNodes:
    nodes = OpenNodes(
        np.zeros(capacity, np.int32), np.zeros(capacity, np.int32), np.zeros(capacity), new_open_list(capacity),
        np.zeros(1, np.int64),
    )  # fmt: skip
    nodes.move[0] = STAY
    nodes.count[0] = nodes.open.size[0] = 1
    nodes.open.keys[0], nodes.open.nodes[0] = 0.0, 0
    return nodes


@inner
def is_dominated(layer, i, rules, search, table):
    """Return whether an expanded game dominates game i. If none does, game i becomes an entry of the table."""
    game, width = layer.state.game[i], layer.state.width
    steps_left = rules.max_timestep - game.timestep
    a, b = layer.keys[i, A], layer.keys[i, B]
    a, b = game_keys(game, layer.state.squares[i], rules, width, a, b, steps_left)
    enough = steps_left * highest_cost(rules, width, layer.state.board.shape[1]) + 1.0
    force = rules.initial_force
    if force > 0:
        force += rounding(rules, game.stamina, 1)
    return insert(
        table, a, b, search, 0, game.timestep, game.stamina, motion_of(game, rules), enough, force
    ).dominated  # fmt: skip


@kernel
def expand_best(layer, node_of, games, most, nodes, method, search, rules, cache, table, scratch, guide):
    """Expand up to `most` nodes. The layer holds all expanded games, and node_of[i] is the node of game i.

    Return the node that clears the map, NOT_YET, EXHAUSTED or NO_ROOM, and the number of expanded games.
    """
    rules = rules[0]
    state, spare, workspace = layer.state, scratch.state, guide.workspace
    here, end = len(scratch.keys) - 1, min(games + most, len(node_of))
    start = state.game[0].timestep
    while games < end:
        if nodes.open.size[0] == 0:
            return EXHAUSTED, games
        if nodes.count[0] + len(guide.values) > len(nodes.parent):
            return NO_ROOM, games
        node = pop_open(nodes.open)
        build(layer, nodes.parent[node], nodes.move[node], layer, games, rules, workspace.moves)
        if is_dominated(layer, games, rules, search, table):
            continue
        node_of[games] = node
        row = cached_row(
            cache, layer.keys[games, TERRAIN], state.board[games], state.width, rules, workspace.moves.queue
        )
        moves = score_moves(state, games, rules, cache.distance[row], guide)
        log_policy(guide.values, moves, UNIFORM, guide.values)
        copy_game(state, games, spare, here)
        for m in range(moves):
            move = workspace.moves.moves[m]
            valid, chain, burnt = make_move(spare, here, rules, move, workspace.moves)
            is_push = valid and chain > 0 and spare.game[here].boxes == state.game[games].boxes - burnt
            outcome, steps = spare.game[here].outcome, spare.game[here].timestep - start
            if valid and outcome in (CLEARED, PLAYING):
                child = nodes.count[0]
                nodes.count[0] += 1
                nodes.parent[child], nodes.move[child] = games, move
                nodes.log_policy[child] = nodes.log_policy[node] + guide.values[m]
                if outcome == CLEARED:
                    return child, games + 1
                bound = max(0.0, float(workspace.estimates[m]))
                push_open(nodes.open, priority(method, float(steps), bound, nodes.log_policy[child]), child)
            if is_push:
                undo_push(state, games, spare, here, move, chain)
            else:
                copy_game(state, games, spare, here)
        games += 1
    return NOT_YET, games


class BestFirstSearcher(GuidedSearcher):
    """Runs LevinTS or PHS*, whose bound h is the planner's heuristic."""

    def best_first(self, start: State, method: int, expansions: int, stop: Callable[[], bool]) -> Solution | None:
        """Return the first solution that is found with this many expansions, or None.

        The search also ends when stop() returns True, or when the memory is full.
        """
        search = self._next_search()
        nodes = new_open_nodes(min(MOST_NODES, expansions * self._most_moves + 1) + self._most_moves)
        layer, games, found = self._layer(min(_FIRST_GAMES, expansions)), 0, NOT_YET
        copy_rows(start, layer, 1)
        node_of = np.zeros(len(layer.keys), np.int32)
        while found == NOT_YET and games < min(expansions, self.most_games) and not (games and stop()):
            if games == len(node_of):
                layer = self._larger(layer, min(4 * games, expansions, self.most_games))
                node_of = np.concatenate((node_of, np.zeros(len(layer.keys) - games, np.int32)))
            while 2 * (games + _AT_A_TIME) > len(self.table) < self.max_entries:
                self._enlarge_table(search)
            most = min(_AT_A_TIME, expansions - games)
            found, now = expand_best(
                layer, node_of, games, most, nodes, method, search, self._rules, self._cache, self.table,
                self._scratch, self.guide,
            )  # fmt: skip
            self.expanded += now - games
            games = now
        if found < 0:
            return None
        moves: list[int] = []
        while nodes.move[found] != STAY:
            moves.append(int(nodes.move[found]))
            found = int(node_of[nodes.parent[found]])
        made = np.array(moves[::-1], np.int64)
        game = self.after(made).game[0]
        return Solution(made, int(game["timestep"]), float(game["stamina"]))

    def _larger(self, layer: Layer, games: int) -> Layer:
        """Return a layer with room for this many games that begins with the games of `layer`."""
        larger = self._layer(games)
        larger.keys[: len(layer.keys)] = layer.keys
        copy_rows(layer.state, larger, len(layer.keys))
        return larger


def copy_rows(source: State, target: Layer, games: int) -> None:
    """Copy the first games of a state to a layer, which may have room for fewer squares."""
    target.state.board[:games] = source.board[:games]
    target.state.game[:games] = source.game[:games]
    target.state.squares[:games] = source.squares[:games, : target.state.squares.shape[1]]
