"""What a plugin can add to a session, run without a program by zedbg.testing."""

import os
import subprocess
import sys
import textwrap

import pytest

from zedbg import CommandError
from zedbg.testing import PluginSession, StandInThread, array, structure

EVERYTHING = '''
import zedbg


class Greet(zedbg.Command):
    """Greet somebody"""

    def __init__(self):
        super().__init__("greet", zedbg.COMMAND_USER, prefix=True)


class Loudly(zedbg.Command):
    """Greet loudly

    Usage: greet loudly NAME
    """

    def __init__(self):
        super().__init__("greet loudly")

    def invoke(self, argument, from_tty):
        print("HELLO", argument)
        return {"name": argument, "times": zedbg.parameter("greet times")}

    def complete(self, text, word):
        return ["ann", "bob"] if not text.strip() else [f"{word}!"]


class Times(zedbg.Parameter):
    """How often"""

    default = 3

    def __init__(self):
        super().__init__("greet times", parameter_class=zedbg.PARAM_ZUINTEGER)

    def get_set_string(self):
        if self.value > 9:
            raise zedbg.CommandError("That is too often.")
        return f"{self.value} times it is"


class Clamp(zedbg.Function):
    def __init__(self):
        super().__init__("clamp")

    def invoke(self, value, low, high):
        return low if value < low else high if value > high else value


@zedbg.printer(r"Point")
class Point:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return f"at {float(self.value['x'])},{int(self.value['y'])}"

    def children(self):
        yield "x", self.value["x"]
        yield "sum", self.value["x"] + self.value["y"]


zedbg.type_printer(r"Point", "geometry::Point")


@zedbg.frame_decorator
class Short(zedbg.FrameDecorator):
    def function(self):
        return super().function().upper()


class Clock(zedbg.Pane):
    def __init__(self):
        super().__init__("clock", "the time")

    def lines(self, width, height):
        return ["tick tock" * 9] * 99


@zedbg.events.stop.connect
def on_stop(stop):
    print("stopped", len(stop.threads))


zedbg.events.thread.connect(lambda thread: print("thread", thread.id))
zedbg.events.breakpoint_created.connect(lambda each: print("made", each.number))
zedbg.events.breakpoint_deleted.connect(lambda each: print("gone", each.number))


class Place(zedbg.PluginBreakpoint):
    def __init__(self):
        super().__init__("kernel.cl:3")

    def stop(self, thread, lanes):
        return False
'''
POINT = structure("Point", {"x": "float", "y": "int"})
X = [0.5 * lane for lane in range(8)]


@pytest.fixture
def session(tmp_path):
    file = tmp_path / "everything.py"
    file.write_text(EVERYTHING)
    variables = {
        "x": ("float", X),
        "corner": (POINT, {"x": 1.5, "y": -2}),
        "corners": (array(POINT, 2), [{"x": 0, "y": 1}, {"x": 2, "y": 3}]),
    }
    threads = [StandInThread(variables=variables), StandInThread(number=2, active=[1])]
    with PluginSession(file, threads) as session:
        yield session


def test_commands_have_help_rows_prints_and_completion(session):
    assert session.rows("greet loudly bob") == [
        {"text": "HELLO bob"},
        {"name": "bob", "times": 3},
    ]
    assert session.text("greet l ann").splitlines()[0] == "HELLO ann"
    assert "Greet loudly." in session.text("help greet loudly")
    assert session.complete("greet ") == ["loudly"]
    assert session.complete("greet loudly ") == ["ann", "bob"]
    assert session.complete("greet loudly b") == ["b!"]
    assert "greet loudly" in session.text("greet")  # as help shows what there is
    with pytest.raises(CommandError, match="loudly"):
        session.run("greet softly")


def test_parameters_are_settings(session):
    session.run("set greet times 5")
    assert session.text("show greet times") == "greet times is 5.  (How often)"
    assert "5 times it is" in session.messages
    assert session.rows("greet loudly x")[1]["times"] == 5
    with pytest.raises(CommandError, match="That is too often"):
        session.run("set greet times 10")
    with pytest.raises(CommandError, match="takes a number"):
        session.run("set greet times many")
    assert session.rows("show greet times")[0]["value"] == "5"
    assert session.complete("set greet t") == ["greet times"]


