"""Tests of the sandbox itself: what it blocks, its limits, and what it reports. Agents are in tests/agents/."""

import json
import os
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from shoverworld.sandbox import Limits, Protection, SandboxFailure, SandboxUnavailable, cgroup, probes, start
from shoverworld.sandbox.limits import MEBIBYTE
from shoverworld.sandbox.protection import TRUST
from tests.paths import ROOT
from tests.sandboxes import needs_bubblewrap

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the sandbox needs Linux")
VISIBLE_WITHOUT_NAMESPACES = {"see that such a file exists"}  # docs/sandbox.md
AS_USER = 'exec setpriv --reuid 65533 --regid 65533 --clear-groups env -i "PATH=$PATH" HOME=/nonexistent "$@"'


def opened(folders: list[Path], stage: Path) -> list[str]:
    """Return shell commands that open these folders to all users in a mount namespace, even below a closed /root."""
    first, last, closed = [], [], set()
    for number, folder in enumerate(folders):
        closed |= {next((above for above in reversed(folder.parents) if not above.stat().st_mode & 0o001), None)}
        first.append(f"mkdir '{stage}/{number}' && mount --bind '{folder}' '{stage}/{number}'")
        last.append(f"mkdir -p '{folder}' && mount --bind '{stage}/{number}' '{folder}'")
    covers = [f"mount -t tmpfs none '{above}' && chmod 755 '{above}'" for above in closed if above is not None]
    return [*first, *covers, *last] if covers else []


def report(command, **keywords):
    """Run `shover sandbox --json` and return its exit code and its report."""
    run = subprocess.run(command, capture_output=True, text=True, check=False, **keywords)
    return run.returncode, json.loads(run.stdout)


def not_blocked(found):
    return {probe["name"] for probe in found if not probe["blocked"]}


@needs_bubblewrap
def test_bubblewrap_blocks_every_probe():
    found = probes.run(Protection.BUBBLEWRAP)
    assert [probe for probe in found if not probe.blocked] == [] and len(found) == len(probes.NAMES) >= 20


def test_the_command_reports_the_weaker_protection_if_bubblewrap_is_missing():
    command = [sys.executable, "-m", "shoverworld.cli", "sandbox", "--json"]
    code, data = report(command, env={**os.environ, "PATH": "/nonexistent"})
    assert (code, data["strongest"], data["safe"], data["machine"]["bubblewrap"]) == (1, "landlock", False, None)
    assert data["machine"]["obstacles"] == {"bubblewrap": "bubblewrap is not installed"}
    assert not_blocked(data["probes"]["landlock"]) == VISIBLE_WITHOUT_NAMESPACES


@needs_bubblewrap
@pytest.mark.skipif(os.getuid() != 0 or not shutil.which("unshare"), reason="only root can become another user")
def test_the_command_proves_the_protection_for_an_ordinary_user(tmp_path):
    python = [Path(sys.base_prefix).resolve(), Path(sys.prefix), ROOT / "src"]
    script = " && ".join([*opened(python, tmp_path), AS_USER])
    inner = [sys.executable, "-m", "shoverworld.cli", "sandbox", "--json"]
    command = ["unshare", "-m", "sh", "-c", script, "sh", *inner]
    code, data = report(command, cwd="/")
    assert (code, data["strongest"], data["machine"]["user"]) == (0, "bubblewrap", 65533)
    assert not_blocked(data["probes"]["bubblewrap"]) == set()
    assert not_blocked(data["probes"]["landlock"]) == VISIBLE_WITHOUT_NAMESPACES


def test_a_process_that_cannot_start_is_not_the_fault_of_the_program():
    with (
        closing(start("nothing:here")) as process,
        pytest.raises(SandboxFailure, match=r"the sandbox did not start: .*No module named 'nothing'"),
    ):
        process.confirm_sealed()


def test_an_unknown_protection_is_rejected_with_advice(monkeypatch):
    monkeypatch.setattr(Protection, "obstacle", lambda self: "this needs Linux")
    with pytest.raises(
        SandboxUnavailable, match=r"this needs Linux; install bubblewrap .*; .* add --unsafe or set SHOV"
    ):
        Protection.chosen(None)
    with pytest.raises(SandboxUnavailable, match="the protection landlock is not available"):
        Protection.chosen(Protection.LANDLOCK)
    monkeypatch.setenv(TRUST, "1")
    assert Protection.chosen(None) is Protection.NONE


@pytest.mark.skipif(cgroup.cgroup_version() is None, reason="no control group can be made here")
def test_the_kernel_ends_a_process_that_exceeds_the_memory_of_its_group():
    """The limit of the process is raised here, so that only the group limits it."""
    process = start("shoverworld.sandbox.probes:attack", limits=Limits(memory=512 * MEBIBYTE))
    group = process._group
    try:
        process.stdin.write(json.dumps(["", 0, 0, "", 1 << 16, 128 * MEBIBYTE]).encode() + b"\n")
        group.limit_memory = lambda more: type(group).limit_memory(group, 64 * MEBIBYTE)
        process.confirm_sealed()
        assert process.wait(280) and process.out_of_memory()
        assert process.how_it_ended() == "because it used more than 512 MiB of memory"
        assert process.cpu_seconds() > 0  # still known after the end
    finally:
        process.close()
    assert not group.memory.exists() and not group.pids.exists()


@pytest.mark.skipif(cgroup.cgroup_version() is None, reason="no control group can be made here")
def test_a_group_of_a_process_that_was_killed_is_removed_at_the_next_start():
    places = cgroup._places()
    ended = subprocess.Popen(["true"])
    ended.wait()
    stale = [parent / f"shoverworld-{ended.pid}-test" for parent in set(places[1:])]
    for folder in stale:
        folder.mkdir()
    group = cgroup.Cgroup.create(1)
    group.remove()
    assert not any(folder.exists() for folder in stale)


def test_continuous_integration_installs_bubblewrap():
    assert "bwrap" in (ROOT / ".ci" / "run").read_text() and "bubblewrap" in (ROOT / ".ci" / "run").read_text()
