"""The arguments of a kernel: what its source declares, joined with how each of them travels."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from zedbg.zebin.zeinfo import ArgumentInfo, KernelInfo, PayloadArgument

_VALUE = "arg_byvalue"
_POINTER = "arg_bypointer"
_EXPLICIT = frozenset({_VALUE, _POINTER, "buffer_address"})


class ArgumentKind(Enum):
    """What an argument is to its caller."""

    VALUE = "value"
    BUFFER = "buffer"
    LOCAL = "local memory"
    IMAGE = "image"
    SAMPLER = "sampler"
    PIPE = "pipe"
    REMOVED = "removed"  # declared, but nothing of it reaches the kernel


@dataclass(frozen=True)
class KernelArgument:
    """One argument of a kernel.

    ``declared`` is None when the module does not name its arguments. ``entries`` are all the parts
    of the payload that belong to it: a value (of a structure maybe several pieces), an address, an
    offset, an image's height.
    """

    index: int
    declared: ArgumentInfo | None
    entries: tuple[PayloadArgument, ...]
    binding_table_index: int | None

    @property
    def name(self) -> str | None:
        """Its name in the source, None when the module does not say."""
        return None if self.declared is None else self.declared.name

    @property
    def type_name(self) -> str | None:
        """Its type in the source (``float*``), None when the module does not say."""
        return None if self.declared is None else self.declared.type_name

    @property
    def is_removed(self) -> bool:
        """Whether the compiler found no use for it: no part of it is passed to the kernel."""
        return not self.entries and self.binding_table_index is None

    @property
    def explicit(self) -> tuple[PayloadArgument, ...]:
        """The entries that carry the argument itself, rather than what goes with it."""
        return tuple(entry for entry in self.entries if entry.arg_type in _EXPLICIT)

    @cached_property
    def pieces(self) -> tuple[PayloadArgument, ...]:
        """Where the argument's own bytes lie in the payload, by offset; none of a bound surface."""
        return tuple(sorted((e for e in self.explicit if e.size), key=lambda e: e.offset))

    @cached_property
    def kind(self) -> ArgumentKind:
        """What it is, from how it is passed, or from its declaration."""
        if self.is_removed:
            return ArgumentKind.REMOVED
        pointers = [entry for entry in self.entries if entry.arg_type == _POINTER]
        if any(entry.is_pipe for entry in pointers):
            return ArgumentKind.PIPE
        for entry in pointers:
            by_space = _KINDS_BY_SPACE.get(entry.addrspace or "")
            if by_space is not None:
                return by_space
        has_value = any(entry.arg_type == _VALUE for entry in self.entries)
        return ArgumentKind.VALUE if has_value and not pointers else ArgumentKind.BUFFER

    @property
    def addressing(self) -> tuple[str, ...]:
        """The memory addressing modes that the kernel uses for it: ``stateless``, ``bindless``."""
        return tuple(dict.fromkeys(e.addrmode for e in self.explicit if e.addrmode))

    @property
    def access(self) -> str | None:
        """``readonly``, ``writeonly`` or ``readwrite``; None when the module does not say."""
        return next((entry.access_type for entry in self.entries if entry.access_type), None)

    @property
    def size(self) -> int | None:
        """Bytes of the argument: of its type, or what is passed; None when neither is known."""
        if self.declared is not None and self.declared.type_size is not None:
            return self.declared.type_size
        if not self.pieces:
            return None
        if any(piece.source_offset >= 0 for piece in self.pieces):
            return max(piece.source_offset + piece.size for piece in self.pieces)
        return self.pieces[0].size


_KINDS_BY_SPACE = {
    "local": ArgumentKind.LOCAL,
    "image": ArgumentKind.IMAGE,
    "sampler": ArgumentKind.SAMPLER,
}


def kernel_arguments(info: KernelInfo) -> tuple[KernelArgument, ...]:
    """Every argument of a kernel, by index, those that were removed too.

    An argument that neither the payload nor ``args_info`` names is only known to be there when one
    with a higher index is named.
    """
    declared = {argument.index: argument for argument in info.arguments if argument.index >= 0}
    entries: dict[int, list[PayloadArgument]] = {}
    for entry in info.payload_arguments:
        if entry.arg_index >= 0:
            entries.setdefault(entry.arg_index, []).append(entry)
    bound = {entry.arg_index: entry.bti_value for entry in info.binding_table_indices}
    indices = sorted({*declared, *entries, *(index for index in bound if index >= 0)})
    # Damaged modules name absurd indices: gaps are only filled where they can be gaps.
    if indices and indices[-1] < 4 * len(indices) + 64:
        indices = list(range(indices[-1] + 1))
    return tuple(
        KernelArgument(index, declared.get(index), tuple(entries.get(index, ())), bound.get(index))
        for index in indices
    )
