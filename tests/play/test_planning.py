"""Background planners and agents answer, can be stopped, and act on the current state."""

import os
import time
from pathlib import Path

import pytest

from shoverworld import Map
from shoverworld.core.errors import AgentError
from shoverworld.core.ui import Act, Board, Place
from shoverworld.games import game_named
from shoverworld.games.sokoban.levels import Level
from shoverworld.play.agent_player import AgentPlayer
from shoverworld.play.guard import Guard
from shoverworld.play.hints import Hints
from shoverworld.play.pilot import AgentPilot
from shoverworld.play.planning import BackgroundPlanner
from shoverworld.play.session import Session
from shoverworld.sandbox.protection import TRUST
from tests.shover.test_planner import FULL  # a search on this map takes far longer than any test waits

GAME = game_named("shover")
LONG = 240.0  # seconds: longer than any test takes, even if everything has to be compiled first

# Each box is pushed right twice and burns at the edge. In phase2, the directions z are 0 up, 1 right, 2 down, 3 left.
BOARD = """
    . . B .
    . . . .
    . . B A
"""
PUSHES = [(0, 2, 1), (0, 3, 1), (2, 2, 1), (2, 3, 1)]


def start_session(text=BOARD, preset="phase2"):
    return Session(GAME, Board("drawn", preset, Map.parse(text)))


def wait(condition):
    """Call `condition` until it returns a true value, and return that value."""
    until = time.monotonic() + LONG
    while not (found := condition()):
        assert time.monotonic() < until, "the condition never held"
        time.sleep(0.01)
    return found


# --- the planner


@pytest.fixture
def planner():
    planner = BackgroundPlanner()
    yield planner
    planner.close()


def ask(planner, session, seconds=60.0):
    planner.ask(GAME, session.env, session.state, seconds)


@pytest.mark.parametrize(
    ("preset", "board", "steps"),
    [("milestone1", "A.B.L", 2), ("walker", "A.B..L", 4), ("phase2", "..B\n..A", 1)],
)
def test_the_planner_finds_the_optimal_plan_and_does_not_change_the_game(planner, preset, board, steps):
    session = start_session(board, preset)
    before = session.env.state_hash()
    assert (planner.poll(), planner.busy, planner.stage, planner.error) == (None, False, "", None)
    ask(planner, session)
    wait(lambda: not planner.busy)
    plan = planner.poll()
    assert (plan.status, plan.steps, plan.proved_optimal) == ("solved", steps, True)
    assert planner.error is None and planner.stage == ""
    assert planner.state is session.state and session.env.state_hash() == before
    for action in plan.actions:
        session.do(Act(action))
    assert session.outcome == "cleared"


def test_a_running_search_shows_its_best_plan_and_can_be_cancelled(planner):
    session = start_session(FULL)
    ask(planner, session, 3600.0)
    plan = wait(planner.poll)
    assert planner.busy and planner.started and planner.stage == "thinking"
    assert plan.status in ("unknown", "solved")
    planner.cancel()
    assert not planner.busy
    assert planner.poll() is not None
    easy = start_session("..B\n..A")  # the same thread answers, so the cancelled search has ended
    ask(planner, easy)
    wait(lambda: not planner.busy)
    assert planner.poll().steps == 1


def test_a_new_planning_request_replaces_the_previous_one(planner):
    sessions = [start_session(FULL), start_session(FULL), start_session("..B\n..A")]
    for session in sessions:
        ask(planner, session, 3600.0)
    wait(lambda: not planner.busy)
    assert planner.poll().steps == 1 and planner.state is sessions[-1].state


def test_closing_the_planner_ends_its_thread():
    planner = BackgroundPlanner()
    session = start_session(FULL)
    ask(planner, session, 3600.0)
    wait(lambda: planner.started)
    planner.close()
    planner.close()
    assert planner.ended(LONG) and not planner.busy
    ask(planner, session)
    assert not planner.busy
    BackgroundPlanner().close()  # a planner that has received no request can also be closed


def test_planner_errors_are_reported(planner):
    session = start_session()
    planner.ask(GAME, session.env, "no state", 1.0)
    wait(lambda: not planner.busy)
    assert "takes a Map or a State, not str" in planner.error and planner.poll() is None
    planner.ask(GAME, None, session.state, 1.0)  # type: ignore[arg-type]
    wait(lambda: not planner.busy)
    assert "the planner failed: AttributeError" in planner.error
    ask(planner, session)
    assert planner.error is None
    wait(lambda: not planner.busy)
    assert planner.poll().steps == 2


# --- hints


@pytest.fixture
def hint_for():
    """Return a function that asks for a hint, waits until planning has ended, and returns the hint as a string."""
    opened = []

    def ask_for_hint(session):
        hints = Hints(session, Guard(pytest.fail))
        opened.append(hints)
        hints.looking_ahead = True
        hints.ask()
        wait(lambda: hints.update(0.01) or (hints.plan is not None and not hints.thinking))
        return hints.text, hints.plan_ahead

    yield ask_for_hint
    for hints in opened:
        hints.close()


