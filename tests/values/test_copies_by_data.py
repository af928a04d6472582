"""Which jumps of a loop decide whether an iteration comes to code of it."""

from tests.support.packed_modules import MODULES
from zedbg.spirv.analysis.model import Model
from zedbg.spirv.module.code import SpirvCode
from zedbg.values.copies.copies_by_data import decided_places
from zedbg.zebin import Module


def test_a_jump_decides_what_is_come_to_by_it_only():
    path = MODULES / "everyday" / "igc1-dg2-O2" / "rounds.zebin"
    module = Module.from_bytes(path.read_bytes(), path.name)
    model = Model(SpirvCode(module.section_bytes(module.section(".spv")), path.name))
    flows = map(model.flow, model.code.functions.values())
    (decided,) = (
        found
        for flow in flows
        for header in flow.loops
        if (31, 23) in (found := decided_places(flow, header))
    )
    # Of `for (...) { byte = i < left ? pixels[id + i] : 0; word = word << 8 | byte; }`.
    assert decided[31, 23] == {(31, 34), (31, 44)}
    assert {(31, 25), (31, 34), (32, 17), (32, 22)} < decided[30, 3]
    assert len(decided) == 2
