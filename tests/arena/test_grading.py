"""Tests of whole exams: grading in real processes, interruptions, refusals, practice, and games of several students."""

import shutil
import sqlite3
import subprocess
import sys

import pytest

from shoverworld.arena import Machines, grade, read_exam
from shoverworld.arena.store import FILE, OtherExam, Store
from shoverworld.arena.submissions import Submission
from shoverworld.cli import main
from shoverworld.core.errors import ConfigError, SaveError
from shoverworld.core.replay import Replay
from tests.arena.class_of_students import EXPECTED, FAULTS, FIRST, GREEDY, write_class
from tests.arena.kill_and_resume import content, finish, killed_run, played, start

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
        ("max_timestep = 20", "max_timestep = 21", "a different rules"),
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


def test_several_students_race_in_every_seat(tmp_path):
    exam = tmp_path / "race.toml"
    exam.write_text(
        'game = "race"\nplayers = 2\nsecret = "r"\n[rules]\nmax_rounds = 15\n[limits]\ngame_seconds = 20\n'
        '[[levels]]\nname = "tracks"\nplaces = ["01-straight"]\n'
    )
    bad = Submission("bad", "bad.py", {"bad.py": FAULTS["crashes"].encode()}, "bad.py")
    results = grade(exam, [TWO["greedy"], bad], tmp_path / "out")
    assert [[seat.student for seat in match.seats] for match in results.matches] == [
        ["bad", "greedy"],
        ["greedy", "bad"],
    ]
    failures = {seat.student: seat.failure for match in results.matches for seat in match.seats}
    assert failures == {"bad": "error", "greedy": None}
    assert Replay.parse(results.matches[0].replay).steps > 0


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
