"""What ``--py`` shows does what the command does; plugins in sessions of the Python API."""

import sys

import pytest

import zedbg
from tests.support.places import KERNELS

BLUR = KERNELS.parents[1] / "zedbg" / "tools" / "demo" / "blur.zebin"
PROGRAM = [sys.executable, "-m", "zedbg.frontends.main", "kernel", str(BLUR)]
PROGRAM += ["--global", "64", "--local", "16", "f32[64]=iota", "f32[64]", "i32=64"]
NEAR = """
import zedbg

class Near(zedbg.Function):
    "Whether two numbers are almost equal"
    def __init__(self):
        super().__init__("near")
    def invoke(self, one, other):
        return abs(float(one) - float(other)) < 0.5

@zedbg.events.stop.connect
def stopped(stop):
    raise RuntimeError("a plugin's mistake")
"""


@pytest.fixture
def session():
    with zedbg.launch(PROGRAM, sim="dg2", output=lambda *_: None) as launched:
        launched.breakpoints.add("blur.cl:15")
        launched.next_stop()
        yield launched
        launched.kill()


def test_what_py_shows_does_what_the_command_does(session, capfd):
    def python(command):
        return session.execute(f"{command} --py")

    def value(command):
        return eval(python(command), {"session": session})

    for expression in ("n", "in[i] * 2", "i"):
        (row,) = session.rows(f"output {expression}")
        assert value(f"print {expression}") == row["value"]
        lanes = [row["value"] for row in session.rows(f"print/l {expression}")]
        assert value(f"p/l {expression}") == lanes
    assert value("print/w i").tolist() == list(range(64))
    assert value("info registers r1.uw")[:4] == [0, 1, 2, 3]
    assert len(value("info threads")) == len(session.rows("info threads")) == 8
    assert [str(each) for each in value("backtrace")] == ["#0  blur at blur.cl:15"]
    assert set(value("info locals")) >= {row["name"] for row in session.rows("info locals")}
    assert value("set var n = 3").lanes == [3] and session.rows("output n")[0]["value"] == 3
    session.execute("thread 1.3")
    assert python("print n") == 'session.thread("1.3")["n"][0]'
    assert python("next 2") == 'session.thread("1.3").next(2)'
    assert value("step").location == "average at blur.cl:5"
    session.execute("up")
    assert value("print i") == session.rows("output i")[0]["value"] == 16
    for command in ("break blur.cl:18 if value > 2", "tbreak average workitem 3", "b 17"):
        made = value(command)
        assert made.location == command.split()[1] and made in list(session.breakpoints)
    for command in ("disable 2", "condition 3 left > 1", "ignore 3 5", "delete 4"):
        exec(python(command), {"session": session})
    first, second, third = session.breakpoints
    assert (second.enabled, third.condition, third.ignore_count) == (False, "left > 1", 5)
    assert first.number == 1
    assert python("x/4xw in") == 'print(session.execute("x/4xw in"))'
    assert python('break blur.cl:18 log "v={value}"').endswith('log="v={value}")')
    session.execute("shell echo a --py")  # it is the shell's
    assert "a --py" in capfd.readouterr().out


def test_plugins_are_loaded_with_the_first_command(tmp_path, monkeypatch, session):
    (tmp_path / "near.py").write_text(NEAR)
    monkeypatch.setenv("ZEDBG_PLUGINS", str(tmp_path / "near.py"))
    assert session.rows("print $near(in[i], i)")[0]["value"] is True
    assert session.stop.thread["$near(in[i], 3)"].lanes[2:5] == [False, True, False]
    assert session.execute("compare in[i] =range(64)") == "All 64 values are as in =range(64)."
    with pytest.warns(zedbg.ZedbgWarning, match="near is switched off: .*a plugin's mistake"):
        session.execute("next")
