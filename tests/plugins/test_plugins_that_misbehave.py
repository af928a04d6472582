"""A plugin that misbehaves is named and switched off; the session goes on."""

import signal
import textwrap
import threading

import pytest

from zedbg import CommandError
from zedbg.testing import PluginSession, StandInThread, structure

COMMAND = """
import sys, time
import zedbg

class Bad(zedbg.Command):
    def __init__(self):
        super().__init__("bad")

    def invoke(self, argument, from_tty):
{body}
"""
#: What a command does, and how it is reported.
FAULTS = {
    "return 1 / 0": r"bad raised ZeroDivisionError: division by zero \(plugin\.py:10\)",
    "return 42": "bad returned int, not rows",
    "return [object()]": "bad returned object as a row",
    "return [1, 2]": "bad returned int as a row",
    "sys.exit(3)": r"bad raised SystemExit: 3",
    "raise GeneratorExit": "bad raised GeneratorExit",
    "return self.invoke(argument, from_tty)": "bad raised RecursionError",
    "rows = []; rows.append(rows); return {'rows': rows}": "bad raised RecursionError",
    "raise BaseException('odd\\ntext')": "bad raised BaseException: odd text",
    "while True: pass": "bad took longer than 1 s",
    "time.sleep(60)": "bad took longer than 1 s",
    "return ({'n': n} for n in iter(int, 1))": "bad took longer than 1 s",
    "yield {'a': 1}; yield 5": "bad returned int as a row",
    "self.undefined()": "bad raised AttributeError",
}
#: What a command may do, and what people see.
FINE = {
    "return 'one\\ntwo'": "one\ntwo",
    "print('said'); sys.stdout.flush(); sys.stdout.close()": "said",
    "return {'a': object.__name__, 'b': float('nan'), 3: {1}}": "a       b    3\nobject  nan  {1}",
    "return []": "",
    "return ['x', {'y': 1}]": "x\ny\n1",
    "raise zedbg.CommandError('not now')": None,
    "return self.context.execute('nosuch')": None,
}


def plugin(tmp_path, text):
    file = tmp_path / "plugin.py"
    file.write_text(textwrap.dedent(text))
    return file


def command(tmp_path, body):
    lines = textwrap.indent(body.replace("; ", "\n"), " " * 8)
    return plugin(tmp_path, COMMAND.replace("{body}", lines))


@pytest.mark.cases(5)
@pytest.mark.parametrize("body", FAULTS)
def test_command_that_misbehaves_is_named_and_switched_off(tmp_path, body):
    with PluginSession(command(tmp_path, body)) as session:
        session.run("set plugin-timeout 1")
        with pytest.raises(CommandError, match=f"Plugin plugin is switched off: {FAULTS[body]}"):
            session.run("bad")
        with pytest.raises(CommandError, match="Undefined command"):
            session.run("bad")
        states = {row["name"]: row["state"] for row in session.rows("plugin list")}
        assert states["plugin"] == "switched off"
        assert session.text("echo still there") == "still there"
        assert session.rows("plugin enable plugin")[0]["state"] == "enabled"


@pytest.mark.parametrize("body", FINE)
def test_what_a_command_may_do(tmp_path, body):
    with PluginSession(command(tmp_path, body)) as session:
        if FINE[body] is None:
            with pytest.raises(CommandError):
                session.run("bad")
        else:
            assert session.text("bad") == FINE[body]
        assert session.plugin.state.value == "enabled"


def test_in_another_thread_the_time_is_limited_too(tmp_path):
    with PluginSession(command(tmp_path, "while True: pass")) as session:
        session.run("set plugin-timeout 1")
        said = []

        def run():
            try:
                session.run("bad")
            except CommandError as error:
                said.append(str(error))

        worker = threading.Thread(target=run)
        worker.start()
        worker.join(30)
        assert said and "took longer than 1 s" in said[0]


def test_what_a_command_waits_for_does_not_count(tmp_path):
    slow = "return self.context.execute('pipe echo a | (sleep 1.5 && cat)')"
    with PluginSession(command(tmp_path, slow)) as session:
        session.run("set plugin-timeout 1")
        assert session.text("bad") == "a"


def test_ctrl_c_interrupts_a_command_and_leaves_its_plugin_on(tmp_path):
    body = "import _thread; _thread.interrupt_main(); time.sleep(9)"
    with PluginSession(command(tmp_path, body)) as session:
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        with pytest.raises(CommandError, match="Interrupted"):
            session.run("bad")
        assert session.plugin.state.value == "enabled"


