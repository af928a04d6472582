"""Fat binaries: what ``ocloc`` makes for several devices, an ``ar`` archive with one member each.

A member is called ``<pointer bits>.<target>``; older compilers name the target by its IP version
(``64.12.55.8``), newer ones by its name (``64.dg2``). ``pad_N`` members only align the next one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from zedbg.zebin.file_errors import NotInFileError, ZebinError
from zedbg.zebin.formats import ARCHIVE_MAGIC, FileFormat
from zedbg.zebin.module import Module
from zedbg.zebin.products import PRODUCT_FAMILIES

_HEADER_SIZE = 60  # bytes: name 16, date 12, owner 6, group 6, mode 8, size 10, magic 2
_SIZE_FIELD = slice(48, 58)
_HEADER_END = b"`\n"
_PADDING = "pad_"


@dataclass(frozen=True)
class FatMember:
    """One member: the code for one device. ``offset`` and ``size`` are bytes in the archive."""

    name: str
    offset: int
    size: int

    @cached_property
    def target(self) -> str:
        """The device: an IP version or a name; the whole name when it has another form."""
        bits, dot, target = self.name.partition(".")
        return target if dot and bits.isdigit() else self.name

    @cached_property
    def pointer_bits(self) -> int | None:
        """Bits of its addresses, None when the name does not say."""
        bits, dot, _target = self.name.partition(".")
        return int(bits) if dot and bits in ("32", "64") else None


class FatBinary:
    """The members of one fat binary."""

    def __init__(self, data: bytes, name: str) -> None:
        """``data`` is the archive, which errors call ``name``; ZebinError when it is damaged."""
        self.data = data
        self.name = name
        self.members = self._read()

    def _read(self) -> tuple[FatMember, ...]:
        data = self.data
        if not data.startswith(ARCHIVE_MAGIC):
            raise ZebinError(self.name, "not a fat binary", 0, expected="!<arch>")
        found = []
        long_names = b""
        position = len(ARCHIVE_MAGIC)
        while position < len(data):
            header = data[position : position + _HEADER_SIZE]
            if len(header) < _HEADER_SIZE or not header.endswith(_HEADER_END):
                raise ZebinError(
                    self.name,
                    "no member header",
                    position,
                    expected=f"{_HEADER_SIZE} bytes, the last two of them a grave and a newline",
                    part=FileFormat.FAT_BINARY.value,
                )
            digits = header[_SIZE_FIELD].strip()
            start = position + _HEADER_SIZE
            if not digits.isdigit() or start + int(digits) > len(data):
                raise ZebinError(
                    self.name,
                    "a member of no such size",
                    position,
                    expected=f"a decimal number of bytes, at most {max(len(data) - start, 0)}",
                    part=FileFormat.FAT_BINARY.value,
                )
            size = int(digits)
            name = header[:16].rstrip()
            if name == b"//":
                long_names = data[start : start + size]
            elif name not in (b"/", b"/SYM64/"):
                text = _member_name(name, long_names)
                if not text.startswith(_PADDING):
                    found.append(FatMember(text, start, size))
            position = start + size + size % 2
        return tuple(found)

    def member_bytes(self, member: FatMember) -> bytes:
        """The file that ``member`` holds."""
        return self.data[member.offset : member.offset + member.size]

    def family(self, member: FatMember) -> str | None:
        """ocloc's name of the devices that the module in ``member`` is for; None when it is no
        native module, or does not say."""
        try:
            notes = Module.from_bytes(self.member_bytes(member), member.name).notes
        except ZebinError:
            return None
        family = PRODUCT_FAMILIES.get(notes.product_family or 0)
        return None if family is None else family.name

    def choose(self, device: str) -> FatMember:
        """The member for ``device``: its target's name or IP version, or its whole name.

        A family's version (``12.55``) or name (``dg2``), or the name of one of its devices
        (``dg2-g10``) will do when it fits one member only. Raises NotInFileError, naming the
        choices, otherwise.
        """
        fitting = (
            [m for m in self.members if device in (m.name, m.target)]
            or [m for m in self.members if m.target.startswith((f"{device}.", f"{device}-"))]
            or [m for m in self.members if _is_of_family(device, self.family(m))]
        )
        if len(fitting) == 1:
            return fitting[0]
        what = "several members" if fitting else "no member"
        names = self.described(fitting or self.members)
        raise NotInFileError(self.name, f"{what} for {device}: choose one of {names}")

    def described(self, members: Sequence[FatMember]) -> str:
        """The targets of ``members``, with the names of their families, in words."""
        return ", ".join(map(self._described, members)) or "none"

    def _described(self, member: FatMember) -> str:
        family = self.family(member)
        names_family = family is None or _is_of_family(member.target, family)
        return member.target if names_family else f"{member.target} ({family})"


def _is_of_family(device: str, family: str | None) -> bool:
    return family is not None and (device == family or device.startswith(f"{family}-"))


def _member_name(field: bytes, long_names: bytes) -> str:
    """The name in a header's field: ended by ``/``, or as ``/OFFSET`` into the long names."""
    if field.startswith(b"/") and field[1:].isdigit():
        field = long_names[int(field[1:]) :].partition(b"\n")[0]
    return field.removesuffix(b"/").decode("utf-8", "replace")
