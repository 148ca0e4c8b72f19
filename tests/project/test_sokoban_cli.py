"""Tests of commands for Sokoban levels: solve, watch, compare and replay, errors in files, and agents."""

import csv
import time

import numpy as np
import pytest
from gymnasium import spaces

from shoverworld.agents.actions import legal, numbers
from shoverworld.agents.load import check, load, names
from shoverworld.agents.referee import play
from shoverworld.cli import main
from shoverworld.core.errors import AgentError
from shoverworld.games import game_named
from shoverworld.play.agent_player import AgentPlayer
from shoverworld.play.session import Session
from shoverworld.sokoban import Level, SokobanEnv, read_levels
from shoverworld.sokoban import check as check_solution

# Level 1 needs two pushes to the right; level 2 needs a walk around the box and a push down; level 3 is unsolvable.
COLLECTION = """
; First push
#######
#@ $ .#
#######

; Around
######
#    #
# $  #
# .@ #
######

; Stuck
######
#@ $ #
#.####
######
"""
# The solution with the fewest pushes has 3 pushes and 11 moves. The one with the fewest moves has 9 moves and 5 pushes.
TWO_WAYS = """
######
##@ .#
# $  #
#    #
#    #
######
"""
TWO_PLAYERS = "#######\n#@ $ .#\n#  @  #\n#######\n"
PUSHER = """
class Pusher:
    def act(self, obs, info):
        wall, target, box, player = obs
        assert obs.dtype == "uint8" and info["boxes"] == 1
        return 4  # push right, or walk if there is no box
"""


@pytest.fixture
def levels(tmp_path):
    path = tmp_path / "levels.xsb"
    path.write_text(COLLECTION)
    return path


@pytest.fixture
def shover(capsys):
    """Return a function that runs a command in this process and returns its exit code, stdout and stderr."""

    def shover(*arguments):
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as end:
            code = end.code
        output = capsys.readouterr()
        assert "Traceback" not in output.err + output.out
        return code, output.out, output.err

    return shover


def rows(output):
    """Return the cells of each row of a table, keyed by the first cell."""
    return {line.split()[0]: line.split() for line in output.splitlines() if line.strip()}


# --- solve


def test_solve_prints_a_row_for_each_level(shover, levels):
    code, output, _ = shover("solve", levels)
    found = rows(output)
    assert code == 0 and found["level"] == [
        "level",
        "title",
        "outcome",
        "pushes",
        "moves",
        "proved",
        "expanded",
        "seconds",
    ]
    assert found["levels-1"][1:-2] == ["First", "push", "solved", "2", "3", "yes"]
    assert found["levels-2"][1:-2] == ["Around", "solved", "1", "4", "yes"]
    assert found["levels-3"][1:-2] == ["Stuck", "unsolvable", "-", "-", "yes"]
    assert "2 solved, 1 unsolvable; 2 proved optimal; " in output


@pytest.mark.parametrize("chosen", [["--level", 1], None])
def test_solving_one_level_prints_its_board_and_its_solution(shover, levels, chosen):
    code, output, _ = shover("solve", *([levels, *chosen] if chosen else [f"{levels}#1"]))
    assert code == 0 and output.startswith("#######\n#@ $ .#\n#######\n") and output.rstrip().endswith("\nrRR")


@pytest.mark.parametrize(("objective", "figures"), [("pushes", ["3", "11"]), ("moves", ["5", "9"]), ("any", None)])
def test_the_objective_option_selects_whether_pushes_or_moves_are_minimized(shover, tmp_path, objective, figures):
    (tmp_path / "way.txt").write_text(TWO_WAYS)
    code, output, _ = shover("solve", tmp_path / "way.txt", "--objective", objective)
    row = rows(output)["way"]
    assert code == 0 and row[1] == "solved" and (figures is None or row[2:5] == [*figures, "yes"])
    assert check_solution(Level.parse(TWO_WAYS), output.split()[-1]).solved


