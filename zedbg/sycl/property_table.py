"""Every property that device images are documented to have: set, key, type, meaning, decoder.

Source: the design document "SYCL binary property sets". Where a key is the user's own name (of a
kernel, a variable, a symbol), the row stands for all of them. ``also`` are the types in which
compilers have been found to write a property besides the documented one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from zedbg.sycl import property_decoders as decode
from zedbg.sycl.property_decoders import Decoder
from zedbg.sycl.raw_property import PropertyType

_INT = PropertyType.UINT32
_BYTES = PropertyType.BYTE_ARRAY


class Key(Enum):
    """What the key of a property is."""

    FIXED = "fixed"  # the row's own text
    NAME = "name"  # any name
    TAGGED = "tagged"  # any name, and after it the row's text


class SetName:
    """The names of the documented sets."""

    SPECIALIZATION_CONSTANTS = "SYCL/specialization constants"
    SPECIALIZATION_DEFAULTS = "SYCL/specialization constants default values"
    DEVICE_LIBRARIES = "SYCL/devicelib req mask"
    KERNEL_PARAM_OPT = "SYCL/kernel param opt"
    PROGRAM_METADATA = "SYCL/program metadata"
    MISC = "SYCL/misc properties"
    ASSERT_USED = "SYCL/assert used"
    EXPORTED_SYMBOLS = "SYCL/exported symbols"
    IMPORTED_SYMBOLS = "SYCL/imported symbols"
    DEVICE_GLOBALS = "SYCL/device globals"
    DEVICE_REQUIREMENTS = "SYCL/device requirements"
    HOST_PIPES = "SYCL/host pipes"
    VIRTUAL_FUNCTIONS = "SYCL/virtual functions"
    IMPLICIT_LOCAL_ARG = "SYCL/implicit local arg"
    REGISTERED_KERNELS = "SYCL/registered kernels"
    SYCLBIN_GLOBAL = "SYCLBIN/global metadata"
    SYCLBIN_IR_MODULE = "SYCLBIN/ir module metadata"
    SYCLBIN_NATIVE_IMAGE = "SYCLBIN/native device code image metadata"


@dataclass(frozen=True)
class PropertyRow:
    """One documented property."""

    set_name: str
    key: Key
    text: str  # the key, or the tag after it; for a name, what it names
    type: PropertyType
    meaning: str
    decoder: Decoder
    also: frozenset[PropertyType] = frozenset()

    def matches(self, name: str) -> bool:
        """Whether the property ``name`` of this row's set is this row's."""
        if self.key is Key.FIXED:
            return name == self.text
        return self.key is Key.NAME or name.endswith(self.text)

    def accepts(self, stored_type: int) -> bool:
        """Whether a value of ``stored_type`` can be this property's."""
        return stored_type == self.type or stored_type in self.also


def row_for(set_name: str, name: str) -> PropertyRow | None:
    """The row of the property ``name`` of the set ``set_name``; None when it has none."""
    for row in _ROWS_BY_SET.get(set_name, ()):
        if row.matches(name):
            return row
    return None


def _name(set_name: str, what: str, kind: PropertyType, meaning: str, d: Decoder) -> PropertyRow:
    return PropertyRow(set_name, Key.NAME, what, kind, meaning, d)


def _fixed(
    set_name: str, key: str, kind: PropertyType, meaning: str, d: Decoder, *also: PropertyType
) -> PropertyRow:
    return PropertyRow(
        set_name=set_name,
        key=Key.FIXED,
        text=key,
        type=kind,
        meaning=meaning,
        decoder=d,
        also=frozenset(also),
    )


def _tagged(
    set_name: str, tag: str, kind: PropertyType, meaning: str, d: Decoder, *also: PropertyType
) -> PropertyRow:
    return PropertyRow(
        set_name=set_name,
        key=Key.TAGGED,
        text=tag,
        type=kind,
        meaning=meaning,
        decoder=d,
        also=frozenset(also),
    )


