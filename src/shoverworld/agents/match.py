"""Agents on maps: who plays what, how it went, as a row that tables and files are made of."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shoverworld.core.errors import MapError, MapNotFound, ShoverWorldError
from shoverworld.core.plan import Plan
from shoverworld.core.replay import Replay
from shoverworld.games.shover.config import Rules, resolve_rules
from shoverworld.games.shover.env import ShoverWorldEnv
from shoverworld.games.shover.maps import Map, bundled_preset
from shoverworld.games.shover.planner import solve
from shoverworld.games.shover.record import recipe

from .referee import play

Action = tuple[int, int, int]


@dataclass(frozen=True)
class Task:
    """A map to be cleared, and the rules it is played by."""

    name: str
    map: Map
    rules: Rules


@dataclass(frozen=True)
class Row:
    """What one agent made of one task. `first_removal`, `seconds`: of thinking."""

    map: str
    agent: str
    outcome: str  # cleared, exhausted, timeout, failed; of the planner also unsolvable (proved) and unknown
    steps: int
    final_stamina: float
    first_removal: float | None
    expanded: int | None
    proved: bool
    seconds: float
    error: str | None = None
    lower_bound: int | None = None
    interrupted: bool = False  # by Ctrl-C: there is a row all the same
    actions: list[Action] = field(default_factory=list, repr=False)

    @property
    def cleared(self) -> bool:
        return self.outcome == "cleared"


def tasks_of(places: Iterable[str], rules: str | None = None) -> Iterator[Task | ShoverWorldError]:
    """The maps at these places: files, folders of .txt files, names of bundled maps. One that cannot be read is an
    error among the rest. The rules are those given, or those a map names in a line `// rules: NAME`.
    No two tasks have the same name: a second one has its folder's name before it, or a number behind it."""
    used: set[str] = set()
    for place in places:
        folder = Path(place)
        found = sorted(map(str, folder.rglob("*.txt"))) if folder.is_dir() else [place]
        if not found:
            yield MapNotFound.at("there is no map (*.txt) in this folder", place)
        for path in found:
            try:
                m = Map.read(path).with_start()
                name = str(Path(path).relative_to(folder).with_suffix("")) if folder.is_dir() else Path(path).stem
                yield Task(_unused(name, path, used), m, resolve_rules(rules or bundled_preset(path)))
            except MapError as error:
                yield error


def _unused(name: str, path: str, used: set[str]) -> str:
    number = 2
    if name in used:
        name = first = f"{Path(path).resolve().parent.name}/{Path(path).stem}"
        while name in used:
            name, number = f"{first}-{number}", number + 1
    used.add(name)
    return name


def run(
    task: Task,
    agent: str = "planner",
    objective: str = "steps",
    time_limit: float = 10.0,
    seed: int | None = 0,
    progress: Callable[[Plan], Any] | None = None,
    prints: bool = False,
) -> Row:
    """Let an agent play a task. The planner thinks for `time_limit` seconds at most; the others are stopped then, and
    so is one from a file that takes as long, and 10 s at least, to load. `prints`: see `referee.play`."""
    if agent == "planner":
        plan = solve(task.map, task.rules, objective, time_limit, progress=progress)
        outcome = "cleared" if plan.status == "solved" else plan.status
        return Row(
            task.name, agent, outcome, plan.steps, plan.final_stamina, plan.seconds if plan.actions else None,
            plan.expanded, plan.proved_optimal or plan.status == "unsolvable", plan.seconds, None, plan.lower_bound,
            plan.stopped_by == "interrupt", plan.actions,
        )  # fmt: skip
    env = ShoverWorldEnv(rules=task.rules)
    loading = max(10.0, time_limit)
    game = play(env, agent, seed, time_limit, load_limit=loading, options={"map": task.map}, prints=prints)
    expanded = game.expanded if isinstance(game.expanded, int) else None
    return Row(
        task.name, agent, game.outcome, game.steps, game.final_stamina, game.first_removal, expanded, False,
        game.seconds, game.error, None, False, game.actions,
    )  # fmt: skip


def replay_of(task: Task, row: Row) -> Replay:
    """The game of a row as a replay, which has been played through the rules."""
    env_id, config = recipe(task.rules, None)
    return Replay.of(env_id, row.actions, map=task.map, player=row.agent, comment=task.name, **config)
