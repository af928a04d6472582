"""What reading damaged SPIR-V raises is no error to users; a slip of zedbg's own is one."""

import pytest

from tests.support.packed_modules import MODULES
from tests.support.values.values_fake_context import FakeThread
from zedbg.dwarf import DebugInfo
from zedbg.values.recomputed import recomputation
from zedbg.values.recomputed.recomputation import Recomputation
from zedbg.values.source import debug_quality, scope_variables, source_changes
from zedbg.zebin import Module

BUILD = MODULES / "variables" / "igc2-dg2-O2"


def info_of_a_module():
    path = min(BUILD.iterdir())
    info = DebugInfo.of(Module.from_bytes(path.read_bytes(), path.name))
    return info, info.functions[0]


ASKED = {
    scope_variables: lambda info, kernel: scope_variables.variables_in_scope(info, kernel.low),
    source_changes: lambda info, kernel: source_changes.value_starts(info, kernel, ["a"]),
    debug_quality: lambda info, kernel: debug_quality.debug_quality(info, kernel).pairs,
    recomputation: lambda info, kernel: Recomputation(FakeThread(info, kernel.low)).has_source,
}


@pytest.mark.parametrize("module", ASKED, ids=lambda module: module.__name__.split(".")[-1])
@pytest.mark.parametrize("is_damaged", [False, True])
def test_only_what_damage_raises_is_left_out(module, is_damaged, monkeypatch):
    info, kernel = info_of_a_module()
    assert ASKED[module](info, kernel)
    info, kernel = info_of_a_module()
    assert not info.spirv.is_damaged
    vars(info.spirv)["is_damaged"] = is_damaged

    def slip(*_):
        raise AttributeError("a slip")

    monkeypatch.setattr(module, "position_at", slip)
    if is_damaged:
        ASKED[module](info, kernel)
    else:
        with pytest.raises(AttributeError, match="a slip"):
            ASKED[module](info, kernel)
