"""Training of a policy: label some levels, learn from them, go on; then learn from all labels again.

The work is divided into steps, each well below a second or a few seconds long, in an order that depends only on the
seed and the settings. A step never depends on the clock, so two runs that do the same steps give the same model, and
a run that was interrupted and resumed gives the same model as one that was not.
"""

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from os import PathLike
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import numpy as np

from shoverworld.core.checks import number, seed_number, whole
from shoverworld.core.errors import ConfigError, ModelError
from shoverworld.core.game import Game
from shoverworld.core.learning import LabelledStates, new_examples
from shoverworld.core.policy import fit
from shoverworld.games import game_named

from .archive import read_archive, write_archive
from .model import Model, learning_of

KIND = "checkpoint"
CHECKPOINT_EVERY = 60.0  # seconds
_STATES_AT_A_TIME = 20_000  # of a pass over all labels


@dataclass(frozen=True)
class Settings:
    """What determines the result of a training, apart from the levels.

    passes: how often to learn from all labels again, after each round. rounds: 1 for the solver's labels alone; each
    further round labels positions that the policy itself has reached. chunk: levels per step; None, the default, means
    the game's own number (`Learning.chunk`). rate: of Adagrad.
    """

    seed: int = 0
    passes: int = 2
    rounds: int = 1
    chunk: int | None = None
    rate: float = 0.1

    def __post_init__(self) -> None:
        seed_number(self.seed)
        whole("passes", self.passes, 0, 1000)
        whole("rounds", self.rounds, 1, 1000)
        if self.chunk is not None:
            whole("chunk", self.chunk, 1, 10**6)
        number("rate", self.rate, at_least=0.0)


class Progress(NamedTuple):
    """The state of a training after a step: what it did last, and the results of the last examples."""

    stage: str
    done: int  # steps
    total: int
    states: int  # labelled so far
    loss: float  # mean over the states of the last step
    accuracy: float  # the share of the states of the last step in which the policy's first choice was optimal
    seconds: float  # in this run


class Step(NamedTuple):
    """One step of the work. `first` and `end` are levels of a round's order, or states of a pass."""

    round: int
    number: int  # 0 while labelling, then the number of the pass
    first: int
    end: int

    @property
    def name(self) -> str:
        return f"round {self.round + 1}, " + (f"pass {self.number}" if self.number else "labels")


