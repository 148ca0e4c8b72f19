"""RaceEnv and RaceVectorEnv: observations, info, options, states, replays and batches."""

import numpy as np
import pytest
from gymnasium.spaces import Dict, Discrete
from gymnasium.utils.env_checker import check_env

from shoverworld.core.errors import ConfigError, ReplayError, ResetNeeded, TrackError, TrackNotFound
from shoverworld.core.recorder import Journal
from shoverworld.core.replay import Replay
from shoverworld.games.race.config import FINISHES, LINES, RaceReward, RaceRules
from shoverworld.games.race.env import RaceEnv
from shoverworld.games.race.observation import PARTS
from shoverworld.games.race.record import map_text, read_map, state_hash
from shoverworld.games.race.state import RaceState
from shoverworld.games.race.store import make_bank
from shoverworld.games.race.tracks import Track
from shoverworld.games.race.vector import RaceVectorEnv
from tests.ids import plain

SMALL = Track.parse("#######\n#S...F#\n#S...F#\n#S...##\n#######", "small")
BEND = Track.parse("SS.#..##\nSS.#...#\nSS......\n###FFF..", "bend")
LONG = Track.parse("S" + 30 * "." + "F\nS" + 30 * "." + "F\nS" + 30 * "." + "F", "long")
TRACKS = [SMALL, BEND, LONG]
EVERYTHING = PARTS
KEEP, RIGHT, UP = 4, 5, 1


def played(env, seed, steps=60):
    """Play actions from a fixed seed and return everything that the environment returns."""
    env.action_space.seed(seed)
    results = [plain(env.reset(seed=seed))]
    for _ in range(steps):
        result = env.step(env.action_space.sample())
        results.append(plain(result))
        if result[2] or result[3]:
            results.append(plain(env.reset()))
    return results


@pytest.mark.parametrize("cars", [1, 3])
@pytest.mark.parametrize("observation", [None, "velocity", EVERYTHING])
@pytest.mark.filterwarnings("ignore:.*not having a spec")
def test_the_environment_passes_the_gymnasium_checker(cars, observation):
    check_env(RaceEnv(TRACKS, cars=cars, observation=observation, render_mode="ansi"))


@pytest.mark.parametrize("cars", [1, 2, 3])
@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("finish", FINISHES)
def test_observations_of_every_variant_are_reproducible_and_belong_to_the_observation_space(cars, line, finish):
    def make():
        return RaceEnv(TRACKS, cars=cars, line=line, finish=finish, observation=EVERYTHING, max_rounds=25)

    env = make()
    env.action_space.seed(1)
    obs, _ = env.reset(seed=1)
    for _ in range(150):
        assert env.observation_space.contains(obs)
        obs, _, terminated, truncated, _ = env.step(env.action_space.sample())
        if terminated or truncated:
            assert env.observation_space.contains(obs)
            obs, _ = env.reset()
    assert played(make(), 5) == played(make(), 5)
    assert played(make(), 5) != played(make(), 6)


def test_the_observation_space_has_the_documented_shapes():
    env = RaceEnv(BEND, observation=EVERYTHING, view=3)
    assert env.action_space == Discrete(9)
    assert isinstance(env.observation_space, Dict)
    shapes = {name: (space.dtype, space.shape) for name, space in env.observation_space.items()}
    assert shapes == {
        "view": (np.int8, (7, 7)),
        "distances": (np.int32, (7, 7)),
        "velocity": (np.int32, (2,)),
        "position": (np.int32, (2,)),
        "landing": (np.int32, (9,)),
        "waiting": (np.int32, (1,)),
        "action_mask": (np.int8, (9,)),
    }
    assert set(RaceEnv(BEND).observation_space) == {"view", "velocity"}


# --- Observations


