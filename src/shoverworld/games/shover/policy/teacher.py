"""Training levels, and plans for them. The work is counted in expansions, so equal seeds give equal labels everywhere."""

import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from shoverworld.core.jit import as_record
from shoverworld.core.learning import Examples
from shoverworld.core.policy import AUTO, GREEDY

from ..config import Rules
from ..planner.heuristic import FOR_STEPS
from ..planner.layers import STEPS, Searcher, Solution
from ..state import CLEARED, State, new_state
from .best_first import BestFirstSearcher
from .features import FeatureWorkspace, all_weights, most_moves, new_feature_workspace
from .guided import GuidedSearcher
from .labels import LabelWorkspace, label_plan, new_label_workspace, write_examples
from .portfolio import best_plan

WIDTHS = (16, 64)  # of the planner's searches for the labels of the first round; the first uses all weights
BEST_WEIGHTS = 3  # sets of weights that the wider searches use
GUIDED_WIDTH = 64  # of the searches with the policy in later rounds
LONGEST_WALK = 1000
_MEMORY = 64 << 20


class ShoverLevel(NamedTuple):
    """A game to learn from, at its start."""

    start: State
    rules: Rules


class ShoverLabels(NamedTuple):
    """Labelled states of maps of any size. The arrays have room for the largest map."""

    board: np.ndarray  # int8 (states, cells)
    game: np.ndarray  # GAME_RECORD (states,)
    squares: np.ndarray  # SQUARE (states, squares)
    good: np.ndarray  # bool (states, moves): the good moves, in the order of `list_moves`
    kind: np.ndarray  # int64 (states,): the kind of level


class Kind(NamedTuple):
    """Levels with the same rules and the same size, and the scratch arrays for them."""

    rules: Any  # a record
    rows: int
    cols: int
    boxes: int  # the largest number
    features: FeatureWorkspace
    labels: LabelWorkspace


