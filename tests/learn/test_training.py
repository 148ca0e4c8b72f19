"""Tests of training: exact repetition, reasons to stop, checkpoints, and that the policy learns."""

import os
import signal
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from shoverworld import sokoban
from shoverworld.core.errors import ConfigError, ModelError, SaveError
from shoverworld.core.policy import GREEDY
from shoverworld.games import game_named
from shoverworld.learn import Model, Progress, Settings, Stop, Trainer, train, training
from shoverworld.learn.model import learning_of

SETTINGS = Settings(seed=4, chunk=10, passes=1, rounds=2)


def levels() -> list[sokoban.Level]:
    return sokoban.packaged("tiny")[:24]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a complete training."""
    path = tmp_path_factory.mktemp("model") / "model.npz"
    train("sokoban", levels(), settings=SETTINGS).save(path)
    return path.read_bytes()


def test_the_same_seed_gives_the_same_file(whole, tmp_path):
    train("sokoban", levels(), settings=SETTINGS).save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == whole


def test_another_seed_gives_another_model(whole, tmp_path):
    train("sokoban", levels(), settings=Settings(seed=5, chunk=10, passes=1, rounds=1)).save(tmp_path / "other.npz")
    assert (tmp_path / "other.npz").read_bytes() != whole


@pytest.mark.parametrize("stop_after", [1, 4, 6])
def test_a_training_that_was_stopped_and_resumed_gives_the_same_file(whole, stop_after, tmp_path):
    checkpoint = tmp_path / "checkpoint"
    part = train(
        "sokoban", levels(), settings=SETTINGS, checkpoint=checkpoint, progress=lambda report: report.done >= stop_after
    )
    assert part.about["steps"] == stop_after
    assert not part.about["complete"]
    train("sokoban", levels(), settings=SETTINGS, checkpoint=checkpoint).save(tmp_path / "model.npz")
    assert (tmp_path / "model.npz").read_bytes() == whole


def press_ctrl_c(report: Progress) -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_ctrl_c_keeps_what_was_learned():
    model = train("sokoban", levels(), settings=SETTINGS, progress=press_ctrl_c)
    assert model.about["steps"] == 1
    assert np.count_nonzero(model.table)


def test_no_minutes_means_one_step():
    assert train("sokoban", levels(), settings=SETTINGS, minutes=0).about["steps"] == 1


STOPS = [
    (Stop.FINISHED, {}),
    (Stop.TIME, {"minutes": 0}),
    (Stop.INTERRUPT, {"progress": press_ctrl_c}),
    (Stop.INTERRUPT, {"progress": press_ctrl_c, "minutes": 0}),
    (Stop.PROGRESS, {"progress": lambda report: True}),
]


@pytest.mark.parametrize(("reason", "options"), STOPS)
def test_a_training_reports_why_it_stopped(reason, options):
    trainer = Trainer("sokoban", levels(), SETTINGS)
    assert trainer.run(**options) is reason
    assert trainer.complete == (reason is Stop.FINISHED)


@pytest.mark.parametrize("options", [options for _, options in STOPS])
def test_a_training_that_is_stopped_after_its_last_step_is_finished(options, whole, tmp_path):
    trainer = Trainer("sokoban", levels(), SETTINGS)
    steps = train("sokoban", levels(), settings=SETTINGS).about["steps"]
    trainer.run(progress=lambda report: report.done == steps - 1)
    assert not trainer.complete
    assert trainer.run(**options) is Stop.FINISHED
    trainer.model.save(tmp_path / "model.npz")
    assert (tmp_path / "model.npz").read_bytes() == whole


def test_the_first_step_with_the_compilation_does_not_count_towards_the_minutes(monkeypatch):
    clock = SimpleNamespace(now=0.0)
    take = Trainer.take

    def take_slowly(trainer, step):
        take(trainer, step)
        clock.now += 10.0 if trainer.done > 1 else 600.0

    monkeypatch.setattr(training, "time", SimpleNamespace(monotonic=lambda: clock.now))
    monkeypatch.setattr(Trainer, "take", take_slowly)
    assert train("sokoban", levels(), settings=SETTINGS, minutes=0.5).about["steps"] == 1 + 3


def test_a_model_that_is_not_complete_counts_the_labelled_levels(whole):
    one = train("sokoban", levels(), settings=SETTINGS, progress=lambda report: report.done == 1).about
    assert (one["labelled"], one["levels"]) == (10, 24)
    all_labelled = train("sokoban", levels(), settings=SETTINGS, progress=lambda report: report.done == 4).about
    assert (all_labelled["labelled"], all_labelled["levels"]) == (24, 24)
    assert "labelled" not in train("sokoban", levels(), settings=SETTINGS).about


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """No checkpoint can be written, and one is due after every step."""

    def fail(path, *arguments, **options):
        raise SaveError(f"{path} cannot be written: No space left on device")

    monkeypatch.setattr(training, "write_archive", fail)
    monkeypatch.setattr(training, "CHECKPOINT_EVERY", 0.0)


def test_a_checkpoint_that_cannot_be_written_does_not_end_the_training(full_disk, whole, tmp_path):
    with pytest.warns(UserWarning, match="no checkpoint was written: .*No space left"):
        model = train("sokoban", levels(), settings=SETTINGS, checkpoint=tmp_path / "checkpoint")
    model.save(tmp_path / "model.npz")
    assert (tmp_path / "model.npz").read_bytes() == whole


def test_the_same_failure_of_a_checkpoint_is_reported_once(full_disk, tmp_path):
    trainer, problems = Trainer("sokoban", levels(), SETTINGS), []
    assert trainer.run(checkpoint=tmp_path / "checkpoint", warn=problems.append) is Stop.FINISHED
    assert problems == [
        f"no checkpoint was written: {tmp_path / 'checkpoint'} cannot be written: No space left on device"
    ]
    assert trainer.saved is None


def test_a_checkpoint_of_another_training_is_an_error(tmp_path):
    checkpoint = tmp_path / "checkpoint"
    train("sokoban", levels(), settings=SETTINGS, checkpoint=checkpoint, minutes=0)
    with pytest.raises(ModelError, match="the checkpoint was made with other levels"):
        train("sokoban", levels()[:5], settings=SETTINGS, checkpoint=checkpoint)
    with pytest.raises(ModelError, match=r"rate is 0\.1 in the checkpoint, but 0\.2 here: use --rate 0\.1, or another"):
        train("sokoban", levels(), settings=replace(SETTINGS, rate=0.2), checkpoint=checkpoint)
    with pytest.raises(ModelError, match="chunk is 10 in the checkpoint, but 5 here: use chunk=10, or another"):
        train("sokoban", levels(), settings=replace(SETTINGS, chunk=5), checkpoint=checkpoint)
    checkpoint.write_bytes(checkpoint.read_bytes()[:5000])
    with pytest.raises(ModelError, match="not a complete checkpoint file"):
        train("sokoban", levels(), settings=SETTINGS, checkpoint=checkpoint)


def test_the_policy_learns():
    """After training, the policy alone solves most of its training levels; without training, few."""
    trainer = Trainer("sokoban", levels(), Settings(passes=3, rounds=1))
    before = np.count_nonzero(trainer.teacher.solve(trainer.table, GREEDY, 200) >= 0)
    for step in trainer.steps():
        trainer.take(step)
    after = np.count_nonzero(trainer.teacher.solve(trainer.table, GREEDY, 200) >= 0)
    assert after >= 20
    assert after > before


def test_wrong_settings_are_errors():
    wrong_settings = (
        {"passes": -1}, {"rounds": 0}, {"chunk": 0}, {"rate": -1.0}, {"rate": 0.0}, {"seed": -1}, {"seed": None}, {"seed": 1.5},
    )  # fmt: skip
    for wrong in wrong_settings:
        with pytest.raises(ConfigError, match=next(iter(wrong))):
            Settings(**wrong)
    with pytest.raises(ConfigError, match="no levels"):
        train("sokoban", [])
    with pytest.raises(ConfigError, match="no solution was found for any of the levels"):
        train("sokoban", sokoban.parse_levels("######\n#$@ .#\n######\n"))
    with pytest.raises(ConfigError, match="Grid race"):
        train("race", [])


def test_the_packaged_model_names_its_seed_data_and_settings():
    game = game_named("sokoban")
    path = learning_of(game).model
    assert path.stat().st_size <= 4_000_000
    about = Model.load(path, game).about
    assert about["complete"]
    assert {"settings", "levels", "levels_digest", "states"} <= set(about)