def test_the_view_shows_the_track_around_the_car_and_the_other_cars():
    env = RaceEnv(SMALL, cars=3, observation=("view", "distances", "position", "velocity"), view=2)
    obs, _ = env.reset(seed=0, options={"starts": [(2, 1), (3, 1), (4, 3)]})
    assert obs["view"].tolist() == [
        [-1, -1, -1, -1, -1],
        [-1, -1, -1, -1, -1],
        [-1, 1, 0, 2, 0],
        [-1, 1, 0, 0, 0],
        [-1, 1, 0, 0, 2],
    ]
    assert obs["distances"].tolist() == [
        [-1, -1, -1, -1, -1],
        [-1, -1, -1, -1, -1],
        [-1, 4, 3, 2, 1],
        [-1, 4, 3, 2, 1],
        [-1, 5, 4, 3, 2],
    ]
    assert obs["position"].tolist() == [2, 1]
    obs, *_ = env.step(7)  # the first car moves down; the second car is next
    assert obs["position"].tolist() == [3, 1]
    assert obs["view"][2:].tolist() == [[1, 0, 0, 0, 100], [1, 2, 0, 0, 100], [1, 0, 0, 2, -1]]
    first = env.observe_car(0)
    assert first["position"].tolist() == [2, 2]
    assert first["velocity"].tolist() == [0, 1]
    assert plain(env.observe()[0]) == plain(obs), "observing a car does not change the state of the race"


@pytest.mark.parametrize("reach", [1, 2, 3, 4, 5, 7, 8, 12, 20])
def test_a_view_of_any_size_shows_the_board_around_the_car(reach):
    env = RaceEnv(BEND, observation=("view", "distances"), view=reach)
    ground, far = (np.pad(table, reach, constant_values=-1) for table in (BEND.cells, BEND.distance))
    side = 2 * reach + 1
    for y, x in np.argwhere((BEND.cells == 0) | (BEND.cells == 1)).tolist():
        obs, _ = env.reset(seed=0, options={"starts": [(x, y)]})
        assert np.array_equal(obs["view"], ground[y : y + side, x : x + side])
        assert np.array_equal(obs["distances"], far[y : y + side, x : x + side])


def test_landing_distances_and_the_mask_show_the_legal_moves():
    env = RaceEnv(SMALL, cars=2, observation=("landing", "action_mask"))
    obs, _ = env.reset(seed=0, options={"starts": [(2, 1), (3, 1)]})
    assert obs["landing"].tolist() == [-1, -1, -1, 4, 3, -1, 4, 3, 2]
    assert obs["action_mask"].tolist() == [0, 0, 0, 1, 1, 0, 1, 1, 1]
    assert obs["action_mask"].tolist() == env.action_mask().tolist()


def test_finished_cars_are_not_in_view_and_a_finished_race_has_an_empty_mask():
    env = RaceEnv(SMALL, cars=2, observation=("view", "action_mask"), view=1)
    env.reset(seed=0, options={"starts": [(4, 1), (4, 2)]})
    obs, *_, info = env.step(RIGHT)
    assert info["finished"]
    assert obs["view"].tolist() == [[0, 0, 100], [0, 0, 100], [0, 0, -1]]
    assert env.observe_car(0)["action_mask"].sum() == 0
    obs, _, terminated, _, _ = env.step(RIGHT)
    assert terminated
    assert obs["action_mask"].sum() == 0
    assert not env.action_mask().any()


def test_the_mask_is_empty_after_a_timeout():
    env = RaceEnv(SMALL, observation="action_mask", max_rounds=1)
    env.reset(seed=0)
    obs, _, _, truncated, _ = env.step(KEEP)
    assert truncated
    assert obs["action_mask"].sum() == 0
    assert not env.action_mask().any()


def test_the_observation_contains_the_number_of_turns_that_a_car_must_wait():
    env = RaceEnv(SMALL, cars=2, observation="waiting")
    env.reset(seed=0, options={"starts": [(1, 1), (1, 2)]})
    obs, _, _, _, info = env.step(UP)
    assert info["car"] == 0
    assert info["waiting"] == 5
    assert obs["waiting"].tolist() == [0], "the observation is that of the car that moves next"
    assert env.observe_car(0)["waiting"].tolist() == [5]