_S = SetName
ROWS: tuple[PropertyRow, ...] = (
    _name(
        _S.SPECIALIZATION_CONSTANTS,
        "specialization constant",
        _BYTES,
        "the scalars that it consists of",
        decode.specialization_constant,
    ),
    _name(
        _S.SPECIALIZATION_DEFAULTS,
        "specialization constant",
        _BYTES,
        "default values",
        decode.raw_bytes,
    ),
    _fixed(
        _S.DEVICE_LIBRARIES,
        "DeviceLibReqMask",
        _INT,
        "device libraries that the binary uses",
        decode.device_libraries,
    ),
    _name(_S.KERNEL_PARAM_OPT, "kernel", _BYTES, "removed arguments", decode.eliminated_arguments),
    _tagged(
        _S.PROGRAM_METADATA,
        "@reqd_work_group_size",
        _BYTES,
        "required work-group size of a kernel",
        decode.sizes32,
    ),
    _tagged(
        _S.PROGRAM_METADATA,
        "@work_group_num_dim",
        _BYTES,
        "dimensions of a kernel's work-groups",
        decode.integer,
        _INT,
    ),
    _tagged(
        _S.PROGRAM_METADATA,
        "@max_work_group_size",
        _BYTES,
        "largest work-group size of a kernel",
        decode.sizes32,
    ),
    _tagged(
        _S.PROGRAM_METADATA,
        "@max_linear_work_group_size",
        _BYTES,
        "most work-items of a kernel's work-group",
        decode.integer,
        _INT,
    ),
    _tagged(
        _S.PROGRAM_METADATA,
        "@global_id_mapping",
        _BYTES,
        "name in the binary of a global variable",
        decode.text,
        PropertyType.STRING,
    ),
    _fixed(_S.MISC, "isEsimdImage", _INT, "whether it is explicit SIMD code", decode.flag),
    _fixed(
        _S.MISC,
        "sycl-register-alloc-mode",
        _INT,
        "register allocation",
        decode.register_allocation_mode,
    ),
    _fixed(_S.MISC, "sycl-grf-size", _INT, "GRF size, 0 for automatic", decode.integer),
    _fixed(_S.MISC, "optLevel", _INT, "the compiler's -O level", decode.integer),
    _fixed(
        _S.MISC,
        "sanUsed",
        _BYTES,
        "sanitizer that instruments it",
        decode.sanitizer,
        PropertyType.STRING,
    ),
    _fixed(
        _S.MISC,
        "specConstsReplacedWithDefault",
        _INT,
        "whether specialization constants have become their defaults",
        decode.flag,
    ),
    _name(_S.ASSERT_USED, "kernel", _INT, "whether it uses assertions", decode.flag),
    _name(_S.EXPORTED_SYMBOLS, "symbol", _INT, "whether the binary exports it", decode.flag),
    _name(_S.IMPORTED_SYMBOLS, "symbol", _INT, "whether the binary imports it", decode.flag),
    _name(_S.DEVICE_GLOBALS, "variable", _BYTES, "size and scope", decode.device_global),
    _fixed(
        _S.DEVICE_REQUIREMENTS,
        "aspects",
        _BYTES,
        "aspects that the device must have",
        decode.aspects,
    ),
    _fixed(
        _S.DEVICE_REQUIREMENTS,
        "fixed_target",
        _BYTES,
        "targets of -fsycl-fixed-targets",
        decode.comma_list,
        PropertyType.STRING,
    ),
    _fixed(
        _S.DEVICE_REQUIREMENTS,
        "reqd_work_group_size_uint64_t",
        _BYTES,
        "required work-group size",
        decode.sizes64,
    ),
    _fixed(
        _S.DEVICE_REQUIREMENTS,
        "joint_matrix",
        _BYTES,
        "matrices that it uses",
        decode.joint_matrices,
        PropertyType.STRING,
    ),
    _fixed(
        _S.DEVICE_REQUIREMENTS,
        "joint_matrix_mad",
        _BYTES,
        "matrix multiply-adds that it uses",
        decode.joint_matrix_mads,
        PropertyType.STRING,
    ),
    _fixed(
        _S.DEVICE_REQUIREMENTS,
        "reqd_sub_group_size",
        _BYTES,
        "required sub-group size",
        decode.sizes32,
        _INT,
    ),
    _fixed(
        _S.DEVICE_REQUIREMENTS,
        "work_group_num_dim",
        _BYTES,
        "dimensions of work-groups",
        decode.sizes32,
        _INT,
    ),
    _name(_S.HOST_PIPES, "host pipe", _BYTES, "size of its values", decode.host_pipe),
    _fixed(
        _S.VIRTUAL_FUNCTIONS,
        "virtual-functions-set",
        _BYTES,
        "set of virtual functions that it contains",
        decode.text,
        PropertyType.STRING,
    ),
    _fixed(
        _S.VIRTUAL_FUNCTIONS,
        "uses-virtual-functions-set",
        _BYTES,
        "sets of virtual functions that it uses",
        decode.comma_list,
        PropertyType.STRING,
    ),
    _name(
        _S.IMPLICIT_LOCAL_ARG,
        "kernel",
        _INT,
        "index of its implicit local memory argument",
        decode.integer,
    ),
    _name(_S.REGISTERED_KERNELS, "registered name", _BYTES, "the kernel that has it", decode.text),
    _fixed(_S.SYCLBIN_GLOBAL, "state", _INT, "how far it is compiled", decode.bundle_state),
    _fixed(_S.SYCLBIN_IR_MODULE, "type", _INT, "intermediate language", decode.ir_type),
    _fixed(
        _S.SYCLBIN_IR_MODULE,
        "target",
        _BYTES,
        "target of -fsycl-targets",
        decode.text,
        PropertyType.STRING,
    ),
    _fixed(
        _S.SYCLBIN_NATIVE_IMAGE,
        "arch",
        _BYTES,
        "target of -fsycl-targets",
        decode.text,
        PropertyType.STRING,
    ),
)

_ROWS_BY_SET: dict[str, tuple[PropertyRow, ...]] = {
    name: tuple(row for row in ROWS if row.set_name == name) for name in {r.set_name for r in ROWS}
}
