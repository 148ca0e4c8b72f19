"""A child process of the server: it builds positions, plans, lets agents play and reads files.

The child runs this file as a program (`python -m shoverworld.web.server.worker`). It reads requests as lines of JSON and
answers each one with lines of JSON: any number of reports ("progress", "action"), then "done" with a result or
"error" with a message. It exits when the server closes the pipe, so no child outlives the server.
"""

import json
import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from shoverworld.agents.load import describe_error
from shoverworld.core.errors import ConfigError, SaveError, ShoverWorldError
from shoverworld.core.plan import Plan
from shoverworld.core.rules_text import rules_in_list
from shoverworld.core.ui import Score
from shoverworld.games import game_named
from shoverworld.play.agent_player import AgentPlayer
from shoverworld.play.positions import numbers_of, session_of
from shoverworld.play.records import Records
from shoverworld.play.session import Session

from .local_files import file_data

Report = Callable[[dict[str, Any]], None]
MEMORY = 512.0  # MiB for the planner
PAUSE = 0.2  # seconds between two reports on a search, unless a better plan was found
POLL = 0.002  # seconds between two looks at an agent that is thinking


# --- planners


def solve(request: dict[str, Any], report: Report) -> dict[str, Any]:
    """Search for a plan from a position."""
    return plan_data(_plan(session_of(request["position"]), request, report))


def hint(request: dict[str, Any], report: Report) -> dict[str, Any]:
    """Search for a plan and return its first action, with a sentence and marks for the board."""
    session = session_of(request["position"])
    plan = _plan(session, request, report)
    game, env, state = session.game, session.env, session.state
    if plan.actions:
        action = plan.actions[0]
        text = game.ui.texts.describe(env, state, action)
        marks = [mark._asdict() for mark in game.ui.overlays.hint(env, state, action)]
        return {"action": numbers_of(action), "text": text, "marks": marks, "plan": plan_data(plan)}
    if plan.status == "unsolvable":
        text = f"the game can no longer be {game.solved_word} from here"
    elif plan.status == "solved":
        text = "nothing is left to do: any step ends the game"
    else:
        text = f"no plan was found in {request['seconds']:g} s"
    return {"action": None, "text": text, "marks": [], "plan": plan_data(plan)}


def _plan(session: Session, request: dict[str, Any], report: Report) -> Plan:
    _check_going_on(session)
    return session.game.plan(
        session.env,
        session.state,
        objective=request["objective"],
        time_limit=request["seconds"],
        memory_limit=MEMORY,
        progress=_PlanReports(report),
    )


def _check_going_on(session: Session) -> None:
    if session.outcome is not None:
        raise ConfigError(f"the game in this position is over ({session.outcome}); expected a game in progress")


class _PlanReports:
    """Reports on a search. The actions are sent only if they are a better plan than the last one sent."""

    def __init__(self, report: Report):
        self._report = report
        self._best: Any = None
        self._next = 0.0

    def __call__(self, plan: Plan) -> bool:
        better, now = bool(plan.actions) and plan.actions != self._best, time.monotonic()
        if better or now >= self._next:
            data = plan_data(plan)
            if better:
                self._best = plan.actions
            else:
                del data["actions"]
            self._report({"type": "progress", "stage": "thinking", "plan": data})
            self._next = now + PAUSE
        return False


def plan_data(plan: Plan) -> dict[str, Any]:
    return {
        "status": plan.status,
        "actions": [numbers_of(action) for action in plan.actions],
        "steps": plan.steps,
        "objective": plan.objective,
        "cost": None if plan.cost is None else float(plan.cost),
        "lower_bound": int(plan.lower_bound),
        "proved_optimal": bool(plan.proved_optimal),
        "expanded": int(plan.expanded),
        "seconds": float(plan.seconds),
        "stopped_by": plan.stopped_by,
    }


# --- agents


