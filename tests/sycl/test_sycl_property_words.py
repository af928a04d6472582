"""Values of properties in words."""

from __future__ import annotations

import struct
from importlib import import_module

import pytest

from zedbg import sycl
from zedbg.sycl.property_sets import PropertySets, RawSet
from zedbg.sycl.raw_property import byte_array, uint32
from zedbg.sycl.words_of_properties import property_words

WORDS = [
    ("SYCL/misc properties", uint32("isEsimdImage", 1), "yes"),
    ("SYCL/misc properties", uint32("sycl-register-alloc-mode", 2), "large"),
    ("SYCL/misc properties", uint32("somethingNew", 9), "9"),
    ("SYCL/misc properties", byte_array("sanUsed", b"tsan"), "thread"),
    ("SYCL/devicelib req mask", uint32("DeviceLibReqMask", 6), "math, math_fp64"),
    ("SYCL/devicelib req mask", uint32("DeviceLibReqMask", 0), "none"),
    ("SYCL/devicelib req mask", uint32("DeviceLibReqMask", 0x8001), "assert, 0x8000"),
    ("SYCL/kernel param opt", byte_array("k", b"\5", bits=4), "removed 0, 2 of 4 arguments"),
    ("SYCL/kernel param opt", byte_array("k", b"\0", bits=4), "none of 4 arguments removed"),
    (
        "SYCL/device requirements",
        byte_array("aspects", struct.pack("<2I", 6, 999)),
        "fp64, aspect 999",
    ),
    ("SYCL/device requirements", byte_array("reqd_sub_group_size", b"\x10\0\0\0"), "16"),
    ("SYCL/device requirements", byte_array("joint_matrix", b"t,use::a,8,16"), "use::a 8x16 of t"),
    (
        "SYCL/device requirements",
        byte_array("joint_matrix_mad", b"a,b,c,d,8,32,16"),
        "8x16x32 d = a * b + c",
    ),
    (
        "SYCL/device globals",
        byte_array("g", struct.pack("<2I", 8, 1)),
        "8 bytes, one in each image",
    ),
    ("SYCL/host pipes", byte_array("p", b"\4\0\0\0"), "4 bytes"),
    (
        "SYCL/specialization constants",
        byte_array("c", struct.pack("<6I", 7, 0, 4, 0xFFFFFFFF, 4, 4)),
        "id 7: 4 bytes at 0, 4 bytes of padding",
    ),
    ("SYCL/specialization constants default values", byte_array("all", b"\1\xff"), "01 ff"),
    ("SYCL/registered kernels", byte_array("r", b"_Z1k"), "_Z1k"),
    (
        "Vendor",
        byte_array("b", bytes(100)),
        "20 03 00 00 00 00 00 00" + " 00" * 24 + " ... (108 bytes)",
    ),
    ("SYCL/host pipes", uint32("p", 4), "expected a byte array, found a 32-bit integer"),
]


@pytest.mark.parametrize(("set_name", "raw", "words"), WORDS)
def test_a_value_is_said_in_one_line(set_name, raw, words):
    assert property_words(PropertySets([RawSet(set_name, [raw])])[set_name][raw.name]) == words


def test_names_of_the_package_are_not_those_of_its_modules():
    for name, module in sycl._MODULES.items():
        defined = getattr(import_module(f"zedbg.sycl.{module}"), name)
        assert getattr(sycl, name) is defined
