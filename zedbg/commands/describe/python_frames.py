"""The frames of Python code of a host thread, by py-spy, where that is installed.

py-spy knows the interpreters' structures of each version. It is asked not to stop the program:
what it reads may be torn, of which it says nothing.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sysconfig
from pathlib import Path

_PROGRAM = "py-spy"
_SECONDS = 10.0


def python_frames(pid: int, thread: int) -> list[tuple[str, str, int]]:
    """Function, file and line of each frame of ``thread``, the innermost first; none where the
    process is no Python, or py-spy is not installed."""
    found = shutil.which(_PROGRAM, path=sysconfig.get_path("scripts")) or shutil.which(_PROGRAM)
    if found is None or not _is_python(pid):
        return []
    try:
        done = subprocess.run(
            [found, "dump", "--pid", str(pid), "--json", "--nonblocking"],
            capture_output=True,
            timeout=_SECONDS,
            check=True,
        )
        return read_frames(done.stdout, thread)
    except (OSError, subprocess.SubprocessError):
        return []


def read_frames(output: bytes, thread: int) -> list[tuple[str, str, int]]:
    """Those of ``thread`` in what py-spy wrote; none where it is something else."""
    try:
        for each in json.loads(output):
            if each["os_thread_id"] == thread:
                return [
                    (str(frame["name"]), str(frame["filename"]), int(frame["line"]))
                    for frame in each["frames"]
                ]
    except (LookupError, RecursionError, TypeError, ValueError):
        return []
    return []


def _is_python(pid: int) -> bool:
    try:
        return "python" in Path(f"/proc/{pid}/maps").read_text(errors="replace")
    except OSError:
        return False
