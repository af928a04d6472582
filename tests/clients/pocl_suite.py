"""PoCL's own tests on its Level Zero device: OpenCL programs on the simulated GPU.

Debian 12's PoCL has no such device; the tests run in a bare Debian that has one, as root. They are
those that PoCL's makers run on Level Zero, and a debugger's session on a program of pyopencl.
"""

from __future__ import annotations

import os
import subprocess

from tests.clients.suites import Result, Suite, add
from tests.support.places import REPOSITORY

_RELEASE = {"BARE_DEBIAN_RELEASE": "sid"}


def run(suite: Suite) -> Result:
    """Makes the Debian, and runs the tests in it: of what is committed."""
    inside = ["tests/clients/pocl/inside", suite.device]
    done = subprocess.run(
        [str(REPOSITORY / ".ci" / "bare-debian"), *inside],
        env=os.environ | _RELEASE,
        capture_output=True,
        text=True,
        errors="replace",
    )
    result = Result(suite)
    said = f"status {done.returncode}: {' | '.join(done.stderr.splitlines()[-5:])}"
    add(result, "pocl", done.stdout if done.returncode == 0 else said)
    return result
