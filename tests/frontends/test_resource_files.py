"""Files of commands that run at the start: the user's own, the project's only when trusted."""

from pathlib import Path

import pytest


@pytest.fixture
def user_file(debugger):
    path = Path(debugger.environment["HOME"]) / ".config/zedbg/zedbginit"
    path.parent.mkdir(parents=True)
    debugger.environment.pop("XDG_CONFIG_HOME", None)
    return path


def test_the_users_file_runs_before_the_commands(debugger, user_file):
    user_file.write_text("# mine\nset listsize 3\necho from the file\n")
    done = debugger.batch(["show listsize"])
    assert done.lines[0].startswith("from the file") and " 3" in done.lines[1]
    assert debugger.json(["show listsize"]).objects[0]["rows"][0]["value"] == "10"


def test_a_projects_file_runs_when_it_is_trusted_and_is_named_when_not(debugger, user_file):
    (debugger.folder / ".zedbginit").write_text("echo from the project\n")
    done = debugger.batch(["echo done"])
    assert "from the project" not in done.out
    assert f"add-auto-load-safe-path {debugger.folder}" in done.out
    user_file.write_text(f"add-auto-load-safe-path {debugger.folder.parent}\n")
    done = debugger.batch(["echo done"])
    assert [line.strip() for line in done.lines] == ["from the project", "done"]


def test_a_file_that_others_may_write_does_not_run(debugger, user_file):
    user_file.write_text("echo from the file\n")
    user_file.chmod(0o666)
    done = debugger.batch(["echo done"])
    assert "from the file" not in done.out and f"chmod go-w {user_file}" in done.out


@pytest.mark.parametrize("folder", ["/nosuch", "~nobody_here/x"])
def test_only_directories_are_trusted(debugger, folder):
    done = debugger.batch([f"add-auto-load-safe-path {folder}"])
    assert done.code != 0 and len(done.err.splitlines()) == 1
