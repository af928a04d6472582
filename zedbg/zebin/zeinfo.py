"""What ``.ze_info`` says, as typed values (zeinfo specification 1.0 to 1.73).

Keys that this version does not know are kept in ``extra`` of the object they belong to, as the
strings that the file has: nothing that a compiler wrote is lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from zedbg.zebin.block_yaml import Plain

_NOTHING: Mapping[str, Plain] = {}


@dataclass(frozen=True, slots=True)
class Record:
    """One mapping of the file, typed. A module has thousands."""

    extra: Mapping[str, Plain] = field(default_factory=lambda: _NOTHING, kw_only=True)


@dataclass(frozen=True, slots=True)
class UserAttributes(Record):
    """What the kernel's source asked for."""

    intel_reqd_sub_group_size: int = 0
    intel_reqd_workgroup_walk_order: tuple[int, ...] = ()
    intel_reqd_thread_group_dispatch_size: int = 0
    invalid_kernel: str | None = None
    reqd_work_group_size: tuple[int, ...] = ()
    vec_type_hint: str | None = None
    work_group_size_hint: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ExecutionEnvironment(Record):
    """``execution_env``: how a kernel is to be run. Sizes are bytes."""

    simd_size: int = 0
    grf_count: int = 128
    barrier_count: int = 0
    disable_mid_thread_preemption: bool = False
    has_4gb_buffers: bool = False
    has_device_enqueue: bool = False
    has_dpas: bool = False
    has_fence_for_image_access: bool = False
    has_global_atomics: bool = False
    has_multi_scratch_spaces: bool = False
    has_no_stateless_write: bool = False
    has_stack_calls: bool = False
    has_printf_calls: bool = False
    has_indirect_calls: bool = False
    has_sample: bool = False
    has_rtcalls: bool = False
    has_lsc_stores_with_non_default_l1_cache_controls: bool = False
    require_assert_buffer: bool = False
    require_sync_buffer: bool = False
    require_disable_eufusion: bool = False
    require_iab: bool = False
    generate_local_id: bool = False
    subgroup_independent_forward_progress: bool = False
    indirect_stateless_count: int = 0
    inline_data_payload_size: int = 0
    offset_to_skip_per_thread_data_load: int = 0
    offset_to_skip_set_ffid_gp: int = 0
    required_sub_group_size: int = 0
    required_work_group_size: tuple[int, ...] = ()
    slm_size: int = 0
    private_size: int = 0
    spill_size: int = 0
    thread_scheduling_mode: str | None = None
    work_group_walk_order_dimensions: tuple[int, ...] = (0, 1, 2)
    eu_thread_count: int = 0
    quantum_size: int = 0
    quantum_walk_order: int = 0
    quantum_partition_dimension: int = 0


@dataclass(frozen=True, slots=True)
class PayloadArgument(Record):
    """One entry of ``payload_arguments``: something in the cross-thread data. Bytes."""

    arg_type: str = ""
    offset: int = 0
    size: int = 0
    arg_index: int = -1  # the kernel argument, -1 for what the runtime adds
    addrmode: str | None = None
    addrspace: str | None = None
    access_type: str | None = None
    sampler_index: int = -1
    source_offset: int = -1
    slm_alignment: int = 0
    image_type: str | None = None
    image_transformable: bool = False
    sampler_type: str | None = None
    is_pipe: bool = False
    is_ptr: bool = False
    bti_value: int = -1


@dataclass(frozen=True, slots=True)
class PerThreadPayloadArgument(Record):
    """One entry of ``per_thread_payload_arguments``: local ids. Bytes."""

    arg_type: str = ""
    offset: int = 0
    size: int = 0


@dataclass(frozen=True, slots=True)
class PerThreadMemoryBuffer(Record):
    """Memory that each hardware thread (or each lane, ``is_simt_thread``) needs. Bytes."""

    type: str = ""
    usage: str = ""
    size: int = 0
    slot: int = 0
    is_simt_thread: bool = False


@dataclass(frozen=True, slots=True)
class BindingTableIndex(Record):
    """The binding table index of a stateful argument."""

    bti_value: int = -1
    arg_index: int = -1


@dataclass(frozen=True, slots=True)
class InlineSampler(Record):
    """A sampler that the kernel's source declares."""

    sampler_index: int = -1
    addrmode: str | None = None
    filtermode: str | None = None
    normalized: bool = False


@dataclass(frozen=True, slots=True)
class ExperimentalProperties(Record):
    """``experimental_properties``; -1 where the compiler does not say."""

    has_non_kernel_arg_load: int = -1
    has_non_kernel_arg_store: int = -1
    has_non_kernel_arg_atomic: int = -1


