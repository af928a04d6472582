"""The programs that one test debugs."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from zedbg.api import opening
from zedbg.api.session import Session
from zedbg.testing.devices import Gpu
from zedbg.user_error import UserError

_STOP_SECONDS = 5.0
_LAST_LINES = 40


class DebuggedPrograms:
    """What the fixture ``zedbg_session`` gives: it starts programs for debugging, and ends them
    with the test. A test that fails has in its report where their threads are.

    ``time_limit``: seconds that each may take.
    """

    def __init__(self, gpu: Gpu, time_limit: float | None) -> None:
        self.gpu = gpu
        self._time_limit = time_limit
        self._programs: list[_Program] = []

    def __call__(
        self,
        arguments: Sequence[str | Path],
        *,
        folder: str | Path | None = None,
        environment: Mapping[str, str] | None = None,
        stdin: str | Path | None = None,
        time_limit: float | None = None,
    ) -> Session:
        """Launches a program on the test's device; see :func:`zedbg.launch`. What it writes is kept
        for the report."""
        program = _Program(" ".join(map(str, arguments)))
        program.session = opening.launch(
            arguments,
            sim=self.gpu.sim,
            folder=folder,
            environment=environment,
            stdin=stdin,
            output=lambda _, text: program.output.append(text),
            time_limit=time_limit or self._time_limit,
        )
        self._programs.append(program)
        return program.session

    launch = __call__

    def attach(self, pid: int, *, time_limit: float | None = None) -> Session:
        """Debugs a process that runs; in the end it goes on by itself. See :func:`zedbg.attach`."""
        program = _Program(f"process {pid}", attached=True)
        limit = time_limit or self._time_limit
        program.session = opening.attach(pid, sim=self.gpu.sim, time_limit=limit)
        self._programs.append(program)
        return program.session

    def output(self, session: Session) -> str:
        """What the program of ``session`` has written so far."""
        return "".join("".join(each.output) for each in self._programs if each.session is session)

    def report(self) -> list[dict[str, Any]]:
        """Where the threads of each program are now, as text and as the rows of the command
        ``stacks``; those that run are stopped for it."""
        return [each.report() for each in self._programs]

    def close(self) -> None:
        """Kills what was launched, and lets go what was attached to."""
        for each in self._programs:
            each.close()


class _Program:
    def __init__(self, name: str, attached: bool = False) -> None:
        self.name = name
        self.attached = attached
        self.output: list[str] = []
        self.session: Session | None = None

    def report(self) -> dict[str, Any]:
        assert self.session is not None
        text = ""
        rows: list[dict[str, Any]] = []
        try:
            text, rows = self._stacks(self.session)
        except UserError as error:
            text = error.line
        exited = self.session.exited
        return {
            "program": self.name,
            "state": self.session.state,
            "exit_code": None if exited is None else exited.code,
            "signal": None if exited is None else exited.signal,
            "stacks": rows,
            "text": text,
            "messages": self.session.messages,
            "output": "".join(self.output).splitlines()[-_LAST_LINES:],
        }

    @staticmethod
    def _stacks(session: Session) -> tuple[str, list[dict[str, Any]]]:
        if session.state == "running":
            session._stop_for_report(_STOP_SECONDS)
        if session.state != "stopped":
            return "", []
        rows = session._stack_rows()
        return session.stacks(), json.loads(json.dumps([row.to_json() for row in rows]))

    def close(self) -> None:
        if self.session is None:
            return
        with contextlib.suppress(UserError):
            if self.attached:
                self.session.detach()
            else:
                self.session.kill()
