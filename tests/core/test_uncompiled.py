"""Batches play the same games without compiled code (NUMBA_DISABLE_JIT=1) as with compiled code."""

import json
import os
import subprocess
import sys

import gymnasium as gym
import numba

from tests.ids import plain

LEVEL = "#######\n#.@$ .#\n# $   #\n#######"
SETTINGS = {
    "shoverworld/ShoverWorld-v0": {"n_rows": 4, "n_cols": 5, "max_timestep": 15},
    "shoverworld/ShoverWalker-v0": {"n_rows": 4, "n_cols": 5, "max_timestep": 15},
    "shoverworld/ShoverSelect-v0": {"n_rows": 4, "n_cols": 5, "max_timestep": 15},
    "shoverworld/Sokoban-v0": {"levels": LEVEL, "max_steps": 15},  # uncompiled code generates rooms too slowly
    "shoverworld/Race-v0": {"track": "01-straight", "max_rounds": 15},
}


def episodes() -> dict:
    """Return everything that a batch of two games returns in 30 random steps, for each id."""
    from shoverworld.sokoban import Level

    recorded = {}
    for env_id, settings in SETTINGS.items():
        if "levels" in settings:
            settings = {**settings, "levels": Level.parse(settings["levels"])}
        envs = gym.make_vec(env_id, num_envs=2, vectorization_mode="vector_entry_point", **settings)
        envs.action_space.seed(1)
        results = [plain(envs.reset(seed=1))]
        results += [plain(envs.step(envs.action_space.sample())) for _ in range(30)]
        recorded[env_id] = results
    return json.loads(json.dumps(recorded))


def test_uncompiled_batches_play_the_same_games_as_compiled_batches():
    code = "import json; from tests.core.test_uncompiled import episodes; print(json.dumps(episodes()))"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "0" if numba.config.DISABLE_JIT else "1"}
    other = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert other.returncode == 0, other.stderr
    assert json.loads(other.stdout) == episodes()