class Trainer:
    """A training in progress: the table, Adagrad's sums, all labels so far, and the number of steps done."""

    def __init__(self, game: Game | str, levels: Sequence[Any], settings: Settings | None = None):
        self.game = game_named(game) if isinstance(game, str) else game
        self.learning = learning_of(self.game)
        settings = settings or Settings()
        self.chunk = settings.chunk or self.learning.chunk
        self.settings = replace(settings, chunk=self.chunk)
        self.teacher = self.learning.teacher(levels)
        size = self.learning.table_size
        self.table = np.zeros(size, np.float32)
        self.squares = np.ones(size, np.float32)
        self.parts: list[LabelledStates] = []
        self.done = 0
        self.loss, self.accuracy = 0.0, 0.0
        self._examples = new_examples(self.learning.features, candidates=max(16, self.teacher.most_candidates // 4))
        self._work = np.zeros(self.teacher.most_candidates)
        self._all: LabelledStates = None
        self.complete = False  # whether all steps are done

    def steps(self) -> Iterator[Step]:
        """Yield the remaining steps. The steps of a pass are known only when the labels before it are."""
        for place, step in enumerate(self._steps(), 1):
            if place > self.done:
                yield step
        self.complete = True

    def _steps(self) -> Iterator[Step]:
        chunk, levels = self.chunk, self.teacher.count
        for round in range(self.settings.rounds):
            yield from (Step(round, 0, first, min(first + chunk, levels)) for first in range(0, levels, chunk))
            labelled = self._labelled_until(round)
            for turn in range(1, self.settings.passes + 1):
                starts = range(0, labelled, _STATES_AT_A_TIME)
                yield from (Step(round, turn, first, min(first + _STATES_AT_A_TIME, labelled)) for first in starts)

    def _labelled_until(self, round: int) -> int:
        """Return the number of states that the rounds up to this one have labelled."""
        chunks = -(-self.teacher.count // self.chunk)
        return sum(len(part[0]) for part in self.parts[: chunks * (round + 1)])

    @property
    def states(self) -> int:
        """The number of states labelled so far."""
        return self._labelled_until(self.settings.rounds)

    @property
    def total(self) -> int:
        """The number of all steps, estimated from the labels so far."""
        chunks = -(-self.teacher.count // self.chunk)
        per_chunk = self.states / max(1, len(self.parts)) if self.parts else 0.0
        in_pass = sum(
            -(-int(per_chunk * chunks * (round + 1)) // _STATES_AT_A_TIME) for round in range(self.settings.rounds)
        )
        return max(self.done, chunks * self.settings.rounds + self.settings.passes * in_pass)

    def take(self, step: Step) -> None:
        """Do one step."""
        if step.number == 0:
            order = self._rng(step.round, 0).permutation(self.teacher.count)[step.first : step.end]
            seed = int(self._rng(step.round, 0, step.first + 1).integers(2**31))
            states = self.teacher.label(order, self.table, step.round, seed)
            self.parts.append(states)
            self._all = None
            places = self._rng(step.round, 0, step.first + 1).permutation(len(states[0]))
        else:
            states = self._everything(step)
            places = self._rng(step.round, step.number).permutation(len(states[0]))[step.first : step.end]
        self._learn(states, places)
        self.done += 1

    def _everything(self, step: Step) -> LabelledStates:
        if self._all is None:
            self._all = type(self.parts[0])(*(np.concatenate(arrays) for arrays in zip(*self.parts, strict=True)))
        return self._all

    def _learn(self, states: LabelledStates, places: np.ndarray) -> None:
        first, seen, loss, hits = 0, 0, 0.0, 0
        out = self._examples
        while first < len(places):
            first, count = self.teacher.write(states, places, first, out, len(self.table))
            more, good = fit(self.table, self.squares, *out, count, self.settings.rate, self._work)
            seen, loss, hits = seen + count, loss + more, hits + good
        self.loss, self.accuracy = loss / max(1, seen), hits / max(1, seen)

    def _rng(self, *place: int) -> np.random.Generator:
        return np.random.default_rng([self.settings.seed, *place])

    @property
    def model(self) -> Model:
        """The policy as it is now."""
        about = {
            "settings": asdict(self.settings),
            "levels": self.teacher.count,
            "levels_digest": self.teacher.digest,
            "states": self.states,
            "steps": self.done,
            "complete": self.complete,
        }
        return Model(self.game.name, self.learning.version, self.table.copy(), about)

    # --- checkpoints

    def save(self, path: str | PathLike[str]) -> None:
        """Write everything that is needed to resume the training."""
        arrays: dict[str, Any] = {"table": self.table, "squares": self.squares}
        arrays["lengths"] = np.array([len(part[0]) for part in self.parts], np.int64)
        if self.parts:
            for name, columns in zip(self.parts[0]._fields, zip(*self.parts, strict=True), strict=True):
                arrays[f"states_{name}"] = np.concatenate(columns)
        write_archive(path, KIND, self._header() | {"done": self.done}, arrays, compress=False)

    def resume(self, path: str | PathLike[str]) -> None:
        """Continue from a checkpoint. Raise ModelError if it is not one of the same training."""
        header, arrays = read_archive(path, KIND)
        for name, value in self._header().items():
            if header.get(name) != value:
                raise ModelError(
                    f"{path}: a checkpoint of another training: its {name} is {header.get(name)!r:.80}, here it is "
                    f"{value!r:.80}. Use the same levels and settings, or another checkpoint file"
                )
        try:
            if arrays["table"].shape != self.table.shape or arrays["squares"].shape != self.squares.shape:
                raise ValueError("the table has another size")
            lengths = arrays["lengths"]
            self.table[:], self.squares[:], self.done = arrays["table"], arrays["squares"], int(header["done"])
            self.parts = self._parts(arrays, lengths) if len(lengths) else []
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{path}: a damaged checkpoint ({error}); remove it to start again") from None
        self._all = None

    def _parts(self, arrays: dict[str, np.ndarray], lengths: np.ndarray) -> list[LabelledStates]:
        none = self.teacher.label(np.zeros(0, np.int64), self.table, 0, 0)
        kind, ends = type(none), np.cumsum(lengths)
        # A file does not keep the alignment of records, which kernels and `np.concatenate` distinguish.
        columns = [arrays[f"states_{name}"].astype(array.dtype) for name, array in none._asdict().items()]
        if any(len(column) != ends[-1] for column in columns):
            raise ValueError("the labels are incomplete")
        return [
            kind(*(column[end - length : end] for column in columns)) for end, length in zip(ends, lengths, strict=True)
        ]

    def _header(self) -> dict[str, Any]:
        return {
            "game": self.game.name,
            "version": self.learning.version,
            "levels_digest": self.teacher.digest,
            "settings": asdict(self.settings),
        }


def train(
    game: Game | str,
    levels: Sequence[Any] | str | PathLike[str],
    *,
    settings: Settings | None = None,
    minutes: float | None = None,
    checkpoint: str | PathLike[str] | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> Model:
    """Train a policy and return it.

    levels: levels of the game, or the path of a file or folder.
    minutes: the longest time to train. Without it, the training ends after all steps of `settings`, and the same seed
    gives the same model.
    checkpoint: a file to resume from if it exists, and to write to about once a minute and at the end.
    progress: a function that is called after every step. If it returns True, the training stops. Ctrl-C also stops it.
    A training that was stopped returns what was learned so far.
    """
    if minutes is not None:
        number("minutes", minutes, at_least=0.0)
    game = game_named(game) if isinstance(game, str) else game
    learning = learning_of(game)
    if isinstance(levels, str | PathLike):
        levels = learning.read([str(levels)])
    if not len(levels):
        raise ConfigError("there are no levels to learn from; expected at least one")
    trainer = Trainer(game, levels, settings)
    if checkpoint is not None and Path(checkpoint).exists():
        trainer.resume(checkpoint)
    began = saved = time.monotonic()
    with stopped_by_ctrl_c() as stop:
        for step in trainer.steps():
            trainer.take(step)
            now = time.monotonic()
            report = Progress(
                step.name, trainer.done, trainer.total, trainer.states, trainer.loss,
                trainer.accuracy, now - began,
            )  # fmt: skip
            if (progress is not None and progress(report) is True) or stop.is_set():
                break
            if minutes is not None and now - began >= 60.0 * minutes:
                break
            if checkpoint is not None and now - saved >= CHECKPOINT_EVERY:
                trainer.save(checkpoint)
                saved = time.monotonic()
        if trainer.complete and not trainer.states:
            raise ConfigError(
                f"no solution was found for any of the {game.level_word}s, so there is nothing to learn from"
            )
        if checkpoint is not None:
            trainer.save(checkpoint)
    return trainer.model


@contextmanager
def stopped_by_ctrl_c() -> Iterator[threading.Event]:
    """Provide an event that the first Ctrl-C sets, so that a step is never done by half. The second one interrupts."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def set_event(signum: int, frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = signal.signal(signal.SIGINT, set_event)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