@pytest.mark.parametrize("action", range(9))
def test_the_mask_is_correct_for_moving_cars(action):
    env = RaceEnv(BEND)
    for seed in range(6):
        env.action_space.seed(seed)
        env.reset(seed=seed)
        for _ in range(4):
            env.step(env.action_space.sample(env.action_mask().astype(np.int8)))
            if env.outcome:
                break
        if env.outcome is None:
            allowed = env.action_mask()[action]
            assert env.step(action)[4]["last_action_valid"] == allowed


def test_the_info_has_the_documented_keys():
    env = RaceEnv(SMALL, cars=2)
    _, info = env.reset(seed=0, options={"starts": [(1, 1), (1, 2)]})
    at_rest = {"penalties": 0, "waiting": 0, "last_action_valid": True, "fault": None, "finished": False, "place": 0}
    result = {**at_rest, "invalid_reason": "", "track": 0, "outcome": None, "car": 0, "round": 1}
    assert info == {**result, "steps": 0, "position": (1, 1), "velocity": (0, 0), "turn": 0}
    info = env.step(RIGHT)[4]
    assert info == {**result, "steps": 1, "position": (2, 1), "velocity": (1, 0), "turn": 1}


# --- Arguments and options


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"track": SMALL, "cars": 4}, "cars=4: small has only 3 start cells"),
        ({"track": [LONG, SMALL], "cars": 4}, "cars=4: long has only 3 start cells"),
        ({"track": []}, r"track=\[\]"),
        ({"track": 5}, "track=5: must be a Track"),
        ({"track": [SMALL, 5]}, "must be a Track"),
        ({"observation": "lidar"}, "observation='lidar': must be one or more of 'view'"),
        ({"observation": ()}, "observation"),
        ({"observation": ("view", "view")}, "observation"),
        ({"observation": 3}, "observation=3"),
        ({"view": 0}, "view=0: must be an integer from 1"),
        ({"rules": "fast"}, "rules='fast': must be a RaceRules"),
        ({"reward": {"win": 1}}, "there is no reward term 'win'"),
        ({"line": "straight"}, "line='straight'"),
        ({"seed": -1}, "seed=-1"),
        ({"render_mode": "vr"}, "render_mode='vr'"),
        ({"cell_size": 0}, "cell_size=0"),
    ],
)
def test_invalid_arguments_raise_an_error(keywords, words):
    with pytest.raises(ConfigError, match=words):
        RaceEnv(**keywords)


def test_the_error_names_the_missing_track():
    with pytest.raises(TrackNotFound, match="nowhere"):
        RaceEnv("nowhere")


def test_tracks_can_be_given_by_name_or_path_or_as_a_list(tmp_path):
    SMALL.write(tmp_path / "own.txt")
    env = RaceEnv(["01-straight", tmp_path / "own.txt", BEND])
    assert env.tracks[0].name == "01-straight"
    assert env.tracks[1] == SMALL
    seen = {env.reset(seed=0)[1]["track"], *(env.reset()[1]["track"] for _ in range(40))}
    assert seen == {0, 1, 2}
    for place in range(3):
        _, info = env.reset(options={"track": place})
        assert info["track"] == place
        assert env.track == env.tracks[place]


def test_rules_can_be_given_as_an_object_and_modified_by_keywords():
    env = RaceEnv(SMALL, rules=RaceRules(penalty=2, cars=2), line="landing", reward={"finish": 5})
    assert env.rules == RaceRules(penalty=2, cars=2, line="landing", reward=RaceReward(finish=5))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"tracks": 1}, "there is no option 'tracks'; did you mean 'track'"),
        ({"track": 3}, r"options\['track'\]=3"),
        ({"map": 5}, r"options\['map'\]=5: must be a string or a Track"),
        ({"map": "S.F", "track": 0}, "a 'track' or a 'map', not both"),
        ({"map": "S.F", "starts": [(1, 0)]}, r"must be 2 cells \(x, y\)"),
        ({"map": "S.F", "starts": [(1, 0), 3]}, r"must be 2 cells \(x, y\)"),
        ({"map": "S.F", "starts": [(1, 0), (1, 0)]}, r"two cars at \(1, 0\)"),
        ({"map": "S.F", "starts": [(1, 0), (2, 0)]}, r"\(2, 0\) is a finish cell"),
        ({"map": "S.F", "starts": [(1, 0), (0, 1)]}, r"\(0, 1\) is off the track"),
        ({"map": "S.F", "starts": [(1, 0), (-1, 0)]}, r"\(-1, 0\) is off the track"),
        ({"map": "S.F"}, "cars=2: map has only 1 start cell;"),
        ({"starts": [(1, 1), (1, 2)]}, "there are several tracks"),
        (5, "expected a dict"),
    ],
)
def test_invalid_options_raise_an_error(options, words):
    env = RaceEnv(TRACKS, cars=2)
    with pytest.raises(ConfigError, match=words):
        env.reset(options=options)


