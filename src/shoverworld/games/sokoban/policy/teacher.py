"""Training levels of Sokoban, labelled by the solver (`core.learning.Teacher`)."""

from collections.abc import Sequence

import numpy as np

from shoverworld.core.learning import Examples
from shoverworld.core.policy import AUTO, GREEDY, PHS

from ..levels import Level
from ..solver.search import new_workspace
from ..solver.tables import LevelTables
from .examples import write_examples
from .features import new_push_workspace
from .guided import UNIFORM, new_guided_nodes, search_levels
from .labels import LabelledStates, label_positions, new_label_workspace, new_states
from .level_batch import batch_of, digest_of

_NODES = 1 << 17  # positions that the solver may find for one label
_MOST_EXPANSIONS = 30_000  # of the solver for one label
_PATHS = 3  # random optimal solutions per level
_LONGEST_PATH = 200  # positions of a solution that become examples
_OWN_EXPANSIONS = 3000  # of the solver for a position of the policy, which may be lost
_OWN_PATH = 12  # the same from a position that the policy has reached
_WALK = 120  # pushes of the policy's own walk
_EXPERT_EXPANSIONS = 3000  # of the search with the policy, for levels that the solver did not solve


class SokobanTeacher:
    """Levels in stacked arrays, with the scratch memory for labels and examples."""

    def __init__(self, levels: Sequence[Level]):
        self.batch = batch = batch_of(levels)
        n, cells = batch.boxes.shape[1], batch.wall.shape[1]
        first = LevelTables(
            batch.width,
            batch.wall[0],
            batch.target[0],
            batch.distance[0],
            batch.dead[0],
            batch.box_key,
            batch.player_key,
            0,
        )
        self._n, self._cells = n, cells
        self._solver = new_workspace(first, n)
        self._work = new_label_workspace(n, _NODES)
        self._pushes = new_push_workspace(self.batch.width, cells, n)

    @property
    def count(self) -> int:
        return len(self.batch.wall)

    @property
    def digest(self) -> str:
        return digest_of(self.batch)

    @property
    def most_candidates(self) -> int:
        return 4 * self._n

    def label(self, levels: np.ndarray, table: np.ndarray, round: int, seed: int) -> LabelledStates:
        """Label the optimal solutions of levels (round 0), or positions on the policy's own walks (later rounds)."""
        if round:
            _, starts = self._walk(levels, table, GREEDY, _WALK, seed)
            return self._labelled(starts, 1, _OWN_PATH, seed, _OWN_EXPANSIONS)[0]
        starts = new_states(len(levels), self._n)
        starts.level[:], starts.boxes[:] = levels, self.batch.boxes[levels]
        starts.player[:] = self.batch.player[levels]
        states, lengths = self._labelled(starts, _PATHS, _LONGEST_PATH, seed)
        too_hard = np.flatnonzero(lengths < 0)
        if len(too_hard) and table.any():
            states = _joined(states, self._expert(levels[too_hard], table, seed))
        return states

    def _labelled(
        self, starts: LabelledStates, paths: int, longest: int, seed: int, most: int | None = None
    ) -> tuple[LabelledStates, np.ndarray]:
        """Label positions in one kernel call. Return the states, and the pushes needed from each position, or -1."""
        room = new_states(len(starts.level) * min(longest, 40) * paths + 2 * longest, self._n)
        lengths = np.zeros(len(starts.level), np.int32)
        stored = label_positions(
            self.batch, starts, most or _MOST_EXPANSIONS, paths, longest, seed, room, lengths, self._work, self._solver
        )
        return LabelledStates(*(array[:stored].copy() for array in room)), lengths

    def _expert(self, levels: np.ndarray, table: np.ndarray, seed: int) -> LabelledStates:
        """Label a random position of each solution that the search with the policy finds, if the solver solves it."""
        pushes, starts = self._walk(levels, table, PHS, _EXPERT_EXPANSIONS, seed)
        solved = pushes > 0
        return self._labelled(LabelledStates(*(array[solved] for array in starts)), 1, _LONGEST_PATH, seed)[0]

    def _walk(
        self, levels: np.ndarray, table: np.ndarray, method: int, expansions: int, seed: int
    ) -> tuple[np.ndarray, LabelledStates]:
        """Search levels with the policy. Return the pushes of each solution, or -1, and a random position of each path."""
        nodes = new_guided_nodes(self.batch.width, self._cells, self._n, expansions)
        pushes, visited = np.zeros(len(levels), np.int32), new_states(len(levels), self._n)
        visited.player[:] = np.random.default_rng(seed).integers(0, 1000, len(levels))
        search_levels(self.batch, levels, table, method, UNIFORM, expansions, nodes, pushes, visited)
        return pushes, visited

    def write(self, states: LabelledStates, order: np.ndarray, first: int, out: Examples, size: int) -> tuple[int, int]:
        return write_examples(
            self.batch, states, order, first, len(order), out.features, out.starts, out.optimal, self._pushes, size
        )

    def solve(self, table: np.ndarray, method: int, expansions: int) -> np.ndarray:
        method = PHS if method == AUTO else method
        return self._walk(np.arange(self.count), table, method, expansions, 0)[0]


def _joined(one: LabelledStates, other: LabelledStates) -> LabelledStates:
    return LabelledStates(*(np.concatenate(pair) for pair in zip(one, other, strict=True)))
