"""The client module of the page (`player/remote.js`), in Node and against a real server."""

import shutil
import subprocess
from pathlib import Path

import pytest

from shoverworld.web.server.app import PLAYER
from tests.web.serving import PATIENCE, serving
from tests.web.test_server import ONE_PUSH

NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="Node is not installed")
def test_the_client_module_works_with_the_server(tmp_path: Path) -> None:
    module = tmp_path / "remote.mjs"  # the suffix tells Node that this is a module
    module.write_text((PLAYER / "remote.js").read_text("utf-8"))
    script = Path(__file__).with_name("remote_test.mjs")
    with serving(tmp_path) as server:
        run = subprocess.run(
            [str(NODE), str(script), str(module), f"{server.origin}/", ONE_PUSH],
            capture_output=True, text=True, timeout=PATIENCE,
        )  # fmt: skip
    assert run.stdout == "ok\n" and run.stderr == "", run.stderr