class ShoverTeacher:
    """Labels the states of training levels with the planner or, in later rounds, with the policy's own search."""

    def __init__(self, levels: Sequence[ShoverLevel]):
        self.levels = list(levels)
        sizes = [(level.rules.numbers(), *level.start.grid().shape[1:]) for level in self.levels]
        kinds = sorted(set(sizes))
        self.kind_of = [kinds.index(size) for size in sizes]
        boxes = [int(level.start.game["boxes"][0]) for level in self.levels]
        most = [max(b for b, k in zip(boxes, self.kind_of, strict=True) if k == kind) for kind in range(len(kinds))]
        self.kinds = [
            Kind(
                as_record(rules),
                rows,
                cols,
                count,
                new_feature_workspace(rows, cols, count),
                new_label_workspace(rows, cols, count),
            )
            for (rules, rows, cols), count in zip(kinds, most, strict=True)
        ]
        self.most_candidates = max(most_moves(kind.boxes) for kind in self.kinds)

    @property
    def count(self) -> int:
        return len(self.levels)

    @property
    def digest(self) -> str:
        found = hashlib.sha256()
        for level in self.levels:
            found.update(repr((level.rules, level.start.width)).encode())
            found.update(level.start.board.tobytes() + level.start.game.tobytes())
        return found.hexdigest()[:16]

    def label(self, levels: np.ndarray, table: np.ndarray, round: int, seed: int) -> ShoverLabels:
        """Return the labelled states of plans for these levels: in round 0 the planner's, then the policy's own.

        If the policy's search clears a level in more steps than the planner's shortest search, the planner's plan is
        used. Levels that neither clears have no states.
        """
        parts = []
        for number in levels.tolist():
            level = self.levels[number]
            moves = self.plan(level, table, round)
            if moves is not None:
                parts.append(self._labels(number, level, moves))
        return self._joined(parts)

    def plan(self, level: ShoverLevel, table: np.ndarray, round: int) -> np.ndarray | None:
        """Return the moves of a short plan for a level, or None."""
        searcher = GuidedSearcher(level.start, level.rules.numbers(), _MEMORY, table)
        found = None
        if round > 0:
            found = searcher.guided(level.start, GUIDED_WIDTH, level.rules.max_timestep, lambda: False)
        if found is None:
            found = planned(searcher, level)
        return None if found is None else found.moves

    def _labels(self, number: int, level: ShoverLevel, moves: np.ndarray) -> ShoverLabels:
        kind = self.kinds[self.kind_of[number]]
        states = new_state(len(moves), kind.rows, kind.cols)
        good = np.zeros((len(moves), self.most_candidates), np.bool_)
        if label_plan(level.start, kind.rules, moves, states, 0, good, kind.labels) < 0:
            raise RuntimeError("a plan of the search does not clear its map; this is a bug")
        return ShoverLabels(
            states.board, states.game, states.squares, good, np.full(len(moves), self.kind_of[number], np.int64)
        )

    def _joined(self, parts: list[ShoverLabels]) -> ShoverLabels:
        largest = [new_state(0, kind.rows, kind.cols) for kind in self.kinds]
        cells = max(state.board.shape[1] for state in largest)
        squares = max(state.squares.shape[1] for state in largest)
        states = sum(len(part.game) for part in parts)
        joined = ShoverLabels(
            np.zeros((states, cells), np.int8),
            np.zeros(states, largest[0].game.dtype),
            np.zeros((states, squares), largest[0].squares.dtype),
            np.zeros((states, self.most_candidates), np.bool_),
            np.zeros(states, np.int64),
        )
        first = 0
        for part in parts:
            end = first + len(part.game)
            for whole, piece in zip(joined, part, strict=True):
                if piece.ndim == 1:
                    whole[first:end] = piece
                else:
                    whole[first:end, : piece.shape[1]] = piece
            first = end
        return joined

    def write(self, states: ShoverLabels, order: np.ndarray, first: int, out: Examples, size: int) -> tuple[int, int]:
        """Write examples until `out` is full. Kinds of levels follow one another; they may share no feature."""
        room = min(len(out.features) // self.most_candidates, len(out.starts) - 1)
        chosen = order[first : first + room]
        written = rows = 0
        for number, kind in enumerate(self.kinds):
            mine = chosen[states.kind[chosen] == number]
            if not len(mine):
                continue
            like = new_state(0, kind.rows, kind.cols)
            games = State(
                np.ascontiguousarray(states.board[mine, : like.board.shape[1]]),
                states.game[mine],
                np.ascontiguousarray(states.squares[mine, : like.squares.shape[1]]),
                like.width,
            )
            starts = np.zeros(len(mine) + 1, np.int64)
            _, count = write_examples(
                games, states.good[mine], np.arange(len(mine)), 0, kind.rules, all_weights(FOR_STEPS[0]), out.features[rows:],
                starts, out.optimal[rows:], kind.features, size,
            )  # fmt: skip
            out.starts[written : written + count + 1] = rows + starts[: count + 1]
            written += count
            rows += int(starts[count])
        return first + len(chosen), written

    def solve(self, table: np.ndarray, method: int, expansions: int) -> np.ndarray:
        """Return the steps of the plan that the policy finds for each level, or -1."""
        return np.array([self._solved(level, table, method, expansions) for level in self.levels], np.int64)

    def _solved(self, level: ShoverLevel, table: np.ndarray, method: int, expansions: int) -> int:
        searcher = BestFirstSearcher(level.start, level.rules.numbers(), _MEMORY, table)
        if method == GREEDY:
            state = searcher.after(searcher.walk(min(expansions, LONGEST_WALK)))
            return int(state.game["timestep"][0]) if state.game["outcome"][0] == CLEARED else -1
        if method == AUTO:
            found = best_plan(searcher, level.rules.max_timestep, expansions)
        else:
            found = searcher.best_first(level.start, method, expansions, lambda: False)
        return -1 if found is None else found.steps


def planned(searcher: Searcher, level: ShoverLevel) -> Solution | None:
    """Return the shortest plan that the planner's searches with fixed widths find."""
    best: Solution | None = None
    weights, steps = list(FOR_STEPS), []
    for width in WIDTHS:
        steps = []
        for one in weights:
            most = level.rules.max_timestep if width == WIDTHS[0] or best is None else best.steps - 1
            found = searcher.search(level.start, width, STEPS, most, -np.inf, one, False, lambda: False).found
            steps.append(np.inf if found is None else found.steps)
            if found is not None and (best is None or found.steps < best.steps):
                best = found
        if width == WIDTHS[0]:
            weights = [weights[k] for k in np.argsort(steps, kind="stable")[:BEST_WEIGHTS]]
    return best
