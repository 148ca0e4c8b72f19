"""`shover sandbox`: report how this machine contains agents from files, and prove it with live attacks."""

import argparse
import json
import os
import platform
import sys
from typing import Any

from shoverworld.core.reports import Column
from shoverworld.sandbox import Protection, bubblewrap, landlock, probes, seccomp
from shoverworld.sandbox.cgroup import cgroup_version
from shoverworld.terminal.console import SafeConsole

from .tables import print_table


def run(chosen: argparse.Namespace) -> int:
    offered = [one for one in Protection if one.available() and one is not Protection.NONE]
    results = {one: probes.run(one) for one in offered}
    strongest = Protection.strongest()
    safe = bool(offered) and all(probe.blocked for probe in results[strongest])
    if chosen.json:
        print(
            json.dumps(
                {"strongest": strongest, "safe": safe, "machine": _machine(), "probes": _data(results)}, indent=1
            )
        )
    else:
        _print(results, strongest, safe)
    return 0 if safe else 1


def _machine() -> dict[str, Any]:
    """Return what this machine offers."""
    version = bubblewrap.version()
    return {
        "system": f"{platform.system()} {platform.release()}, {platform.machine()}, Python {platform.python_version()}",
        "bubblewrap": ".".join(map(str, version)) if version else None,
        "landlock": landlock.version() or None,
        "seccomp": seccomp.supported(),
        "cgroups": cgroup_version() if sys.platform.startswith("linux") else None,
        "user": os.getuid() if os.name == "posix" else None,
        "obstacles": {one.value: obstacle for one in Protection if (obstacle := one.obstacle())},
    }


def _data(results: dict[Protection, list[probes.Probe]]) -> dict[str, Any]:
    return {one.value: [probe._asdict() for probe in found] for one, found in results.items()}


def _print(results: dict[Protection, list[probes.Probe]], strongest: Protection, safe: bool) -> None:
    console = SafeConsole()
    machine = _machine()
    lines = [
        f"System: {machine['system']}",
        f"bubblewrap: {machine['bubblewrap'] or 'not installed (apt install bubblewrap)'}",
        f"Landlock: {'version ' + str(machine['landlock']) if machine['landlock'] else 'no'}",
        f"System call filter (seccomp): {'yes' if machine['seccomp'] else 'no'}",
        f"Control groups for memory and threads: {_groups(machine['cgroups'])}",
        f"User: {machine['user']}{' (agents run as an unused user)' if machine['user'] == 0 else ''}",
        *(f"{name} cannot be used: {obstacle}" for name, obstacle in machine["obstacles"].items()),
    ]
    for line in lines:
        console.print(line, soft_wrap=console.columns is None)
    if results:
        console.print()
        rows = [
            [name, *("blocked" if found[place].blocked else "NOT blocked" for found in results.values())]
            for place, name in enumerate(probes.NAMES)
        ]
        print_table(console, [Column("an agent tries to", False), *(Column(one, False) for one in results)], rows)
        for one, found in results.items():
            for probe in found:
                if not probe.blocked:
                    console.print(
                        f"{one}: {probe.name}: {probe.detail}", style="red", soft_wrap=console.columns is None
                    )
    console.print()
    console.print(f"Agents from files run with: {strongest.description}", soft_wrap=console.columns is None)
    if not safe:
        console.print("Run only agents that you trust (--unsafe).", style="red")


def _groups(version: int | None) -> str:
    return f"version {version}" if version else "no; the limits of the process apply"