LOADING = {
    "import nosuchmodule": "ModuleNotFoundError: No module named 'nosuchmodule'",
    "import sys; sys.exit()": "SystemExit",
    "def f(:": "SyntaxError",
    "raise KeyError('x')": r"KeyError: 'x' \(plugin\.py:1\)",
    "import zedbg; zedbg.Parameter('listsize')": 'There is a setting "listsize" already',
    "import zedbg; zedbg.PluginBreakpoint('*$pc')": "No thread is stopped",
    "import zedbg; zedbg.Command()": "TypeError",
    "\x00": "null bytes",
}


@pytest.mark.parametrize("text", LOADING)
def test_file_that_cannot_be_loaded_adds_nothing_and_says_why(tmp_path, text):
    file = plugin(tmp_path, text)
    good = tmp_path / "good.py"
    good.write_text("")
    with PluginSession(good) as session:
        with pytest.raises(CommandError, match=LOADING[text]) as error:
            session.run(f"source {file}")
        assert str(error.value).startswith(f"{file}: ") and "\n" not in str(error.value)
        assert [row["name"] for row in session.rows("plugin list") if "good" in row["name"]]
        assert session.text("info breakpoints") == "No breakpoints."
        with pytest.raises(CommandError, match="No such file"):
            session.run(f"source {tmp_path}/missing.py")


OTHERS = {
    "printer": (
        "@zedbg.printer('Point')\ndef bad(value): {body}",
        "print point",
        "{x = 1}",
    ),
    "children": (
        "@zedbg.printer('Point')\nclass Bad:\n"
        "  def __init__(self, value): pass\n  def children(self): {body}",
        "print point",
        "{x = 1}",
    ),
    "type printer": (
        "from zedbg.commands.extending import printers\n"
        "def bad(kind): {body}\n"
        "from zedbg.commands.extending.plugin import running_plugin\n"
        "running_plugin().add(printers.TypePrinterContribution(bad, 'bad'))",
        "whatis point",
        "type = Point",
    ),
    "function": (
        "class Bad(zedbg.Function):\n  def __init__(self): super().__init__('bad')\n"
        "  def invoke(self): {body}",
        "print $bad()",
        None,
    ),
    "parameter": (
        "class Bad(zedbg.Parameter):\n  def __init__(self): super().__init__('bad')\n"
        "  def get_set_string(self): {body}",
        "set bad x",
        None,
    ),
    "decorator": (
        "@zedbg.frame_decorator\nclass Bad(zedbg.FrameDecorator):\n  def line(self): {body}",
        "backtrace",
        "kernel.cl:1",
    ),
    "filter": ("@zedbg.frame_filter\ndef bad(frames): {body}", "backtrace", "kernel.cl:1"),
    "handler": ("@zedbg.events.stop.connect\ndef bad(stop): {body}", None, None),
    "pane": (
        "class Bad(zedbg.Pane):\n  def __init__(self): super().__init__('bad')\n"
        "  def lines(self, width, height): {body}",
        None,
        None,
    ),
    "completion": (
        "class Bad(zedbg.Command):\n  def __init__(self): super().__init__('bad')\n"
        "  def complete(self, text, word): {body}",
        None,
        None,
    ),
}
POINT = structure("Point", {"x": "int"})


@pytest.mark.cases(16)
@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize("body", ["1 / 0", "raise SystemExit", "return object()", "return 1"])
def test_whatever_else_a_plugin_adds_may_misbehave(tmp_path, kind, body):
    text, line, shown = OTHERS[kind]
    returns = body.startswith("return")
    file = plugin(tmp_path, "import zedbg\n" + text.format(body=body))
    with PluginSession(file, [StandInThread(variables={"point": (POINT, {"x": 1})})]) as session:
        try:
            if kind == "handler":
                session.stop()
            elif kind == "pane":
                session.context.hooks.panes["bad"].lines(10, 10)
            elif kind == "completion":
                assert session.complete("bad x") == []
            else:
                text = session.text(line)
                assert shown is None or shown in text
            said = " ".join(session.messages)
        except CommandError as error:
            said = str(error)
        returned_is_fine = kind in ("handler", "parameter") or (kind, body) in (
            ("function", "return 1"),
            ("decorator", "return 1"),
        )
        if not (returns and returned_is_fine):
            assert "Plugin plugin is switched off: " in said, (said, session.messages)
            assert session.plugin.state.value == "switched off"
        assert session.text("echo still there") == "still there"
