"""Node, which runs modules of the player in tests."""

import json
import shutil
import subprocess
from importlib import resources
from typing import Any

import pytest

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
PLAYER = resources.files("shoverworld.web") / "player"


def run_node(script: str, given: Any, *arguments: str) -> Any:
    """Run an ES module that can import `./NAME.js` of the player.

    The module finds JSON data in `given` and passes JSON data to `answer`.
    """
    prelude = 'import { readFileSync } from "node:fs";\nconst given = JSON.parse(readFileSync(0, "utf-8"));\n'
    prelude += "const answer = (data) => process.stdout.write(JSON.stringify(data));\n"
    source = prelude + script.replace('from "./', f'from "{PLAYER}/')
    run = subprocess.run(
        ["node", "--input-type=module", "-e", source, *arguments],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)
