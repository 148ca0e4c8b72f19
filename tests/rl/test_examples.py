"""The training examples run, learn and repeat themselves. Run with `make test-rl`."""

import csv
import importlib.util
import sys

import numpy as np
import pytest

from tests.paths import ROOT

torch = pytest.importorskip("torch")


def load(name: str):
    spec = importlib.util.spec_from_file_location(f"example_{name}", ROOT / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def played(module, monkeypatch, folder, *arguments: str) -> list[dict[str, str]]:
    """Run an example and return the rows of its CSV file without the times."""
    monkeypatch.setattr(sys, "argv", ["example", *arguments, "--out", str(folder)])
    module.main()
    (path,) = folder.glob("*.csv")
    assert path.with_suffix(".png").stat().st_size > 5000
    return rows_without_times(path)


def rows_without_times(path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return [{key: value for key, value in row.items() if "minutes" not in key} for row in csv.DictReader(file)]


def test_ppo_learns_to_clear_small_boards(monkeypatch, tmp_path):
    ppo = load("ppo")
    rows = played(ppo, monkeypatch, tmp_path, "--env", "select", "--steps", "40000", "--seed", "3")
    assert float(rows[0]["solved"]) < 0.1 and float(rows[-1]["solved"]) > 0.4


@pytest.mark.parametrize("name", ["ppo", "dqn"])
@pytest.mark.parametrize("task", ["sokoban", "select"])
def test_the_same_seed_gives_the_same_rows(name, task, monkeypatch, tmp_path):
    module = load(name)
    for constant, value in {"ENVS": 16, "STEPS": 8, "MEMORY": 2000, "FIRST": 300, "EVALUATE_EVERY": 40}.items():
        if hasattr(module, constant):
            monkeypatch.setattr(module, constant, value if (name, constant) != ("ppo", "EVALUATE_EVERY") else 2)
    runs = [
        played(module, monkeypatch, tmp_path / folder, "--env", task, "--steps", "600", "--seed", seed)
        for folder, seed in (("first", "1"), ("second", "1"), ("other", "2"))
    ]
    assert runs[0] == runs[1] != runs[2] and len(runs[0]) > 1


def test_the_advantages_of_ppo_follow_the_definition(monkeypatch):
    ppo = load("ppo")
    monkeypatch.setattr(ppo, "ENVS", 3)
    rng = np.random.default_rng(1)
    rollout = ppo.Rollout((1,), 2)
    rewards, values, last = rng.normal(size=(ppo.STEPS, 3)), rng.normal(size=(ppo.STEPS, 3)), rng.normal(size=3)
    over = rng.random((ppo.STEPS, 3)) < 0.2
    rollout.rewards, rollout.values = torch.tensor(rewards).float(), torch.tensor(values).float()
    rollout.over = torch.tensor(over).float()
    found = rollout.advantages(torch.tensor(last).float()).numpy()
    following = np.vstack([values[1:], last])
    for game in range(3):
        for t in range(ppo.STEPS):
            total, weight = 0.0, 1.0
            for k in range(t, ppo.STEPS):  # the discounted sum of the errors up to the end of the episode
                after = 0.0 if over[k, game] else following[k, game]
                total += weight * (rewards[k, game] + ppo.GAMMA * after - values[k, game])
                weight *= ppo.GAMMA * ppo.LAMBDA
                if over[k, game]:
                    break
            assert found[t, game] == pytest.approx(total, abs=1e-4)


@pytest.mark.parametrize("name", ["ppo", "dqn"])
def test_a_turned_room_gets_the_turned_actions(name):
    """
    ######    ######
    #    #    #    #     A room and its mirror image. What the network wants to do on the right in the first room,
    #.$  #    #  $.#     it wants to do on the left in the second.
    #  @ #    # @  #
    ######    ######
    """
    module = load(name)
    make = module.Policy if name == "ppo" else module.Network
    torch.manual_seed(1)
    network, masks = make(4 * 36, 4, turns=True), torch.ones((1, 4), dtype=torch.bool)
    rng = np.random.default_rng(1)
    moves = ((-1, 0), (1, 0), (0, -1), (0, 1))  # up, down, left, right
    images = [lambda a, k=k, m=m: np.rot90(a[:, ::-1] if m else a, k) for k in range(4) for m in (False, True)]
    for row, col in ((1, 2), (3, 1), (4, 2), (2, 4)):  # not on a diagonal, where two views are possible
        room = (rng.random((4, 6, 6)) < 0.3).astype(np.uint8)
        room[module.TARGETS] = 0
        room[module.TARGETS, row, col] = 1
        seen = []
        for image in images:
            planes = torch.from_numpy(np.stack([image(plane) for plane in room]))[None]
            found = network(planes, masks)
            values = (found[0].probs if name == "ppo" else found)[0].detach().numpy()
            by_move = []
            for right, down in ((0, -1), (0, 1), (-1, 0), (1, 0)):  # where the image of each move leads
                ends = [np.zeros((6, 6)), np.zeros((6, 6))]
                ends[0][2, 2], ends[1][2 + down, 2 + right] = 1, 1
                (start,), (end,) = (np.argwhere(image(one)) for one in ends)
                by_move.append(values[moves.index(tuple(end - start))])
            seen.append(by_move)
        assert np.allclose(seen, seen[0], atol=1e-5) and np.std(seen[0]) > 1e-6


def test_dqn_never_rates_invalid_actions():
    dqn = load("dqn")
    player, network = dqn.Player("select", 1), dqn.Network(8 * 36, 216, turns=False)
    memory = dqn.Memory((8, 6, 6), 216)
    for _ in range(30):
        player.step(network, memory)
    planes, masks, actions, rewards, next_planes, next_masks, over = memory.sample()
    assert masks[torch.arange(len(actions)), actions].all()
    assert torch.isfinite(network(planes, masks)).equal(masks)
    assert ((rewards > -1) & (rewards <= 6)).all() and ((over == 0) | (next_masks.any(1))).all()
    assert next_planes.shape == planes.shape


def test_self_play_in_the_race_runs(monkeypatch, tmp_path):
    pytest.importorskip("pettingzoo")
    race = load("race_self_play")
    monkeypatch.setattr(race, "RACES", 4)
    monkeypatch.setattr(race, "EVALUATE_EVERY", 1)
    rows = played(race, monkeypatch, tmp_path, "--minutes", "0")
    assert [row["races"] for row in rows] == ["0"]
    _, ends = race.race_all("02-bend", 5, {"car_0": race.random_policy, "car_1": race.random_policy})
    for end in ends:
        places = [info["place"] for info in end.values() if info["finished"]]
        assert sorted(places) == list(range(1, len(places) + 1))
    assert np.allclose(race.advantages(np.array([1.0]), np.array([0.25])), 0.75)


@pytest.mark.parametrize("options", [[], ["--no-masks"]])
def test_the_example_for_stable_baselines3_repeats_itself(options, monkeypatch, tmp_path):
    pytest.importorskip("sb3_contrib")
    module = load("sb3_ppo")
    for constant, value in {"ENVS": 16, "STEPS": 8, "EVALUATE_EVERY": 2}.items():
        monkeypatch.setattr(module, constant, value)
    runs = []
    for folder, seed in (("first", "1"), ("second", "1"), ("other", "2")):
        arguments = ["--env", "sokoban", "--steps", "512", "--seed", seed, *options, "--out", str(tmp_path / folder)]
        monkeypatch.setattr(sys, "argv", ["sb3_ppo", *arguments])
        module.main()
        (path,) = (tmp_path / folder).glob("*.csv")
        runs.append(rows_without_times(path))
    assert [row["steps"] for row in runs[0]] == ["0", "256", "512"]
    assert runs[0] == runs[1] != runs[2]


def test_the_curves_show_the_runs(monkeypatch, tmp_path, capsys):
    curves = load("curves")
    last = next(run.steps for run in curves.RUNS if (run.name, run.panel) == ("ppo", "select"))
    for seed, solved in ((1, (0.1, 0.95)), (2, (0.2, 0.85))):
        lines = [f"0,0,0,{solved[0]}", f"{last},2,1.5,{solved[1]}"]
        text = "\n".join(["steps,minutes,cpu_minutes,solved", *lines])
        (tmp_path / f"ppo-select-{seed}.csv").write_text(text, encoding="utf-8")
    (tmp_path / "race_self_play-02-bend-1.csv").write_text(
        "races,minutes,cpu_minutes,steps,random,earlier\n0,0,0,50,0.25,0.5\n640,2,2.5,24,0.9375,0.5", encoding="utf-8"
    )
    picture = tmp_path / "curves.png"
    arguments = ["--only-draw", "--out", str(tmp_path), "--picture", str(picture), "--seeds", "2"]
    monkeypatch.setattr(sys, "argv", ["curves", *arguments])
    curves.main()
    table = capsys.readouterr().out
    assert f"| PPO, select | 2 | {last:,} | 1.5 | 15 | 90.0 | 85.0 to 95.0 | 1 of 2 | {last:,} | 1.5 |" in table
    assert "| PPO, self-play, 02-bend | 1 | 640 | 2.5 | 25 | 93.8 | 93.8 to 93.8 | 1 of 1 | 640 | 2.5 |" in table
    assert picture.stat().st_size > 5000
