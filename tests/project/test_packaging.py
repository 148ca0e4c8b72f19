"""The project files agree on the version, the supported Python versions and the tool versions."""

import ast
import json
import re
import tomllib

import shoverworld
from tests.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOW = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")


def pinned(package: str) -> str:
    """Return the version to which constraints.txt pins a package."""
    found = re.search(rf"^{package}==(\S+)$", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)
    assert found, f"{package} is not in constraints.txt"
    return found[1]


def test_the_build_reads_the_version_without_importing_the_package():
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert PROJECT["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "shoverworld._version.__version__"}
    tree = ast.parse((ROOT / "src/shoverworld/_version.py").read_text(encoding="utf-8"))
    values = [ast.literal_eval(line.value) for line in tree.body if isinstance(line, ast.Assign)]
    assert values == [shoverworld.__version__]


def test_the_project_files_agree_on_the_supported_python_versions():
    prefix = "Programming Language :: Python :: 3."
    versions = [c.removeprefix(prefix[:-2]) for c in PROJECT["project"]["classifiers"] if c.startswith(prefix)]
    assert versions, "the classifiers must list the Python versions"
    lowest = versions[0]
    assert PROJECT["project"]["requires-python"] == f">={lowest}"
    assert PROJECT["tool"]["pyright"]["pythonVersion"] == lowest
    assert PROJECT["tool"]["ruff"]["target-version"] == f"py{lowest.replace('.', '')}"
    assert f"python: {json.dumps(versions)}" in WORKFLOW
    assert f"sys.version_info < ({lowest.replace('.', ', ')})" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_ci_tests_the_lowest_supported_version_of_gymnasium():
    [requirement] = [d for d in PROJECT["project"]["dependencies"] if d.startswith("gymnasium")]
    lowest = re.search(r">=([\d.]+)", requirement)
    assert lowest
    assert f'gymnasium: ["{lowest[1]}", newest]' in WORKFLOW
    assert f"GYMNASIUM ?= {lowest[1]}\n" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_pre_commit_uses_the_pinned_version_of_ruff():
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert re.search(r"ruff-pre-commit\n\s+rev: v(\S+)", hooks)[1] == pinned("ruff")


def test_extras_refer_only_to_extras_that_exist():
    extras = PROJECT["project"]["optional-dependencies"]
    assert extras["race"] == ["shoverworld[multiplayer]"]
    named = {
        name
        for parts in extras.values()
        for p in parts
        for found in re.findall(r"shoverworld\[(.+)\]", p)
        for name in found.split(",")
    }
    assert named <= set(extras)
    assert {"gui", "multiplayer", "plot", "video"} <= named


def test_the_video_extra_installs_the_package_that_the_record_video_wrapper_needs():
    [requirement] = PROJECT["project"]["optional-dependencies"]["video"]
    assert requirement.startswith("moviepy>=") and pinned("moviepy")
