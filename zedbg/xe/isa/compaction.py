"""The shape of compaction tables: how an 8-byte word stands for a 16-byte one."""

from dataclasses import dataclass

from zedbg.xe.isa.fields import Field
from zedbg.xe.isa.opcodes import Format


@dataclass(frozen=True)
class Copied:
    """A field that the compact word holds as it is, or shortened by copies of its sign."""

    compact: Field
    native: Field
    signed: bool = False


@dataclass(frozen=True)
class Looked:
    """Native fields that the compact word holds as an index into a table."""

    index: Field
    native: Field
    values: tuple[int | None, ...]  # index → value of `native`; None where reserved


@dataclass(frozen=True)
class CompactForm:
    """One compact layout and the formats that use it."""

    formats: tuple[Format, ...]
    copied: tuple[Copied, ...]
    looked: tuple[Looked, ...]
