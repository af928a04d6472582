"""Rows about modules as they lie on disk or in memory, and how they come from a module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zedbg.commands.rows.row import JsonValue, Row
from zedbg.zebin import Kernel, Module
from zedbg.zebin.arguments import KernelArgument, kernel_arguments
from zedbg.zebin.payload import PayloadMap, payload_map
from zedbg.zebin.products import device_name, grf_bytes
from zedbg.zebin.resources import KernelResources, kernel_resources

if TYPE_CHECKING:
    from zedbg.dwarf import DebugInfo  # which not every row of a module needs

SourcePlace = tuple[str | None, int | None]  # file and line


class KindRow(Row):
    """A row of a result whose rows are of several kinds: its JSON form names the kind."""

    kind: str

    def to_json(self) -> dict[str, JsonValue]:
        return {"kind": self.kind, **super().to_json()}


@dataclass(frozen=True, kw_only=True)
class ModuleSummaryRow(KindRow):
    """A native module: for what, by what and how it was made. ``size`` is bytes."""

    kind = "module"

    file: str
    format: str
    size: int
    device: str | None
    ip_version: str | None
    product_family: int | None
    gfx_core: int | None
    address_bits: int
    zebin_version: str | None
    zeinfo_version: str
    generator: str | None
    visa_abi: int | None
    build_options: str | None
    debug_info: bool
    debug_info_advice: str | None  # what to do to have some, where there is none
    spirv: int  # bytes, 0 when the module keeps none
    kernels: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class ArgumentDetail(Row):
    """One argument of a kernel, as its source declares it and as it travels. Bytes."""

    index: int
    name: str | None
    type: str | None
    declaration: str | None
    kind: str
    size: int | None
    addressing: tuple[str, ...]
    access: str | None
    binding_table_index: int | None
    offset: int | None  # in the cross-thread data, None when no byte of it is passed
    removed: bool


@dataclass(frozen=True, kw_only=True)
class PayloadDetail(Row):
    """One field of a kernel's payload. Bytes; ``registers`` holds after the prologue."""

    part: str
    type: str
    argument: int | None
    name: str | None
    offset: int
    size: int
    registers: str | None  # None when the register size of the device is not known
    memory_offset: int | None


@dataclass(frozen=True, kw_only=True)
class KernelDetailRow(KindRow):
    """All that a module says of one kernel. Bytes."""

    kind = "kernel"

    name: str
    address: int
    entry: int
    size: int
    file: str | None
    line: int | None
    resources: KernelResources | None
    arguments: tuple[ArgumentDetail, ...]
    payload: tuple[PayloadDetail, ...]
    payload_sizes: Mapping[str, int]
    functions: tuple[str, ...]  # that lie in the kernel's code
    inline_samplers: tuple[str, ...]
    unknown: Mapping[str, JsonValue]  # what the file says and this version does not know


@dataclass(frozen=True, kw_only=True)
class KernelBriefRow(KindRow):
    """A kernel in a list of many. Bytes."""

    kind = "kernel-summary"

    name: str
    size: int
    simd: int
    grf: int
    slm: int
    barriers: int
    private: int
    scratch: int
    arguments: int


def module_summary(module: Module, format_name: str) -> ModuleSummaryRow:
    """The row of a whole module."""
    notes = module.notes
    spirv = module.section(".spv")
    return ModuleSummaryRow(
        file=module.name,
        format=format_name,
        size=len(module.data),
        device=device_name(notes),
        ip_version=None if notes.ip_version is None else str(notes.ip_version),
        product_family=notes.product_family,
        gfx_core=notes.gfx_core,
        address_bits=module.address_bits,
        zebin_version=notes.zebin_version,
        zeinfo_version=module.zeinfo.version,
        generator=notes.generator,
        visa_abi=notes.visa_abi,
        build_options=module.build_options,
        debug_info=module.has_debug_info,
        debug_info_advice=None if module.has_debug_info else module.debug_info_advice,
        spirv=0 if spirv is None else spirv.size,
        kernels=tuple(module.kernel_names),
    )