def agent(request: dict[str, Any], report: Report) -> dict[str, Any]:
    """Let an agent play until the game is over or it has played as many actions as requested."""
    session = session_of(request["position"])
    _check_going_on(session)
    report({"type": "progress", "stage": "thinking"})
    played = 0
    player = AgentPlayer(session, request["agent"], request["seed"])
    try:
        while session.outcome is None and played < request["moves"]:
            act = player.poll()
            if act is None:
                time.sleep(POLL)
                continue
            turn = session.do(act, by=request["agent"])
            played += 1
            if played < request["moves"]:
                player.played()
            report({"type": "action", "action": numbers_of(act.action), "text": turn.move.words})
    finally:
        player.close()
    return {"outcome": session.outcome, "played": played, "hash": session.env.state_hash()}


# --- records


def records(request: dict[str, Any], report: Report) -> dict[str, Any]:
    """Return the player's results for the packaged levels, under the levels' own rules or under the given rules."""
    game = game_named(request["game"])
    best, message = Records.load()
    found = []
    for collection in game.levels.collections():
        for board in game.levels.boards(collection.name):
            rules = rules_in_list(game, board.preset, request["rules"])
            score = best.best(game.levels.identity(board, rules))
            if score is not None:
                place = {"collection": collection.name, "name": board.name, "rules": rules}
                found.append({**place, **score_data(score)})
    return {"records": found, "message": message}


def save_record(request: dict[str, Any], report: Report) -> dict[str, Any]:
    """Save the result of a game, which is played again here, if it is the player's best."""
    session = session_of(request["position"])
    score = session.score
    if score is None:
        raise ConfigError(f"the game was not {session.game.solved_word}, so it has no score")
    if session.helpers:
        raise ConfigError(f"a game with {', '.join(session.helpers)} does not count as a record")
    if [float(value) for value in score.numbers] != request["numbers"]:
        given = ", ".join(f"{value:g}" for value in request["numbers"])
        raise ConfigError(f"numbers: these moves give the score {score.words}, not {given}")
    saved, _ = Records.load()
    improved = saved.note(session)
    if saved.problem:
        raise SaveError(saved.problem)
    best = saved.best(session.identity) or score
    return {"improved": improved, "score": score_data(score), "best": score_data(best), "identity": session.identity}


def score_data(score: Score) -> dict[str, Any]:
    return {"numbers": [float(value) for value in score.numbers], "words": score.words}


# --- files


def file(request: dict[str, Any], report: Report) -> dict[str, Any]:
    """Return a file that was named on the command line. Only the server itself can ask for a path."""
    return file_data(Path(request["path"]))


# --- the process

TASKS: dict[str, Callable[[dict[str, Any], Report], dict[str, Any]]] = {
    task.__name__: task for task in (hint, solve, agent, records, save_record, file)
}


def main() -> None:
    """Work on one request after the other until the server closes the pipe."""
    answers = os.fdopen(os.dup(1), "wb")
    requests = os.fdopen(os.dup(0), "rb")
    os.dup2(2, 1)  # what an agent prints must not look like an answer
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    inbox: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(requests, inbox), daemon=True).start()

    def send(message: dict[str, Any]) -> None:
        answers.write(json.dumps(message, default=_plain).encode() + b"\n")
        answers.flush()

    while True:
        request = json.loads(inbox.get())
        try:
            send({"type": "done", "result": TASKS[request["kind"]](request, send)})
        except BrokenPipeError:
            return
        except ShoverWorldError as reason:
            send({"type": "error", "error": str(reason)})
        except Exception as reason:  # a bug or lack of memory
            send({"type": "error", "error": f"the job failed: {describe_error(reason)}"})


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else str(value)  # a NumPy number


def _receive(requests: Any, inbox: "queue.SimpleQueue[bytes]") -> None:
    """Read requests while a task is running. Exit this process once the server has ended."""
    with suppress(Exception):
        while line := requests.readline():
            inbox.put(line)
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
