"""What the properties of a device image mean, as typed values. Sizes and offsets are bytes.

Source: the design document "SYCL binary property sets" of the DPC++ compiler; enumerations that it
only names are those of the compiler and the runtime.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum, IntFlag

from zedbg.sycl.aspects import Aspect

PADDING_ID = 0xFFFFFFFF


@dataclass(frozen=True)
class SpecializationConstantElement:
    """One scalar of a specialization constant, which may be a composite."""

    id: int  # of the SPIR-V constant
    offset: int  # within the composite
    size: int

    @property
    def is_padding(self) -> bool:
        """Whether it only fills the end of a composite, and is no constant."""
        return self.id == PADDING_ID


@dataclass(frozen=True)
class SpecializationConstantDescriptor:
    """The scalars that one specialization constant of the source consists of."""

    elements: tuple[SpecializationConstantElement, ...]


@dataclass(frozen=True)
class SpecializationConstant:
    """A specialization constant with the bytes of its default value.

    ``offset`` is its place in the block of all constants: of the defaults, and of the buffer from
    which kernels that were compiled ahead read the values.
    """

    name: str
    elements: tuple[SpecializationConstantElement, ...]
    default: bytes | None  # None when the image holds no default values
    offset: int = 0

    @property
    def size(self) -> int:
        """Bytes of its value."""
        return max(element.offset + element.size for element in self.elements)


class DeviceLibraries(IntFlag):
    """Which device libraries a binary uses, by the bits of ``DeviceLibReqMask``."""

    ASSERT = 1 << 0
    MATH = 1 << 1
    MATH_FP64 = 1 << 2
    COMPLEX = 1 << 3
    COMPLEX_FP64 = 1 << 4
    CSTRING = 1 << 5
    IMF = 1 << 6
    IMF_FP64 = 1 << 7
    IMF_BF16 = 1 << 8
    BFLOAT16 = 1 << 9


@dataclass(frozen=True)
class EliminatedArguments:
    """Which of a kernel's ``count`` arguments the compiler removed: bit i for argument i."""

    count: int
    mask: int

    @property
    def eliminated(self) -> tuple[int, ...]:
        """The removed arguments' indices in the source, ascending."""
        return tuple(index for index in range(self.count) if self.mask >> index & 1)

    @property
    def remaining(self) -> tuple[int, ...]:
        """The indices in the source of the arguments that are left, ascending."""
        return tuple(index for index in range(self.count) if not self.mask >> index & 1)


class RegisterAllocationMode(IntEnum):
    """``sycl-register-alloc-mode``."""

    AUTOMATIC = 0
    LARGE = 2


class Sanitizer(Enum):
    """``sanUsed``: what the image is instrumented for."""

    ADDRESS = "asan"
    MEMORY = "msan"
    THREAD = "tsan"


@dataclass(frozen=True)
class DeviceGlobal:
    """A device global variable; ``device_image_scope`` when each image has its own."""

    size: int
    device_image_scope: bool


@dataclass(frozen=True)
class HostPipe:
    """A pipe between host and device, of values of ``size`` bytes."""

    size: int


@dataclass(frozen=True)
class JointMatrix:
    """A matrix type that the image needs the device to have; ``use`` is a, b or accumulator."""

    type: str
    use: str
    rows: int
    columns: int


@dataclass(frozen=True)
class JointMatrixMad:
    """A matrix multiply-add that the image needs: D (m x n) = A (m x k) * B (k x n) + C."""

    type_a: str
    type_b: str
    type_c: str
    type_d: str
    m: int
    k: int
    n: int


class BundleState(IntEnum):
    """``sycl::bundle_state``: how far the code of a SYCLBIN file is compiled."""

    INPUT = 0
    OBJECT = 1
    EXECUTABLE = 2


class IrType(IntEnum):
    """The intermediate language of a SYCLBIN file's module."""

    SPIRV = 0
    PTX = 1
    AMDGCN = 2


PropertyValue = (
    int
    | bool
    | str
    | bytes
    | tuple[int, ...]
    | tuple[str, ...]
    | tuple[Aspect, ...]
    | tuple[JointMatrix, ...]
    | tuple[JointMatrixMad, ...]
    | SpecializationConstantDescriptor
    | DeviceLibraries
    | EliminatedArguments
    | RegisterAllocationMode
    | Sanitizer
    | DeviceGlobal
    | HostPipe
    | BundleState
    | IrType
)
