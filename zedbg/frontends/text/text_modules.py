"""Rows about modules and kernels as text: the page that ``inspect`` and ``zeinfo`` show."""

from __future__ import annotations

from collections.abc import Iterator

from zedbg.commands.rows.module_rows import (
    ArgumentDetail,
    KernelBriefRow,
    KernelDetailRow,
    ModuleSummaryRow,
    PayloadDetail,
)
from zedbg.frontends.text.rendering import renders, source_place, table
from zedbg.zebin.resources import KernelResources

_INDENT = "  "


def indented(lines: Iterator[str], depth: int = 1) -> Iterator[str]:
    """``lines``, each moved to the right by ``depth`` steps."""
    for line in lines:
        yield f"{_INDENT * depth}{line}".rstrip()


def size_text(size: int) -> str:
    """``96 bytes``; from 10 KiB on followed by the rounded size."""
    return f"{size} bytes" if size < 10240 else f"{size} bytes ({size / 1024:.0f} KiB)"


@renders(ModuleSummaryRow, one_by_one=True)
def _modules(rows: list[ModuleSummaryRow]) -> Iterator[str]:
    for row in rows:
        yield f"{row.file}: {row.format}, {size_text(row.size)}"
        by = [
            row.generator or "an unknown compiler",
            f"zeinfo {row.zeinfo_version}" if row.zeinfo_version else "no zeinfo",
            *([f"vISA ABI {row.visa_abi} (stack calls)"] if row.visa_abi is not None else []),
        ]
        yield from indented(
            pairs(
                ("device", f"{row.device or 'not stated'}, {row.address_bits}-bit addresses"),
                ("made by", ", ".join(by)),
                ("options", row.build_options or "none recorded"),
                (
                    "debug info",
                    "yes" if row.debug_info else f"none: {row.debug_info_advice}",
                ),
                ("SPIR-V", f"{size_text(row.spirv)} inside" if row.spirv else "none inside"),
                ("kernels", str(len(row.kernels))),
            )
        )


def pairs(*listed: tuple[str, str]) -> Iterator[str]:
    """Labels and what they label, in two columns."""
    width = max((len(label) for label, _ in listed), default=0)
    for label, text in listed:
        yield f"{label.ljust(width)}  {text}"


@renders(KernelBriefRow)
def _kernels(rows: list[KernelBriefRow]) -> Iterator[str]:
    yield ""
    yield from table(
        ("Kernel", "Code", "SIMD", "GRF", "SLM", "Barriers", "Private", "Scratch", "Arguments"),
        (
            (
                _shown(row.name),
                str(row.size),
                str(row.simd),
                str(row.grf),
                str(row.slm),
                str(row.barriers),
                str(row.private),
                str(row.scratch),
                str(row.arguments),
            )
            for row in rows
        ),
    )


@renders(KernelDetailRow, one_by_one=True)
def _kernel_pages(rows: list[KernelDetailRow]) -> Iterator[str]:
    for row in rows:
        place = source_place(row.file, row.line)
        yield ""
        yield f"kernel {_shown(row.name)}" + (f" at {place}" if place else "")
        yield from indented(_kernel_page(row))


def _kernel_page(row: KernelDetailRow) -> Iterator[str]:
    code = f"{row.size} bytes at {row.address:#x}, body at {row.entry:#x}"
    if row.functions:
        code += f", with {', '.join(row.functions)}"
    symbol = [("symbol", row.name)] if _shown(row.name) != row.name else []
    listed = [*symbol, ("code", code)]
    if row.resources is None:
        yield from pairs(*listed, ("zeinfo", "the module has no information on this kernel"))
        return
    listed += _resources(row.resources)
    if row.inline_samplers:
        listed.append(("samplers", "; ".join(row.inline_samplers)))
    yield from pairs(*listed)
    if row.arguments:
        yield "arguments"
        yield from indented(_arguments(row.arguments))
    if row.payload:
        sizes = row.payload_sizes
        yield (
            f"payload: {sizes['cross_thread']} bytes for all threads, of which {sizes['inline']} "
            f"arrive in a register; {sizes['per_thread']} bytes for each thread"
        )
        yield from indented(_payload(row.payload))
    for path, value in row.unknown.items():
        yield f"not known to this version: {path} = {value}"


def _resources(used: KernelResources) -> list[tuple[str, str]]:
    threads = f", {used.threads_per_eu} threads an EU" if used.threads_per_eu else ""
    private = "none"
    if used.private_per_thread:
        private = f"{used.private_per_thread} bytes a thread"
        if used.private_per_lane:
            private = f"{used.private_per_lane} bytes a lane, {private}"
    scratch = f"{used.scratch_size} bytes a thread" if used.scratch_size else "none"
    if used.spill_size:
        scratch += f", {used.spill_size} of them spilled registers"
    listed = [
        ("runs as", f"SIMD{used.simd_width}, {used.grf_count} registers a thread{threads}"),
        ("SLM", f"{used.slm_size} bytes a work-group" if used.slm_size else "none"),
        ("barriers", str(used.barrier_count) if used.barrier_count else "none"),
        ("private", private),
        ("scratch", scratch),
    ]
    if used.required_group_size:
        listed.append(("group size", "x".join(map(str, used.required_group_size)) + " (required)"))
    if used.required_sub_group_size:
        listed.append(("sub-group", f"{used.required_sub_group_size} (required)"))
    if used.features:
        listed.append(("flags", ", ".join(used.features)))
    return listed


def _arguments(arguments: tuple[ArgumentDetail, ...]) -> Iterator[str]:
    yield from table(
        ("", "Argument", "Passed as", "Size", "Offset", "Addressing", "Access"),
        (
            (
                str(argument.index),
                argument.declaration or "?",
                "nothing: the compiler removed it" if argument.removed else argument.kind,
                "" if argument.size is None else str(argument.size),
                "" if argument.offset is None else str(argument.offset),
                _addressing(argument),
                argument.access or "",
            )
            for argument in arguments
        ),
    )


def _addressing(argument: ArgumentDetail) -> str:
    bound = argument.binding_table_index
    return ", ".join([*argument.addressing, *([] if bound is None else [f"BTI {bound}"])])


def _payload(fields: tuple[PayloadDetail, ...]) -> Iterator[str]:
    yield from table(
        ("Part", "Offset", "Size", "Registers", "Memory", "What"),
        (
            (
                field.part,
                str(field.offset),
                str(field.size),
                field.registers or "?",
                "" if field.memory_offset is None else f"+{field.memory_offset}",
                field.type if field.argument is None else f"{field.type} {_argument_name(field)}",
            )
            for field in fields
        ),
    )


def _argument_name(field: PayloadDetail) -> str:
    return f"{field.argument}" + (f" ({field.name})" if field.name else "")


def _shown(name: str) -> str:
    """``name`` as in the source."""
    if not name.startswith("_Z"):  # as in OpenCL, which needs no demangler
        return name
    from zedbg.sycl.kernel_names import demangled

    return demangled(name)
