"""Element types of kernel arguments, and the contents that an argument can ask for."""

from __future__ import annotations

import random
import struct
from enum import Enum
from pathlib import Path

from zedbg.user_error import UserError

_MAXIMUM_BYTES = 1 << 34


class ArgumentError(UserError, ValueError):
    """An argument that cannot be read; the message is the line for the user."""


class ElementType(Enum):
    """An element type: its name on the command line and its ``struct`` format."""

    I8 = ("i8", "b")
    U8 = ("u8", "B")
    I16 = ("i16", "h")
    U16 = ("u16", "H")
    I32 = ("i32", "i")
    U32 = ("u32", "I")
    I64 = ("i64", "q")
    U64 = ("u64", "Q")
    F16 = ("f16", "e")
    F32 = ("f32", "f")
    F64 = ("f64", "d")

    def __init__(self, label: str, format_character: str) -> None:
        self.label = label
        self.format_character = format_character

    @property
    def size(self) -> int:
        """Bytes of one element."""
        return struct.calcsize("<" + self.format_character)

    @property
    def is_float(self) -> bool:
        """Whether elements are floating point."""
        return self.format_character in "efd"

    @property
    def is_signed(self) -> bool:
        """Whether elements are signed integers."""
        return self.label.startswith("i")

    def parse(self, text: str) -> int | float:
        """A number of this type; ArgumentError when it is none or does not fit."""
        try:
            value = float(text) if self.is_float else int(text, 0)
            self.pack([value])
        except (ValueError, OverflowError, struct.error):
            raise ArgumentError(f"{text!r} is not a number that fits {self.label}") from None
        return value

    def pack(self, values: list[int] | list[float] | list[int | float]) -> bytes:
        """``values`` as raw little-endian bytes."""
        return struct.pack(f"<{len(values)}{self.format_character}", *values)

    def unpack(self, data: bytes) -> list[int | float]:
        """The elements of raw little-endian bytes."""
        return list(struct.unpack(f"<{len(data) // self.size}{self.format_character}", data))


def element_count(text: str, argument: str, size: int) -> int:
    """How many elements of ``size`` bytes ``text`` asks for; ``argument`` is for the report.

    Raises ArgumentError.
    """
    try:
        count = int(text, 0)
    except ValueError:
        raise ArgumentError(f"{text!r} in {argument!r} is not a number") from None
    if not 0 < count * size <= _MAXIMUM_BYTES:
        raise ArgumentError(f"{argument!r}: a size from 1 element to 16 GiB is possible")
    return count


def initial_content(element: ElementType, count: int, value: str, text: str) -> bytes:
    """``count`` elements as ``value`` describes them: a number, iota, random:SEED or @FILE."""
    if value.startswith("@"):
        return _file_content(element, count, Path(value[1:]), text)
    if value == "iota":
        return _iota(element, count)
    if value.startswith("random:"):
        return _random(element, count, _seed(value, text))
    return element.pack([element.parse(value)]) * count


def _file_content(element: ElementType, count: int, path: Path, text: str) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ArgumentError(f"{path}: {error.strerror}") from error
    if len(data) != count * element.size:
        raise ArgumentError(f"{path} has {len(data)} bytes, {text!r} needs {count * element.size}")
    return data


def _iota(element: ElementType, count: int) -> bytes:
    """0, 1, 2...; integers wrap around at the type's size."""
    if element.is_float:
        if element is ElementType.F16:
            return element.pack([float(each % 2049) for each in range(count)])
        return element.pack([float(each) for each in range(count)])
    period = 1 << 8 * element.size
    half = period >> 1 if element.is_signed else 0
    return element.pack([(each + half) % period - half for each in range(count)])


def _random(element: ElementType, count: int, seed: int) -> bytes:
    """Integers over the whole type; floats in [0, 1). The same for a seed on every machine."""
    generator = random.Random(seed)
    if element.is_float:
        return element.pack([generator.random() for _ in range(count)])
    return generator.randbytes(count * element.size)


def _seed(value: str, text: str) -> int:
    try:
        return int(value.removeprefix("random:"), 0)
    except ValueError:
        raise ArgumentError(f"cannot read {text!r}: a seed is a number, as in random:7") from None
