"""A layer-by-layer search ordered by a policy, and the policy's own walk.

Each layer keeps the games whose paths the policy considers most likely. Moves that are much less likely than the best
move of their game are not tried. The search therefore proves nothing; it finds short plans with few expansions.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from shoverworld.core.jit import inner, kernel, rare
from shoverworld.core.policy import best, log_policy, scores

from ..config import WALK, ShoverRuleNumbers
from ..engine import copy_game
from ..planner.beam import layers_of, next_layer, note_plan, origin_of
from ..planner.distances import cached_row, measure_distances
from ..planner.expansion import STEPS, SearchSettings, add_child, build, insert_child, is_over, undo_push
from ..planner.heuristic import FOR_STEPS, Weights
from ..planner.keys import TERRAIN, A, board_keys, shover_key
from ..planner.moves import make_move
from ..planner.searcher import Searcher, Solution
from ..state import CLEARED, PLAYING, State
from .features import INDICES, FeatureWorkspace, all_weights, most_moves, new_feature_workspace, write_features

LIKELY = 7.0  # a move is tried if the policy considers it at most exp(7) times less likely than the best one
SHARE = 0.8  # of the planner's heuristic in the order of the search
UNIFORM = 0.01  # the share of the policy that is spread equally over all moves
_TAKEN = -1e300


class Guide(NamedTuple):
    """The policy and the arrays that it needs."""

    table: np.ndarray
    features: np.ndarray  # int32 (moves, INDICES)
    values: np.ndarray  # float64 (moves,)
    weights: Any  # of the planner's heuristic, as a record
    share: float  # of the heuristic in the order of the search; the unit is one step
    workspace: FeatureWorkspace


def new_guide(table: np.ndarray, rows: int, cols: int, boxes: int, share: float) -> Guide:
    moves = most_moves(boxes)
    return Guide(
        table,
        np.zeros((moves, INDICES), np.int32),
        np.zeros(moves),
        all_weights(FOR_STEPS[0]),
        share,
        new_feature_workspace(rows, cols, boxes),
    )


@inner
def score_moves(state, i, rules, distance, guide):
    """List the moves of game i and write their scores to `guide.values`. Return the number of moves."""
    count = write_features(
        state, i, rules, guide.weights[0], distance, guide.workspace, guide.features, len(guide.table)
    )
    scores(guide.table, guide.features, count, guide.values)
    return count


@rare
def run_guided(beam, settings, rules, cache, table, scratch, guide, most_tried, most_entries):
    """Continue a search until it is over, or has tried this many moves, or has more entries than this in the table."""
    progress, limits = beam.progress[0], beam.limits[0]
    while progress.games > 0 and progress.tried < most_tried and limits.entries <= most_entries:
        expand_guided(beam, settings, rules, cache, table, scratch, guide, most_tried)
        if progress.first == progress.games or progress.tried < most_tried:
            next_layer(beam, settings.width)
    note_plan(beam)


@kernel
def advance_guided(beam, settings, rules, cache, table, scratch, guide, most, most_entries):
    """Continue a search by about `most` moves (see `run_guided`). Rules are a record."""
    most_tried = beam.progress[0].tried + most
    run_guided(beam, settings, rules[0], cache, table, scratch, guide, most_tried, most_entries)


@rare
def expand_guided(beam, settings, rules, cache, table, scratch, guide, most_tried):
    """Try the likely moves of each game of the layer. As `expand` in planner/expansion.py, but whole games at a time."""
    origin, layer = layers_of(beam)
    progress = beam.progress[0]
    state, spare, moves_workspace = layer.state, scratch.state, guide.workspace.moves
    here = len(scratch.keys) - 1
    most_children = len(beam.children.score) - len(guide.values)
    i, count, tried = progress.first, progress.children, progress.tried
    while i < progress.games and count <= most_children and tried < most_tried:
        parent, made = origin_of(beam, i)
        build(origin, parent, made, layer, i, rules, moves_workspace)
        row = cached_row(cache, layer.keys[i, TERRAIN], state.board[i], state.width, rules, moves_workspace.queue)
        moves = score_moves(state, i, rules, cache.distance[row], guide)
        log_policy(guide.values, moves, UNIFORM, guide.values)
        least = guide.values[best(guide.values, moves)] - LIKELY if moves > 0 else 0.0
        copy_game(state, i, spare, here)
        tried += moves
        for m in range(moves):
            if guide.values[m] < least:
                continue
            move = moves_workspace.moves[m]
            valid, chain, burnt = make_move(spare, here, rules, move, moves_workspace)
            is_push = valid and chain > 0 and spare.game[here].boxes == state.game[i].boxes - burnt
            if valid:
                cost = beam.cost[i] - guide.values[m]
                score = cost + guide.share * guide.workspace.estimates[m]
                count = consider_guided(
                    beam, layer, i, move, is_push, chain, burnt, cost, score, count, rules, settings, table, scratch
                )
            if is_push:
                undo_push(state, i, spare, here, move, chain)
            else:
                copy_game(state, i, spare, here)
        i += 1
        progress.expanded += 1
    progress.first, progress.children, progress.tried = i, count, tried


@inner
def consider_guided(
    beam, layer, i, move, is_push, chain, burnt, cost, score, count, rules, settings, table, scratch
):  # fmt: skip
    """Add the game in `scratch` to the children unless a known game dominates it. Return the number of children."""
    game, limits, children = scratch.state.game[0], beam.limits[0], beam.children
    steps_left = limits.steps - game.timestep
    if is_over(game, settings, limits, i, move):
        return count
    inserted = insert_child(beam, layer, i, move, is_push, chain, burnt, rules, settings, table, scratch, steps_left)
    if inserted.dominated:
        entry = table[inserted.slot]
        same_layer = entry.layer == beam.progress[0].stamp
        if same_layer and entry.child >= 0:  # another order of the same moves
            children.score[entry.child] = min(children.score[entry.child], score)
            children.cost[entry.child] = min(children.cost[entry.child], cost)
        return count
    limits.entries += inserted.slot >= 0
    place, count = add_child(children, table, inserted, i, move, score, count)
    children.cost[place] = cost
    return count


@inner
def board_key(state, i, rules, keys):
    """Return a key of the board of game i and, if the shover walks, of its cell."""
    board_keys(state.board[i], state.width, keys)
    return keys[A] ^ shover_key(state.game[i], state.width, A) if rules.actor == WALK else keys[A]


@kernel
def walk(state, i, rules, guide, seen, made, most):
    """Play up to `most` moves of game i that the policy prefers, but never to a board that occurred in this walk.

    Write the moves to `made` and return their number. seen: uint64 (at least most + 1,): scratch.
    """
    rules, workspace = rules[0], guide.workspace
    board, width, child = state.board[i], state.width, workspace.child
    here, keys = len(child.game) - 1, seen[len(seen) - 3 :]
    count = 0
    while count < most and state.game[i].outcome == PLAYING:
        seen[count] = board_key(state, i, rules, keys)
        measure_distances(board, width, rules, workspace.distance[0], workspace.moves.queue)
        moves = score_moves(state, i, rules, workspace.distance[0], guide)
        chosen = -1
        for _ in range(moves):
            candidate = best(guide.values, moves)
            copy_game(state, i, child, here)
            make_move(child, here, rules, workspace.moves.moves[candidate], workspace.moves)
            key, is_new = board_key(child, here, rules, keys), True
            for place in range(count + 1):
                is_new &= seen[place] != key
            lost = child.game[here].outcome != PLAYING and child.game[here].outcome != CLEARED
            if is_new and not lost:
                chosen = candidate
                break
            guide.values[candidate] = _TAKEN
        if chosen < 0:
            break
        made[count] = workspace.moves.moves[chosen]
        make_move(state, i, rules, np.int64(made[count]), workspace.moves)
        count += 1
    return count


class GuidedSearcher(Searcher):
    """Runs searches with a policy. They share their memory with the searches of the planner."""

    def __init__(self, start: State, rules: ShoverRuleNumbers, memory: int, table: np.ndarray, share: float = SHARE):
        super().__init__(start, rules, memory, costs=True)
        self.guide = new_guide(table, *self._size, self.boxes, share)

    def walk(self, most: int) -> np.ndarray:
        """Return the moves of the policy from the start: until the game is over, or no new board can be reached."""
        state, made = self.start.copy(), np.zeros(most, np.int64)
        count = walk(state, 0, self._rules, self.guide, np.zeros(most + 4, np.uint64), made, most)
        self.expanded += count
        return made[:count]

    def guided(
        self, start: State, width: int, most_steps: int, stop: Callable[[], bool], weights: Weights = FOR_STEPS[0]
    ) -> Solution | None:
        """Search for the shortest plan of at most `most_steps` steps that keeps at most `width` games in each layer.

        The order is the policy's, with a share of the planner's heuristic with these weights.
        """
        self.guide = self.guide._replace(weights=all_weights(weights))
        beam = self._begin(start, width, most_steps, -np.inf)
        settings = SearchSettings(STEPS, False, min(width, self.most_games))

        def continue_by(most: int, most_entries: int) -> None:
            advance_guided(
                beam, settings, self._rules, self._cache, self.table, self._scratch, self.guide, most, most_entries
            )

        return self._run(continue_by, stop).found