@pytest.mark.parametrize("preset", ["milestone1", "walker", "phase2"])
def test_the_hint_on_a_board_without_boxes_says_that_any_step_ends_the_game(hint_for, preset):
    text, line = hint_for(start_session("A . .\n. . .", preset))
    assert text == "Nothing is left to do: any step ends the game." and line == "any step ends the game"


def test_the_hint_for_an_unsolvable_position_reports_that_it_is_unsolvable(hint_for):
    session = start_session("# # # #\n# B # .\n# # # A", "walker")
    assert hint_for(session) == ("This map provably cannot be solved.", "cannot be solved")
    session.do(Act((1, 3, 1)))
    assert "undo moves" in hint_for(session)[0] and hint_for(session)[1] == "can no longer be solved"


def test_showing_a_hint_or_the_plan_overlay_counts_as_using_help():
    session = start_session("A . .\n. B .\n. . .", "phase2")
    hints = Hints(session, Guard(pytest.fail))
    hints.update(0.01)
    assert session.helpers == []
    hints.ask()
    assert session.helpers == [], "the hint has not been shown yet"
    wait(lambda: hints.update(0.01) or hints.plan is not None)
    assert session.helpers == ["hint"]
    session.restart()
    hints.changed()
    hints.looking_ahead = True
    wait(lambda: hints.update(0.2) or (hints.plan is not None and hints.plan.actions))
    assert session.helpers == ["plan ahead"]
    hints.close()


def test_a_hint_request_without_a_result_does_not_count_as_using_help():
    game = game_named("sokoban")
    level = Level.parse("######\n# . $#\n#   @#\n######")  # the solution needs a pull
    session = Session(game, Board("corner", "pull", level, "corner"))
    hints = Hints(session, Guard(pytest.fail))
    hints.ask()
    wait(lambda: hints.update(0.01) or not hints.thinking)
    assert hints.text == "Pushes alone cannot solve this position, and the solver does not pull."
    assert session.helpers == []
    hints.close()


# --- agents


@pytest.fixture
def start_agent():
    """Return a function that starts agents. The agents are closed after the test."""
    players = []

    def start_agent(session, spec, **keywords):
        players.append(AgentPlayer(session, spec, **keywords))
        return players[-1]

    yield start_agent
    for player in players:
        player.close()


@pytest.fixture
def write(tmp_path):
    """Return a function that writes an agent file; `act` is the body of Mine.act."""

    def write(act, reset="pass"):
        lines = [
            f"PUSHES = {PUSHES}",
            f"HERE = {str(tmp_path)!r}",
            "class Mine:",
            "    def __init__(self): self.fresh = True",
        ]
        for name, arguments, body in (("reset", "info", reset), ("act", "obs, info", act)):
            lines += [f"    def {name}(self, {arguments}):", *(f"        {line}" for line in body.splitlines())]
        path = tmp_path / "mine.py"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return str(path)

    return write


@pytest.fixture
def trusted(monkeypatch):
    """Run agents without a sandbox, so that they can write down what they do."""
    monkeypatch.setenv(TRUST, "1")


def moves_of(player, count=1000):
    """Let the agent play up to `count` moves."""
    session = player.session
    while session.outcome is None and count:
        act = wait(player.poll)
        assert player.poll() == act  # poll() returns the same answer until it is played
        assert not player.thinking
        session.do(act, by=player.spec)
        player.played()
        count -= 1


@pytest.mark.parametrize("preset", ["milestone1", "walker", "phase2"])
def test_the_planner_agent_plays_a_whole_game(start_agent, preset):
    session = start_session("A.B.L\n.....\n..B.L", preset)
    player = start_agent(session, "planner")
    moves_of(player)
    assert session.outcome == "cleared" and session.helpers == ["planner"]
    assert player.poll() is None and not player.thinking
    session.replay().check()


def test_the_planner_agent_continues_after_a_move_by_the_player(start_agent):
    session = start_session("A..B...L\n........\n...B...L", "milestone1")
    player = start_agent(session, "planner")
    moves_of(player, 2)
    session.undo()
    session.do(Act((0, 3 + (session.state.grid()[0, 0, 3] == 0), 4)))  # push the box back to the left
    session.do(Place((1, 1)))
    moves_of(player)
    assert session.outcome == "cleared"


@pytest.mark.parametrize("spec", ["random", "greedy"])
def test_built_in_agents_other_than_the_planner_can_play(start_agent, spec):
    session = start_session()
    moves_of(start_agent(session, spec, seed=3), 5)
    assert session.outcome == "cleared" or session.moves == 5


