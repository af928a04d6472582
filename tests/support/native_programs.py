"""Native test programs (the targets `xesim_*` of a build with -DXESIM_TESTS=ON).

`ZEDBG_NATIVE_TESTS` names a directory with such a build; without it one is made, once, in
build/native-tests of the repository.
"""

from __future__ import annotations

import fcntl
import functools
import os
import subprocess
from pathlib import Path

from tests.support.places import REPOSITORY


def _build_directory() -> Path:
    chosen = os.environ.get("ZEDBG_NATIVE_TESTS")
    return Path(chosen) if chosen else REPOSITORY / "build" / "native-tests"


@functools.cache
def native_program(name: str) -> Path:
    """The executable of target `name`, built if it is not up to date.

    Raises `subprocess.CalledProcessError` when the build fails.
    """
    directory = _build_directory()
    directory.mkdir(parents=True, exist_ok=True)
    with (directory / ".lock").open("w") as lock:  # test processes run side by side
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (directory / "build.ninja").exists():
            configure = ["cmake", "-S", str(REPOSITORY), "-B", str(directory), "-G", "Ninja"]
            subprocess.run([*configure, "-DXESIM_TESTS=ON"], check=True, capture_output=True)
        build = ["cmake", "--build", str(directory), "--target", name, "--parallel", "2"]
        subprocess.run(build, check=True, capture_output=True)
    return next(path for path in directory.rglob(name) if path.is_file())
