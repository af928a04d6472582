"""The table of documented properties: complete, and each row's values typed."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from tests.support.places import SPECIFICATION
from tests.support.sycl import sycl_property_document
from zedbg.sycl.aspects import ASPECTS, Aspect, AspectNumbering
from zedbg.sycl.property_sets import PropertySets, RawSet
from zedbg.sycl.property_table import ROWS, Key
from zedbg.sycl.property_values import (
    BundleState,
    DeviceGlobal,
    DeviceLibraries,
    EliminatedArguments,
    HostPipe,
    IrType,
    JointMatrix,
    JointMatrixMad,
    RegisterAllocationMode,
    Sanitizer,
    SpecializationConstantDescriptor,
    SpecializationConstantElement,
)
from zedbg.sycl.raw_property import PropertyType, byte_array, uint32

DOCUMENT = SPECIFICATION / "sycl-property-sets.txt"
COMMITTED = (Path(__file__).parent / "sycl_property_rows.txt").read_text().splitlines()
NAME = "_ZTS6kernel"
_BYTES = PropertyType.BYTE_ARRAY

# (set, key or tag, stored value, typed value) for every row; bytes may come with a bit count.
EXAMPLES = [
    (
        "SYCL/specialization constants",
        "specialization constant",
        struct.pack("<6I", 4, 0, 8, 0xFFFFFFFF, 8, 8),
        SpecializationConstantDescriptor(
            (
                SpecializationConstantElement(4, 0, 8),
                SpecializationConstantElement(0xFFFFFFFF, 8, 8),
            )
        ),
    ),
    (
        "SYCL/specialization constants default values",
        "specialization constant",
        b"\1\2",
        b"\1\2",
    ),
    (
        "SYCL/devicelib req mask",
        "DeviceLibReqMask",
        0x22,
        DeviceLibraries.MATH | DeviceLibraries.CSTRING,
    ),
    ("SYCL/kernel param opt", "kernel", (b"\x7e\x06", 11), EliminatedArguments(11, 0x67E)),
    ("SYCL/program metadata", "@reqd_work_group_size", struct.pack("<3I", 8, 4, 1), (8, 4, 1)),
    ("SYCL/program metadata", "@work_group_num_dim", struct.pack("<I", 3), 3),
    ("SYCL/program metadata", "@max_work_group_size", struct.pack("<3I", 1, 2, 3), (1, 2, 3)),
    ("SYCL/program metadata", "@max_linear_work_group_size", struct.pack("<Q", 1 << 33), 1 << 33),
    ("SYCL/program metadata", "@global_id_mapping", b"_ZL1g", "_ZL1g"),
    ("SYCL/misc properties", "isEsimdImage", 1, True),
    ("SYCL/misc properties", "sycl-register-alloc-mode", 2, RegisterAllocationMode.LARGE),
    ("SYCL/misc properties", "sycl-grf-size", 256, 256),
    ("SYCL/misc properties", "optLevel", 3, 3),
    ("SYCL/misc properties", "sanUsed", b"msan", Sanitizer.MEMORY),
    ("SYCL/misc properties", "specConstsReplacedWithDefault", 0, False),
    ("SYCL/assert used", "kernel", 1, True),
    ("SYCL/exported symbols", "symbol", 1, True),
    ("SYCL/imported symbols", "symbol", 0, False),
    ("SYCL/device globals", "variable", struct.pack("<2I", 64, 1), DeviceGlobal(64, True)),
    (
        "SYCL/device requirements",
        "aspects",
        struct.pack("<2I", 6, 49),
        (Aspect(6, "fp64"), Aspect(49, "ext_intel_esimd")),
    ),
    ("SYCL/device requirements", "fixed_target", b"bdw,skl", ("bdw", "skl")),
    (
        "SYCL/device requirements",
        "reqd_work_group_size_uint64_t",
        struct.pack("<2Q", 16, 1 << 40),
        (16, 1 << 40),
    ),
    (
        "SYCL/device requirements",
        "joint_matrix",
        b"matrix_type::sint8,use::a,12,48;matrix_type::fp16,use::b,1,2",
        (
            JointMatrix("matrix_type::sint8", "use::a", 12, 48),
            JointMatrix("matrix_type::fp16", "use::b", 1, 2),
        ),
    ),
    (
        "SYCL/device requirements",
        "joint_matrix_mad",
        b"A,B,C,D,12,48,16",
        (JointMatrixMad("A", "B", "C", "D", m=12, k=48, n=16),),
    ),
    ("SYCL/device requirements", "reqd_sub_group_size", struct.pack("<I", 16), (16,)),
    ("SYCL/device requirements", "work_group_num_dim", struct.pack("<I", 2), (2,)),
    ("SYCL/host pipes", "host pipe", struct.pack("<I", 4), HostPipe(4)),
    ("SYCL/virtual functions", "virtual-functions-set", b"set-a", "set-a"),
    ("SYCL/virtual functions", "uses-virtual-functions-set", b"set-a,set-b", ("set-a", "set-b")),
    ("SYCL/implicit local arg", "kernel", 5, 5),
    ("SYCL/registered kernels", "registered name", b"_Z3fooPi", "_Z3fooPi"),
    ("SYCLBIN/global metadata", "state", 2, BundleState.EXECUTABLE),
    ("SYCLBIN/ir module metadata", "type", 0, IrType.SPIRV),
    ("SYCLBIN/ir module metadata", "target", b"spir64", "spir64"),
    ("SYCLBIN/native device code image metadata", "arch", b"intel_gpu_pvc", "intel_gpu_pvc"),
]


def stored(name, value):
    if isinstance(value, int):
        return uint32(name, value)
    if isinstance(value, tuple):
        return byte_array(name, value[0], bits=value[1])
    return byte_array(name, value)


def key_of(row, text):
    return {Key.FIXED: text, Key.NAME: NAME, Key.TAGGED: NAME + text}[row.key]


def row_of(set_name, text):
    return next(row for row in ROWS if (row.set_name, row.text) == (set_name, text))


def decoded(set_name, raw):
    return PropertySets([RawSet(set_name, [raw])])[set_name][raw.name]


def test_every_row_has_an_example():
    assert [(row.set_name, row.text) for row in ROWS] == [example[:2] for example in EXAMPLES]


@pytest.mark.parametrize(("set_name", "text", "value", "expected"), EXAMPLES)
def test_a_value_of_the_documented_type_is_typed(set_name, text, value, expected):
    row = row_of(set_name, text)
    assert row.type == (PropertyType.UINT32 if isinstance(value, int) else _BYTES)
    found = decoded(set_name, stored(key_of(row, text), value))
    assert (found.problem, found.value, type(found.value)) == (None, expected, type(expected))
    assert found.row is row


@pytest.mark.parametrize(("set_name", "text", "value", "_expected"), EXAMPLES)
def test_a_value_of_another_type_is_refused_with_what_was_expected(
    set_name, text, value, _expected
):
    row = row_of(set_name, text)
    other = b"\1\2\3" if isinstance(value, int) else 1
    raw = stored(key_of(row, text), other)
    found = decoded(set_name, raw)
    if row.accepts(raw.type):
        assert found.problem is None
    else:
        assert found.value is None
        assert found.problem.what.startswith(f"expected a {row.type.words}, found")
        assert str(found.problem).startswith(f"[{set_name}] {raw.name} at byte 0x0: ")


@pytest.mark.parametrize(
    ("set_name", "text", "value", "_expected"),
    [example for example in EXAMPLES if not isinstance(example[2], int)],
)
def test_a_byte_array_shorter_than_its_bit_count_is_refused(set_name, text, value, _expected):
    row = row_of(set_name, text)
    data = value[0] if isinstance(value, tuple) else value
    raw = byte_array(key_of(row, text), data[:-1], bits=len(data) * 8)
    assert re.match(r"length says \d+ bits, found \d+ bytes", decoded(set_name, raw).problem.what)


def test_an_unknown_property_of_a_known_set_is_kept():
    found = decoded("SYCL/misc properties", uint32("newProperty", 7))
    assert (found.row, found.value, found.problem, found.raw.integer) == (None, None, None, 7)


def test_aspects_are_numbered_as_the_runtime_of_the_image_numbers_them():
    raw = [RawSet("SYCL/device requirements", [byte_array("aspects", struct.pack("<I", 53))])]
    names = {
        numbering: PropertySets(raw, numbering).aspects[0].name for numbering in AspectNumbering
    }
    assert names == {
        AspectNumbering.LIBSYCL_8: "ext_intel_esimd",
        AspectNumbering.LIBSYCL_9: "ext_intel_matrix",
    }
    for numbers in ASPECTS.values():
        assert len(set(numbers.values())) == len(numbers)


def test_defaults_of_composites_lie_one_after_the_other():
    sets = PropertySets(
        [
            RawSet(
                "SYCL/specialization constants",
                [
                    byte_array("a", struct.pack("<6I", 0, 0, 4, 1, 4, 2)),
                    byte_array("b", struct.pack("<3I", 2, 0, 1)),
                ],
            ),
            RawSet(
                "SYCL/specialization constants default values",
                [byte_array("all", b"\1\0\0\0\2\0\3")],
            ),
        ]
    )
    assert [(constant.name, constant.default) for constant in sets.specialization_constants] == [
        ("a", b"\1\0\0\0\2\0"),
        ("b", b"\3"),
    ]


@pytest.mark.skipif(not DOCUMENT.exists(), reason="ZEDBG_SPEC_DIR has no specification")
def test_the_committed_rows_are_those_of_the_document():
    text = DOCUMENT.read_text()
    assert sycl_property_document.document_lines(text) == COMMITTED
    # Counted another way: every property has one type in quotes, as have the two that explain them.
    assert len(re.findall(r"“[12]”", text)) == len(COMMITTED) + 2


def test_the_table_is_the_document():
    table = [
        "|".join([row.set_name, "" if row.key is Key.NAME else row.text, str(int(row.type))])
        for row in ROWS
    ]
    assert table == COMMITTED
