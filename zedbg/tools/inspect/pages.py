"""What ``zedbg inspect`` says of a file: rows, chosen by the file's format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from zedbg.commands.rows.module_rows import (
    SourcePlace,
    kernel_brief,
    kernel_detail,
    kernel_source,
    module_summary,
)
from zedbg.commands.rows.row import Row
from zedbg.tools.inspect.reading import read_file
from zedbg.tools.inspect.rows import FileRow, FindingRow, MemberRow, count
from zedbg.tools.inspect.sections import section_row, section_rows, symbol_row
from zedbg.zebin import Kernel, Module, ZebinError
from zedbg.zebin.fat_binary import FatBinary, FatMember
from zedbg.zebin.file_errors import NotInFileError, OtherFormatError
from zedbg.zebin.formats import ADVICE, FileFormat, identify, not_zebin_reason
from zedbg.zebin.kernel_list import kernels_in_code
from zedbg.zebin.patch_tokens import read_patch_tokens
from zedbg.zebin.spirv import read_spirv
from zedbg.zebin.zeinfo_check import check

# More kernels than these are listed in one table; --kernel shows the page of each.
_PAGES = 8
_UNITS = 1024  # of debug information, one a kernel, that are kept in memory together
_PATCH_TOKENS = frozenset(
    {FileFormat.PATCH_TOKENS, FileFormat.PATCH_TOKEN_PROGRAM, FileFormat.PATCH_TOKEN_DEBUG}
)
_IMAGE_CONTAINERS = frozenset(
    {
        FileFormat.X86_64,
        FileFormat.OTHER_ELF,
        FileFormat.OFFLOAD_BINARY,
        FileFormat.SYCLBIN,
        FileFormat.ZSTD,
    }
)


@dataclass(frozen=True)
class Question:
    """What the command line asks of a file; None where it does not."""

    kernel: str | None = None  # a glob
    section: str | None = None  # a glob
    device: str | None = None  # which member of a fat binary
    image: int | None = None  # which device image of a host program or container
    place: str | None = None  # an address, a name, or FILE:LINE
    check: bool = False
    debug_quality: bool = False
    every_kernel: bool = False  # pages of all kernels, however many there are

    @property
    def asks_of_a_module(self) -> bool:
        """Whether only a native module can answer it."""
        return bool(self.section or self.place or self.check or self.debug_quality)


def inspect_file(path: Path, question: Question) -> Iterable[Row]:
    """The rows about the file ``path``, each made when it is asked for.

    Raises, then too, OSError when it cannot be read, FileError or DebugInfoError when it is damaged
    or has not what is asked for.
    """
    return inspect_bytes(read_file(path), path.name, question)


def inspect_bytes(data: bytes, name: str, question: Question) -> Iterable[Row]:
    """The rows about ``data``, which errors and rows call ``name``; see :func:`inspect_file`.

    Raises OtherFormatError.
    """
    format_ = identify(data)
    if format_ is FileFormat.ZEBIN:
        return _module_page(Module.from_bytes(data, name), question)
    if format_ is FileFormat.FAT_BINARY:
        return _fat_binary_page(FatBinary(data, name), question)
    if format_ in _IMAGE_CONTAINERS:
        return _container_page(data, name, format_, question)
    if question != Question(every_kernel=question.every_kernel):
        reason = not_zebin_reason(data)
        assert reason is not None, "only native modules and fat binaries have what is asked for"
        raise OtherFormatError(name, reason)
    return [_file_row(data, name, format_)]


def _container_page(
    data: bytes, name: str, format_: FileFormat, question: Question
) -> Iterable[Row]:
    # Most files need none of this, and it needs a decompressor and a demangler.
    from zedbg.tools.inspect.images import image_bytes, image_container_rows

    if question.image is not None:
        inner = replace(question, image=None)
        return inspect_bytes(*image_bytes(data, name, question.image), inner)
    if question.asks_of_a_module or question.device:
        raise NotInFileError(name, "choose one of its device images with --image NUMBER for that")
    return image_container_rows(data, name, format_, question.kernel, question.every_kernel)


def _module_page(module: Module, question: Question) -> Iterable[Row]:
    if question.image is not None or question.device is not None:
        raise NotInFileError(module.name, "a native module for one device: it has no other inside")
    if question.section is not None:
        return section_rows(module, question.section)
    if question.place is not None:
        from zedbg.tools.inspect.places import place_rows

        return place_rows(module, question.place)
    if question.check:
        return list(_findings(module))
    if question.debug_quality:
        from zedbg.tools.inspect.debug_quality import debug_quality_rows

        return debug_quality_rows(module, question.kernel)
    if question.kernel is not None:
        return _chosen_kernels(module, question.kernel)
    return _whole_page(module, question.every_kernel)


def _whole_page(module: Module, every_kernel: bool) -> Iterator[Row]:
    yield module_summary(module, FileFormat.ZEBIN.value)
    if len(module.kernel_names) > _PAGES and not every_kernel:
        yield from map(kernel_brief, module.kernels)
    else:
        yield from _details(module, module.kernel_names)
    yield from (section_row(section) for section in module.sections[1:] if section.size)
    yield from map(symbol_row, module.variables)
    yield from _findings(module)


def _chosen_kernels(module: Module, pattern: str) -> Iterator[Row]:
    names = [n for n in module.kernel_names if n == pattern or fnmatchcase(n, pattern)]
    if not names:
        known = ", ".join(module.kernel_names[:20]) or "none"
        raise NotInFileError(module.name, f"no kernel matches {pattern}: there are {known}")
    yield from _details(module, names)


def _details(module: Module, names: Sequence[str]) -> Iterator[Row]:
    for start in range(0, len(names), _UNITS):
        kernels = [
            kernel for name in names[start : start + _UNITS] if (kernel := module.kernel(name))
        ]
        for kernel, source in zip(kernels, _sources(module, kernels), strict=True):
            yield kernel_detail(module, kernel, source)


def _sources(module: Module, kernels: Sequence[Kernel]) -> list[SourcePlace]:
    """Where the source of each kernel is; none of the debug information for it stays in memory."""
    from zedbg.dwarf import DebugInfo  # a table of many kernels has no use for it

    debug_info = DebugInfo.of(module)
    if debug_info is None:
        return [(None, None)] * len(kernels)
    try:
        return [kernel_source(kernel, debug_info) for kernel in kernels]
    finally:
        debug_info.close()


def _findings(module: Module) -> Sequence[FindingRow]:
    section = module.section(".ze_info")
    if section is None:
        return [FindingRow("error", "", 0, "the module has no .ze_info")]
    text = module.section_bytes(section).rstrip(b"\0").decode("utf-8", "replace")
    return [
        FindingRow(finding.severity.value, finding.path, finding.line, finding.problem)
        for finding in check(text)
    ]


def _fat_binary_page(archive: FatBinary, question: Question) -> Iterable[Row]:
    if question.device is not None:
        member = archive.choose(question.device)
        inner = replace(question, device=None)
        name = f"{archive.name}({member.name})"
        return inspect_bytes(archive.member_bytes(member), name, inner)
    if question.kernel or question.asks_of_a_module:
        targets = archive.described(archive.members)
        raise NotInFileError(
            archive.name, f"a fat binary: choose one of its devices with --device: {targets}"
        )
    row = FileRow(
        archive.name,
        FileFormat.FAT_BINARY.value,
        len(archive.data),
        "for several devices: --device DEVICE shows one",
        (count(archive.members, "member"),),
    )
    return [row, *(_member_row(archive, member) for member in archive.members)]


def _member_row(archive: FatBinary, member: FatMember) -> MemberRow:
    data = archive.member_bytes(member)
    format_ = identify(data)
    try:
        kernels = kernels_in_code(data, member.name)
    except ZebinError as error:
        kernels = (f"<damaged: {error.explanation}>",)
    family = archive.family(member)
    place = (member.offset, member.size)
    return MemberRow(member.name, member.target, format_.value, *place, kernels, family)


def _file_row(data: bytes, name: str, format_: FileFormat) -> FileRow:
    details: tuple[str, ...] = ()
    if format_ is FileFormat.UNKNOWN:
        problem = "no format of device code that is known here" if data else "the file is empty"
        raise OtherFormatError(name, problem)
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
