"""What SPIR-V says of itself: its version, its producer and its kernels (SPIR-V, section 2.3)."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zedbg.zebin.file_errors import ZebinError
from zedbg.zebin.formats import SPIRV_MAGICS, FileFormat

_MAGIC_WORD = 0x07230203
_HEADER_WORDS = 5  # magic, version, generator, bound, schema
_OP_MEMORY_MODEL = 14
_OP_ENTRY_POINT = 15
_OP_FUNCTION = 54
_OP_FUNCTION_END = 56
_OP_LABEL = 248
_KERNEL_MODEL = 6  # of OpEntryPoint
_ADDRESS_BITS = {1: 32, 2: 64}  # of OpMemoryModel's addressing model
# The registry's numbers of producers that make kernels.
_GENERATORS = {
    6: "Khronos LLVM/SPIR-V Translator",
    7: "Khronos SPIR-V Tools Assembler",
    17: "Khronos SPIR-V Tools Linker",
    30: "Codeplay",
    43: "LLVM SPIR-V Backend",
    44: "Rust GPU",
}


@dataclass(frozen=True)
class SpirvModule:
    """A SPIR-V module's header and entry points."""

    version: str
    generator: str
    address_bits: int | None
    kernels: tuple[str, ...]
    instructions: int


def read_spirv(data: bytes, name: str) -> SpirvModule:
    """Reads a module; raises ZebinError, which calls it ``name``, at the damaged word."""
    words = _words_of(data, name)
    _magic, version, generator, _bound, _schema = words[:_HEADER_WORDS]
    kernels: list[str] = []
    address_bits = None
    count = 0
    for opcode, operands in _instructions(words, name):
        if opcode == _OP_ENTRY_POINT and len(operands) > 2 and operands[0] == _KERNEL_MODEL:
            kernels.append(literal_string(operands[2:]))
        elif opcode == _OP_MEMORY_MODEL and operands:
            address_bits = _ADDRESS_BITS.get(operands[0])
        count += 1
    producer = _GENERATORS.get(generator >> 16, f"producer {generator >> 16}")
    return SpirvModule(
        f"{version >> 16 & 0xFF}.{version >> 8 & 0xFF}",
        f"{producer} {generator & 0xFFFF}",
        address_bits,
        tuple(kernels),
        count,
    )


@dataclass(frozen=True)
class SpirvWords:
    """The words of a module, and where its functions with a body are: by the id of each the first
    word, and the one after the last. The instructions in front of all functions end at ``head``."""

    words: array[int]
    head: int
    functions: dict[int, tuple[int, int]]
    name: str

    @classmethod
    def of(cls, data: bytes, name: str) -> SpirvWords:
        """Raises ZebinError as :func:`read_spirv`."""
        words = _words_of(data, name)
        found: dict[int, tuple[int, int]] = {}
        position, head, begin, has_body = _HEADER_WORDS, 0, 0, False
        end = len(words)
        while position < end:
            word = words[position]
            following, opcode = position + (word >> 16), word & 0xFFFF
            if not position < following <= end:
                raise _damaged(words, position, name)
            if opcode == _OP_LABEL:
                has_body = True
            elif opcode == _OP_FUNCTION:
                head, begin, has_body = head or position, position, False
            elif opcode == _OP_FUNCTION_END and has_body and words[begin] >> 16 > 2:
                found[words[begin + 2]] = begin, following
            position = following
        return cls(words, head or len(words), found, name)

    def instructions(self, begin: int, end: int) -> Iterator[tuple[int, Sequence[int]]]:
        """The opcode and the operands of each instruction in words ``begin`` to ``end``."""
        return _instructions(tuple(self.words[begin:end]), self.name, 0)

    @property
    def head_instructions(self) -> Iterator[tuple[int, Sequence[int]]]:
        """Those in front of all functions."""
        return self.instructions(_HEADER_WORDS, self.head)


def _words_of(data: bytes, name: str) -> array[int]:
    if len(data) < _HEADER_WORDS * 4 or data[:4] not in SPIRV_MAGICS:
        raise ZebinError(name, "truncated or no SPIR-V", 0, expected="a header of five words")
    words = array("I", data[: len(data) // 4 * 4])  # of 4 bytes wherever a debugger runs
    if words[0] != _MAGIC_WORD:
        words.byteswap()
    return words


def _instructions(
    words: Sequence[int], name: str, position: int = _HEADER_WORDS
) -> Iterator[tuple[int, Sequence[int]]]:
    end = len(words)
    while position < end:
        word = words[position]
        following = position + (word >> 16)
        if not position < following <= end:
            raise _damaged(words, position, name)
        yield word & 0xFFFF, words[position + 1 : following]
        position = following


def _damaged(words: Sequence[int], position: int, name: str) -> ZebinError:
    return ZebinError(
        name,
        f"an instruction of {words[position] >> 16} words",
        position * 4,
        expected=f"1 to {len(words) - position}",
        part=FileFormat.SPIRV.value,
    )


def literal_string(words: Sequence[int]) -> str:
    """A string packed into words, lowest byte first, ended by a zero byte."""
    packed = struct.pack(f"<{len(words)}I", *words)
    return packed.split(b"\0")[0].decode("utf-8", "replace")