def test_a_race_requires_a_map_if_the_default_track_has_too_few_start_cells():
    env = RaceEnv(cars=5)
    with pytest.raises(ConfigError, match="cars=5: 01-straight has only 4 start cells"):
        env.reset(seed=0)
    env.reset(seed=0, options={"map": "SSSSS.F"})
    assert len(env.ranking()) == 5


def test_a_map_applies_to_one_race_and_can_have_any_size():
    env = RaceEnv(SMALL, observation="position")
    _, info = env.reset(seed=3, options={"map": "#####\n#S.F#\n#####"})
    assert env.observation_space["position"].high.tolist() == [4, 2]
    assert info["position"] == (1, 1)
    env.step(RIGHT)
    assert env.step(KEEP)[2]
    env.reset()
    assert env.track == SMALL
    assert env.observation_space["position"].high.tolist() == [6, 4]


def test_the_error_for_an_invalid_map_names_the_position_and_the_race_continues():
    env = RaceEnv(SMALL)
    env.reset(seed=0)
    before = env.state_hash()
    with pytest.raises(TrackError, match="line 2"):
        env.reset(options={"map": "S..F\nS.x."})
    with pytest.raises(TrackError, match=r"line 2.*'3;1'"):
        env.reset(options={"map": "S..F\ncars 3;1"})
    assert env.state_hash() == before
    env.step(KEEP)


def test_calls_before_the_first_reset_raise_an_error():
    env = RaceEnv(SMALL)
    for call in (lambda: env.step(4), env.action_mask, env.get_state, env.ranking, env.rewards, env.map_text):
        with pytest.raises(ResetNeeded, match="reset"):
            call()


# --- States


@pytest.mark.parametrize("cars", [1, 3])
def test_the_same_race_continues_from_a_restored_state_in_any_environment(cars):
    env, other = RaceEnv(TRACKS, cars=cars), RaceEnv(SMALL, cars=cars)
    env.reset(seed=4, options={"track": 2})
    for action in (5, 4, 8, 5, 7):
        env.step(action)
    state = env.get_state()
    first = [plain(env.step(action)) for action in (4, 4, 1, 3, 0)]
    for player in (env, other):
        player.set_state(state)
        assert [plain(player.step(action)) for action in (4, 4, 1, 3, 0)] == first
    other.reset(seed=1)
    assert other.track == SMALL


def test_the_state_that_get_state_returns_is_a_copy():
    env = RaceEnv(SMALL)
    env.reset(seed=0)
    state = env.get_state()
    before = state_hash(state)
    env.step(RIGHT)
    assert state_hash(state) == before
    state.cars["col"] = 3
    assert env.cars["col"].tolist() == [2]


