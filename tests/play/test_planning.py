"""Planners and agents in the background: they answer, they can be stopped, and they see the present game."""

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
from shoverworld.play.hints import Hints
from shoverworld.play.planning import BackgroundPlanner
from shoverworld.play.session import Session
from tests.shover.test_planner import FULL  # takes far longer than anyone here waits

GAME = game_named("shover")
LONG = 240.0  # seconds that nothing here should take, not even where everything has to be compiled first

# Both boxes burn at the right edge: each is pushed twice. z of phase2: 0 up, 1 right, 2 down, 3 left.
BOARD = """
    . . B .
    . . . .
    . . B A
"""
PUSHES = [(0, 2, 1), (0, 3, 1), (2, 2, 1), (2, 3, 1)]


def sit_down(text=BOARD, preset="phase2"):
    return Session(GAME, Board("drawn", preset, Map.parse(text)))


def wait(condition):
    """Look until it holds; returns what it gave."""
    until = time.monotonic() + LONG
    while not (found := condition()):
        assert time.monotonic() < until, "it never happened"
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
def test_the_planner_finds_the_optimal_plan_and_leaves_the_game_alone(planner, preset, board, steps):
    session = sit_down(board, preset)
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


def test_thinking_shows_its_best_so_far_and_can_be_cancelled(planner):
    session = sit_down(FULL)
    ask(planner, session, 3600.0)
    plan = wait(planner.poll)
    assert planner.busy and planner.started and planner.stage == "thinking"
    assert plan.status in ("unknown", "solved")
    planner.cancel()
    assert not planner.busy
    assert planner.poll() is not None
    easy = sit_down("..B\n..A")  # answered by the same thread, so the hour is not waited for
    ask(planner, easy)
    wait(lambda: not planner.busy)
    assert planner.poll().steps == 1


def test_a_new_question_takes_the_place_of_the_old_one(planner):
    sessions = [sit_down(FULL), sit_down(FULL), sit_down("..B\n..A")]
    for session in sessions:
        ask(planner, session, 3600.0)
    wait(lambda: not planner.busy)
    assert planner.poll().steps == 1 and planner.state is sessions[-1].state


def test_a_closed_planner_ends_its_thread():
    planner = BackgroundPlanner()
    session = sit_down(FULL)
    ask(planner, session, 3600.0)
    wait(lambda: planner.started)
    planner.close()
    planner.close()
    assert planner.ended(LONG) and not planner.busy
    ask(planner, session)
    assert not planner.busy
    BackgroundPlanner().close()  # one that was never asked


def test_errors_of_the_planner_are_reported(planner):
    session = sit_down()
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


# --- advice


@pytest.fixture
def advised():
    """Asks for a hint, and gives it in words when the thinking is over."""
    all_of_it = []

    def told(session):
        hints = Hints(session)
        all_of_it.append(hints)
        hints.looking_ahead = True
        hints.ask()
        wait(lambda: hints.update(0.01) or (hints.plan is not None and not hints.thinking))
        return hints.text, hints.plan_ahead

    yield told
    for hints in all_of_it:
        hints.close()


@pytest.mark.parametrize("preset", ["milestone1", "walker", "phase2"])
def test_hints_when_nothing_is_left_to_do(advised, preset):
    text, line = advised(sit_down("A . .\n. . .", preset))
    assert text == "Nothing is left to do: any step ends the game." and line == "any step ends the game"


def test_hints_for_an_unsolvable_game(advised):
    session = sit_down("# # # #\n# B # .\n# # # A", "walker")
    assert advised(session) == ("This level has no solution: that is proved.", "no solution")
    session.do(Act((1, 3, 1)))
    assert "take back moves" in advised(session)[0] and advised(session)[1] == "no solution any more"


def test_a_hint_or_the_plan_ahead_counts_as_help():
    session = sit_down("A . .\n. B .\n. . .", "phase2")
    hints = Hints(session)
    hints.update(0.01)
    assert session.helpers == []
    hints.ask()
    assert session.helpers == [], "nothing was told yet"
    wait(lambda: hints.update(0.01) or hints.plan is not None)
    assert session.helpers == ["hint"]
    session.restart()
    hints.changed()
    hints.looking_ahead = True
    wait(lambda: hints.update(0.2) or (hints.plan is not None and hints.plan.actions))
    assert session.helpers == ["plan ahead"]
    hints.close()


def test_a_missing_hint_does_not_count_as_help():
    game = game_named("sokoban")
    level = Level.parse("######\n# . $#\n#   @#\n######")  # it takes a pull
    session = Session(game, Board("corner", "pull", level, "corner"))
    hints = Hints(session)
    hints.ask()
    wait(lambda: hints.update(0.01) or not hints.thinking)
    assert hints.text == "Pushes alone cannot solve this position, and the solver does not pull."
    assert session.helpers == []
    hints.close()


# --- agents


@pytest.fixture
def seat():
    """Puts agents at the table, and sends them away afterwards."""
    players = []

    def seat(session, spec, **keywords):
        players.append(AgentPlayer(session, spec, **keywords))
        return players[-1]

    yield seat
    for player in players:
        player.close()


@pytest.fixture
def write(tmp_path):
    """Write an agent file; `act` is the body of Mine.act."""

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


