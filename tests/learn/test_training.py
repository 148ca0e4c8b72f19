"""Tests of training: exact repetition, checkpoints, Ctrl-C, and that the policy learns."""

import os
import signal

import numpy as np
import pytest

from shoverworld import sokoban
from shoverworld.core.errors import ConfigError, ModelError
from shoverworld.core.policy import GREEDY
from shoverworld.games import game_named
from shoverworld.learn import Model, Settings, Trainer, train
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


def test_ctrl_c_keeps_what_was_learned():
    model = train("sokoban", levels(), settings=SETTINGS, progress=lambda report: os.kill(os.getpid(), signal.SIGINT))
    assert model.about["steps"] == 1
    assert np.count_nonzero(model.table)


def test_no_minutes_means_one_step():
    assert train("sokoban", levels(), settings=SETTINGS, minutes=0).about["steps"] == 1


def test_a_checkpoint_of_another_training_is_an_error(tmp_path):
    checkpoint = tmp_path / "checkpoint"
    train("sokoban", levels(), settings=SETTINGS, checkpoint=checkpoint, minutes=0)
    with pytest.raises(ModelError, match="its levels_digest is"):
        train("sokoban", levels()[:5], settings=SETTINGS, checkpoint=checkpoint)
    with pytest.raises(ModelError, match="its settings is"):
        train("sokoban", levels(), settings=Settings(), checkpoint=checkpoint)
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
    for wrong in ({"passes": -1}, {"rounds": 0}, {"chunk": 0}, {"rate": -1.0}, {"seed": -1}):
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
