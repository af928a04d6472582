"""What a kernel takes of the machine: registers, threads, SLM, barriers, scratch, private size."""

from __future__ import annotations

from dataclasses import dataclass, fields

from zedbg.zebin.zeinfo import ExecutionEnvironment, KernelInfo

_THREADS_BY_GRF = {128: 8, 256: 4}  # threads of an EU by registers of a thread, where not given


@dataclass(frozen=True)
class KernelResources:
    """The resources of one kernel. Sizes are bytes; 0 where nothing is used."""

    simd_width: int
    grf_count: int  # registers of a thread
    threads_per_eu: int | None  # None when it does not follow from what the module says
    slm_size: int  # of a work-group
    barrier_count: int
    scratch_size: int  # of a thread: spilled registers, and stacks that lie there
    spill_size: int  # as the compiler counts it; newer compilers only
    private_per_lane: int
    private_per_thread: int
    required_group_size: tuple[int, ...] | None
    required_sub_group_size: int | None
    features: tuple[str, ...]  # flags of the execution environment that are set


def kernel_resources(info: KernelInfo) -> KernelResources:
    """What ``.ze_info`` says that a kernel takes."""
    execution = info.execution
    scratch = sum(b.size for b in info.per_thread_memory_buffers if b.type == "scratch")
    private = [b for b in info.per_thread_memory_buffers if b.type == "global"]
    per_lane = sum(b.size for b in private if b.is_simt_thread)
    per_thread = sum(b.size for b in private if not b.is_simt_thread)
    group = execution.required_work_group_size or info.user_attributes.reqd_work_group_size
    sub_group = execution.required_sub_group_size or info.user_attributes.intel_reqd_sub_group_size
    return KernelResources(
        simd_width=execution.simd_size,
        grf_count=execution.grf_count,
        threads_per_eu=execution.eu_thread_count or _THREADS_BY_GRF.get(execution.grf_count),
        slm_size=execution.slm_size,
        barrier_count=execution.barrier_count,
        scratch_size=scratch,
        spill_size=execution.spill_size,
        private_per_lane=per_lane,
        private_per_thread=per_lane * execution.simd_size + per_thread,
        required_group_size=group if any(group) else None,
        required_sub_group_size=sub_group or None,
        features=_flags(execution),
    )


def _flags(execution: ExecutionEnvironment) -> tuple[str, ...]:
    return tuple(
        field.name for field in fields(execution) if getattr(execution, field.name) is True
    )