def test_saved_solutions_can_be_read_and_checked(shover, levels, tmp_path):
    code, output, _ = shover("solve", levels, "--out", tmp_path / "solved.xsb", "--save", tmp_path / "games")
    assert code == 0 and "2 solutions in" in output
    written = read_levels(tmp_path / "solved.xsb")
    assert [level.title for level in written] == ["First push", "Around"]
    assert written == read_levels(levels)[:2]
    assert all(check_solution(level, level.solution).solved for level in written)
    shover("solve", levels, "--out", tmp_path / "solved.lurd")
    assert (tmp_path / "solved.lurd").read_text() == "".join(f"{level.solution}\n" for level in written)
    code, output, _ = shover("replay", "--check", *sorted((tmp_path / "games").iterdir()))
    assert code == 0 and output.count("ok") == 2 and "pushes 2" in output and "played by planner" in output


def test_solve_searches_in_two_threads(shover, levels):
    code, output, _ = shover("solve", levels, "--objective", "any", "--threads", 2)
    assert code == 0 and "2 solved, 1 unsolvable" in output
    code, _, errors = shover("solve", levels, "--threads", 3)
    assert code == 2 and "threads=3: must be an integer from 1 to 2" in errors


def test_solve_runs_the_given_agent(shover, levels, tmp_path):
    """If `random` does not solve a level, it plays up to the limit of 10,000 steps."""
    (tmp_path / "mine.py").write_text(PUSHER)
    code, output, _ = shover("solve", levels, "--agent", f"{tmp_path / 'mine.py'}:Pusher", "--level", 1, "--log")
    row = rows(output)["levels-1"]
    assert code == 0 and row[3:6] == ["solved", "2", "3"] and output.count("push right, box pushed") == 2
    code, output, _ = shover("solve", levels, "--agent", "random", "--level", 3)
    assert code == 1 and rows(output)["levels-3"][2] == "timeout"


def test_a_level_for_two_players_is_solved_by_moving_only_one_player(shover, tmp_path):
    """LURD notation cannot express the solution, so no solution file is written."""
    (tmp_path / "two.txt").write_text(TWO_PLAYERS)
    code, output, _ = shover("solve", tmp_path / "two.txt", "--out", tmp_path / "out.xsb")
    assert code == 0 and rows(output)["two"][1:5] == ["solved", "2", "3", "no"] and "0 solutions" in output
    code, output, _ = shover("solve", tmp_path / "two.txt", "--agent", "random")
    assert rows(output)["two"][1] in ("solved", "timeout")
    code, _, errors = shover("solve", tmp_path / "two.txt", "--rules", "pull")
    assert code == 2 and "two has two players, but the 'pull' rules are for one; try two" in errors


# --- watch, compare, replay


def test_watch_prints_the_game(shover, levels, tmp_path):
    code, output, _ = shover("watch", levels, "--level", 2, "--all", "--gif", tmp_path / "game.gif")
    assert code == 0 and "solved after 4 steps" in output and "pushes 1" in output
    assert output.count("levels#2, played by planner") == 5  # one heading for the start and one for each of four steps
    assert (tmp_path / "game.gif").read_bytes().startswith(b"GIF")
    code, output, _ = shover("watch", levels, "--level", 3, "--terminal", "--time", 1)
    assert code == 1 and "unsolvable: the planner proved in " in output


def test_compare_writes_tables(shover, levels, tmp_path):
    (tmp_path / "bad.py").write_text("class Bad:\n    def act(self, obs, info):\n        return 9\n")
    agents = f"random,planner,{tmp_path / 'bad.py'}"
    code, output, _ = shover("compare", levels, "--random", 1, "--rows", 7, "--cols", 7, "--boxes", 2,
                           "--agents", agents, "--out", tmp_path / "out")  # fmt: skip
    assert code == 1 and "act() returned 9 at step 1: expected an integer from 0 to 8" in " ".join(output.split())
    with open(tmp_path / "out" / "compare.csv", newline="") as file:
        found = {(row["level"], row["agent"]): row for row in csv.DictReader(file)}
    assert len(found) == 4 * 3
    assert found["levels-1", "planner"]["pushes"] == "2" and found["levels-3", "planner"]["outcome"] == "unsolvable"
    assert found["random-0", "planner"]["outcome"] == "solved"
    assert found["levels-1", "bad.py"]["outcome"] == "failed"
    text = (tmp_path / "out" / "compare.md").read_text()
    assert "| agent | levels | solved | proved | pushes | moves |" in text


