"""Tests of model files: what is written is read, and everything else is a clear error."""

import json

import numpy as np
import pytest

from shoverworld.core.errors import ConfigError, ModelError
from shoverworld.games import game_named
from shoverworld.learn import Model
from shoverworld.learn.model import learning_of


def model() -> Model:
    learning = learning_of(game_named("sokoban"))
    table = np.zeros(1 << 12, np.float32)
    table[::7] = np.random.default_rng(0).normal(size=len(table[::7]))
    return Model("sokoban", learning.version, table, {"settings": {"seed": 5}})


def test_a_model_is_read_as_it_was_written_up_to_rounding(tmp_path):
    one = model()
    one.save(tmp_path / "model.npz")
    other = Model.load(tmp_path / "model.npz", "sokoban")
    step = np.abs(one.table).max() / 127
    assert np.abs(one.table - other.table).max() <= step * 0.51
    assert (other.game, other.version, other.about) == (one.game, one.version, one.about)


def test_equal_models_give_equal_files(tmp_path):
    for name in ("one.npz", "two.npz"):
        model().save(tmp_path / name)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()


def test_a_truncated_file_is_an_error(tmp_path):
    model().save(tmp_path / "model.npz")
    data = (tmp_path / "model.npz").read_bytes()
    for length in (0, 1, 30, len(data) // 2, len(data) - 1):
        (tmp_path / "cut.npz").write_bytes(data[:length])
        message = r"cut\.npz: not a complete model file \(the file is truncated or is not an \.npz file\)"
        with pytest.raises(ModelError, match=message):
            Model.load(tmp_path / "cut.npz")


def test_a_damaged_byte_is_an_error_or_harmless(tmp_path):
    model().save(tmp_path / "model.npz")
    data = bytearray((tmp_path / "model.npz").read_bytes())
    for place in range(0, len(data), 37):
        damaged = bytearray(data)
        damaged[place] ^= 0x55
        (tmp_path / "bad.npz").write_bytes(bytes(damaged))
        try:
            Model.load(tmp_path / "bad.npz", "sokoban")
        except ModelError as error:
            assert "bad.npz" in str(error)


def test_an_encrypted_archive_is_an_error(tmp_path):
    model().save(tmp_path / "model.npz")
    data = bytearray((tmp_path / "model.npz").read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1  # the flag for encryption in the directory of the archive
    (tmp_path / "locked.npz").write_bytes(data)
    with pytest.raises(ModelError, match=r"locked\.npz: .*encrypted"):
        Model.load(tmp_path / "locked.npz")


def header(**changes: object) -> np.ndarray:
    values = {"format": 1, "kind": "model", "game": "sokoban", "version": 1, "size": 16, "about": {}} | changes
    return np.frombuffer(json.dumps(values).encode(), np.uint8)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"weights": np.zeros(3)}, "not one that `shover learn` wrote"),
        ({"header": np.zeros(3)}, "it has no header"),
        ({"header": header(format=2)}, "format 2; this version of shoverworld reads format 1"),
        ({"header": header(kind="checkpoint")}, "a checkpoint file; expected a model file"),
        ({"header": header()}, "a damaged model file"),
        ({"header": header(size=15)}, "15 is not a power of two"),
        ({"header": np.array([{"a": 1}], object)}, "not a complete model file"),
    ],
)
def test_other_archives_are_errors(arrays, message, tmp_path):
    np.savez(tmp_path / "other.npz", **arrays)
    with pytest.raises(ModelError, match=message):
        Model.load(tmp_path / "other.npz")


def test_foreign_missing_and_other_games_files_are_errors(tmp_path):
    (tmp_path / "text.npz").write_text("hello")
    with pytest.raises(ModelError, match=r"expected an \.npz file"):
        Model.load(tmp_path / "text.npz")
    with pytest.raises(ModelError, match="does not exist"):
        Model.load(tmp_path / "missing.npz")
    with pytest.raises(ModelError, match="is a folder"):
        Model.load(tmp_path)
    one = model()
    Model("shover", one.version, one.table).save(tmp_path / "shover.npz")
    with pytest.raises(ModelError, match="for the game 'shover'; expected one for 'sokoban'"):
        Model.load(tmp_path / "shover.npz", "sokoban")
    Model("sokoban", one.version + 1, one.table).save(tmp_path / "newer.npz")
    with pytest.raises(ModelError, match=r"version 2 of the features.*`shover learn sokoban`"):
        Model.load(tmp_path / "newer.npz", "sokoban")


def test_a_game_without_a_policy_is_an_error():
    with pytest.raises(ConfigError, match="no learned policy for Grid race"):
        learning_of(game_named("race"))