def kernel_brief(kernel: Kernel) -> KernelBriefRow:
    """The row of a kernel in a list."""
    execution = kernel.execution
    used = None if kernel.info is None else kernel_resources(kernel.info)
    return KernelBriefRow(
        name=kernel.name,
        size=kernel.size,
        simd=execution.simd_size,
        grf=execution.grf_count,
        slm=execution.slm_size,
        barriers=execution.barrier_count,
        private=0 if used is None else used.private_per_lane,
        scratch=0 if used is None else used.scratch_size,
        arguments=0 if kernel.info is None else len(kernel_arguments(kernel.info)),
    )


def kernel_detail(module: Module, kernel: Kernel, source: SourcePlace) -> KernelDetailRow:
    """All that ``module`` says of ``kernel``, whose source is at ``source``."""
    file, line = source
    functions = tuple(
        symbol.name for symbol in module.functions_in(kernel.section) if symbol.name != kernel.name
    )
    info = kernel.info
    if info is None:
        return KernelDetailRow(
            name=kernel.name,
            address=kernel.address,
            entry=kernel.entry,
            size=kernel.size,
            file=file,
            line=line,
            resources=None,
            arguments=(),
            payload=(),
            payload_sizes={},
            functions=functions,
            inline_samplers=(),
            unknown={},
        )
    arguments = kernel_arguments(info)
    register_bytes = grf_bytes(module.notes)
    payload = payload_map(info, register_bytes or 32)
    return KernelDetailRow(
        name=kernel.name,
        address=kernel.address,
        entry=kernel.entry,
        size=kernel.size,
        file=file,
        line=line,
        resources=kernel_resources(info),
        arguments=tuple(_argument_detail(argument) for argument in arguments),
        payload=_payload_details(payload, arguments, register_bytes is not None),
        payload_sizes={
            "inline": payload.inline_size,
            "cross_thread": payload.cross_thread_size,
            "per_thread": payload.per_thread_size,
        },
        functions=functions,
        inline_samplers=tuple(
            f"{s.sampler_index}: {s.addrmode}, {s.filtermode}"
            + (", normalized" if s.normalized else "")
            for s in info.inline_samplers
        ),
        unknown=dict(info.unknown),
    )


def kernel_source(kernel: Kernel, debug_info: DebugInfo | None) -> SourcePlace:
    """File and line of the body of ``kernel``; None where ``debug_info`` has none."""
    if debug_info is None:
        return None, None
    from zedbg.dwarf import CodePlaces, DebugInfoError

    try:
        place = CodePlaces(debug_info).source_place(kernel.entry)
    except DebugInfoError:
        return None, None
    return (None, None) if place is None else (place[0].path, place[1])


def _argument_detail(argument: KernelArgument) -> ArgumentDetail:
    declared = argument.declared
    return ArgumentDetail(
        index=argument.index,
        name=argument.name,
        type=argument.type_name,
        declaration=None if declared is None else declared.declaration,
        kind=argument.kind.value,
        size=argument.size,
        addressing=argument.addressing,
        access=argument.access,
        binding_table_index=argument.binding_table_index,
        offset=argument.pieces[0].offset if argument.pieces else None,
        removed=argument.is_removed,
    )


def _payload_details(
    payload: PayloadMap, arguments: tuple[KernelArgument, ...], registers_known: bool
) -> tuple[PayloadDetail, ...]:
    names = {argument.index: argument.name for argument in arguments}
    return tuple(
        PayloadDetail(
            part=field.part.value,
            type=field.kind,
            argument=field.argument_index,
            name=None if field.argument_index is None else names.get(field.argument_index),
            offset=field.offset,
            size=field.size,
            registers=field.register_text(payload.grf_bytes) if registers_known else None,
            memory_offset=field.memory_offset,
        )
        for field in payload.fields
    )
