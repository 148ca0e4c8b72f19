"""Tests of `shover learn`."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from shoverworld import sokoban
from shoverworld.core.errors import SaveError
from shoverworld.learn import Model
from tests.commands import SHOVER, run_shover


@pytest.fixture
def levels(tmp_path: Path) -> Path:
    path = tmp_path / "levels.xsb"
    sokoban.write_levels(path, sokoban.packaged("tiny")[:6])
    return path


def learn(levels: Path, out: Path, *options: object) -> subprocess.CompletedProcess[str]:
    return run_shover("learn", "sokoban", "--levels", levels, "--out", out, *options)


def error(*arguments: object) -> str:
    """Return the message of a `shover learn` that fails."""
    run = run_shover("learn", *arguments)
    assert run.returncode == 2, run.stdout
    return run.stderr


def test_a_training_is_stopped_resumed_and_finished(levels, tmp_path):
    out, checkpoint = tmp_path / "model.npz", tmp_path / "model.npz.checkpoint"
    run = run_shover("learn", "sokoban", "--levels", levels, "--out", out, "--minutes", 0, fresh=True)
    assert run.returncode == 0, run.stderr
    assert (
        f"stopped before the end (the time limit was reached); the same command with --resume continues from {checkpoint}"
        in run.stderr
    )
    assert "--rate 0.1, or another checkpoint" in learn(levels, out, "--resume", "--rate", 0.2).stderr
    run = learn(levels, out, "--resume")
    assert run.returncode == 0, run.stderr
    assert re.search(r"learned from \d+ states; labelled 6 of 6 levels$", run.stdout, re.M)
    assert Model.load(out, "sokoban").about["complete"]
    assert not checkpoint.exists()
    assert f"{out} is complete, so there is nothing to resume" in learn(levels, out, "--resume").stderr
    assert "train without --resume first" in learn(levels, tmp_path / "b.npz", "--resume").stderr
    assert "already exists" in learn(levels, out).stderr


def test_an_error_with_force_keeps_the_old_checkpoint(levels, tmp_path):
    out, checkpoint = tmp_path / "model.npz", tmp_path / "model.npz.checkpoint"
    learn(levels, out, "--minutes", 0)
    before = checkpoint.read_bytes()
    run = learn(tmp_path / "typo.xsb", out, "--force")
    assert run.returncode == 2
    assert "typo.xsb" in run.stderr
    assert checkpoint.read_bytes() == before
    assert learn(levels, out, "--resume").returncode == 0


def test_force_starts_again_and_replaces_the_old_checkpoint(levels, tmp_path):
    out, checkpoint = tmp_path / "model.npz", tmp_path / "model.npz.checkpoint"
    learn(levels, out, "--minutes", 0)
    before = checkpoint.read_bytes()
    assert learn(levels, out, "--force", "--seed", 7, "--minutes", 0).returncode == 0
    assert checkpoint.read_bytes() != before
    assert learn(levels, out, "--force").returncode == 0
    assert not checkpoint.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot send SIGINT")
def test_ctrl_c_saves_the_model_and_gives_130_also_with_minutes(levels, tmp_path):
    out = tmp_path / "model.npz"
    options = ("--passes", "1000", "--rounds", "1000", "--minutes", "4")
    with subprocess.Popen(
        [*SHOVER, "learn", "sokoban", "--levels", str(levels), "--out", str(out), *options],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as child:  # fmt: skip
        assert child.stderr is not None
        while " %, round 1" not in (line := child.stderr.readline()):  # the first step has been done
            assert line, "the command has ended"
        child.send_signal(signal.SIGINT)
        output, errors = child.communicate(timeout=120)
    assert child.returncode == 130, errors
    assert f"Saved {out}" in output
    assert "stopped before the end (Ctrl-C); the same command with --resume continues" in errors
    assert not Model.load(out, "sokoban").about["complete"]


def test_the_progress_lines_have_a_percentage(levels, tmp_path):
    errors = learn(levels, tmp_path / "model.npz").stderr
    lines = re.findall(r"^(\d+) %, round 1, \w+.*: \d+ states?, accuracy [\d.]+ %, \d+ s$", errors, re.M)
    assert len(lines) > 1 and lines[-1] == "100"
    assert lines == sorted(set(lines), key=int)


def test_the_number_of_labelled_levels_after_an_early_stop(tmp_path):
    levels = tmp_path / "levels.xsb"
    sokoban.write_levels(levels, sokoban.packaged("tiny")[:6] * 100)
    assert "labelled 500 of 600 levels" in learn(levels, tmp_path / "model.npz", "--minutes", 0).stdout


def test_a_model_is_saved_even_if_its_checkpoint_cannot_be_written(levels, tmp_path):
    (tmp_path / "model.npz.checkpoint" / "file").mkdir(parents=True)
    run = learn(levels, tmp_path / "model.npz", "--minutes", 0, "--force")
    assert run.returncode == 0, run.stderr
    assert "no checkpoint was written" in run.stderr
    assert "--resume" not in run.stderr
    assert Model.load(tmp_path / "model.npz", "sokoban").about["steps"] == 1


def test_a_model_that_cannot_be_written_stays_in_the_checkpoint(levels, tmp_path, monkeypatch, capsys):
    from shoverworld.cli import main  # a fork of the command could not be changed here

    def fail(model, path):
        raise SaveError(f"{path} cannot be written: No space left on device")

    out = tmp_path / "model.npz"
    with monkeypatch.context() as patch:
        patch.setattr(Model, "save", fail)
        assert main(["learn", "sokoban", "--levels", str(levels), "--out", str(out)]) == 2
    assert "No space left on device; the same command with --resume writes the model" in capsys.readouterr().err
    assert learn(levels, out, "--resume").returncode == 0
    assert Model.load(out, "sokoban").about["complete"]


@pytest.mark.parametrize("out", ["none/a.npz", "folder.npz", "a.txt", "a", "/proc/a.npz"])
def test_a_path_that_cannot_be_written_is_an_error_before_the_levels_are_read(out, tmp_path):
    (tmp_path / "folder.npz").mkdir()
    message = error("sokoban", "--levels", tmp_path / "none.xsb", "--out", tmp_path / out)
    assert f"--out {tmp_path / out}: " in message
    assert "none.xsb" not in message
    assert ("must end in .npz" in message) == (out in ("a.txt", "a"))


def test_a_level_in_a_file_has_a_number(levels, tmp_path):
    out = tmp_path / "model.npz"
    assert "labelled 1 of 1 level\n" in learn(Path(f"{levels}#3"), out).stdout
    run = run_shover("learn", "sokoban", "--levels", levels, f"{levels}#2", "--out", out, "--force")
    assert "labelled 7 of 7 levels\n" in run.stdout
    assert f"{levels} has no level 7; its levels are 1 to 6" in learn(Path(f"{levels}#7"), out, "--force").stderr


def test_levels_of_another_game_are_recognised(tmp_path):
    rooms, maps, out = tmp_path / "rooms.txt", tmp_path / "maps", tmp_path / "model.npz"
    rooms.write_text("; 0\n#######\n#@ $ .#\n#######\n")
    run_shover("generate", "shover", 1, "--out", maps)
    message = error("shover", "--levels", rooms, "--out", out)
    assert f"{rooms} is for Sokoban; expected maps for Shover-World" in message
    message = error("sokoban", "--levels", maps, "--out", out)
    assert f"{maps} is for Shover-World; expected levels for Sokoban" in message
    assert "none.xsb" in error("shover", "--levels", tmp_path / "none.xsb", "--out", out)


def test_only_games_that_can_learn_are_listed(levels, tmp_path):
    out = tmp_path / "model.npz"
    assert "must be one of 'shover', 'sokoban'\n" in error("chess", "--levels", levels, "--out", out)
    assert "no learned policy for Grid race" in error("race", "--levels", levels, "--out", out)


def test_settings_out_of_range_are_named(levels, tmp_path):
    options = ("sokoban", "--levels", levels, "--out", tmp_path / "model.npz")
    assert "rate=0.0: must be greater than 0" in error(*options, "--rate", 0)
    assert "seed=-1: must be at least 0" in error(*options, "--seed", -1)
