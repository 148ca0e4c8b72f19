"""Tests of submissions: what can be handed in, and archives and folders that attack the grader."""

import io
import os
import stat
import struct
import sys
import zipfile

import pytest

from shoverworld.arena import submissions
from shoverworld.arena.submissions import SubmissionError, checked_name, collect, read_submission, unpacked
from shoverworld.core.errors import ConfigError

AGENT = b"def act(obs, info):\n    return 0\n"


def archive(*members, compression=zipfile.ZIP_STORED) -> bytes:
    """Return a zip archive. A member is (name or ZipInfo, content)."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as target:
        for name, content in members:
            target.writestr(name, content)
    return out.getvalue()


def problem_of(folder, data: bytes) -> str:
    (folder / "anna.zip").write_bytes(data)
    found = read_submission(folder / "anna.zip", "anna")
    assert found.files == {} and found.main == ""
    return found.problem


def test_files_folders_and_archives_are_submissions(tmp_path):
    (tmp_path / "anna.py").write_bytes(AGENT)
    (tmp_path / "ben").mkdir()
    (tmp_path / "ben" / "agent.py").write_bytes(AGENT)
    (tmp_path / "ben" / "tools.py").write_bytes(b"")
    (tmp_path / "carl.zip").write_bytes(
        archive(("work/agent.py", AGENT), ("work/data/x.txt", b"x"), ("__MACOSX/y", b""))
    )
    (tmp_path / ".hidden").write_bytes(b"")
    found = {one.student: one for one in collect([tmp_path])}
    assert {name: (one.main, sorted(one.files), one.problem) for name, one in found.items()} == {
        "anna": ("anna.py", ["anna.py"], ""),
        "ben": ("agent.py", ["agent.py", "tools.py"], ""),
        "carl": ("agent.py", ["agent.py", "data/x.txt"], ""),
    }
    path = found["carl"].write(tmp_path / "new")
    assert path.read_bytes() == AGENT and (tmp_path / "new/data/x.txt").read_bytes() == b"x"


def test_a_file_whose_name_is_not_a_module_is_renamed(tmp_path):
    (tmp_path / "Anna O'Hara-17.py").write_bytes(AGENT)
    (found,) = collect([tmp_path])
    assert (found.student, found.main) == ("Anna O'Hara-17", "agent.py")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../evil.py", "could lead out"),
        ("a/../../evil.py", "could lead out"),
        ("/etc/evil.py", "absolute path"),
        ("C:\\evil.py", "absolute path"),
        ("..\\evil.py", "could lead out"),
        ("a//b.py", "could lead out"),
        ("./agent.py", "could lead out"),
        ("a\nb.py", "printable"),
        ("x" * 300, "printable"),
        ("ö" * 150, "more than 200 bytes"),
        ("/".join("d" * 13) + "/x.py", "folders within folders"),
    ],
)
def test_an_archive_cannot_write_outside_its_folder(tmp_path, name, why):
    problem = problem_of(tmp_path, archive(("agent.py", AGENT), (name, b"evil")))
    assert why in problem
    assert sorted(os.listdir(tmp_path)) == ["anna.zip"]


def test_links_in_an_archive_are_rejected(tmp_path):
    link = zipfile.ZipInfo("agent.py")
    link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    assert "symbolic link" in problem_of(tmp_path, archive((link, b"/etc/passwd")))


@pytest.mark.parametrize("kind", [stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK])
def test_devices_and_pipes_in_an_archive_are_rejected(tmp_path, kind):
    member = zipfile.ZipInfo("agent.py")
    member.create_system, member.external_attr = 3, (kind | 0o666) << 16
    assert "a pipe" in problem_of(tmp_path, archive((member, b"")))


def test_a_zip_bomb_is_rejected(tmp_path):
    bomb = archive(("agent.py", AGENT), ("zeros", bytes(20 * 2**20)), compression=zipfile.ZIP_DEFLATED)
    assert len(bomb) < 100_000
    assert "200 times its size" in problem_of(tmp_path, bomb)


def test_a_large_archive_is_rejected(tmp_path, monkeypatch):
    monkeypatch.setattr(submissions, "MOST_BYTES", 1000)
    assert "larger than" in problem_of(tmp_path, archive(("agent.py", bytes(600)), ("more", bytes(600))))


def test_the_size_in_the_header_of_an_archive_is_not_trusted(tmp_path):
    data = archive(("agent.py", bytes(5 * 2**20)), compression=zipfile.ZIP_DEFLATED)
    lie = data.replace((5 * 2**20).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    assert lie != data
    assert problem_of(tmp_path, lie)


def test_many_files_are_rejected(tmp_path):
    assert "more than 1,000 files" in problem_of(tmp_path, archive(*((f"{n}.txt", b"") for n in range(1001))))


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("names", [("a.py", "A.py"), ("a.py", "a.py")])
def test_a_file_cannot_occur_twice(tmp_path, names):
    assert "occurs twice" in problem_of(tmp_path, archive(*((name, b"") for name in names)))


@pytest.mark.parametrize("names", [("data", "data/x"), ("data/x/y", "data"), ("a/b", "A/B/c")])
def test_a_file_and_a_folder_cannot_have_the_same_name(tmp_path, names):
    """Such a submission could not be written for a game, which would look like a fault of the machine."""
    problem = problem_of(tmp_path, archive(("agent.py", AGENT), *((name, b"") for name in names)))
    assert "a file and a folder have the same name" in problem


@pytest.mark.parametrize("compression", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_unusual_compression_is_rejected(tmp_path, compression):
    data = archive(("agent.py", AGENT), compression=compression)
    assert "compressed in an unusual way" in problem_of(tmp_path, data)


def test_the_directory_of_an_archive_is_counted_before_it_is_read(tmp_path, monkeypatch):
    entry = struct.pack("<4s4B4HL2L5H2L", b"PK\1\2", 20, 3, 20, *[0] * 8, 1, *[0] * 6) + b"a"
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 0, 0, len(entry) * 5000, 0, 0)
    monkeypatch.setattr(zipfile, "ZipFile", None)
    assert "more than 1,000 files" in problem_of(tmp_path, entry * 5000 + end)


def test_ignored_files_are_not_unpacked(tmp_path):
    """Otherwise, thousands of them could keep the grader busy."""
    bomb = archive(("agent.py", AGENT), ("__MACOSX/zeros", bytes(20 * 2**20)), compression=zipfile.ZIP_DEFLATED)
    (tmp_path / "anna.zip").write_bytes(bomb)
    found = read_submission(tmp_path / "anna.zip", "anna")
    assert (found.problem, list(found.files)) == ("", ["agent.py"])


def test_a_folder_with_thousands_of_entries_is_rejected(tmp_path):
    (tmp_path / "anna" / "empty").mkdir(parents=True)
    for number in range(submissions.MOST_ENTRIES + 1):
        (tmp_path / "anna" / "empty" / str(number)).mkdir()
    assert collect([tmp_path])[0].problem == "more than 1,000 files"


@pytest.mark.parametrize(
    "data",
    [b"PK\x03\x04garbage", b"PK\x05\x06", archive(("agent.py", AGENT))[:60]],
    ids=["garbage", "only_an_end", "cut_off"],  # an archive contains the time, so its bytes cannot name a test
)
def test_damaged_archives_are_rejected(tmp_path, data):
    assert "cannot be unpacked" in problem_of(tmp_path, data)


def test_links_and_pipes_in_a_folder_are_rejected(tmp_path):
    for name, make in {
        "link": lambda path: os.symlink("/etc/passwd", path),
        "folder_link": lambda path: os.symlink("/etc", path),
        "pipe": os.mkfifo,
    }.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "agent.py").write_bytes(AGENT)
        make(tmp_path / name / "more")
    os.symlink("/etc", tmp_path / "whole")
    os.symlink(__file__, tmp_path / "whole.py")
    found = collect([tmp_path])
    assert len(found) == 5 and all("symbolic link" in one.problem and not one.files for one in found)


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"notes.txt": b""}, "no Python file; expected agent.py"),
        ({"a.py": b"", "b.py": b""}, "several Python files (a.py, b.py) and none is called agent.py"),
    ],
)
def test_a_folder_without_an_agent_is_a_problem(tmp_path, files, why):
    (tmp_path / "anna").mkdir()
    for name, content in files.items():
        (tmp_path / "anna" / name).write_bytes(content)
    assert collect([tmp_path])[0].problem == why


def test_other_files_are_a_problem(tmp_path):
    (tmp_path / "anna.rar").write_bytes(b"Rar!")
    assert collect([tmp_path])[0].problem == "expected a Python file, a folder or a zip archive"


def test_a_table_gives_the_students(tmp_path):
    (tmp_path / "s1.py").write_bytes(AGENT)
    (tmp_path / "s2.py").write_bytes(AGENT)
    table = tmp_path / "students.csv"
    table.write_text("student,file\nAnna,s1.py\nBen,s3.py\n")
    found = {one.student: one.problem for one in collect([tmp_path], table)}
    assert found == {"Anna": "", "Ben": "nothing was handed in", "s2": ""}


@pytest.mark.parametrize("text", ["", "name,path\na,b\n", "file,student\nx.py,\n", "file,student\nx.py,a\nx.py,b\n"])
def test_a_wrong_table_is_an_error(tmp_path, text):
    (tmp_path / "table.csv").write_text(text)
    with pytest.raises(ConfigError, match=r"table.csv"):
        collect([], tmp_path / "table.csv")


def test_equal_students_are_distinguished_by_their_files(tmp_path):
    (tmp_path / "anna.py").write_bytes(AGENT)
    (tmp_path / "anna.zip").write_bytes(archive(("agent.py", AGENT)))
    assert [one.student for one in collect([tmp_path])] == ["anna (anna.py)", "anna (anna.zip)"]


def test_nobody_can_take_the_name_of_somebody_else(tmp_path):
    for folder in ("monday", "tuesday"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "anna.py").write_bytes(AGENT)
    (tmp_path / "monday" / "anna (anna.py)").mkdir()
    (tmp_path / "monday" / "anna (anna.py)" / "agent.py").write_bytes(AGENT)
    places = [tmp_path / "monday", tmp_path / "tuesday"]
    names = [one.student for one in collect([*places, *places])]
    assert names == ["anna (anna.py)", "anna (anna.py) [2]", "anna (anna.py) [3]"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not allow such names")
def test_names_that_are_not_text_are_made_visible(tmp_path):
    for name in (b"a\xff.py", b"b\x1b[2J.py", b" .py", b"c\n.zip"):
        (tmp_path / os.fsdecode(name)).write_bytes(AGENT)
    found = collect([tmp_path])
    assert [one.student for one in found] == ["a\ufffd", "b␛[2J", "c", "unnamed"]
    assert [one.file for one in found] == ["a\ufffd.py", "b␛[2J.py", "c .zip", ".py"]
    assert [one.main for one in found] == ["agent.py", "agent.py", "", "agent.py"]


def test_the_digest_depends_on_names_and_content():
    one = submissions.Submission("a", "a", {"x.py": b"1", "y.py": b"2"})
    assert one.digest == submissions.Submission("b", "b", {"y.py": b"2", "x.py": b"1"}).digest
    assert one.digest != submissions.Submission("a", "a", {"x.py": b"2", "y.py": b"1"}).digest


def test_names_within_a_submission_are_accepted():
    assert checked_name("a/b\\c.py") == "a/b/c.py"
    with pytest.raises(SubmissionError):
        unpacked(archive(("..", b"")))
