"""Compacted instruction words to native ones."""

from zedbg.xe.isa.compaction import CompactForm
from zedbg.xe.isa.encoding import Encoding
from zedbg.xe.isa.opcodes import Opcode


def expand(encoding: Encoding, opcode: Opcode, compact: int) -> int | None:
    """The native 128-bit word that the 64-bit word `compact` stands for.

    None where the platform has no compacted form of `opcode`, or an index that its tables reserve.
    """
    layout = opcode.format
    for form in encoding.compact_forms:
        if layout not in form.formats:
            continue
        native = _expand_by(form, compact)
        if native is not None:
            common = encoding.common
            native |= common.opcode.insert(common.opcode.extract(compact))
            breakpoint_bit = encoding.compact_breakpoint.extract(compact)
            return native | common.breakpoint.insert(breakpoint_bit)
    return None


def _expand_by(form: CompactForm, compact: int) -> int | None:
    native = 0
    for looked in form.looked:
        index = looked.index.extract(compact)
        value = looked.values[index] if index < len(looked.values) else None
        if value is None:
            return None
        native |= looked.native.insert(value)
    for copied in form.copied:
        value = copied.compact.extract(compact)
        if copied.signed and value >> (copied.compact.width - 1):
            value -= 1 << copied.compact.width
        native |= copied.native.insert(value)
    return native
