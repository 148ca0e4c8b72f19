"""Training of a policy: label some levels, learn from them, go on; then learn from all labels again.

The work is divided into steps, each well below a second or a few seconds long, in an order that depends only on the
seed and the settings. A step never depends on the clock, so two runs that do the same steps give the same model, and
a run that was interrupted and resumed gives the same model as one that was not.
"""

import math
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from enum import Enum
from os import PathLike
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import numpy as np

from shoverworld.core.checks import number, seed_number, whole
from shoverworld.core.errors import ConfigError, ModelError, SaveError
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
    the game's own number (`Learning.chunk`). rate: of Adagrad, above 0.
    """

    seed: int = 0
    passes: int = 2
    rounds: int = 1
    chunk: int | None = None
    rate: float = 0.1

    def __post_init__(self) -> None:
        number("seed", self.seed, at_least=0)  # `seed_number` alone would accept None
        seed_number(self.seed)
        whole("passes", self.passes, 0, 1000)
        whole("rounds", self.rounds, 1, 1000)
        if self.chunk is not None:
            whole("chunk", self.chunk, 1, 10**6)
        if number("rate", self.rate) <= 0.0:
            raise ConfigError(f"rate={self.rate!r}: must be greater than 0, or nothing is learned")


class Progress(NamedTuple):
    """The state of a training after a step: what it did last, and the results of the last examples."""

    stage: str
    done: int  # steps
    total: int
    states: int  # labelled so far
    loss: float  # mean over the states of the last step
    accuracy: float  # the share of the states of the last step in which the policy's first choice was optimal
    seconds: float  # in this run, including compilation


class Stop(Enum):
    """Why a training stopped."""

    FINISHED = "all steps are done"
    INTERRUPT = "Ctrl-C"
    PROGRESS = "the progress function returned True"
    TIME = "the time limit was reached"


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
    """A training in progress: the table, Adagrad's sums, all labels so far, and the number of steps done.

    `run` trains; with `steps` and `take`, a program can do other things between the steps.
    """

    def __init__(self, game: Game | str, levels: Sequence[Any], settings: Settings | None = None):
        self.game = game_named(game) if isinstance(game, str) else game
        self.learning = learning_of(self.game)
        if not len(levels):
            raise ConfigError("there are no levels to learn from; expected at least one")
        settings = settings or Settings()
        self.chunk = settings.chunk or self.learning.chunk
        self.settings = replace(settings, chunk=self.chunk)
        self.teacher = self.learning.teacher(levels)
        size = self.learning.table_size
        self.table = np.zeros(size, np.float32)
        self.squares = np.ones(size, np.float32)
        self.parts: list[LabelledStates] = []
        self.done = 0
        self.saved: int | None = None  # the steps in the checkpoint that was written or read last
        self.loss, self.accuracy = 0.0, 0.0
        self._examples = new_examples(self.learning.features, candidates=max(16, self.teacher.most_candidates // 4))
        self._work = np.zeros(self.teacher.most_candidates)
        self._all: LabelledStates = None

    def run(
        self,
        *,
        minutes: float | None = None,
        checkpoint: str | PathLike[str] | None = None,
        progress: Callable[[Progress], object] | None = None,
        warn: Callable[[str], object] = warnings.warn,
    ) -> Stop:
        """Do the remaining steps and return why the training stopped. The arguments are those of `train`.

        checkpoint: a file to write to. `saved` is equal to `done` afterwards if the last checkpoint was written.
        warn: called with a message if a checkpoint cannot be written. The training goes on and tries again about a
        minute later; the same message is not repeated.
        """
        if minutes is not None:
            number("minutes", minutes, at_least=0.0)
        checkpoints = None if checkpoint is None else _Checkpoints(self, checkpoint, warn)
        with stopped_by_ctrl_c() as interrupt:
            stop = self._run(minutes, checkpoints, progress, interrupt)
            if stop is Stop.FINISHED and not self.states:
                raise ConfigError(
                    f"no solution was found for any of the {self.game.level_word}s, so there is nothing to learn from"
                )
            if checkpoints is not None:
                checkpoints.write()
        return stop

    def _run(
        self,
        minutes: float | None,
        checkpoints: "_Checkpoints | None",
        progress: Callable[[Progress], object] | None,
        interrupt: threading.Event,
    ) -> Stop:
        began, end = time.monotonic(), math.inf
        for step in self.steps():
            self.take(step)
            now = time.monotonic()
            if end == math.inf and minutes is not None:
                end = now + 60.0 * minutes  # the first step, which compiles most kernels, does not count
            enough = progress is not None and progress(self._report(step, now - began)) is True
            if (enough or interrupt.is_set() or now >= end) and not self.complete:
                return Stop.INTERRUPT if interrupt.is_set() else Stop.PROGRESS if enough else Stop.TIME
            if checkpoints is not None:
                checkpoints.write_if_due()
        return Stop.FINISHED

    def _report(self, step: Step, seconds: float) -> Progress:
        return Progress(step.name, self.done, self.total, self.states, self.loss, self.accuracy, seconds)

    def steps(self) -> Iterator[Step]:
        """Yield the remaining steps. The steps of a pass are known only when the labels before it are."""
        for place, step in enumerate(self._steps(), 1):
            if place > self.done:
                yield step

    @property
    def complete(self) -> bool:
        """Whether all steps are done."""
        return next(self.steps(), None) is None

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
    def labelled(self) -> int:
        """The number of levels labelled so far, with or without a solution."""
        return min(self.chunk * len(self.parts), self.teacher.count)

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
        if not about["complete"]:
            about["labelled"] = self.labelled
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
        self.saved = self.done

    def resume(self, path: str | PathLike[str]) -> None:
        """Continue from a checkpoint. Raise ModelError if it is not one of the same training."""
        header, arrays = read_archive(path, KIND)
        if other := self._difference(header):
            raise ModelError(f"{path}: {other}")
        try:
            if arrays["table"].shape != self.table.shape or arrays["squares"].shape != self.squares.shape:
                raise ValueError("the table has another size")
            lengths = arrays["lengths"]
            self.table[:], self.squares[:], self.done = arrays["table"], arrays["squares"], int(header["done"])
            self.parts = self._parts(arrays, lengths) if len(lengths) else []
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{path}: a damaged checkpoint ({error}); remove it to start again") from None
        self.saved = self.done
        self._all = None

    def _difference(self, header: Mapping[str, Any]) -> str:
        """Describe why the header of a checkpoint is not one of this training. Return "" if it is one."""
        if header.get("game") != self.game.name:
            return f"the checkpoint is for the game {header.get('game')!r:.40}, not for {self.game.name!r}"
        if header.get("version") != self.learning.version:
            return (
                f"the checkpoint was made for version {header.get('version')!r:.20} of the features, but this version of "
                f"shoverworld has version {self.learning.version}; remove it to start again"
            )
        if header.get("levels_digest") != self.teacher.digest:
            return "the checkpoint was made with other levels; use the same levels, or another checkpoint"
        theirs: Any = header.get("settings")
        if not isinstance(theirs, dict):
            return "a damaged checkpoint (it has no settings); remove it to start again"
        for name, here in asdict(self.settings).items():
            there = theirs.get(name)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
            if there != here:
                remedy = f"chunk={there!r:.20}" if name == "chunk" else f"--{name} {there!r:.20}"
                return (
                    f"{name} is {there!r:.20} in the checkpoint, but {here!r} here: use {remedy}, or another checkpoint"
                )
        return ""

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


class _Checkpoints:
    """The file that a training writes to about once a minute, and at the end. A failure does not end the training."""

    def __init__(self, trainer: Trainer, path: str | PathLike[str], warn: Callable[[str], object]):
        self._trainer, self._path, self._warn = trainer, path, warn
        self._tried = time.monotonic()
        self._problem = ""

    def write_if_due(self) -> None:
        if time.monotonic() - self._tried >= CHECKPOINT_EVERY:
            self.write()

    def write(self) -> None:
        problem = ""
        try:
            self._trainer.save(self._path)
        except SaveError as error:
            problem = f"no checkpoint was written: {error}"
        if problem and problem != self._problem:
            self._warn(problem)
        self._problem = problem
        self._tried = time.monotonic()


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
    minutes: the longest time to train. The first step of a run, which includes most of the compilation, does not count.
    Without `minutes`, the training ends after all steps of `settings`, and the same seed gives the same model.
    checkpoint: a file to resume from if it exists, and to write to about once a minute and at the end. If it cannot be
    written, there is a warning, and the training goes on.
    progress: a function that is called after every step. If it returns True, the training stops. Ctrl-C also stops it.
    A training that was stopped returns what was learned so far. `Trainer.run` also returns why it stopped.
    """
    game = game_named(game) if isinstance(game, str) else game
    learning = learning_of(game)
    if isinstance(levels, str | PathLike):
        levels = learning.read([str(levels)])
    trainer = Trainer(game, levels, settings)
    if checkpoint is not None and Path(checkpoint).exists():
        trainer.resume(checkpoint)
    trainer.run(minutes=minutes, checkpoint=checkpoint, progress=progress)
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
