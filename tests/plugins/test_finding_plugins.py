"""Where plugins are found when a session starts: installed packages, the user's folder, the
environment."""

import pytest

GREET = """
import zedbg

class Greet(zedbg.Command):
    def __init__(self):
        super().__init__("greet")

    def invoke(self, argument, from_tty):
        return "from {place}"
"""


@pytest.fixture
def places(tmp_path):
    """Writes plugins to each place where they are looked for; the environment that names them."""
    folder = tmp_path / "config" / "zedbg" / "plugins"
    packages, listed = tmp_path / "packages", tmp_path / "listed"
    for each in (folder, packages / "offered-1.0.dist-info", listed):
        each.mkdir(parents=True)
    return folder, packages, listed


def run(debugger, places, *commands):
    folder, packages, listed = places
    path = f"{packages}:{debugger.environment['PYTHONPATH']}"
    words = [word for line in commands for word in ("-ex", line)]
    return debugger.run(
        "--batch",
        *words,
        XDG_CONFIG_HOME=str(folder.parents[1]),
        ZEDBG_PLUGINS=f"{listed}:/nonexistent",
        PYTHONPATH=path,
    )


def offer(packages, text):
    (packages / "offered-1.0.dist-info" / "entry_points.txt").write_text(text)


def test_later_places_take_the_place_of_earlier_ones(debugger, places):
    folder, packages, listed = places
    text = GREET.format(place="a package") + (
        "\ndef more():\n"
        "    class More(zedbg.Command):\n"
        "        def __init__(self):\n            super().__init__('more')\n"
        "        def invoke(self, argument, from_tty):\n            return 'more of it'\n"
        "    More()\n"
    )
    (packages / "offered.py").write_text(text)
    offered = ("greet = offered", "second = offered", "third = offered", "more = offered:more")
    offer(packages, "[console_scripts]\nx = y:z\n\n[zedbg.plugins]\n" + "\n".join(offered))
    for where, name, command in (
        (folder, "second", "second"),
        (folder, "third", "third"),
        (listed, "third", "third"),
    ):
        text = GREET.format(place=where.name).replace('"greet"', f'"{command}"')
        (where / f"{name}.py").write_text(text)
    (folder / "_hidden.py").write_text("1 / 0")
    done = run(debugger, places, "greet", "second", "third", "more", "plugin list")
    assert done.lines[:4] == ["from a package", "from plugins", "from listed", "more of it"]
    assert "more: enabled, entry point offered:more" in done.out and not done.err


def test_plugins_that_cannot_be_loaded_are_named_and_the_session_starts(debugger, places):
    folder, packages, listed = places
    offer(packages, "[zedbg.plugins]\nmissing = nosuchmodule\n")
    damaged = packages / "damaged-1.0.dist-info"
    damaged.mkdir()
    (damaged / "entry_points.txt").write_text("[zedbg.plugins\ngreet = \x00")
    (folder / "broken.py").write_text("import zedbg\n1 / 0\n")
    (folder / "stuck.py").write_text("import sys\nsys.exit()\n")
    (listed / "good.py").write_text(GREET.format(place="the list"))
    done = run(debugger, places, "greet")
    assert done.lines == ["from the list"] and done.code == 0
    named = done.err.splitlines()
    assert len(named) == 3 and all(each.startswith("plugin not loaded: ") for each in named)
    assert "nosuchmodule" in named[0] and "ZeroDivisionError" in named[1]
    assert "SystemExit" in named[2]
