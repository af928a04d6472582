"""Names, views and layouts of registers."""

import struct

import pytest

from zedbg.xe.registers import (
    XE_HPG_LAYOUT,
    ControlBit,
    ControlRegister,
    ElementType,
    ExceptionBit,
    ExceptionReason,
    Register,
    RegisterKind,
    ThreadHeader,
    dwarf_register,
)


def test_every_register_of_a_device_is_found_by_its_name():
    registers = XE_HPG_LAYOUT.registers()
    assert len(registers) == 128 + 1 + 2 + 1 + 1 + 1 + 4 + 8 + 9 + 1
    assert [Register.parse(register.name) for register in registers] == registers


@pytest.mark.parametrize(
    ("name", "register"),
    [
        ("r10", Register(RegisterKind.GRF, 10)),
        ("cr0", Register(RegisterKind.CR, 0)),
        ("ce", Register(RegisterKind.CE, 0)),
        ("acc3", Register(RegisterKind.ACC, 3)),
        ("isabase", Register(RegisterKind.SBA, 4)),
        ("scrbase", Register(RegisterKind.SBA, 8)),
        ("r01", None),
        ("r", None),
        ("x3", None),
        ("ce0", None),
    ],
)
def test_register_names(name, register):
    assert Register.parse(name) == register


def test_groups_divide_the_registers():
    groups = [XE_HPG_LAYOUT.registers(group) for group in ("grf", "arf", "virtual")]
    assert sorted([r for group in groups for r in group]) == sorted(XE_HPG_LAYOUT.registers("all"))
    assert {register.kind for register in groups[2]} == {RegisterKind.SBA}


def test_elements_are_read_as_their_type():
    data = struct.pack("<4f", 1.5, -2.0, 0.0, 3.25) + struct.pack("<2q", -1, 5)
    assert ElementType.F.unpack(data)[:4] == [1.5, -2.0, 0.0, 3.25]
    assert ElementType.Q.unpack(data)[2:] == [-1, 5]
    assert ElementType.UD.unpack(data)[4] == 0xFFFFFFFF
    assert ElementType.HF.unpack(struct.pack("<e", 0.5)) == [0.5]


@pytest.mark.parametrize("element", ElementType)
def test_suffixes_name_their_types(element):
    assert ElementType.from_suffix(element.suffix) is element
    assert ElementType.from_suffix(element.suffix.upper()) is None
    assert element.is_signed == (element.suffix[0] != "u")


@pytest.mark.parametrize(
    ("number", "name"),
    [
        (1, "ce"),
        (6, "scrbase"),
        (7, "genstbase"),
        (16, "r0"),
        (143, "r127"),
        (271, "r255"),
        (272, "a0"),
        (288, "f0"),
        (304, "acc0"),
        (350, "r256"),
    ],
)
def test_dwarf_numbers(number, name):
    assert dwarf_register(number).name == name


@pytest.mark.parametrize("number", [0, 2, 12, 15, 606])
def test_dwarf_numbers_that_stand_for_no_register(number):
    assert dwarf_register(number) is None


@pytest.mark.parametrize(
    ("bits", "reason"),
    [
        (ExceptionBit.BREAKPOINT, ExceptionReason.BREAKPOINT),
        (ExceptionBit.BREAKPOINT | ExceptionBit.PAGE_FAULT, ExceptionReason.PAGE_FAULT),
        (ExceptionBit.FORCE_EXCEPTION, ExceptionReason.INTERRUPT),
        (ExceptionBit.EXTERNAL_HALT, ExceptionReason.INTERRUPT),
        (ExceptionBit.FORCE_EXCEPTION | ExceptionBit.BREAKPOINT, ExceptionReason.BREAKPOINT),
        (ExceptionBit.ILLEGAL_OPCODE, ExceptionReason.ILLEGAL_OPCODE),
        (0, ExceptionReason.NONE),
    ],
)
def test_why_a_thread_stopped(bits, reason):
    control = ControlRegister.from_bytes(struct.pack("<3I", 0, bits, 0x40))
    assert control.reason is reason
    assert control.instruction_pointer == 0x40


def test_bits_of_the_control_register_are_named():
    data = struct.pack("<4I", ControlBit.BREAKPOINT_SUPPRESS, ExceptionBit.BREAKPOINT, 0, 0)
    assert ControlRegister.from_bytes(data).bit_names() == ["breakpoint suppress", "breakpoint"]


def test_short_registers_are_refused():
    with pytest.raises(ValueError, match="cr0 has 8 bytes"):
        ControlRegister.from_bytes(bytes(8))
    with pytest.raises(ValueError, match="r0 has 16 bytes"):
        ThreadHeader.from_bytes(bytes(16))


def test_the_thread_header_holds_the_work_group():
    header = ThreadHeader.from_bytes(struct.pack("<8I", 0x1043, 5, 0x08000003, 0, 0, 0, 6, 7))
    assert header == ThreadHeader((5, 6, 7), 3, 8, 0x1040)