def moves_of(player, count=1000):
    """Let it play so many moves, or to the end."""
    session = player.session
    while session.outcome is None and count:
        act = wait(player.poll)
        assert player.poll() == act  # until it is played
        assert not player.thinking
        session.do(act, by=player.spec)
        player.played()
        count -= 1


@pytest.mark.parametrize("preset", ["milestone1", "walker", "phase2"])
def test_the_planner_plays_a_game(seat, preset):
    session = sit_down("A.B.L\n.....\n..B.L", preset)
    player = seat(session, "planner")
    moves_of(player)
    assert session.outcome == "cleared" and session.helpers == ["planner"]
    assert player.poll() is None and not player.thinking
    session.replay().check()


def test_the_planner_goes_on_from_where_the_player_has_led_the_game(seat):
    session = sit_down("A..B...L\n........\n...B...L", "milestone1")
    player = seat(session, "planner")
    moves_of(player, 2)
    session.undo()
    session.do(Act((0, 3 + (session.state.grid()[0, 0, 3] == 0), 4)))  # push it back to the left
    session.do(Place((1, 1)))
    moves_of(player)
    assert session.outcome == "cleared"


@pytest.mark.parametrize("spec", ["random", "greedy"])
def test_other_agents_of_the_package_play_too(seat, spec):
    session = sit_down()
    moves_of(seat(session, spec, seed=3), 5)
    assert session.outcome == "cleared" or session.moves == 5


def test_an_agent_from_a_file_plays_and_hears_of_undo_and_of_the_players_moves(seat, write, tmp_path):
    told = tmp_path / "told.txt"
    reset = 'open(HERE + "/told.txt", "a").write(f"{info[\'timestep\']} {self.fresh};")\nself.fresh = False'
    session = sit_down()
    player = seat(session, write("return PUSHES[info['timestep']]", reset))
    moves_of(player, 2)
    assert told.read_text() == "0 True;"  # one game: begun once
    wait(lambda: player.poll() == Act(PUSHES[2]))
    session.undo()
    assert player.poll() is None  # it wanted to play something else
    wait(lambda: player.poll() == Act(PUSHES[1]))
    assert told.read_text() == "0 True;1 True;"
    session.do(Act(PUSHES[1]))  # the player's own move, which happens to be the same
    wait(lambda: player.poll() == Act(PUSHES[2]))
    assert told.read_text() == "0 True;1 True;2 True;"
    moves_of(player)
    assert session.outcome == "cleared"
    session.replay().check()


@pytest.mark.skipif(os.name != "posix", reason="asks for a process by signal 0")
def test_an_endless_thought_is_ended_with_its_process(seat, write, tmp_path):
    pids = tmp_path / "pids.txt"
    act = "import os\nopen(HERE + '/pids.txt', 'a').write(f'{os.getpid()}\\n')\nif info['timestep'] != 1:\n    while True: pass\nreturn PUSHES[0]"
    session = sit_down()
    player = seat(session, write(act))
    assert player.poll() is None

    def began(count):
        return pids.exists() and pids.read_text().count("\n") == count

    wait(lambda: began(1))
    assert player.poll() is None and player.thinking
    session.do(Act(PUSHES[0]))  # the player does not wait for it
    wait(lambda: player.poll() == Act(PUSHES[0]))
    assert began(2)
    session.undo()
    assert player.poll() is None
    wait(lambda: began(3))
    player.close()
    assert player.poll() is None and not player.thinking
    first, second, third = map(int, pids.read_text().split())
    assert first != second == third  # killed in the middle of a thought; asked again when it had answered
    for pid in (first, third):
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_failing_agent_reports_how_and_where(seat, write):
    session = sit_down()
    path = write("if info['timestep']:\n    return {}['x']\nreturn PUSHES[0]")
    player = seat(session, path)
    moves_of(player, 1)
    line = next(n for n, text in enumerate(Path(path).read_text().splitlines(), 1) if "{}['x']" in text)
    with pytest.raises(AgentError, match=rf"^act\(\) raised KeyError: 'x' \(mine\.py, line {line}\) at step 2$"):
        wait(player.poll)
    with pytest.raises(AgentError):
        player.poll()  # it stays broken
    session.undo()
    assert wait(player.poll) == Act(PUSHES[0])  # until the game is another


def test_an_answer_that_is_not_an_action_is_reported(seat, write):
    player = seat(sit_down(), write("return 7, 7, 7"))
    with pytest.raises(AgentError) as error:
        wait(player.poll)
    expected = "act() returned (7, 7, 7) at step 1: expected (row, col, z) with row 0-2, col 0-3, z 0-5"
    assert str(error.value) == expected


def test_too_long_is_too_long(seat, write):
    player = seat(sit_down(), write("while True: pass"), time_limit=2.0)
    with pytest.raises(AgentError, match="took longer than 2 s"):
        wait(player.poll)


@pytest.mark.parametrize(("spec", "text"), [("plannner", "did you mean 'planner'"), ("none.py", "no file none.py")])
def test_a_missing_agent_is_reported_at_once(spec, text):
    with pytest.raises(AgentError, match=text):
        AgentPlayer(sit_down(), spec)


def test_an_agent_sent_away_in_the_middle_of_a_thought_plays_no_more(seat):
    session = sit_down(FULL)
    player = seat(session, "planner")
    assert player.poll() is None
    player.close()
    assert player.poll() is None and not player.thinking
    player.close()
    assert player.ended(LONG) and session.moves == 0  # the thought ends by itself, and its answer is dropped
