"""`zedbg dap --listen` as a process."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import zedbg
from tests.support.frontends.debugger_process import assert_no_traceback

_SECONDS = 60.0


def environment(folder: Path) -> dict[str, str]:
    """That of a user: ``zedbg`` is on the path, and is the one that is tested."""
    scripts = folder / "bin"
    scripts.mkdir(exist_ok=True)
    command = scripts / "zedbg"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m zedbg.frontends.main "$@"\n')
    command.chmod(0o755)
    import_path = [str(Path(each).parent) for each in zedbg.__path__]
    return os.environ | {
        "PATH": f"{scripts}:{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(import_path),
        "HOME": str(folder),
        "XDG_STATE_HOME": str(folder / "state"),
    }


class Server:
    """Listens at ``port``."""

    def __init__(self, folder: Path, words: Sequence[str] = ()) -> None:
        self.folder = folder
        self.environment = environment(folder)
        self._errors = (folder / "stderr").open("w+")
        self.process = subprocess.Popen(
            ["zedbg", "dap", "--listen", "0", *words],
            cwd=folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )
        line = self.process.stdout.readline()
        match = re.fullmatch(r"zedbg dap: listening at 127\.0\.0\.1:(\d+)\n", line)
        assert match, line
        self.port = int(match[1])

    @property
    def errors(self) -> str:
        """What it wrote to standard error."""
        return (self.folder / "stderr").read_text()

    def close(self) -> None:
        """Ends it, the clean way."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(_SECONDS)
        finally:
            self.process.kill()
            self._errors.close()
        assert_no_traceback(self.errors)
