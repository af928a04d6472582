"""What ``zedbg inspect`` says of a file: rows, chosen by the file's format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from zedbg.commands.module_rows import kernel_brief, kernel_detail, module_summary
from zedbg.commands.rows import Row
from zedbg.dwarf import DebugInfo
from zedbg.frontends.inspect.places import place_rows
from zedbg.frontends.inspect.rows import FileRow, FindingRow, MemberRow
from zedbg.frontends.inspect.sections import section_row, section_rows, symbol_row
from zedbg.zebin import Module, ZebinError
from zedbg.zebin.fat_binary import FatBinary, FatMember
from zedbg.zebin.formats import ADVICE, FileFormat, identify, not_zebin_reason
from zedbg.zebin.patch_tokens import read_patch_tokens
from zedbg.zebin.spirv import read_spirv
from zedbg.zebin.zeinfo_check import check

# More kernels than these are listed in one table; --kernel shows the page of each.
_PAGES = 8
_PATCH_TOKENS = frozenset(
    {FileFormat.PATCH_TOKENS, FileFormat.PATCH_TOKEN_PROGRAM, FileFormat.PATCH_TOKEN_DEBUG}
)
_IMAGE_CONTAINERS = frozenset({FileFormat.OTHER_ELF, FileFormat.OFFLOAD_BINARY, FileFormat.SYCLBIN})


@dataclass(frozen=True)
class Question:
    """What the command line asks of a file; None where it does not."""

    kernel: str | None = None  # a glob
    section: str | None = None  # a glob
    device: str | None = None  # which member of a fat binary
    place: str | None = None  # an address, a name, or FILE:LINE
    check: bool = False
    every_kernel: bool = False  # pages of all kernels, however many there are


def inspect_file(path: Path, question: Question) -> list[Row]:
    """The rows about the file ``path``.

    Raises OSError when it cannot be read, ZebinError, DebugInfoError or ImageError when it is
    damaged or has not what is asked for.
    """
    return inspect_bytes(path.read_bytes(), path.name, question)


def inspect_bytes(data: bytes, name: str, question: Question) -> list[Row]:
    """The rows about ``data``, which errors and rows call ``name``; see :func:`inspect_file`."""
    format_ = identify(data)
    if format_ is FileFormat.ZEBIN:
        return _module_page(Module.from_bytes(data, name), question)
    if format_ is FileFormat.FAT_BINARY:
        return _fat_binary_page(FatBinary(data, name), question)
    if question.kernel or question.section or question.place or question.check or question.device:
        reason = not_zebin_reason(data)
        assert reason is not None, "only native modules and fat binaries have what is asked for"
        raise ZebinError(name, reason)
    if format_ in _IMAGE_CONTAINERS:
        # Most files need none of this, and it needs a decompressor and a demangler.
        from zedbg.frontends.inspect.images import image_container_rows

        return image_container_rows(data, name, format_)
    return [_file_row(data, name, format_)]


def _module_page(module: Module, question: Question) -> list[Row]:
    if question.section is not None:
        return section_rows(module, question.section)
    if question.place is not None:
        return place_rows(module, question.place)
    if question.check:
        return list(_findings(module))
    if question.kernel is not None:
        return _chosen_kernels(module, question.kernel)
    rows: list[Row] = [module_summary(module, FileFormat.ZEBIN.value)]
    if len(module.kernel_names) > _PAGES and not question.every_kernel:
        rows += [kernel_brief(kernel) for kernel in module.kernels]
    else:
        debug_info = DebugInfo.of(module)
        rows += [kernel_detail(module, kernel, debug_info) for kernel in module.kernels]
    rows += [section_row(section) for section in module.sections[1:] if section.size]
    rows += [symbol_row(symbol) for symbol in module.variables]
    return rows + list(_findings(module))


def _chosen_kernels(module: Module, pattern: str) -> list[Row]:
    names = [n for n in module.kernel_names if n == pattern or fnmatchcase(n, pattern)]
    if not names:
        known = ", ".join(module.kernel_names[:20]) or "none"
        raise ZebinError(module.name, f"no kernel matches {pattern}: there are {known}")
    debug_info = DebugInfo.of(module)
    kernels = [kernel for name in names if (kernel := module.kernel(name)) is not None]
    return [kernel_detail(module, kernel, debug_info) for kernel in kernels]


def _findings(module: Module) -> Sequence[FindingRow]:
    section = module.section(".ze_info")
    if section is None:
        return [FindingRow("error", "", 0, "the module has no .ze_info")]
    text = module.section_bytes(section).rstrip(b"\0").decode("utf-8", "replace")
    return [
        FindingRow(finding.severity.value, finding.path, finding.line, finding.problem)
        for finding in check(text)
    ]


def _fat_binary_page(archive: FatBinary, question: Question) -> list[Row]:
    if question.device is not None:
        member = archive.choose(question.device)
        inner = Question(question.kernel, question.section, None, question.place, question.check)
        name = f"{archive.name}({member.name})"
        return inspect_bytes(archive.member_bytes(member), name, inner)
    if question.kernel or question.section or question.place or question.check:
        targets = ", ".join(member.target for member in archive.members) or "none"
        raise ZebinError(
            archive.name, f"a fat binary: choose one of its devices with --device: {targets}"
        )
    row = FileRow(
        archive.name,
        FileFormat.FAT_BINARY.value,
        len(archive.data),
        "for several devices: --device DEVICE shows one",
        (f"{len(archive.members)} members",),
    )
    return [row, *(_member_row(archive, member) for member in archive.members)]


def _member_row(archive: FatBinary, member: FatMember) -> MemberRow:
    data = archive.member_bytes(member)
    format_ = identify(data)
    kernels: tuple[str, ...] = ()
    try:
        if format_ is FileFormat.ZEBIN:
            kernels = tuple(Module.from_bytes(data, member.name).kernel_names)
        elif format_ in _PATCH_TOKENS:
            kernels = tuple(k.name for k in read_patch_tokens(data, member.name).kernels)
        elif format_ is FileFormat.SPIRV:
            kernels = read_spirv(data, member.name).kernels
    except ZebinError as error:
        kernels = (f"<damaged: {error.problem}>",)
    return MemberRow(member.name, member.target, format_.value, member.offset, member.size, kernels)


def _file_row(data: bytes, name: str, format_: FileFormat) -> FileRow:
    details: tuple[str, ...] = ()
    if format_ is FileFormat.UNKNOWN:
        raise ZebinError(name, "no format of device code that is known here")
    if format_ in _PATCH_TOKENS:
        program = read_patch_tokens(data, name)
        bits = f", {8 * program.pointer_size}-bit addresses" if program.pointer_size else ""
        details = (
            f"version {program.version}, core family {program.core_family:#x}{bits}",
            *(f"kernel {kernel.name}, {kernel.size} bytes" for kernel in program.kernels),
        )
    elif format_ is FileFormat.SPIRV:
        spirv = read_spirv(data, name)
        details = (
            f"version {spirv.version} by {spirv.generator}, {spirv.instructions} instructions",
            *(f"kernel {kernel}" for kernel in spirv.kernels),
        )
    return FileRow(name, format_.value, len(data), ADVICE.get(format_, ""), details)