def test_a_saved_replay_can_be_played(shover, levels, tmp_path):
    shover("solve", levels, "--level", 1, "--save", tmp_path)
    code, output, _ = shover("replay", tmp_path / "levels-1.replay", "--step", 2)
    assert code == 0 and "pushes 1" in output


# --- errors


@pytest.mark.parametrize(
    ("contents", "error"),
    [
        (b"\x00\x01\xff" * 50, "bad.xsb, line 1: the file contains a NUL byte, so it is not a text file"),
        (b"; \xff\xfe\n", "bad.xsb, line 1: the file is not UTF-8 text"),
        (b"", "bad.xsb: no level found; expected a board drawn with # $ . @"),
        (b"; one\n#####\n#@$.#\n#####\n\n; two\n#####\n# $.#\n#####\n", "bad.xsb, level 2, line 7: there is no player"),
        (b"#####\n#@$ #\n#####\n", "bad.xsb, level 1, line 1: boxes: 1, targets: 0"),
        (b"###\n#@$.#\n#####\n", "bad.xsb, level 1, line 2: the walls have a gap"),
        (b"3(#\n", "bad.xsb, level 1, line 1: invalid run-length encoding"),
    ],
    ids=range(7),
)  # fmt: skip
@pytest.mark.parametrize("command", ["solve", "watch", "compare"])
def test_an_invalid_file_is_reported_with_the_line_number(shover, tmp_path, command, contents, error):
    (tmp_path / "bad.xsb").write_bytes(contents)
    code, _, errors = shover(
        command,
        tmp_path / "bad.xsb",
        *{"watch": ["--terminal"], "compare": ["--out", tmp_path / "out"]}.get(command, []),
    )
    assert code == 2 and error in errors and errors.startswith(f"shover {command}: ")


def test_solve_continues_after_an_unreadable_file(shover, levels, tmp_path):
    code, output, errors = shover("solve", tmp_path / "none.xsb", levels)
    assert code == 2 and "none.xsb: the level file or folder does not exist" in errors
    assert rows(output)["levels-1"][3] == "solved"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--level", 4], "levels.xsb has no level 4: there are 3 levels; expected a number from 1 to 3"),
        (["--level", 0], "levels.xsb has no level 0"),
        (["--objective", "stamina"], "must be one of 'pushes', 'moves', 'any'"),
        (["--agent", "greedy"], "the agent 'greedy' does not play Sokoban; the agents that do are random, planner"),
        (["--rules", "phase2"], "the presets are 'sokoban', 'pull', 'fixed', 'two'"),
        (["--out", "nowhere/solved.xsb"], "nowhere does not exist"),
        (["--game", "chess"], "game='chess': must be one of 'shover', 'sokoban'"),
        (["--time", "-1"], "time=-1.0: must be at least 0"),
    ],
)
def test_invalid_options_are_reported(shover, levels, arguments, error):
    code, _, errors = shover("solve", levels, *arguments)
    assert code == 2 and error in errors


def test_saving_replays_to_a_file_instead_of_a_folder_is_an_error(shover, levels):
    code, _, errors = shover("solve", levels, "--save", levels)
    assert code == 2 and "levels.xsb: this is a file; expected the name of a folder" in errors
    assert levels.read_text() == COLLECTION


