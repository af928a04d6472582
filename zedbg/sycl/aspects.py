"""The aspects of SYCL devices by number (`sycl::aspect`), as device images name their requirements.

The numbers are part of the runtime's ABI, and changed with it: images of version 2 are made for
libsycl.so.8 (compilers to 2025), those of version 3 for libsycl.so.9 (2026). Source: the header
`sycl/info/aspects.def` of the runtimes 2025.3 and 2026.2; numbers that 2025.3 has given up keep the
names that they had before.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class AspectNumbering(Enum):
    """Which runtime's numbers an image uses."""

    LIBSYCL_8 = 8
    LIBSYCL_9 = 9


@dataclass(frozen=True)
class Aspect:
    """One required aspect; ``name`` is None for a number that the numbering does not have."""

    number: int
    name: str | None

    def __str__(self) -> str:
        return self.name if self.name is not None else f"aspect {self.number}"


def aspect(number: int, numbering: AspectNumbering) -> Aspect:
    """The aspect that ``number`` means under ``numbering``."""
    return Aspect(number, ASPECTS[numbering].get(number))


# Each aspect's number for libsycl.so.8 and for libsycl.so.9; None where it has none.
_NUMBERS: tuple[tuple[str, int | None, int | None], ...] = (
    ("host", 0, 0),
    ("cpu", 1, 1),
    ("gpu", 2, 2),
    ("accelerator", 3, 3),
    ("custom", 4, 4),
    ("fp16", 5, 5),
    ("fp64", 6, 6),
    ("int64_base_atomics", 7, 7),
    ("int64_extended_atomics", 8, 8),
    ("image", 9, 9),
    ("online_compiler", 10, 10),
    ("online_linker", 11, 11),
    ("queue_profiling", 12, 12),
    ("usm_device_allocations", 13, 13),
    ("usm_host_allocations", 14, 14),
    ("usm_shared_allocations", 15, 15),
    ("usm_restricted_shared_allocations", 16, 16),
    ("usm_system_allocations", 17, 17),
    ("ext_intel_pci_address", 18, 18),
    ("ext_intel_gpu_eu_count", 19, 19),
    ("ext_intel_gpu_eu_simd_width", 20, 20),
    ("ext_intel_gpu_slices", 21, 21),
    ("ext_intel_gpu_subslices_per_slice", 22, 22),
    ("ext_intel_gpu_eu_count_per_subslice", 23, 23),
    ("ext_intel_max_mem_bandwidth", 24, 24),
    ("ext_intel_mem_channel", 25, None),
    ("usm_atomic_host_allocations", 26, 25),
    ("usm_atomic_shared_allocations", 27, 26),
    ("atomic64", 28, 27),
    ("ext_intel_device_info_uuid", 29, 28),
    ("ext_oneapi_srgb", 30, 29),
    ("ext_oneapi_native_assert", 31, 30),
    ("host_debuggable", 32, 31),
    ("ext_intel_gpu_hw_threads_per_eu", 33, 32),
    ("ext_oneapi_cuda_async_barrier", 34, 33),
    ("ext_oneapi_bfloat16_math_functions", 35, None),
    ("ext_intel_free_memory", 36, 34),
    ("ext_intel_device_id", 37, 35),
    ("ext_intel_memory_clock_rate", 38, 36),
    ("ext_intel_memory_bus_width", 39, 37),
    ("emulated", 40, 38),
    ("ext_intel_legacy_image", 41, 39),
    ("ext_oneapi_bindless_images", 42, 40),
    ("ext_oneapi_bindless_images_shared_usm", 43, 41),
    ("ext_oneapi_bindless_images_1d_usm", 44, 42),
    ("ext_oneapi_bindless_images_2d_usm", 45, 43),
    ("ext_oneapi_external_memory_import", 46, 44),
    ("ext_oneapi_interop_memory_export", 47, None),
    ("ext_oneapi_external_semaphore_import", 48, 45),
    ("ext_oneapi_interop_semaphore_export", 49, None),
    ("ext_oneapi_mipmap", 50, 46),
    ("ext_oneapi_mipmap_anisotropy", 51, 47),
    ("ext_oneapi_mipmap_level_reference", 52, 48),
    ("ext_intel_esimd", 53, 49),
    ("ext_oneapi_ballot_group", 54, None),
    ("ext_oneapi_fixed_size_group", 55, None),
    ("ext_oneapi_opportunistic_group", 56, None),
    ("ext_oneapi_tangle_group", 57, None),
    ("ext_intel_matrix", 58, 53),
    ("ext_oneapi_is_composite", 59, 54),
    ("ext_oneapi_is_component", 60, 55),
    ("ext_oneapi_graph", 61, 56),
    ("ext_intel_fpga_task_sequence", 62, None),
    ("ext_oneapi_limited_graph", 63, 57),
    ("ext_oneapi_private_alloca", 64, 58),
    ("ext_oneapi_cubemap", 65, 59),
    ("ext_oneapi_cubemap_seamless_filtering", 66, 60),
    ("ext_oneapi_bindless_sampled_image_fetch_1d_usm", 67, 61),
    ("ext_oneapi_bindless_sampled_image_fetch_1d", 68, 62),
    ("ext_oneapi_bindless_sampled_image_fetch_2d_usm", 69, 63),
    ("ext_oneapi_bindless_sampled_image_fetch_2d", 70, 64),
    ("ext_oneapi_bindless_sampled_image_fetch_3d", 72, 65),
    ("ext_oneapi_queue_profiling_tag", 73, 66),
    ("ext_oneapi_virtual_mem", 74, 67),
    ("ext_oneapi_cuda_cluster_group", 75, 68),
    ("ext_oneapi_image_array", 76, 69),
    ("ext_oneapi_unique_addressing_per_dim", 77, 70),
    ("ext_oneapi_bindless_images_sample_1d_usm", 78, 71),
    ("ext_oneapi_bindless_images_sample_2d_usm", 79, 72),
    ("ext_oneapi_atomic16", 80, 73),
    ("ext_oneapi_virtual_functions", 81, 74),
    ("ext_intel_spill_memory_size", 82, 75),
    ("ext_oneapi_bindless_images_gather", 83, 76),
    ("ext_intel_current_clock_throttle_reasons", 84, 77),
    ("ext_intel_fan_speed", 85, 78),
    ("ext_intel_power_limits", 86, 79),
    ("ext_oneapi_async_memory_alloc", 87, 80),
    ("ext_intel_device_info_luid", 88, 81),
    ("ext_intel_device_info_node_mask", 89, 82),
    ("ext_oneapi_exportable_device_mem", 90, 83),
    ("ext_oneapi_fragment", None, 50),
    ("ext_oneapi_chunk", None, 51),
    ("ext_oneapi_tangle", None, 52),
    ("ext_oneapi_clock_sub_group", None, 84),
    ("ext_oneapi_clock_work_group", None, 85),
    ("ext_oneapi_clock_device", None, 86),
    ("ext_oneapi_is_integrated_gpu", None, 87),
    ("ext_oneapi_ipc_memory", None, 88),
    ("ext_oneapi_device_wait", None, 89),
    ("ext_intel_xe_stack_count", None, 90),
    ("ext_intel_xe_regions_per_stack", None, 91),
    ("ext_intel_xe_clusters_per_region", None, 92),
    ("ext_intel_xe_cores_per_cluster", None, 93),
    ("ext_intel_eus_per_xe_core", None, 94),
    ("ext_intel_max_lanes_per_hw_thread", None, 95),
    ("ext_oneapi_ipc_physical_memory", None, 96),
    ("ext_oneapi_register_host_memory", None, 97),
    ("ext_oneapi_per_event_profiling", None, 98),
    ("ext_oneapi_ipc_event", None, 99),
)

ASPECTS: dict[AspectNumbering, dict[int, str]] = {
    AspectNumbering.LIBSYCL_8: {old: name for name, old, _ in _NUMBERS if old is not None},
    AspectNumbering.LIBSYCL_9: {new: name for name, _, new in _NUMBERS if new is not None},
}
