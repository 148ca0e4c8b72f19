"""A class of students with good, weak and broken submissions, and an exam for them."""

import io
import os
import zipfile
from pathlib import Path

FIRST = """
class Agent:
    def __init__(self, env):
        self.env = env.unwrapped

    def act(self, obs, info):
        actions = self.env.valid_actions()
        return actions[{choice} % len(actions)] if actions else self.env.action_of(0)
"""
SEEDED = """
import numpy as np

class Agent:
    def __init__(self, env, seed):
        self.env, self.rng = env.unwrapped, np.random.default_rng(seed + {choice})

    def act(self, obs, info):
        actions = self.env.valid_actions()
        return actions[self.rng.integers(len(actions))] if actions else self.env.action_of(0)
"""
GREEDY = """
def act(obs, info):
    raise NotImplementedError

class Agent:
    def __init__(self, env):
        self.env = env.unwrapped

    def act(self, obs, info):
        now, best = self.env.get_state(), None
        for number, action in enumerate(self.env.valid_actions()):
            reward = self.env.step(action)[1]
            self.env.set_state(now)
            if best is None or (reward, -number) > best[0]:
                best = (reward, -number), action
        return self.env.action_of(0) if best is None else best[1]
"""
FUNCTION = """
def act(obs, info):
    return (0, 0, 1)
"""
FAULTS = {  # one file each; the expected kind of failure is in EXPECTED
    "crashes": "class Agent:\n    def act(self, obs, info):\n        return 1 / 0\n",
    "syntax": "class Agent:\n    def act(self, obs, info)\n        return 0\n",
    "no_module": "import this_module_does_not_exist\n",
    "loops": "class Agent:\n    def act(self, obs, info):\n        while True:\n            pass\n",
    "hoards": "class Agent:\n    def act(self, obs, info):\n        return len(bytes(10**11))\n",
    "exits": "import os\nclass Agent:\n    def act(self, obs, info):\n        os._exit(3)\n",
    "nonsense": "class Agent:\n    def act(self, obs, info):\n        return 'north'\n",
    "no_act": "class Agent:\n    pass\n",
    "constructor": "class Agent:\n    def __init__(self, env):\n        raise RuntimeError('not today')\n    def act(self, obs, info):\n        return 0\n",
    "recurses": "class Agent:\n    def act(self, obs, info):\n        return self.act(obs, info)\n",
}
EXPECTED = {
    "crashes": {"error"},
    "syntax": {"load"},
    "no_module": {"load"},
    "loops": {"time"},
    "hoards": {"memory", "error"},
    "exits": {"killed"},
    "nonsense": {"answer"},
    "no_act": {"load"},
    "constructor": {"error", "load"},
    "recurses": {"error"},
}
EXAM = """
title = "Class"
game = "shover"
secret = "a secret of the tests"
reference_seconds = 30

[rules]
initial_force = 30
max_timestep = 30

[limits]
game_seconds = {seconds}
memory = 512

[points]
solved = 1
quality = 1
invalid = 0.01

[[levels]]
name = "files"
places = ["maps"]
public = true

[[levels]]
name = "random"
random = {random}
weight = 2
options = {{ rows = 5, cols = 5, boxes = 2, lavas = 3, barriers = 1 }}
"""
MAP = "// rules: milestone1\n{rows}\n"


def write_class(folder: Path, students: int, maps: int, seconds: float = 2.0) -> tuple[Path, Path]:
    """Write an exam with `maps` maps and a folder of submissions. Return the exam file and the folder.

    Half of the maps are files. All kinds of fault occur, if there are enough students, and so do an unsafe archive and a
    stray map file.
    """
    submissions, levels = folder / "submissions", folder / "maps"
    submissions.mkdir(parents=True)
    levels.mkdir()
    for number in range(maps // 2):
        rows = [list(".....") for _ in range(5)]
        rows[number % 5][4], rows[1 + number % 3][1 + number // 3 % 3], rows[4][number // 2 % 4] = "L", "B", "A"
        (levels / f"map-{number:02}.txt").write_text(MAP.format(rows="\n".join(map("".join, rows))))
    (levels / "stray.txt").write_text("this is not a map")
    exam = folder / "exam.toml"
    exam.write_text(EXAM.format(random=maps - maps // 2, seconds=seconds))
    contents = list(_contents(students))
    for name, content in contents[:students]:
        if isinstance(content, bytes):
            (submissions / f"{name}.zip").write_bytes(content)
        elif isinstance(content, dict):
            (submissions / name).mkdir()
            for file, text in content.items():
                (submissions / name / file).write_text(text)
        else:
            (submissions / f"{name}.py").write_text(content)
    if students > len(FAULTS) + 4:
        (submissions / "linked").mkdir()
        os.symlink("/etc/passwd", submissions / "linked" / "agent.py")
    return exam, submissions


def _contents(students: int):
    yield "greedy", {"agent.py": GREEDY, "notes.txt": "see agent.py"}
    yield "archive", zipped({"project/agent.py": FIRST.format(choice=1), "project/readme.md": "hello"})
    yield from FAULTS.items()
    yield "slip", zipped({"../../evil.py": "x = 1"})
    yield "function", FUNCTION
    for number in range(students):
        kind = (FIRST, SEEDED)[number % 2]
        yield f"student_{number:02}", kind.format(choice=number)


def zipped(files: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()