def test_maps_and_levels_are_distinguished_by_their_content(shover, levels, tmp_path):
    """The file name does not matter. Maps and levels cannot be mixed."""
    (tmp_path / "map.txt").write_text("// rules: phase2\n..B\n")
    (tmp_path / "letters.txt").write_text("#####\n#pbo#\n#####\n")  # the alternative letters for player, box and target
    (tmp_path / "runs.txt").write_text("5#|#@$.#|5#\n")
    assert rows(shover("solve", tmp_path / "map.txt")[1])["map"][1] == "cleared"
    for name in ("letters", "runs"):
        assert rows(shover("solve", tmp_path / f"{name}.txt")[1])[name][1] == "solved"
    code, _, errors = shover("solve", levels, tmp_path / "map.txt")
    assert code == 2 and "levels.xsb is for Sokoban and" in errors and "map.txt is for Shover-World" in errors
    (tmp_path / "empty").mkdir()
    code, _, errors = shover("solve", tmp_path / "empty")
    assert code == 2 and "empty: the folder contains no level files for any game" in errors
    (tmp_path / "words.txt").write_text("hello\n")
    code, _, errors = shover("solve", tmp_path / "words.txt")
    assert (
        code == 2
        and "no game can read it (for Shover-World: line 1" in errors
        and "for Sokoban: no level found" in errors
    )
    code, _, errors = shover("solve", tmp_path / "map.txt", "--level", 2)
    assert code == 2 and "map.txt has no map 2: there is one map" in errors


@pytest.mark.parametrize("command", [["solve"], ["watch"], ["watch", "--terminal"], ["compare"], ["play"]])
def test_the_error_for_a_missing_level_lists_the_available_collections(shover, command):
    code, output, errors = shover(*command, "nowhere")
    assert code == 2 and output == ""
    assert errors.strip().endswith(
        "nowhere: no file, collection or level has this name; the collections are lessons, tiny, easy, medium, hard, "
        "tracks"
    )


@pytest.mark.parametrize("command", [["solve"], ["watch"], ["play"], ["edit"]])
@pytest.mark.parametrize("name", ["bad.xsb", "bad.txt"])
def test_an_error_in_a_sokoban_file_does_not_mention_other_games(shover, tmp_path, command, name):
    (tmp_path / name).write_text("#####\n#@ .#\n#####\n")
    code, _, errors = shover(*command, tmp_path / name)
    assert code == 2 and "Shover-World" not in errors
    assert f"{name}, level 1, line 1: there is no box; expected at least one $" in errors


def test_an_unknown_environment_id_is_reported(shover):
    code, _, errors = shover("play", "shoverworld/Sokoban-v9")
    assert code == 2 and "there is no environment with this id; did you mean Sokoban-v" in errors
    code, _, errors = shover("play", "chess-v0")
    assert code == 2 and "there is no environment with this id; `shover envs` lists the ids" in errors


def test_the_columns_of_a_log_are_aligned(shover, tmp_path):
    (tmp_path / "off.xsb").write_text("#######\n#@*  .#\n# $####\n#  ####\n#######\n")
    _, output, _ = shover("solve", tmp_path / "off.xsb", "--log")
    steps = [line for line in output.splitlines() if line.startswith("   ") and " moves " in line]
    assert any("off its target" in line for line in steps)
    assert len({line.index(" moves ") for line in steps}) == 1


# --- agents


@pytest.mark.parametrize(
    "keywords", [{}, {"moves": "four"}, {"fixed_targets": True}, {"pull": True}, {"observation": "grid"}], ids=str
)
def test_the_planner_solves_every_single_player_variant(keywords):
    env = SokobanEnv(Level.parse("########\n#@ $ . #\n#  $ . #\n########"), **keywords)
    game = play(env, "planner", seed=0)
    assert (game.outcome, game.error, game.figures["pushes"], game.invalid_actions) == ("solved", None, 4, 0)
    assert game.plan.status == "solved" and game.first_success is not None
    assert game.plan.proved_optimal is ("pull" not in keywords)  # pulls might need fewer moves
    assert all(type(action) is int for action in game.actions)


def test_the_planner_respects_the_step_limit():
    """The plan with the fewest pushes exceeds the step limit, but the plan with the fewest moves does not."""
    level = Level.parse(TWO_WAYS)
    for steps, figures in ((11, (11, 3)), (10, (9, 5))):
        game = play(SokobanEnv(level, max_steps=steps), "planner", seed=0)
        assert (game.outcome, (game.steps, game.figures["pushes"])) == ("solved", figures)


