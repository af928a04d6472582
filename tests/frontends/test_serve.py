"""One session for several clients: a script, a shell, another script, and nobody else."""

import contextlib
import os
import socket
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import zedbg
from tests.support.frontends.debugger_process import RunningDebugger, eventually
from tests.support.machine_view import assert_fits


@pytest.fixture
def serve(debugger, tmp_path):
    """Starts ``zedbg serve`` over a program; the socket, and the process."""
    started = []

    def start(program, *words):
        path = tmp_path / f"socket{len(started)}"
        words = ["serve", "--sim=dg2", "--socket", str(path), *words, "--", *program]
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        running = RunningDebugger(debugger.spawn(["zedbg", *words], text=True, **pipes))
        started.append(running)
        eventually(path.exists, "the socket")
        return path, running

    return start


def test_clients_share_one_stop(serve, vadd, debugger):
    path, running = serve(vadd, "-ex", "break vadd.cl:3")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with zedbg.connect(path) as one, zedbg.connect(path) as other:
        assert (one.hello["version"], one.hello["client"], other.hello["client"]) == (1, 1, 2)
        one.execute("run")
        stops = [each.wait_for("stop", 30) for each in (one, other)]
        assert stops[0] == stops[1] and stops[0]["line"] == 3
        one.execute("thread 1.4:3")
        assert other.execute("print i")[0]["value"] == 27
        with pytest.raises(zedbg.CommandError, match="No symbol"):
            other.execute("print nosuch")
        ran = [each for each in other.events() if each["event"] == "command"]
        assert [each["line"] for each in ran][-1] == "thread 1.4:3"

        shell = debugger.run("connect", str(path), "-ex", "print i", "-ex", "lane 2")
        assert "= 27" in shell.out and "lane 2" in shell.out and shell.code == 0
        assert other.execute("print $_lane")[0]["value"] == 2

        other.execute("delete")
        one.execute("continue")
        exits = [each.wait_for("exit", 30) for each in (one, other)]
        assert exits[0] == exits[1] == {"event": "exit", "code": 0, "signal": None}
        assert_fits([*stops, *exits, one.hello, *ran])
    running.process.terminate()
    running.wait()
    assert not path.exists()


def test_one_client_interrupts_what_another_waits_for(serve, endless):
    path, running = serve(endless)
    with zedbg.connect(path) as one, zedbg.connect(path) as other:
        one.send({"id": 1, "line": "run"})
        other.wait_for("module", 30)
        other.interrupt()
        assert other.wait_for("stop", 30)["reason"] == "interrupt"
        one.execute("kill")
    running.process.terminate()
    running.wait()


def test_a_client_interrupts_what_it_waits_for_itself(serve, endless):
    path, running = serve(endless)
    with zedbg.connect(path) as client:
        client.send({"id": "r", "line": "run"})
        client.wait_for("module", 30)
        client.interrupt()
        client.wait_for("stop", 30)
        for _ in range(3):
            client.send({"id": "c", "line": "continue"})
            client.interrupt()  # for the command before it, whether or not that has begun
            assert client.wait_for("stop", 30)["reason"] == "interrupt"
        client.send({"id": "b", "line": "continue"})  # no interrupt is left over
        with pytest.raises(TimeoutError):
            client.wait_for("stop", 0.5)
        client.interrupt()
        assert client.wait_for("stop", 30)["reason"] == "interrupt"
        client.execute("kill")
    running.process.terminate()
    running.wait()


def test_a_client_may_see_objects_and_text(serve, vadd):
    path, running = serve(vadd, "-ex", "break vadd.cl:3")
    with zedbg.connect(path) as client:
        client.send({"view": "both"})
        client.execute("run")
        stop = client.wait_for("stop", 30)
        assert stop["line"] == 3 and stop["text"][0].startswith("Thread 1.1 hit Breakpoint 1")
        client.send({"id": 5, "line": "print n"})
        client.execute("kill")
    running.process.terminate()
    running.wait()


def test_it_ends_with_its_standard_input_where_that_is_wanted(serve, vadd):
    path, running = serve(vadd, "--while-input")
    with zedbg.connect(path) as client:
        client.execute("show version")
    assert running.finish().code == 0
    assert not path.exists()


def test_strange_clients_harm_nobody(serve, tmp_path):
    path, running = serve(["true"])
    for sent in (b"\xff\xfe\n", b"{}\n", b'{"line": 3}\n', b"{bad\n", b"x" * (2 << 20), b"print 1"):
        with socket.socket(socket.AF_UNIX) as strange:
            strange.connect(str(path))
            with contextlib.suppress(OSError):  # it was too long
                strange.sendall(sent)
    with zedbg.connect(path) as client:
        client.send({"line": "print 1"})
        client.send({"line": 5})
        assert client.execute("print 2")[0]["text"] == "2"
        client.send({"line": "quit"})
    with zedbg.connect(path) as client:
        assert client.execute("echo a") == [{"text": "a"}]
    running.process.terminate()
    running.wait()
    with pytest.raises(zedbg.UserError, match="is zedbg there"):
        zedbg.connect(path)


def test_the_shell_serves_what_it_is_in(debugger, tmp_path):
    path = tmp_path / "shared"
    running = debugger.start((), "--json")
    running(f"serve {path}")
    running.expect("Serving at")
    with zedbg.connect(path) as client:
        client.execute("set listsize 7")
        running("show listsize")
        running.expect('"value": "7"')
        assert client.execute("show listsize")[0]["value"] == "7"
        running.finish()
        eventually(lambda: not path.exists(), "the socket is gone")


def test_a_place_that_cannot_be_used_is_one_line(debugger, tmp_path):
    taken = tmp_path / "taken"
    taken.write_text("")
    done = debugger.run("serve", "--socket", str(taken))
    assert f"{taken} is there already" in done.err and taken.exists()
    left_over = tmp_path / "left"
    with socket.socket(socket.AF_UNIX) as gone:
        gone.bind(str(left_over))
        gone.listen()
    running = RunningDebugger(
        debugger.spawn(
            ["zedbg", "serve", "--socket", str(left_over)],
            text=True,
            **dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE),
        )
    )
    running.expect("Serving at")
    again = debugger.run("serve", "--socket", str(left_over))
    assert "is there already" in again.err
    running.process.terminate()
    running.wait()
    done = debugger.run("connect", str(taken))
    assert done.code == 2 and "is zedbg there?" in done.err


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_other_users_cannot_connect(debugger):
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    path = folder / "socket"
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    words = ["zedbg", "serve", "--socket", str(path)]
    running = RunningDebugger(debugger.spawn(words, text=True, **pipes))
    eventually(path.exists, "the socket")
    folder.chmod(0o755)
    path.chmod(0o777)  # by mistake
    code = f"""
import os, socket
os.setuid(65534)
one = socket.socket(socket.AF_UNIX)
one.connect({str(path)!r})
print(one.recv(100))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "b''\n", done.stderr
    with zedbg.connect(path) as client:
        assert client.execute("echo a")
    running.process.terminate()
    running.wait()
    folder.rmdir()