def damaged(name):
    """Return an invalid state."""
    env = RaceEnv(SMALL, cars=2)
    env.reset(seed=0)
    state = env.get_state()
    cars, game, bank = state
    match name:
        case "no state":
            return ()
        case "too few cars":
            return RaceState(cars[:, :1].copy(), game, bank)
        case "other numbers":
            return RaceState(cars.astype(object), game, bank)
        case "no bank":
            return RaceState(cars, game, None)
        case "strange ground":
            return state._replace(bank=bank._replace(ground=np.full_like(bank.ground, 7)))
        case "small distance":
            return state._replace(bank=bank._replace(distance=bank.distance[:, 1:]))
        case "off the board":
            cars["col"][0, 0] = 99
        case "off the track":
            cars["row"][0, 0] = 0
        case "one cell":
            cars["row"], cars["col"] = 1, 1
        case "too fast":
            cars["drow"][0, 1] = -50
        case "turn":
            game["turn"] = 2
        case "waits forever":
            cars["wait"][0, 1] = 99
        case "waits":
            cars["wait"][0, 0] = 2
        case "finished":
            cars["place"][0, 0] = 1
            game["racing"] = 1
        case "racing":
            game["racing"] = 1
        case "track":
            game["track"] = 1
        case "outcome":
            game["outcome"] = 9
    return state


@pytest.mark.parametrize(
    "name",
    ["no state", "too few cars", "other numbers", "no bank", "strange ground", "small distance", "off the board",
     "off the track", "one cell", "too fast", "turn", "waits", "waits forever", "finished", "racing", "track", "outcome"],
)  # fmt: skip
def test_an_invalid_state_is_rejected_and_changes_nothing(name):
    env = RaceEnv(SMALL, cars=2)
    env.reset(seed=5)
    before = env.state_hash()
    with pytest.raises(ConfigError, match="set_state: "):
        env.set_state(damaged(name))
    assert env.state_hash() == before


def test_the_hash_does_not_depend_on_the_seed_or_on_other_tracks_in_the_environment():
    alone, among = RaceEnv(SMALL, cars=2), RaceEnv(TRACKS, cars=2)
    alone.reset(seed=1, options={"starts": [(1, 1), (1, 3)]})
    among.reset(seed=2, options={"track": 0, "starts": [(1, 1), (1, 3)]})
    assert alone.state_hash() == among.state_hash()
    for env in (alone, among):
        env.step(RIGHT)
    assert alone.state_hash() == among.state_hash()
    among.step(RIGHT)
    assert alone.state_hash() != among.state_hash()


def test_the_hash_of_a_state_is_the_same_on_every_machine():
    """If this literal has to change, the replay format has changed, and old replays are rejected."""
    env = RaceEnv(SMALL, cars=2)
    env.reset(seed=1, options={"starts": [(1, 1), (1, 3)]})
    env.step(RIGHT)
    assert env.state_hash() == "62b8a805e759fae1"


# --- Replays


@pytest.mark.parametrize("cars", [1, 2, 3])
@pytest.mark.parametrize("finish", FINISHES)
def test_a_recorded_race_passes_the_replay_check(cars, finish, tmp_path):
    env = RaceEnv(
        TRACKS, cars=cars, finish=finish, line="supercover", penalty=2, max_rounds=40, reward=RaceReward(finish=10)
    )
    journal = Journal(env)
    for seed in range(3):
        env.action_space.seed(seed)
        env.reset(seed=seed)
        over = False
        while not over:
            _, _, terminated, truncated, _ = env.step(env.action_space.sample())
            over = terminated or truncated
        journal.replay(player="dice").write(tmp_path / "race.replay")
        replay = Replay.read(tmp_path / "race.replay")
        assert replay == journal.replay(player="dice")
        replay.check()
        assert replay.make().rules == env.rules
        assert replay.end.outcome == env.outcome
        *_, last = replay.play()
        assert last.env.ranking() == env.ranking()


def recorded():
    env = RaceEnv(SMALL, cars=2)
    journal = Journal(env)
    env.reset(seed=0, options={"starts": [(1, 2), (1, 1)]})
    for action in (RIGHT, UP, RIGHT):
        env.step(action)
    return journal.replay()


def test_a_replay_contains_the_track_and_the_start_cells():
    replay = recorded()
    assert replay.map == "#######\n#S...F#\n#S...F#\n#S...##\n#######\ncars 1,2 1,1\n"
    assert replay.config == {"cars": 2}
    assert [move.remark for move in replay.moves] == [
        "car 1, right, to 2,2, penalties 0, rounds 1, finished 0",
        "car 2, up, to 1,0, illegal: the move lands off the track, penalties 1, rounds 2, finished 0",
        "car 1, right, to 4,2, penalties 1, rounds 3, finished 0",
    ]


