"""Where things are in the source tree."""

from __future__ import annotations

import os
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
TESTS = REPOSITORY / "tests"
#: C programs that use Level Zero.
HOSTS = TESTS / "hosts"
#: Sources of kernels. The modules that are made of them: :mod:`tests.support.packed_modules`.
KERNELS = TESTS / "kernels"
SUPPORT = TESTS / "support"
#: Documents that tables are compared with, when they are there.
SPECIFICATION = Path(os.environ.get("ZEDBG_SPEC_DIR", REPOSITORY.parent / "shared" / "spec"))