@pytest.mark.parametrize(
    ("level", "codes"),
    [
        ("#######\n#@ $ .#\n#  @  #\n#######", [8, 4, 4]),  # player 1 walks and pushes
        ("#######\n# @$ .#\n#@    #\n#######", [4, 4]),
        ("#########\n#@#@ $ .#\n#########", [16, 12, 12]),  # player 1 is walled in, so the codes are those of player 2
        ("#########\n#+#@ $  #\n#########", None),  # player 1 is walled in on the target: unsolvable
    ],
    ids=range(4),
)
def test_the_planner_moves_only_one_of_two_players(level, codes):
    env = SokobanEnv(Level.parse(level), players=2, max_steps=20)
    game = play(env, "planner", seed=0)
    assert (
        game.error is None and game.plan.status == ("solved" if codes else "unknown") and not game.plan.proved_optimal
    )
    assert game.actions == codes if codes else game.steps == 20


def test_a_level_that_cannot_be_solved_by_pushes_alone_has_the_status_unknown_if_pulls_are_allowed():
    """Pushes cannot move the box out of the corner. With pulls, the planner does not claim that no solution exists."""
    env = SokobanEnv(Level.parse("######\n#$   #\n#@  .#\n######"), max_steps=20)
    pulling = SokobanEnv(Level.parse("######\n#$   #\n#@  .#\n######"), max_steps=20, pull=True)
    assert [play(one, "planner", seed=0).plan.status for one in (env, pulling)] == ["unsolvable", "unknown"]


def test_the_planner_plays_random_actions_if_it_has_no_plan():
    env = SokobanEnv(Level.parse("######\n#@ $ #\n#.####\n######"), max_steps=20)
    game = play(env, "planner", seed=0)
    assert (game.outcome, game.error, game.steps, game.plan.status) == ("timeout", None, 20, "unsolvable")


def test_an_agent_from_a_file_receives_observations_and_its_own_environment(tmp_path):
    """The agent runs in its own process with a copy of the game, gets grid observations and returns integers."""
    (tmp_path / "mine.py").write_text("""
import numpy as np
class Mine:
    def __init__(self, env, seed):
        self.env = env
        assert seed == 5 and env.action_mask().shape == (9,)
    def reset(self, info):
        self.kinds = [lambda: 4, lambda: np.int64(4), lambda: np.array(4)]
    def act(self, obs, info):
        assert obs.shape == (3, 7) and (obs == self.env.observe()[0]).all()
        assert self.env.observe()[1]["steps"] == info["steps"]
        self.env.step(4)  # on its own copy
        return self.kinds[info["steps"]]()
""")
    env = SokobanEnv(Level.parse("#######\n#@ $ .#\n#######"), observation="grid")
    game = play(env, tmp_path / "mine.py", seed=5)
    assert (game.outcome, game.error, game.actions) == ("solved", None, [4, 4, 4])
    assert game.figures == {"steps": 3, "moves": 3, "pushes": 2}


def test_an_invalid_action_ends_the_game_with_the_outcome_failed(tmp_path):
    (tmp_path / "bad.py").write_text("class Bad:\n    def act(self, obs, info):\n        return 'up'\n")
    game = play(SokobanEnv(Level.parse("#######\n#@ $ .#\n#######")), tmp_path / "bad.py")
    assert game.outcome == "failed" and game.steps == 0 and game.figures["moves"] == 0
    assert game.error == "act() returned 'up' at step 1: expected an integer from 0 to 8"


@pytest.mark.parametrize("answer", [9, -1, 1.0, None, (1,), [0, 0, 1], [4]])
def test_invalid_actions_for_a_discrete_space_raise_an_error(answer):
    with pytest.raises(AgentError) as caught:
        legal(answer, spaces.Discrete(9), 3)
    assert str(caught.value) == f"act() returned {numbers(answer, 1)} at step 3: expected an integer from 0 to 8"