@dataclass(frozen=True, slots=True)
class DebugEnvironment(Record):
    """``debug_env``: where the debugger's surface is bound."""

    sip_surface_bti: int = -1
    sip_surface_offset: int = -1


@dataclass(frozen=True, slots=True)
class ArgumentInfo(Record):
    """A kernel argument as its source declares it (``kernels_misc_info``)."""

    index: int = -1
    name: str | None = None
    address_qualifier: str = ""
    access_qualifier: str = ""
    type_name: str = ""  # without the size that the file appends
    type_size: int | None = None  # bytes
    type_qualifiers: str = ""

    @property
    def declaration(self) -> str:
        """The argument as source: ``__global const float* a``."""
        qualifiers = [self.address_qualifier, self.type_qualifiers]
        words = [word for word in qualifiers if word not in ("", "NONE", "__private")]
        return " ".join([*words, self.type_name, *([self.name] if self.name else [])])


@dataclass(frozen=True, slots=True)
class CostArgumentSymbol(Record):
    """``kcm_args_sym``: a value that a kernel's cost depends on. Bytes."""

    argNo: int = -1  # noqa: N815 - the specification's spelling, as below
    byteOffset: int = 0  # noqa: N815
    sizeInBytes: int = 0  # noqa: N815
    isInDirect: bool = False  # noqa: N815


@dataclass(frozen=True, slots=True)
class CostLoopCount(Record):
    """``kcm_loop_count_exps``: how often a loop runs, ``factor`` * argument symbol + ``C``."""

    factor: float = 0.0
    argsym_index: int = -1
    C: float = 0.0


@dataclass(frozen=True, slots=True)
class CostLoop(Record):
    """``Kcm_loop_costs``: cycles, bytes moved and inner loops of one loop."""

    cycle: int = 0
    bytes_loaded: int = 0
    bytes_stored: int = 0
    num_loops: int = 0


@dataclass(frozen=True, slots=True)
class KernelCost(Record):
    """One kernel of ``kernels_cost_info``."""

    name: str
    argument_symbols: tuple[CostArgumentSymbol, ...] = ()
    loop_counts: tuple[CostLoopCount, ...] = ()
    loops: tuple[CostLoop, ...] = ()


@dataclass(frozen=True, slots=True)
class FunctionInfo(Record):
    """A function that other modules may call (``functions``)."""

    name: str
    execution: ExecutionEnvironment


@dataclass(frozen=True, slots=True)
class HostAccess(Record):
    """A global variable's name in device code and in the host program."""

    device_name: str = ""
    host_name: str = ""


@dataclass(frozen=True, slots=True)
class KernelInfo(Record):
    """One kernel of ``.ze_info``."""

    name: str
    execution: ExecutionEnvironment
    user_attributes: UserAttributes = UserAttributes()
    payload_arguments: tuple[PayloadArgument, ...] = ()
    per_thread_payload_arguments: tuple[PerThreadPayloadArgument, ...] = ()
    per_thread_memory_buffers: tuple[PerThreadMemoryBuffer, ...] = ()
    binding_table_indices: tuple[BindingTableIndex, ...] = ()
    inline_samplers: tuple[InlineSampler, ...] = ()
    experimental: ExperimentalProperties = ExperimentalProperties()
    debug: DebugEnvironment = DebugEnvironment()
    arguments: tuple[ArgumentInfo, ...] = ()

    @property
    def argument_count(self) -> int:
        """Number of kernel arguments: one more than the largest index named anywhere."""
        indices = [argument.arg_index for argument in self.payload_arguments]
        indices += [argument.index for argument in self.arguments]
        return max(indices, default=-1) + 1

    @property
    def unknown(self) -> list[tuple[str, Plain]]:
        """What the file says of the kernel and this version does not know: path and value."""
        records: list[tuple[str, Record]] = [
            ("", self),
            ("execution_env.", self.execution),
            ("user_attributes.", self.user_attributes),
            ("experimental_properties.", self.experimental),
            ("debug_env.", self.debug),
        ]
        for key, several in (
            ("payload_arguments", self.payload_arguments),
            ("per_thread_payload_arguments", self.per_thread_payload_arguments),
            ("per_thread_memory_buffers", self.per_thread_memory_buffers),
            ("binding_table_indices", self.binding_table_indices),
            ("inline_samplers", self.inline_samplers),
            ("args_info", self.arguments),
        ):
            records += [(f"{key}[{index}].", record) for index, record in enumerate(several)]
        return [(path + key, value) for path, each in records for key, value in each.extra.items()]