def test_a_replay_can_have_more_cars_than_any_bundled_track_has_start_cells():
    env = RaceEnv(Track.parse("S" * 12 + ".F"), cars=12)
    journal = Journal(env)
    env.reset(seed=0)
    for _ in range(20):
        env.step(KEEP)
    Replay.parse(journal.replay().to_text()).check()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("cars 1,2 1,1", "cars 1,1 1,2", "the start: the state differs"),
        ("cars 1,2 1,1", "cars 1,2 1;1", r"line 11: the map: '1;1'"),
        ("cars 1,2 1,1", "cars 1,2", r"the game cannot begin: starts=\(\(1, 2\),\)"),
        ("| #S...F#", "| #S.x.F#", "the map, column 4: 'x'"),
        ("config.cars: 2", "config.cars: 3", "the game cannot begin"),
        ("   1  5 ", "   1  4 ", "step 1: the state differs"),
        ("   1  5 ", "   1  9 ", "step 1: action 9"),
    ],
)
def test_an_edited_replay_is_rejected(old, new, words):
    text = recorded().to_text()
    assert old in text
    with pytest.raises(ReplayError, match=words):
        Replay.parse(text.replace(old, new, 1)).check()


def test_map_text_round_trips_through_read_map():
    env = RaceEnv(TRACKS, cars=3)
    for seed in range(6):
        env.reset(seed=seed)
        track, places = read_map(env.map_text())
        assert track == env.track
        assert places == tuple((car["col"], car["row"]) for car in env.cars)
    assert read_map("S.F") == (Track.parse("S.F"), None)


def test_ansi_rendering_shows_the_cars_on_the_track():
    env = RaceEnv(SMALL, cars=3, render_mode="ansi")
    env.reset(seed=0, options={"starts": [(4, 1), (1, 2), (2, 3)]})
    env.step(RIGHT)
    env.step(3)
    assert env.render() == (
        "round 1, 3 to move\n#######\n#S...F#\n#2...F#\n#S3..##\n#######\n"
        " 1  at 5,1, velocity 1,0, steps 1, finished, place 1\n"
        " 2  at 1,2, velocity 0,0, steps 1, waits 5\n"
        ">3  at 2,3, velocity 0,0, steps 0\n"
    )


# --- Batches


def batch(mode="NextStep", num_envs=6, **keywords):
    return RaceVectorEnv(TRACKS, num_envs, mode, **{"max_rounds": 20, **keywords})


@pytest.mark.parametrize("cars", [1, 2])
@pytest.mark.parametrize(("line", "finish"), [("valid_line", "land"), ("supercover", "cross"), ("landing", "land")])
def test_a_batch_plays_the_same_races_as_single_environments(cars, line, finish):
    rules = {"cars": cars, "line": line, "finish": finish, "observation": EVERYTHING, "view": 3}
    envs = batch(**rules)
    singles = [RaceEnv(TRACKS, max_rounds=20, **rules) for _ in range(6)]
    obs, info = envs.reset(seed=8)
    expected = [env.reset(seed=8 + i) for i, env in enumerate(singles)]
    envs.action_space.seed(8)
    ended, faults = 0, set()
    over = np.zeros(6, bool)
    for _ in range(300):
        for i, result in enumerate(expected):
            assert plain({name: array[i] for name, array in obs.items()}) == plain(result[0])
            mine = {key: info[key][i] for key in info if not key.startswith("_")}
            mine["invalid_reason"] = envs.invalid_reasons[mine["invalid_reason"]]
            mine["fault"] = mine["invalid_reason"] or None  # a batch omits it
            assert plain(mine) == plain(result[-1])
        actions = envs.action_space.sample()
        obs, rewards, terminated, truncated, info = envs.step(actions)
        faults.update(envs.invalid_reasons[reason] for reason in info["invalid_reason"])
        for i, env in enumerate(singles):
            expected[i] = env.reset() if over[i] else env.step(int(actions[i]))
            result = (0.0, False, False) if over[i] else expected[i][1:4]
            assert (rewards[i], terminated[i], truncated[i]) == result
            assert state_hash(envs.get_state(), i) == env.state_hash()
        over = terminated | truncated
        ended += over.sum()
    assert ended > 10
    assert {"", "off_track"} <= faults
    assert ("line" in faults) == (line != "landing")
    assert ("occupied" in faults) == (cars > 1)