def test_valid_actions_are_converted_to_integers_or_tuples():
    assert [legal(answer, spaces.Discrete(9), 1) for answer in (0, 8, np.int8(3), np.array(4))] == [0, 8, 3, 4]
    assert legal(2, spaces.Discrete(2, start=1), 1) == 2
    two = spaces.MultiDiscrete([3, 2], start=[-1, 0])
    assert legal([-1, 1], two, 1) == (-1, 1)
    with pytest.raises(AgentError, match=r"returned \(2, 0\) at step 1: expected .* with number 1 -1-1, number 2 0-1"):
        legal((2, 0), two, 1)
    with pytest.raises(AgentError, match="the action space is Box"):
        legal(0, spaces.Box(0, 1), 1)


def test_an_agent_for_another_game_is_rejected():
    assert names("sokoban") == ["random", "planner", "learned", "learned-search"] and "greedy" in names("shover")
    with pytest.raises(AgentError, match="'phase2-rbfs' does not play Sokoban; the agents that do are random, planner"):
        load("phase2-rbfs", SokobanEnv(Level.parse("#####\n#@$.#\n#####")))
    with pytest.raises(AgentError, match="did you mean 'planner'"):
        check("planer", "sokoban")
    game = play(SokobanEnv(Level.parse("#####\n#@$.#\n#####")), "greedy")
    assert game.outcome == "failed" and "does not play Sokoban" in str(game.error)


@pytest.mark.parametrize("spec", ["planner", "file"])
def test_an_agent_continues_to_play_after_an_undo(tmp_path, spec):
    """The agent adapts to the undo and solves the level."""
    game = game_named("sokoban")
    (tmp_path / "level.xsb").write_text("#######\n#@ $ .#\n#######\n")
    (tmp_path / "mine.py").write_text(PUSHER)
    session = Session(game, game.levels.read(str(tmp_path / "level.xsb")))
    player = AgentPlayer(session, "planner" if spec == "planner" else str(tmp_path / "mine.py"))
    try:
        taken_back = False
        while session.outcome is None:
            session.do(answer(player), by=spec)
            if session.steps == 2 and not taken_back:
                taken_back = session.undo() is not None
            else:
                player.played()
    finally:
        player.close()
    assert session.outcome == "solved" and taken_back and session.steps == 3


def answer(player):
    """Return the move chosen by the agent, which plans in another thread."""
    for _ in range(6000):
        if (act := player.poll()) is not None:
            return act
        time.sleep(0.01)
    raise AssertionError("the agent did not answer within a minute")


# --- solutions as text


def test_replay_plays_moves_given_as_letters_or_in_a_file(shover, levels, tmp_path):
    code, output, _ = shover("replay", "--check", "--lurd", "rRR", f"{levels}#1")
    assert code == 0 and output.split(":")[1].strip().startswith("solved, steps 3, moves 3, pushes 2")
    one, all_three = tmp_path / "one.lurd", tmp_path / "all.lurd"
    one.write_text("r\nRR\n")
    assert shover("replay", "--check", "--lurd", one, f"{levels}#1")[0] == 0
    all_three.write_text("rRR\nuulD\nr\n")
    code, output, _ = shover("replay", "--check", "--lurd", all_three, levels)
    assert code == 0 and [line.split()[2].strip(",") for line in output.splitlines()] == [
        "solved",
        "solved",
        "unfinished",
    ]
    code, output, _ = shover("replay", "--check", "--lurd", all_three, f"{levels}#2")
    assert code == 0 and output.count("\n") == 1 and "solved, steps 4" in output


@pytest.mark.parametrize(
    ("moves", "level", "code", "message"),
    [
        ("ru", "LEVELS#1", 1, "move 2 is 'u': up: a wall is in the way"),
        ("hello", "LEVELS#1", 2, "contains no moves for Sokoban; expected LURD letters"),
        ("rRR", "LEVELS", 2, "has 3 levels; pick one"),
        ("rRR", "nosuchlevel", 2, "no file, collection or level has this name"),
        ("R d", "01-first-push", 0, "unfinished"),
        ("6666", "01-straight", 0, "unfinished"),
    ],
)
def test_replay_reports_moves_that_are_not_possible(shover, levels, moves, level, code, message):
    found, output, errors = shover("replay", "--check", "--lurd", moves, level.replace("LEVELS", str(levels)))
    assert found == code and message in output + errors
