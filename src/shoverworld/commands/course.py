"""`shover course`: write the files that the course asks for into a folder.

Each file is a few lines long and uses the package.
"""

import argparse

from shoverworld.core.files import write_safely

from .shared import keep_existing, make_folder

ENVIRONMENT = '''\
"""The environment with the course's API: `obs = env.reset()`, a 4-tuple from `step` and an int32 grid."""

from shoverworld.course.environment import ShoverWorldEnv

__all__ = ["ShoverWorldEnv"]
'''
SCRIPT = '''\
"""{about}

python {name}.py {example}
"""

from shoverworld.course.scripts import {name}

if __name__ == "__main__":
    {name}()
'''
TEST = '''\
"""The smoke test from the specification: one episode with random actions."""

from environment import ShoverWorldEnv

env = ShoverWorldEnv(render_mode=None, n_rows=6, n_cols=9, initial_force=4.0, unit_force=1.0, seed=0)
obs = env.reset()
done = False
total_r = 0.0
while not done:
    a = env.action_space.sample()
    obs, r, done, info = env.step(a)
    total_r += r
print("Episode return:", total_r)
env.close()
'''


def _script(name: str, about: str, example: str) -> tuple[str, str]:
    return f"{name}.py", SCRIPT.format(name=name, about=about, example=example)


FILES = dict(
    [
        ("environment.py", ENVIRONMENT),
        _script("gui", "Play in a window.", "map3.txt --rules walker"),
        _script("run_player_ai", "Run an agent on maps and print its steps.", "map3.txt --agent phase2-astar"),
        ("test.py", TEST),
        _script("watch_ai_steps", "Watch an agent play in the terminal.", "map3.txt --agent phase2-rbfs --speed 0.5"),
    ]
)


def run(chosen: argparse.Namespace) -> None:
    make_folder(chosen.folder, "DIR")
    files = {chosen.folder / name: text.encode() for name, text in FILES.items()}
    others = (path for path, content in files.items() if not (path.is_file() and path.read_bytes() == content))
    keep_existing(others, chosen.force)
    for path, content in files.items():
        write_safely(path, content)
    print(f"{', '.join(FILES)} in {chosen.folder}")
