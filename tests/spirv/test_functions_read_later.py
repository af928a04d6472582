"""The functions of a module are read when they are asked for; a damaged one is not there."""

import struct

from tests.support.packed_modules import MODULES
from zedbg.spirv.module.code import SpirvCode
from zedbg.zebin import Module
from zedbg.zebin.spirv import SpirvWords

LABEL, LOAD = 248, 61


def test_a_damaged_function_leaves_the_others():
    path = MODULES / "zebin" / "igc2-dg2-O2" / "calls.zebin"
    module = Module.from_bytes(path.read_bytes(), path.name)
    data = module.section_bytes(module.section(".spv"))
    words = SpirvWords.of(data, "calls")
    whole = SpirvCode(data, "calls")
    assert len(words.functions) > 1
    assert [*whole.functions] == [*words.functions]
    damaged, (begin, end) = next(iter(words.functions.items()))
    changed = words.words[:]
    at = begin + next(
        index for index, word in enumerate(changed[begin:end]) if word == 2 << 16 | LABEL
    )
    changed[at] = 2 << 16 | LOAD  # which has a type, a result and a pointer
    again = struct.pack(f"<{len(changed)}I", *changed)
    code = SpirvCode(again, "calls")
    first = code.functions.get(damaged)
    assert first is None or len(first.blocks) < len(whole.functions[damaged].blocks)
    others = [each for each in whole.functions if each != damaged]
    assert [each for each in code.functions if each != damaged] == others


def test_one_function_is_read_without_the_others():
    path = MODULES / "zebin" / "igc2-dg2-O2" / "calls.zebin"
    module = Module.from_bytes(path.read_bytes(), path.name)
    code = SpirvCode(module.section_bytes(module.section(".spv")), "calls")
    known = len(code.type_of)
    first, *others = code._words.functions
    assert code.functions[first].blocks
    after_one = len(code.type_of)
    assert after_one > known
    assert all(code.functions[each].blocks for each in others)
    assert len(code.type_of) > after_one