def test_an_agent_from_a_file_continues_after_undo_and_after_moves_by_the_player(start_agent, write, tmp_path, trusted):
    resets = tmp_path / "resets.txt"
    reset = 'open(HERE + "/resets.txt", "a").write(f"{info[\'timestep\']} {self.fresh};")\nself.fresh = False'
    session = start_session()
    player = start_agent(session, write("return PUSHES[info['timestep']]", reset))
    moves_of(player, 2)
    assert resets.read_text() == "0 True;"  # nothing but the agent has moved, so reset() is called once
    wait(lambda: player.poll() == Act(PUSHES[2]))
    session.undo()
    assert player.poll() is None  # the answer was for the state before the undo
    wait(lambda: player.poll() == Act(PUSHES[1]))
    assert resets.read_text() == "0 True;1 True;"
    session.do(Act(PUSHES[1]))  # the player makes the move that the agent has chosen
    wait(lambda: player.poll() == Act(PUSHES[2]))
    assert resets.read_text() == "0 True;1 True;2 True;"
    moves_of(player)
    assert session.outcome == "cleared"
    session.replay().check()


@pytest.mark.skipif(os.name != "posix", reason="checks for a process with signal 0")
def test_an_agent_that_has_not_answered_is_killed_when_the_state_changes(start_agent, write, tmp_path, trusted):
    pids = tmp_path / "pids.txt"
    act = "import os\nopen(HERE + '/pids.txt', 'a').write(f'{os.getpid()}\\n')\nif info['timestep'] != 1:\n    while True: pass\nreturn PUSHES[0]"
    session = start_session()
    player = start_agent(session, write(act))
    assert player.poll() is None

    def calls(count):
        return pids.exists() and pids.read_text().count("\n") == count

    wait(lambda: calls(1))
    assert player.poll() is None and player.thinking
    session.do(Act(PUSHES[0]))  # the player does not wait for the agent
    wait(lambda: player.poll() == Act(PUSHES[0]))
    assert calls(2)
    session.undo()
    assert player.poll() is None
    wait(lambda: calls(3))
    player.close()
    assert player.poll() is None and not player.thinking
    first, second, third = map(int, pids.read_text().split())
    assert first != second == third  # the first was killed during act(); the second had answered
    for pid in (first, third):
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_an_exception_in_an_agent_is_reported_with_its_line_number(start_agent, write):
    session = start_session()
    path = write("if info['timestep']:\n    return {}['x']\nreturn PUSHES[0]")
    player = start_agent(session, path)
    moves_of(player, 1)
    line = next(n for n, text in enumerate(Path(path).read_text().splitlines(), 1) if "{}['x']" in text)
    with pytest.raises(AgentError, match=rf"^act\(\) raised KeyError: 'x' \(mine\.py, line {line}\) at step 2$"):
        wait(player.poll)
    with pytest.raises(AgentError):
        player.poll()  # the error is raised again
    session.undo()
    assert wait(player.poll) == Act(PUSHES[0])  # after the state has changed, the agent is asked again


def test_an_answer_that_is_not_an_action_is_reported(start_agent, write):
    player = start_agent(start_session(), write("return 7, 7, 7"))
    with pytest.raises(AgentError) as error:
        wait(player.poll)
    expected = "act() returned (7, 7, 7) at step 1: expected integers (row, col, z) with row 0-2, col 0-3, z 0-5"
    assert str(error.value) == expected


def test_exceeding_the_time_limit_is_reported_as_an_agent_error(start_agent, write):
    player = start_agent(start_session(), write("while True: pass"), time_limit=2.0)
    with pytest.raises(AgentError, match=r"act\(\) exceeded the limit of 2 s per game at step 1: stopped"):
        wait(player.poll)


def test_the_time_limit_covers_all_moves_of_a_game(start_agent, write):
    think = "import time; end = time.process_time() + 0.7\nwhile time.process_time() < end: pass\nreturn 0, 2, 0"
    player = start_agent(start_session(), write(think), time_limit=2.0)
    with pytest.raises(AgentError, match=r"act\(\) exceeded the limit of 2 s per game at step [123]: stopped"):
        moves_of(player)


def test_the_status_of_an_agent_from_a_file_does_not_mention_compilation(write):
    pilot = AgentPilot(start_session(), write("while True: pass"))
    pilot.start()
    wait(lambda: pilot.update(0.0) or pilot.status().startswith("mine is thinking"))
    pilot.update(30.0)
    assert pilot.status() == "mine is thinking … 30 s"
    pilot.close()


@pytest.mark.parametrize(
    ("spec", "text"), [("plannner", "did you mean 'planner'"), ("none.py", "the file none.py does not exist")]
)
def test_a_missing_agent_is_reported_at_once(spec, text):
    with pytest.raises(AgentError, match=text):
        AgentPlayer(start_session(), spec)


def test_an_agent_closed_during_planning_makes_no_move(start_agent):
    session = start_session(FULL)
    player = start_agent(session, "planner")
    assert player.poll() is None
    player.close()
    assert player.poll() is None and not player.thinking
    player.close()
    assert player.ended(LONG) and session.moves == 0  # the search ends by itself, and its answer is dropped
