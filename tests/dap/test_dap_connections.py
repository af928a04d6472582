"""How a client and an adapter come together and part: pipes, ports, users, sudden ends."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.dap.dap_client import DapClient, started
from tests.support.dap.dap_server import Server, environment
from tests.support.frontends.debugger_process import assert_no_traceback, eventually, is_alive
from tests.support.places import KERNELS

VADD = KERNELS / "src" / "vadd.cl"
NOBODY = 65534
SECONDS = 60


@pytest.fixture
def piped(tmp_path, driver_library):
    """`zedbg dap` with pipes."""
    process = subprocess.Popen(
        ["zedbg", "dap"],
        cwd=tmp_path,
        env=environment(tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    yield process
    process.kill()
    process.wait()


def stopped_program(client, vadd):
    """Starts a program up to a breakpoint; its pid."""
    client.begin(vadd, lambda: client.break_at(VADD, 3))
    client.stopped()
    return client.all_events("process")[0]["systemProcessId"]


def test_a_client_that_closes_its_pipe_ends_the_program_and_the_adapter(piped, vadd):
    client = started(piped)
    pid = stopped_program(client, vadd)
    client.console("shell echo this is no message; cat")  # may neither write nor read between
    piped.stdin.close()
    assert piped.wait(SECONDS) == 0
    eventually(lambda: not is_alive(pid), "the program ends")
    errors = piped.stderr.read().decode()
    assert_no_traceback(errors)


@pytest.mark.cases(0)
def test_disconnect_ends_the_adapter_while_its_pipe_is_open(piped, vadd):
    client = started(piped)
    pid = stopped_program(client, vadd)
    client.request("disconnect", terminateDebuggee=False)
    assert piped.wait(SECONDS) == 0
    eventually(lambda: not is_alive(pid), "the program runs on to its end")


@pytest.mark.cases(0)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_signals_end_the_adapter_and_the_program(piped, vadd, number):
    client = started(piped)
    pid = stopped_program(client, vadd)
    piped.send_signal(number)
    assert piped.wait(SECONDS) == (130 if number == signal.SIGINT else 128 + number)
    eventually(lambda: not is_alive(pid), "the program ends")
    assert_no_traceback(piped.stderr.read().decode())


def listening_at(port):
    """The addresses at which something listens at ``port``, as Linux lists them."""
    found = set()
    for name in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]:
            address, _, there = line.split()[1].partition(":")
            if int(there, 16) == port and line.split()[3] == "0A":
                found.add(address)
    return found


def test_a_port_is_of_the_loopback_and_of_its_owner(server):
    assert listening_at(server.port) == {"0100007F"}
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}")
        answer = connection.makefile("rb").read()
        assert b'"success":false' in answer and b"no header of the Debug Adapter" in answer


_CONNECT = """
import encodings.idna, os, socket, sys
os.setuid(int(sys.argv[2]))
with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as connection:
    connection.settimeout(30)
    body = b'{"seq":1,"type":"request","command":"initialize","arguments":{"adapterID":"x"}}'
    try:
        connection.sendall(b"Content-Length: %d\\r\\n\\r\\n" % len(body) + body)
        print(len(connection.recv(10)))
    except ConnectionError:
        print(0)
"""


@pytest.mark.skipif(os.getuid() != 0, reason="takes root to be two users")
def test_another_user_cannot_connect_and_root_can(server):
    def bytes_read_by(user):
        done = subprocess.run(
            [sys.executable, "-c", _CONNECT, str(server.port), str(user)],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            cwd="/",
        )
        assert done.returncode == 0, done.stderr
        return int(done.stdout)

    assert bytes_read_by(NOBODY) == 0
    assert bytes_read_by(0) == 10


@pytest.mark.cases(0)
def test_two_clients_debug_two_programs_on_two_devices(server, vadd, kernel_command):
    """Both at one port, at the same time."""
    sizes = ["--global", "64", "--local", "32", "f32[64]=iota", "f32[64]=2", "f32[64]", "i32=64"]
    programs = {"dg2": vadd, "pvc": kernel_command("vadd", *sizes, build="igc2-pvc-O0")}
    clients = {}
    for sim, program in programs.items():
        stream = socket.create_connection(("127.0.0.1", server.port)).makefile("rwb")
        client = clients[sim] = DapClient(stream, stream)
        client.begin(program, lambda client=client: client.break_at(VADD, 3), sim=sim)
    for sim, client in clients.items():
        stop = client.stopped()
        (module,) = client.request("modules")["modules"]
        assert ("A770" in module["device"]) == (sim == "dg2")
        frame = client.frame(stop["threadId"])["id"]
        assert client.values(["i", "a[3]"], frame) == ["0", "3"]
    for client in clients.values():
        client.break_at(VADD)
        client.finish()
        assert client.all_events("exited") == [{"exitCode": 0}]
        client.leave()


@pytest.mark.cases(0)
def test_a_signal_ends_a_server_and_what_its_clients_started(tmp_path, driver_library, vadd):
    server = Server(tmp_path)
    stream = socket.create_connection(("127.0.0.1", server.port)).makefile("rwb")
    pid = stopped_program(DapClient(stream, stream), vadd)
    server.close()
    eventually(lambda: not is_alive(pid), "the program ends")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--listen", "70000"], "cannot listen at port 70000: ports are 0 to 65535"),
        (["--listen", "x"], "invalid int value: 'x'"),
        (["what"], "unrecognized arguments: what"),
    ],
)
@pytest.mark.cases(1)
def test_wrong_options_are_one_line(debugger, words, message):
    done = debugger.run("dap", *words)
    assert done.code in (1, 2) and re.search(message, done.err)
