"""The docs are up to date: regenerated pages equal the stored pages, and examples run."""

import re
import subprocess
import sys

import pytest

from tests.paths import ROOT


def test_generated_pages_are_up_to_date():
    run = subprocess.run([sys.executable, ROOT / "docs" / "make.py", "--check"], capture_output=True, text=True)
    assert run.returncode == 0, f"{run.stdout}{run.stderr}; run `make docs`"


@pytest.mark.parametrize(
    "page",
    [
        *(f"docs/{name}.md" for name in ("index", "games/shover", "games/sokoban", "games/race")),
        *(
            f"docs/{name}.md"
            for name in ("planner", "sokoban", "sokoban-solver", "race", "race-tracks", "race-planner")
        ),
    ],
)
def test_the_python_examples_run(page):
    """All Python blocks on a page run in order in one process."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    subprocess.run([sys.executable, "-c", "\n".join(blocks)], check=True, cwd=ROOT)


@pytest.mark.parametrize("page", ["README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))])
def test_the_installation_instructions_use_a_clone(page):
    """The package is installed from a clone of the repository, so no page asks pip to find it in an index."""
    assert not re.search(r"pip install [^`\n]*shoverworld", (ROOT / page).read_text(encoding="utf-8"))


def test_every_python_block_in_the_readme_runs_alone():
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    for block in blocks:
        run = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, cwd=ROOT)
        assert run.returncode == 0, f"{block}\n{run.stderr}"


def test_the_example_agents_in_the_docs_win_their_games(tmp_path):
    from shoverworld import ShoverWorldEnv
    from shoverworld.agents.referee import play
    from shoverworld.sokoban import Level, SokobanEnv

    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    mine, breadth, function = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (tmp_path / "mine.py").write_text(mine)
    game = play(ShoverWorldEnv(rules="phase2"), f"{tmp_path / 'mine.py'}:Mine", options={"map": "..B\n...\n..B"})
    assert (game.outcome, game.steps) == ("cleared", 2)
    (tmp_path / "agent.py").write_text(function)
    game = play(ShoverWorldEnv(rules="phase2", max_timestep=2), tmp_path, options={"map": "..B\n...\n..B"})
    assert (game.outcome, game.error) == ("timeout", None)
    (tmp_path / "breadth.py").write_text(breadth)
    game = play(SokobanEnv(Level.parse("######\n#    #\n# $  #\n# .@ #\n######")), tmp_path / "breadth.py")
    assert (game.outcome, game.steps) == ("solved", 4)
