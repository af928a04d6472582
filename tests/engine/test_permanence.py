"""What front ends load stays out of the garbage collector's rounds, and only that."""

from __future__ import annotations

import gc
import importlib
import subprocess
import sys

import pytest

from zedbg.commands.framework.permanence import permanent


def test_collector_leaves_alone_what_was_made_inside_and_takes_what_follows():
    with permanent():
        assert not gc.isenabled()
        kept = [[]]
    assert gc.isenabled()
    later = [[]]
    looked_at = {id(each) for each in gc.get_objects()}
    assert id(kept) not in looked_at
    assert id(later) in looked_at


def test_collector_goes_on_after_an_import_that_fails():
    with pytest.raises(ModuleNotFoundError), permanent():
        importlib.import_module("zedbg.no_such_module")
    assert gc.isenabled()


def test_rounds_for_garbage_are_rare_in_what_is_zedbgs_own():
    program = (
        "import gc, zedbg.frontends.main as m; m.main(['--version']); print(gc.get_threshold())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1].startswith("(50000,")
