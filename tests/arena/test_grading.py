"""Tests of whole exams: grading in real processes, interruptions, refusals, practice, and games of several students."""

import csv
import io
import os
import shutil
import sqlite3
import subprocess
import sys

import numpy as np
import pytest

from shoverworld.agents import tournament
from shoverworld.arena import Machines, grade, read_exam, report
from shoverworld.arena.one_game import cleaned
from shoverworld.arena.store import FILE, OtherExam, Store
from shoverworld.arena.submissions import Submission
from shoverworld.cli import main
from shoverworld.core.errors import ConfigError, SaveError
from shoverworld.core.replay import Replay
from shoverworld.games import game_named
from shoverworld.learn import Model
from shoverworld.sandbox import Protection
from tests.arena.class_of_students import EXPECTED, FAULTS, FIRST, GREEDY, write_class
from tests.arena.kill_and_resume import content, finish, killed_run, played, start
from tests.paths import ROOT

STUDENTS, MAPS = len(FAULTS) + 5, 2
TWO = {name: Submission(name, f"{name}.py", {f"{name}.py": text.encode()}, f"{name}.py") for name, text in
       {"first": FIRST.format(choice=0), "greedy": GREEDY}.items()}  # fmt: skip
SMALL = """
game = "shover"
secret = "s"
[rules]
max_timestep = 20
[limits]
game_seconds = 20
[points]
solved = 1
quality = 1
[[levels]]
name = "maps"
places = ["01-first-push"]
public = true
"""


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The class after an undisturbed run."""
    folder = tmp_path_factory.mktemp("class")
    exam, submissions = write_class(folder, STUDENTS, MAPS)
    finish(start(exam, submissions, folder / "calm", 2))
    return folder


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "exam.toml"
    path.write_text(SMALL)
    return path


def test_every_fault_is_contained_and_named(graded):
    results = grade(graded / "exam.toml", [graded / "submissions"], graded / "calm")
    found = {game.student: set() for game in results.games}
    for game in results.games:
        found[game.student].add(game.failure)
    assert results.finished
    for student, failures in found.items():
        assert failures <= EXPECTED.get(student, {None}), student
    problems = {one.student: one.problem for one in results.submissions if one.problem}
    assert sorted(problems) == ["linked", "slip"]
    assert [level.problem != "" for level in results.levels].count(True) == 1
    assert {game.level for game in results.games if game.student == "greedy"} == {"map-00", "random-1"}
    crash = next(game for game in results.games if game.student == "crashes")
    assert "ZeroDivisionError" in crash.error and "line 3" in crash.error


def test_a_killed_grader_continues_and_gives_the_same_tables(graded):
    total = played(graded / "calm")
    killed_run(graded / "exam.toml", graded / "submissions", graded / "killed", 2, 3, total, seed=5)
    assert content(graded / "killed") == content(graded / "calm")
    assert not (graded / "killed" / ".work").exists()


def test_replays_can_be_played_again(graded):
    results = grade(graded / "exam.toml", [graded / "submissions"], graded / "calm")
    played = [game for game in results.games if game.failure is None]
    for game in played[:10]:
        replay = Replay.parse(game.replay)
        for _ in replay.play():
            pass  # raises ReplayError if a state differs
        assert replay.steps == game.steps


def test_points_and_weights_can_change_without_playing_again(small, tmp_path):
    before = grade(small, TWO.values(), tmp_path / "out")
    small.write_text(SMALL.replace("quality = 1", "quality = 3") + "weight = 2\n")
    after = grade(small, TWO.values(), tmp_path / "out", machines=Machines(1))
    assert [game.cpu_seconds for game in after.games] == [game.cpu_seconds for game in before.games]
    assert {game.most for game in after.games} == {4} and after.levels[0].weight == 2


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('secret = "s"', 'secret = "t"', "a different secret"),
        ("max_timestep = 20", "max_timestep = 21", "a different set of rules"),
        ("game_seconds = 20", "game_seconds = 21", "a different set of limits"),
        ("01-first-push", "02-chains", "a different set of levels"),
    ],
)
def test_another_exam_is_not_mixed_in(small, tmp_path, old, new, what):
    empty = Submission("broken", "broken.zip", problem="it is broken")
    grade(small, [empty], tmp_path / "out")
    small.write_text(SMALL.replace(old, new))
    with pytest.raises(OtherExam, match=what):
        grade(small, [empty], tmp_path / "out")
    assert grade(small, [empty], tmp_path / "out", restart=True).finished


def test_other_submissions_are_not_mixed_in_but_new_ones_are_added(small, tmp_path):
    grade(small, [TWO["first"]], tmp_path / "out")
    changed = Submission("first", "first.py", {"first.py": b"# changed"}, "first.py")
    with pytest.raises(OtherExam, match="another submission of first"):
        grade(small, [changed], tmp_path / "out")
    with pytest.raises(OtherExam, match="a submission of first, which is missing now"):
        grade(small, [TWO["greedy"]], tmp_path / "out")
    results = grade(small, TWO.values(), tmp_path / "out")
    assert [game.student for game in results.games] == ["first", "greedy"]


def test_another_version_of_the_package_is_not_mixed_in(small, tmp_path):
    empty = Submission("broken", "broken.zip", problem="it is broken")
    grade(small, [empty], tmp_path / "out")
    with sqlite3.connect(tmp_path / "out" / FILE) as db:
        db.execute("UPDATE about SET value = '0.0.1' WHERE name = 'version of shoverworld'")
    with pytest.raises(OtherExam, match="a different version of shoverworld"):
        grade(small, [empty], tmp_path / "out")


def test_a_damaged_database_is_an_error(small, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / FILE).write_bytes(b"garbage" * 1000)
    with pytest.raises(OtherExam, match="start again with --restart"):
        grade(small, [], tmp_path / "out")
    assert grade(small, [], tmp_path / "out", restart=True).finished


def test_two_graders_cannot_use_the_same_folder(small, tmp_path):
    with Store(tmp_path / "out"), pytest.raises(SaveError, match="another process is grading"):
        grade(small, [], tmp_path / "out")


def test_an_exam_without_a_playable_level_is_an_error(small, tmp_path):
    small.write_text(SMALL.replace("01-first-push", "missing.txt"))
    with pytest.raises(ConfigError, match=r"no level that can be played: .*missing.txt"):
        grade(small, [], tmp_path / "out")


def test_games_that_are_lost_to_our_faults_are_not_scored(small, tmp_path):
    # The temporary folder cannot be created in the processes, which is not the student's fault.
    lost = []
    work = tmp_path / "out" / ".work"
    show = lambda what, done, total: lost.append(what) if what.startswith("lost") else _remove(work)  # noqa: E731
    results = grade(small, [TWO["first"]], tmp_path / "out", machines=Machines(1), progress=show)
    assert not results.finished and results.games == () and len(lost) == 1
    again = grade(small, [TWO["first"]], tmp_path / "out")
    assert again.finished and len(again.games) == 1


def _remove(folder):
    shutil.rmtree(folder, ignore_errors=True)


RACE = """
game = "race"
players = 2
secret = "r"
[rules]
max_rounds = 15
[limits]
game_seconds = {seconds}
[[levels]]
name = "tracks"
places = ["01-straight"]
"""


def test_several_students_race_in_every_seat(tmp_path):
    exam = tmp_path / "race.toml"
    exam.write_text(RACE.format(seconds=20))
    bad = Submission("bad", "bad.py", {"bad.py": FAULTS["crashes"].encode()}, "bad.py")
    results = grade(exam, [TWO["greedy"], bad], tmp_path / "out")
    assert [[seat.student for seat in match.seats] for match in results.matches] == [
        ["bad", "greedy"],
        ["greedy", "bad"],
    ]
    failures = {seat.student: (seat.failure, seat.place) for match in results.matches for seat in match.seats}
    assert failures == {"bad": ("error", 2), "greedy": (None, 1)}  # an agent that fails is last
    assert Replay.parse(results.matches[0].replay).steps > 0
    assert {seat.protection for match in results.matches for seat in match.seats} == {Protection.strongest()}


def test_a_student_who_sleeps_in_every_move_does_not_hold_up_a_race(tmp_path, monkeypatch):
    """The time that an agent waits is added up over the whole game."""
    monkeypatch.setattr(tournament, "wall_limit", lambda seconds: 3 * seconds)
    sleeper = tmp_path / "sleeper.py"
    sleeper.write_text("import time\n\n\ndef act(obs, info):\n    time.sleep(0.25)\n    return 4\n")
    game = game_named("race")
    board = next(board for board in game.levels.boards() if board.name == "01-straight")
    fixture = tournament.Fixture(board, (str(sleeper), "random"), 1)
    slow, _ = tournament.run(game, fixture, {}, 0.5)
    assert (slow.failure, slow.finished) == ("time", False) and slow.seconds < 0.5
    assert "(the agent was waiting, not computing)" in slow.error


def test_results_without_a_sandbox_say_so(small, tmp_path, capsys):
    (tmp_path / "ann.py").write_text(FIRST.format(choice=0))
    command = ["grade", str(small), str(tmp_path / "ann.py"), "--out", str(tmp_path / "out")]
    assert main([*command, "--unsafe"]) == 0
    assert "1 game ran without a sandbox (--unsafe)" in capsys.readouterr().err
    assert "1 game ran without a sandbox (--unsafe)" in (tmp_path / "out" / "index.html").read_text("utf-8")
    assert main(["grade", "--practice", str(small), str(tmp_path / "ann.py"), "--trust"]) == 0
    assert "1 game ran without a sandbox" in capsys.readouterr().err
    exam = tmp_path / "race.toml"
    exam.write_text(RACE.format(seconds=20))
    results = grade(exam, TWO.values(), tmp_path / "race", protection=Protection.NONE)
    report.write(read_exam(exam), results, tmp_path / "race")
    assert "4 games ran without a sandbox" in (tmp_path / "race" / "index.html").read_text("utf-8")


def test_a_machine_without_a_sandbox_refuses_submissions_at_once(small, tmp_path, monkeypatch, capsys):
    """As on macOS and Windows. Results from another machine can still be read."""
    (tmp_path / "first.py").write_bytes(TWO["first"].files["first.py"])
    grade(small, [tmp_path / "first.py"], tmp_path / "graded")
    monkeypatch.setattr(Protection, "obstacle", lambda self: None if self is Protection.NONE else "this needs Linux")
    command = ["grade", str(small), str(tmp_path / "first.py"), "--out"]
    assert main([*command, str(tmp_path / "graded")]) == 0
    capsys.readouterr()
    assert main([*command, str(tmp_path / "new")]) == 2
    assert "cannot be contained here: this needs Linux" in (error := capsys.readouterr().err) and "--unsafe" in error
    assert main(["grade", "--practice", str(small), str(tmp_path / "first.py")]) == 2


@pytest.mark.skipif(not Protection.LANDLOCK.available(), reason="needs Landlock")
def test_results_with_the_weaker_protection_say_so(small, tmp_path):
    results = grade(small, [TWO["first"]], tmp_path / "out", protection=Protection.LANDLOCK)
    report.write(read_exam(small), results, tmp_path / "out")
    assert "1 game ran with the weaker protection" in (tmp_path / "out" / "index.html").read_text("utf-8")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not allow such names")
def test_hostile_names_and_errors_reach_no_terminal_and_no_page(small, tmp_path, capsys):
    """From the file of a submission to the last report: nothing that a student chose is HTML, a formula or an escape."""
    handed_in = tmp_path / "handed in"
    handed_in.mkdir()
    hostile = (ROOT / "tests/agents/hostile/controls_terminal.py").read_bytes().replace(b"(self, target)", b"(self)")
    hostile = hostile.replace(b"        self.target = target", b"        pass")
    for name in (b"=cmd|calc", b"<img src=x onerror=alert(1)>", b"\x1b[2J\xff", b"--unsafe", b"planner"):
        (handed_in / os.fsdecode(name + b".py")).write_bytes(hostile)
    assert main(["grade", str(small), str(handed_in), "--out", str(tmp_path / "out")]) == 0
    printed = capsys.readouterr()
    files = [path for path in (tmp_path / "out").rglob("*") if path.suffix in (".html", ".csv", ".md", ".json")]
    texts = {path: path.read_text("utf-8") for path in files} | {"out": printed.out, "err": printed.err}
    assert len(files) > 15
    for path, text in texts.items():
        assert "\x1b" not in text and "\x00" not in text and "\u202e" not in text, path
        if str(path).endswith(".html"):
            assert "<img src=x" not in text and "<script>alert" not in text, path
        if str(path).endswith(".csv"):
            cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
            assert not [cell for cell in cells if cell.startswith(("=", "+", "@", "-"))]


def test_the_command_keeps_a_ladder_and_names_students_from_a_table(small, tmp_path, capsys):
    pytest.importorskip("openskill")
    for name, one in TWO.items():
        (tmp_path / f"{name}.py").write_bytes(one.files[f"{name}.py"])
    (tmp_path / "names.csv").write_text("file,student\nfirst.py,Ann Example\ngreedy.py,Bob\nthird.py,Cem\n")
    files = [str(tmp_path / f"{name}.py") for name in TWO]
    command = ["grade", str(small), *files, "--out", str(tmp_path / "out"), "--students", str(tmp_path / "names.csv")]
    for new in ("1 new game.", "0 new games."):
        assert main([*command, "--ladder", str(tmp_path / "ladder.json")]) == 1  # nothing from Cem
        printed = capsys.readouterr()
        assert new in printed.out and "Ann Example" in printed.out and "Cem (third.py): nothing was" in printed.err


def test_a_random_level_and_a_file_may_have_the_same_name(small, tmp_path):
    (tmp_path / "random-1.txt").write_text("..B\n.A.\n..L\n")
    small.write_text(SMALL.replace('"01-first-push"', '"random-1.txt"') + "random = 1\n")
    results = grade(small, [TWO["first"]], tmp_path / "out")
    assert [game.level for game in results.games] == ["random-1", "random-1-x"]


def test_practice_plays_the_public_levels_and_names_what_would_fail(small, tmp_path, capsys):
    small.write_text(SMALL + '[[levels]]\nname = "secret maps"\nplaces = ["not-here.txt"]\n')
    (tmp_path / "bad.py").write_text(FAULTS["crashes"])
    (tmp_path / "good.py").write_text(GREEDY)
    assert main(["grade", "--practice", str(small), str(tmp_path / "good.py")]) == 0
    assert "The agent would not have failed in the exam" in capsys.readouterr().out
    assert main(["grade", "--practice", str(small), str(tmp_path / "bad.py")]) == 1
    printed = capsys.readouterr()
    assert "ZeroDivisionError" in printed.out and "would have failed in 1 of 1 game" in printed.out
    assert "not-here" not in printed.out + printed.err


def test_packaged_agents_play_for_comparison(small, tmp_path, capsys):
    """A student whose file has the same name is another player."""
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "learned (packaged).py").write_text(FIRST.format(choice=0))
    out = tmp_path / "out"
    agents = ["learned", "learned-search", "planner"]
    assert main(["grade", str(small), str(tmp_path / "class"), *agents, "--out", str(out)]) == 0
    with (out / "ranking.csv").open(encoding="utf-8", newline="") as file:
        solved = {row["student"]: row["solved"] for row in csv.DictReader(file)}
    assert solved == {
        "learned (packaged)": "0",
        "learned (packaged) [2]": "1",
        "learned-search (packaged)": "1",
        "planner (packaged)": "1",
    }
    assert "packaged agent" in (out / "index.html").read_text("utf-8")
    assert "without a sandbox" not in capsys.readouterr().err
    assert main(["grade", "--practice", str(small), "learned"]) == 0
    assert "2 of 2 points" in capsys.readouterr().out
    assert main(["grade", str(small), str(tmp_path / "class"), "lerned", "--out", str(tmp_path / "no")]) == 2
    assert "lerned: there is no such file or folder of submissions, and no packaged agent" in capsys.readouterr().err


@pytest.fixture
def models(tmp_path):
    """Two different models with the same file name, and a damaged one."""
    learning = game_named("shover").learning
    for folder, weight in (("a", 0.0), ("b", 1.0)):
        (tmp_path / folder).mkdir()
        Model("shover", learning.version, np.full(1 << 10, weight, np.float32)).save(tmp_path / folder / "m.npz")
    (tmp_path / "cut.npz").write_bytes((tmp_path / "a" / "m.npz").read_bytes()[:100])
    return tmp_path


def test_packaged_agents_play_with_the_models_of_the_user(small, models, capsys):
    """Agents with different models are different players. The processes need no access to the model files."""
    agents = [f"learned:{models}/a/m.npz", f"learned:{models}/b/m.npz", f"learned-search:{models}/a/m.npz", "learned"]
    results = grade(small, agents, models / "out", machines=Machines(2))
    names = {one.student: one.file for one in results.submissions}
    assert names == {
        "learned (packaged)": "",
        "learned-search:m.npz (packaged)": "m.npz",
        "learned:a/m.npz (packaged)": "m.npz",
        "learned:b/m.npz (packaged)": "m.npz",
    }
    assert {(game.student, game.failure, game.protection) for game in results.games} == {
        (name, None, "packaged agent") for name in names
    }
    report.write(read_exam(small), results, models / "out")
    assert "learned:b/m.npz (packaged)" in (models / "out" / "index.html").read_text("utf-8")
    assert main(["grade", "--practice", str(small), agents[2]]) == 0
    assert "2 of 2 points" in capsys.readouterr().out


def test_an_exam_continues_only_with_the_same_model(small, models):
    agent = f"learned:{models}/a/m.npz"
    before = grade(small, [agent], models / "out", machines=Machines(1))
    moved = shutil.copy(models / "a" / "m.npz", models / "m.npz")
    after = grade(small, [f"learned:{moved}"], models / "out", machines=Machines(1))
    assert [game.cpu_seconds for game in after.games] == [game.cpu_seconds for game in before.games]
    shutil.copy(models / "b" / "m.npz", models / "a" / "m.npz")
    with pytest.raises(OtherExam, match=r"another submission of learned:m\.npz \(packaged\)"):
        grade(small, [agent], models / "out")


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        ("learned:cut.npz", "cut.npz: not a complete model file (the file is truncated or is not an .npz file)"),
        ("learned:none.npz", "none.npz: the file does not exist"),
        ("learned:a", "learned:a: the name of a model file must end in .npz"),
        ("greedy:a/m.npz", "the agent 'greedy' has no model"),
        ("racer", "the agent 'racer' does not play Shover-World"),
    ],
)
@pytest.mark.parametrize("practice", [False, True])
def test_an_agent_that_cannot_play_stops_an_exam_at_once(small, models, agent, message, practice, monkeypatch, capsys):
    monkeypatch.chdir(models)
    words = ["--practice", str(small), agent] if practice else [str(small), agent, "--out", "out"]
    assert main(["grade", *words]) == 2
    assert message in capsys.readouterr().err
    assert not (models / "out" / FILE).exists()


def test_an_error_does_not_contain_the_folder_of_the_model():
    assert cleaned("/tmp/game-x/model.npz: lost", "learned:/tmp/game-x/model.npz") == "model.npz: lost"
    assert cleaned("/tmp/x: lost", "learned") == "/tmp/x: lost"


def test_packaged_agents_race_against_students(tmp_path):
    exam = tmp_path / "race.toml"
    exam.write_text(RACE.format(seconds=20))
    results = grade(exam, [TWO["first"], "racer"], tmp_path / "out")
    places = {seat.student: (seat.place, seat.protection) for match in results.matches for seat in match.seats}
    assert places == {"first": (2, Protection.strongest()), "racer (packaged)": (1, "packaged agent")}


def test_a_new_agent_passes_its_own_test(tmp_path):
    assert main(["new", "agent", str(tmp_path / "mine.py")]) == 0
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", str(tmp_path)], capture_output=True, text=True, cwd=tmp_path
    )
    assert "2 passed" in run.stdout, run.stdout + run.stderr
    assert main(["new", "agent", str(tmp_path / "mine.py")]) == 2


def test_the_command_needs_an_exam_and_submissions(capsys):
    assert main(["grade"]) == 2
    assert "expected an exam file and submissions" in capsys.readouterr().err


def test_the_exam_of_the_class_can_be_read(graded):
    assert read_exam(graded / "exam.toml").rules == "initial_force=30, max_timestep=30"
