"""The files of the player: what the page loads, and what the export contains."""

import json
import re

from shoverworld.web.export import PLAYER, export, player_files
from shoverworld.web.files import web_games


def imported_by(name, found=()):
    """Return the modules that a module imports, directly and indirectly."""
    if name in found:
        return list(found)
    found = [*found, name]
    for other in re.findall(r'^import .* from "\./([\w-]+\.js)";', (PLAYER / name).read_text("utf-8"), re.MULTILINE):
        found = imported_by(other, found)
    return found


def test_the_page_preloads_all_modules_that_it_imports():
    """Otherwise, the browser finds the modules one after the other, and the page starts later."""
    preloaded = re.findall(r'rel="modulepreload" href="([\w-]+\.js)"', (PLAYER / "index.html").read_text("utf-8"))
    assert preloaded == sorted(imported_by("app.js"))


def test_the_page_allows_no_inline_code_and_no_other_hosts():
    page = (PLAYER / "index.html").read_text("utf-8")
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert "default-src 'none'" in policy and "unsafe-inline" not in policy and "http" not in policy
    assert not re.search(r"<script(?! type=\"module\" src=)|<style|\son\w+=|\sstyle=", page)


def test_no_key_binding_is_written_in_javascript():
    """Keys of games and commands come from the descriptions: a letter is never compared with a pressed key, except for the
    keys of the level picker, which are compared with `levels_keys`."""
    for name in imported_by("app.js"):
        source = (PLAYER / name).read_text("utf-8")
        if name != "picker.js":
            assert not re.findall(r'key(?:Name)? === "[a-z]"', source), name


def test_the_export_is_complete_and_has_a_version(tmp_path, capsys):
    export(tmp_path)
    names = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert names == set(player_files())
    for game in web_games():
        assert {f"static/{game.name}{ending}" for ending in (".wasm", ".json", ".png")} <= names
    worker = (tmp_path / "sw.js").read_text("utf-8")
    [version] = re.findall(r'const VERSION = "(\w{16})";', worker)
    [listed] = re.findall(r"const FILES = (\[.*\]);", worker)
    assert set(json.loads(listed)) == (names - {"index.html", "sw.js"}) | {"./"}
    assert version in player_files()["sw.js"].decode("utf-8"), "the same files have the same version"