def test_functions_are_called_in_expressions_for_each_lane(session):
    values = [row["value"] for row in session.rows("print/l $clamp(x, 1, 2.5)")]
    assert values == [min(max(each, 1), 2.5) for each in X]
    assert session.rows("print $clamp(7, 1, 3) + 1")[0]["value"] == 4
    with pytest.raises(CommandError, match=r"\$clamp does not take 1 argument"):
        session.run("print $clamp(1)")
    with pytest.raises(CommandError, match=r"no function \$nosuch"):
        session.run("print $nosuch(1)")


def test_pretty_printers_show_values_inside_of_others_and_print_r_does_not(session):
    assert session.text("print corner") == "$1 = at 1.5,-2 = {x = 1.5, sum = -0.5}"
    assert session.text("print/r corner") == "$2 = {x = 1.5, y = -2}"
    assert "{at 0.0,1 = {x = 0, sum = 1}, at 2.0,3" in session.text("print corners")
    assert "corner = at 1.5,-2" in session.text("info locals")
    row = session.rows("print corner")[0]
    assert row["value"] == {"x": 1.5, "y": -2}  # a script sees what is there
    assert session.text("whatis corner") == "type = geometry::Point"


def test_frames_are_decorated_and_panes_are_cut_to_their_size(session):
    assert session.rows("backtrace")[0]["function"] == "KERNEL"
    pane = session.context.hooks.panes["clock"]
    assert pane.title == "the time"
    assert pane.lines(12, 3) == ["tick tocktic"] * 3


def test_handlers_are_told_what_happens(session):
    session.stop()
    assert "everything: stopped 2" in session.messages
    assert "everything: thread 1.2" in session.messages
    session.run("break kernel.cl:9")
    session.run("delete 2")
    assert session.messages.count("everything: made 2") == 1
    assert session.messages.count("everything: gone 2") == 1


def test_what_is_disabled_is_gone_and_comes_back(session):
    added = session.rows("plugin disable everything")[0]["adds"]
    assert {"command greet loudly", "parameter greet times", "function $clamp"} <= set(added)
    assert session.text("print corner").endswith("{x = 1.5, y = -2}")
    assert session.text("info breakpoints") == "No breakpoints."
    assert session.rows("backtrace")[0]["function"] == "kernel"
    for line in ("greet loudly x", "print $clamp(1, 2, 3)", "show greet times"):
        with pytest.raises(CommandError):
            session.run(line)
    session.run("plugin enable everything")
    assert session.rows("greet loudly x")[1]["name"] == "x"
    assert session.rows("info breakpoints")[0]["spec"] == "kernel.cl:3"


def test_reloading_takes_what_the_file_is_now_and_keeps_the_old_when_that_is_broken(session):
    file = session.plugin.file
    file.write_text(EVERYTHING.replace("HELLO", "GOODBYE"))
    session.run("plugin reload everything")
    assert session.rows("greet loudly x")[0]["text"] == "GOODBYE x"
    file.write_text("import zedbg\nclass Broken(zedbg.Command:\n")
    with pytest.raises(CommandError, match=r"everything\.py: SyntaxError") as error:
        session.run("plugin reload everything")
    assert "\n" not in str(error.value)
    assert session.rows("greet loudly x")[0]["text"] == "GOODBYE x"
    states = {row["name"]: row["state"] for row in session.rows("plugin list")}
    assert states["everything"] == "enabled"


def test_a_command_of_a_plugin_takes_the_place_of_zedbgs_and_gives_it_back(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        textwrap.dedent("""
        import zedbg

        class Echo(zedbg.Command):
            def __init__(self):
                super().__init__("echo")

            def invoke(self, argument, from_tty):
                return self.context.execute("info breakpoints")
    """)
    )
    with PluginSession(file) as session:
        assert session.text("echo a") == "No breakpoints."
        session.run("plugin disable mine")
        assert session.text("echo a") == "a"


def test_making_one_outside_of_a_plugin_says_what_to_do():
    code = "import zedbg; zedbg.Command('x')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "Only a plugin makes this: put it into a file and load it with source." in done.stderr


def test_a_start_without_plugins_loads_none_of_their_machinery():
    code = """
import sys
from zedbg.frontends.session import SessionOptions, run_session
run_session(SessionOptions(commands=["echo a"], batch=True))
print([name for name in sys.modules if name.startswith("zedbg.commands.extending")])
"""
    environment = {**os.environ, "XDG_CONFIG_HOME": "/nonexistent", "ZEDBG_PLUGINS": ""}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    loaded = done.stdout.splitlines()[-1]
    assert loaded == "['zedbg.commands.extending', 'zedbg.commands.extending.finding']"