def test_the_number_of_threads_and_the_copy_setting_do_not_affect_the_results():
    one, three, live = batch(num_envs=50), batch(num_envs=50, num_threads=3), batch(num_envs=50, copy=False)
    one.action_space.seed(2)
    for envs in (one, three, live):
        envs.reset(seed=2)
    kept = []
    for _ in range(60):
        actions = one.action_space.sample()
        result, *others = (plain(envs.step(actions)) for envs in (one, three, live))
        assert all(other == result for other in others)
        kept.append(
            (one.step(one.action_space.sample() * 0 + KEEP)[0], three.step([KEEP] * 50), live.step([KEEP] * 50))
        )
    held = [plain(obs) for obs, _, _ in kept]
    one.step([KEEP] * 50)
    assert [plain(obs) for obs, _, _ in kept] == held, "a copied observation does not change"
    three.close()


def test_a_batch_obeys_the_reset_options():
    envs = batch()
    _, info = envs.reset(seed=0, options={"track": 2, "starts": [(9, 1)]})
    assert info["position"].tolist() == [[9, 1]] * 6
    assert info["track"].tolist() == [2] * 6
    _, info = envs.reset(options={"map": BEND, "reset_mask": np.arange(6) < 2})
    assert info["track"].tolist() == [1, 1, 2, 2, 2, 2]
    _, info = envs.reset(options={"map": map_text(envs.get_state().row(5))})
    assert info["position"].tolist() == [[9, 1]] * 6
    with pytest.raises(ConfigError, match="a batch cannot change its tracks"):
        envs.reset(options={"map": "S.F"})


def test_masks_and_states_of_a_batch_agree_with_those_of_single_environments():
    envs = batch(cars=2)
    envs.reset(seed=3)
    for _ in range(5):
        envs.step(envs.action_space.sample())
    kept, mask = envs.get_state(), envs.action_mask()
    for i in range(6):
        env = RaceEnv(TRACKS, cars=2, max_rounds=20)
        env.set_state(kept.row(i))
        assert env.action_mask().tolist() == mask[i].tolist()
    actions = [envs.action_space.sample() for _ in range(10)]
    first = [plain(envs.step(action)) for action in actions]
    envs.set_state(kept)
    assert [plain(envs.step(action)) for action in actions] == first
    other = RaceVectorEnv([LONG], 6, cars=2)
    with pytest.raises(ConfigError, match="on the same tracks"):
        other.set_state(kept)


@pytest.mark.parametrize("actions", [[4] * 5, [4.0] * 6, "right", [[4] * 6], [4, 4, 4, 4, 4, 9], [4, 4, -1, 4, 4, 4]])
def test_an_invalid_action_in_a_batch_changes_no_race(actions):
    envs = batch()
    envs.reset(seed=0)
    before = [state_hash(envs.get_state(), i) for i in range(6)]
    with pytest.raises(ValueError, match=r"action|integers"):
        envs.step(actions)
    assert [state_hash(envs.get_state(), i) for i in range(6)] == before


def test_smaller_tracks_in_a_track_bank_are_padded_with_off_track_cells():
    bank = make_bank(TRACKS)
    assert bank.size == (5, 32)
    for i, track in enumerate(TRACKS):
        assert np.array_equal(bank.board(i), track.cells)
        assert np.array_equal(bank.distances(i), track.distance)
        whole = bank.ground[i].reshape(bank.size)
        assert (whole != -1).sum() == (track.cells != -1).sum()
        assert not bank.ground.flags.writeable
