"""The device side of the program: what of it runs, and how that goes with the host side."""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import socket
import tempfile
from collections.abc import Callable
from typing import Any

import gdb

from zedbg_in_gdb.held_programs import HeldPrograms
from zedbg_in_gdb.process import Process
from zedbg_in_gdb.threads import threads

_STOP_SECONDS = 10.0
_EXIT_SECONDS = 1.0
_PACKAGE = pathlib.Path(__file__).resolve().parents[3]  # zedbg, where this is installed


def say(text: str) -> None:
    gdb.write(text + "\n")


class Device:
    """The device side of the program: what of it runs, and how that goes with the host side."""

    def __init__(self) -> None:
        self._folder = tempfile.mkdtemp(prefix="zedbg-gdb-")
        self._held = HeldPrograms(self._folder, self._program_held)
        self._process: Process | None = None
        self._pid = 0  # of the program whose device is debugged; 0: none
        self._tried = 0  # of the last program that could not be debugged
        self._runs = False
        self.host_runs = False
        self._inferior = 0  # its number in GDB
        self._times = 0  # how often the device was let go
        self._news: list[str] = []  # shown when the host has stopped
        self.has_stopped = False
        self._host_calls = False  # GDB calls a function of the program
        gdb.events.cont.connect(self._host_resumed)
        gdb.events.inferior_call.connect(self._host_called)
        gdb.events.stop.connect(self._host_stopped)
        gdb.events.exited.connect(self._host_exited)
        gdb.events.before_prompt.connect(self._before_prompt)
        gdb.events.gdb_exiting.connect(self._gdb_ends)

    # --- the zedbg process -----------------------------------------------------------------------

    def process(self) -> Process:
        """zedbg, started when it is needed first. GdbError when it cannot be."""
        if self._process is None or self._process.is_over:
            self._process = Process(self._folder, self._happened, self._zedbg_ended)
        self._process.wait_ready()
        return self._process

    def _zedbg_ended(self, why: str) -> None:
        say(f"[zedbg has ended: {why}. The device is not debugged any more.]")
        self._process = None
        self._forget()

    def start_anew(self) -> None:
        """Has the next program debugged by another zedbg: a process uses one driver.
        GdbError while a device is debugged."""
        if self._pid:
            raise gdb.GdbError("zedbg: a device is debugged: kill the program first.")
        if self._process is not None:
            process, self._process = self._process, None
            process.close()
            say("[zedbg starts anew: its breakpoints are gone.]")

    def _forget(self) -> None:
        self._pid = 0
        self._runs = False
        self.has_stopped = False

    def _gdb_ends(self, event: Any) -> None:  # noqa: ANN401
        self._held.close()
        if self._process is not None:
            process, self._process = self._process, None
            process.close()
        threads.end(getattr(event, "exit_code", 0) or 0)
        shutil.rmtree(self._folder, ignore_errors=True)

    # --- attaching -------------------------------------------------------------------------------

    @property
    def environment(self) -> dict[str, str]:
        """What a program needs to wait for us where it begins to use Level Zero. GdbError when that
        is not installed."""
        chosen = os.environ.get("ZEDBG_HOLD_LIBRARY")
        library = chosen or str(_PACKAGE / "native" / "libzedbg_hold.so")
        if not os.path.exists(library):  # noqa: PTH110
            raise gdb.GdbError(f"zedbg: {library} is missing: source what zedbg gdb-plugin prints.")
        audit = os.environ.get("LD_AUDIT")
        return {
            "ZET_ENABLE_PROGRAM_DEBUGGING": "1",
            "LD_AUDIT": f"{audit}:{library}" if audit else library,
            "ZEDBG_HOLD_SOCKET": self._held.path,
        }

    def _program_held(self, pid: int, connection: socket.socket) -> None:
        """A program has made its first context, and waits until ``connection`` is closed."""
        if pid not in [inferior.pid for inferior in gdb.inferiors()]:
            say(
                f"[Process {pid}, which GDB does not debug, uses Level Zero, and goes on so: "
                "set follow-fork-mode child.]"
            )
            connection.close()
            return
        try:
            self._attach(pid, connection.close)
        except (gdb.error, gdb.GdbError) as error:
            say(f"[{error}]")
            connection.close()

    def attach(self) -> None:
        """Debugs the device of GDB's program, which is stopped. GdbError when it cannot be."""
        pid = gdb.selected_inferior().pid
        if not pid:
            raise gdb.GdbError("zedbg: no program runs: run, or attach PID.")
        if pid == self._pid:
            raise gdb.GdbError(f"zedbg: the device of process {pid} is debugged already.")
        done: list[bool] = []
        self._attach(pid, lambda: done.append(True))
        self.process().wait(lambda: bool(done))

    def _attach(self, pid: int, go_on: Callable[[], None]) -> None:
        process = self.process()
        if self._pid:  # of a program that is gone, or has become another
            self.stop()
            process.ask("detach")
            self._forget()
        self._tried = pid

        def attached(answer: dict) -> None:
            if answer["ok"]:
                self._pid = pid
                numbers = [each.num for each in gdb.inferiors() if each.pid == pid]
                self._inferior = numbers[0] if numbers else 0
                if self.host_runs:
                    self._go()
            else:
                say(f"[zedbg: {answer['error']}]")
            go_on()

        process.ask(f"attach {pid}", attached)

    def _before_prompt(self) -> None:
        threads.is_interactive = threads.is_listening = True
        if self._process is not None:
            self._process.take()

    def detach(self) -> None:
        """The device goes on without a debugger. GdbError when none is debugged."""
        if not self._pid:
            raise gdb.GdbError("zedbg: no device is debugged.")
        process, exists = self.process(), os.path.exists(f"/proc/{self._pid}")  # noqa: PTH110
        self.stop()
        if exists and self._pid:
            process.answer("detach")
        self._forget()

    # --- running and stopping --------------------------------------------------------------------

    @property
    def _is_together(self) -> bool:
        return bool(gdb.parameter("zedbg stop-together"))

    def _go(self) -> None:
        """The device runs from now on."""
        self._runs = True
        self._times += 1
        self.has_stopped = False
        time_ = self._times

        def ended(answer: dict) -> None:
            self._runs = self._runs and self._times != time_
            if not answer["ok"]:
                say(f"[zedbg: {answer['error']}]")

        self.process().ask("continue", ended)

    def go(self) -> None:
        """The same for the user: with the host, or alone. GdbError when it runs already."""
        self.require()
        if self._is_together and not self.host_runs:
            gdb.execute("continue", from_tty=True)
        elif self._runs:
            raise gdb.GdbError("zedbg: the device runs already.")
        else:
            self._go()

    def stop(self) -> None:
        """Stops the device, if it runs."""
        process = self._process
        if process is None or not self._runs:
            return
        process.send({"line": "interrupt"})
        if not process.wait(lambda: not self._runs, _STOP_SECONDS) and not process.is_over:
            say(f"[zedbg: the device has not stopped within {_STOP_SECONDS:g} s.]")

    def require(self) -> None:
        """GdbError when no device is debugged."""
        if self._pid:
            return
        pid = gdb.selected_inferior().pid
        if not pid:
            raise gdb.GdbError("zedbg: no program runs: run, or attach PID.")
        raise gdb.GdbError(
            f"zedbg: no device of process {pid} is debugged: "
            "it has not used Level Zero yet (zedbg attach tries)."
        )

    def _host_called(self, event: gdb.ThreadEvent) -> None:
        self._host_calls = isinstance(event, gdb.InferiorCallPreEvent)

    def _host_resumed(self, _event: gdb.ContinueEvent) -> None:
        if self._host_calls:  # the device stays as it is; GDB 13 has no event then
            return
        self.host_runs = threads.is_listening = True
        if self._pid and not self._runs and self._is_together:
            self._go()

    def _host_stopped(self, _event: gdb.StopEvent) -> None:
        self.host_runs = False
        threads.is_listening = threads.is_interactive
        if self._is_together:
            self.stop()
        self._show_news()
        inferior = gdb.selected_inferior()
        if inferior.was_attached and self._tried != inferior.pid and _uses_level_zero():
            self._tried = inferior.pid
            self.attach()

    def _host_exited(self, event: gdb.ExitedEvent) -> None:
        self.host_runs = False
        threads.is_listening = threads.is_interactive
        self._tried = 0
        if self._process is not None and self._pid and event.inferior.num == self._inferior:
            if self._runs:
                self._process.wait(lambda: not self._pid, _EXIT_SECONDS)
            if self._pid:  # GDB has let go of it, or it was stopped, and zedbg has not seen its end
                self.stop()
                self._process.ask("detach")
                self._forget()
        self._show_news()

    # --- what the device says --------------------------------------------------------------------

    def _happened(self, event: dict) -> None:
        kind = event["event"]
        if kind == "exit":
            self._forget()
            return
        if kind == "process" and event["action"] == "detached" and event["pid"] != self._pid:
            return  # from one that is gone
        if kind == "stop":
            self._runs = False
            # A step may end with its thread, while others are stopped.
            self.has_stopped = bool(event["threads"]) or event["reason"] == "step"
            if event["reason"] == "interrupt" and not event["threads"]:
                return  # nothing runs there
        self._news += event.get("text", [])
        if kind == "stop" and self.host_runs and self._is_together:
            # What it says comes after what GDB says of the host.
            with contextlib.suppress(gdb.error):  # it has stopped just now
                gdb.execute("interrupt -a" if gdb.parameter("non-stop") else "interrupt")
        else:
            self._show_news()

    def _show_news(self) -> None:
        news, self._news = self._news, []
        for line in news:
            say(line)

    def execute(self, line: str) -> None:
        """Runs a command of zedbg and shows what it gives. GdbError when it fails."""
        for text in self.ask(line).get("text", []):
            say(text)

    def ask(self, line: str) -> dict:
        """What a command of zedbg gives, with its device stopped. GdbError when it fails."""
        if self._runs:
            raise gdb.GdbError("zedbg: the device runs: zedbg interrupt stops it.")
        answer = self.process().answer(line)
        if not answer["ok"]:
            for text in answer.get("text", []):
                say(text)
            raise gdb.GdbError(answer["error"])
        return answer

    def completions(self, text: str) -> list[str]:
        """How ``text``, a part of a command of zedbg, may go on; nothing while none is there."""
        if self._process is None or self._runs:
            return []
        answer = self._process.answer(f"complete {text}")
        return [row["text"] for row in answer["rows"]] if answer["ok"] else []

    def status(self) -> str:
        """One line: what is debugged, and whether it runs."""
        self.require()
        if self._runs:
            return f"The device of process {self._pid} runs."
        stopped = "is stopped" if self.has_stopped else "has nothing to run"
        return f"The device of process {self._pid} {stopped}."


def _uses_level_zero() -> bool:
    """Whether GDB's program has the Level Zero loader."""
    files = (pathlib.Path(each.filename or "").name for each in gdb.objfiles())
    return any(name.startswith("libze_loader.so") for name in files)
