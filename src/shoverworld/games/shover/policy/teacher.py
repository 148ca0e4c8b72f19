"""Training levels of Shover-World, labelled with short plans (`core.learning.Teacher`)."""

import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from shoverworld.core.jit import as_record
from shoverworld.core.learning import Examples
from shoverworld.core.policy import AUTO, GREEDY

from ..config import Rules
from ..planner.heuristic import FOR_STEPS
from ..state import CLEARED, State, new_state
from .best_first import BestFirstSearcher
from .features import FeatureWorkspace, all_weights, new_feature_workspace
from .labels import WRONG_PLAN, LabelWorkspace, label_levels, new_label_workspace, write_examples
from .plans import PlanSearch, new_plan_search, new_shared_memory
from .portfolio import best_plan

LONGEST_WALK = 1000
_MEMORY = 64 << 20
_ROOM = 32  # states per level to make room for


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
    starts: State
    features: FeatureWorkspace
    labels: LabelWorkspace
    search: PlanSearch


class ShoverTeacher:
    """Labels the states of training levels with the planner and, in later rounds, with the policy's own search."""

    def __init__(self, levels: Sequence[ShoverLevel]):
        self.levels = list(levels)
        kinds: dict[Any, list[int]] = {}
        for number, level in enumerate(self.levels):
            kinds.setdefault((level.rules.numbers(), *level.start.grid().shape[1:]), []).append(number)
        self.kinds: list[Kind] = []
        shared = new_shared_memory()
        # The kind of each level, and its place in `Kind.starts`.
        self._kind_of, self._place_of = np.zeros((2, len(self.levels)), np.int64)
        for (rules, rows, cols), numbers in sorted(kinds.items()):
            starts = _stacked([self.levels[number].start for number in numbers])
            boxes = int(starts.game["boxes"].max())
            self._kind_of[numbers], self._place_of[numbers] = len(self.kinds), np.arange(len(numbers))
            self.kinds.append(
                Kind(
                    as_record(rules),
                    starts,
                    new_feature_workspace(rows, cols, boxes),
                    new_label_workspace(rows, cols, boxes),
                    new_plan_search(rows, cols, boxes, rules.max_timestep, shared),
                )
            )
        self.most_candidates = max(len(kind.search.guide.values) for kind in self.kinds)

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
        """Return the labelled states of short plans for these levels, with one kernel call for each kind of level.

        In round 0, the plans are the planner's. In later rounds, the policy's own search looks for plans that are not
        longer. Levels without a plan have no states.
        """
        parts = []
        for number, kind in enumerate(self.kinds):
            chosen = self._place_of[levels[self._kind_of[levels] == number]]
            if len(chosen):
                parts += self._labels(number, kind, chosen, table, round > 0)
        return self._joined(parts)

    def _labels(
        self, number: int, kind: Kind, chosen: np.ndarray, table: np.ndarray, guided: bool
    ) -> list[ShoverLabels]:
        """Label levels of one kind. One kernel call is enough, unless the plans are unusually long."""
        search = kind.search._replace(guide=kind.search.guide._replace(table=table))
        rows, cols = kind.starts.grid().shape[1:]
        parts, first, room = [], 0, _ROOM * len(chosen)
        while first < len(chosen):
            states, good = new_state(room, rows, cols), np.zeros((room, self.most_candidates), np.bool_)
            first, written = label_levels(
                kind.starts, chosen, first, kind.rules, guided, search, states, good, kind.labels
            )
            if first == WRONG_PLAN:
                raise RuntimeError("a plan of the search does not clear its map; this is a bug")
            board, game, squares = (array[:written].copy() for array in states[:3])
            kinds = np.full(written, number, np.int64)
            parts.append(ShoverLabels(board, game, squares, good[:written].copy(), kinds))
            room *= 2
        return parts

    def _joined(self, parts: list[ShoverLabels]) -> ShoverLabels:
        cells = max(kind.starts.board.shape[1] for kind in self.kinds)
        squares = max(kind.starts.squares.shape[1] for kind in self.kinds)
        like = self.kinds[0].starts
        states = sum(len(part.game) for part in parts)
        joined = ShoverLabels(
            np.zeros((states, cells), np.int8),
            np.zeros(states, like.game.dtype),
            np.zeros((states, squares), like.squares.dtype),
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
            like = kind.starts
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


def _stacked(starts: list[State]) -> State:
    board, game, squares = (np.concatenate(arrays) for arrays in zip(*(one[:3] for one in starts), strict=True))
    return State(board, game, squares, starts[0].width)
