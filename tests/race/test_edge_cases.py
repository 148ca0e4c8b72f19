"""Edge cases in the race: unusual input, and copies of returned objects."""

import copy
import io
import pickle
import warnings

import gymnasium as gym
import numpy as np
import pytest
from PIL import Image

from shoverworld import race
from shoverworld.core.errors import ConfigError
from shoverworld.games.race.observation import PARTS

ROAD = race.Track.parse("SS..F\nSS..F")


@pytest.mark.parametrize("cells", [[[1, 0, 100]], [[1], [0], [100]]])
def test_a_track_with_only_one_row_or_column_causes_no_warning(cells):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gym.make("shoverworld/Race-v0", track=race.Track(np.array(cells)), observation=PARTS)
        obs, _ = env.reset(seed=0)
        assert env.observation_space.contains(obs)
        assert env.observation_space.contains(env.step(4)[0])


def test_the_zombie_array_can_be_computed_from_any_array_of_cells():
    assert race.zombie_array([[1, 0, 100], [0, -1, 0]]).tolist() == [[2, 1, 0], [3, -1, 1]]


@pytest.mark.parametrize("given", [[1, 0, 100], "S.F", None, ROAD])
def test_the_zombie_array_rejects_input_that_is_not_a_2d_array_of_cells(given):
    with pytest.raises(race.TrackError, match="expected a 2-D array of cells"):
        race.zombie_array(given)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_ending_is_accepted(end):
    assert race.Track.parse(end.join(["// A road", "1 1 0 100", "1 0 0 100"]) + end).cells.shape == (2, 4)
    assert race.Track.parse(end.join(["// A road", "SS.F", "S..F"]) + end).title == "A road"


def test_an_image_with_a_damaged_header_raises_a_readable_error(tmp_path):
    file = io.BytesIO()
    Image.fromarray(ROAD.to_image()).save(file, "PNG")
    data = bytearray(file.getvalue())
    data[16:24] = bytes(8)  # the header gives the size as 0 x 0 pixels
    path = tmp_path / "empty.png"
    path.write_bytes(data)
    with pytest.raises(race.TrackError, match=r"empty\.png: cannot read the image \(its header is damaged\)"):
        race.Track.read(path)


def test_an_empty_track_name_raises_an_error():
    with pytest.raises(race.TrackError, match="track='': must be a path or the name of a bundled track"):
        race.Track.read("")


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda track: pickle.loads(pickle.dumps(track))])
def test_copies_of_a_track_are_read_only(copied):
    track = race.Track(np.array([[1, 0, 100]]), "mine", "My own")
    assert track.distance[0, 0] == 2
    other = copied(track)
    assert (other, other.name, other.title) == (track, "mine", "My own")
    assert not other.cells.flags.writeable
    assert not other.distance.flags.writeable


@pytest.mark.parametrize("starts", [[(0.5, 0)], [(float("inf"), 0)], [(float("nan"), 0)], ["00"], [(True, 0)]])
def test_start_cells_must_be_integers_on_the_track(starts):
    env = race.RaceEnv(ROAD)
    with pytest.raises(ConfigError, match=r"starts=.*must be 1 cell \(x, y\)"):
        env.reset(options={"starts": starts})
    with pytest.raises(ConfigError, match="off the track"):
        env.reset(options={"starts": [(900, 0)]})
    env.reset(options={"starts": np.array([[1, 1]])})
    assert env.observe()[1]["position"] == (1, 1)


def test_the_line_that_lists_the_cars_must_begin_with_the_whole_word_cars():
    env = race.RaceEnv(ROAD)
    env.reset(options={"map": "SS..F\ncars 2,0"})
    with pytest.raises(race.TrackError, match="line 2, column 1: 'c'"):
        env.reset(options={"map": "SS..F\ncarsten 2,0"})


def test_changing_an_action_mask_does_not_affect_the_environment():
    aec = pytest.importorskip("shoverworld.games.race.aec")
    env = aec.parallel_env(ROAD, cars=2, observation=("action_mask",))
    _, infos = env.reset(seed=0)
    seen = env.observation_of("car_0")["action_mask"]
    infos["car_0"]["action_mask"][:] = 7
    assert (env.observation_of("car_0")["action_mask"] == seen).all()


@pytest.mark.parametrize("options", [5, ["track"], "map"])
def test_invalid_options_for_the_pettingzoo_environments_raise_an_error(options):
    aec = pytest.importorskip("shoverworld.games.race.aec")
    with pytest.raises(ConfigError, match="must be a dict or None"):
        aec.parallel_env(ROAD, cars=2).reset(options=options)


def test_a_batch_on_several_threads_can_be_copied():
    envs = race.RaceVectorEnv(ROAD, num_envs=4, num_threads=2, observation=("position",))
    envs.reset(seed=0)
    envs.step(np.full(4, 5))
    other = copy.deepcopy(envs)
    paths = [[each.step(np.full(4, action))[0]["position"].tolist() for action in (4, 3, 5)] for each in (envs, other)]
    assert paths[0] == paths[1]
    envs.close()
    assert other.step(np.full(4, 4))[0]["position"].shape == (4, 2)  # the copy has its own threads
    other.close()
