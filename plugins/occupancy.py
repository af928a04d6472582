"""The ``occupancy`` command: how much of the device a kernel can fill, and what limits it.

A plugin for zedbg (docs/plugins.md).
"""

from __future__ import annotations

from collections.abc import Iterator

import zedbg
from zedbg.engine.threads.thread import HardwareThread
from zedbg.xe.devices import DEVICES

_DOUBLED_GRF = 256  # a thread with so many registers takes the place of two


class Occupancy(zedbg.Command):
    """Show how many threads of a subslice a kernel can use at once, and what limits that

    Usage: occupancy
    For each kernel that stopped threads execute: the threads of a work-group, how many groups fit
    on a subslice by threads, local memory and barriers, the share of its threads that are used
    then, and how many threads of the whole device are there now.
    """

    def __init__(self) -> None:
        super().__init__("occupancy", zedbg.COMMAND_STATUS)

    def invoke(self, argument: str, from_tty: bool) -> Iterator[object]:
        session = self.context.session
        by_kernel: dict[tuple[int, str], list[HardwareThread]] = {}
        for thread in session.stopped_threads():
            if thread.kernel is not None:
                by_kernel.setdefault((thread.device.number, thread.kernel.name), []).append(thread)
        if not by_kernel:
            raise zedbg.CommandError("No stopped thread executes a kernel.")
        for (number, name), threads in sorted(by_kernel.items()):
            kernel, device = threads[0].kernel, session.device(number)
            assert kernel is not None
            execution = kernel.execution
            shape = device.topology
            places = shape.eus_per_subslice * shape.threads_per_eu
            if execution.grf_count >= _DOUBLED_GRF:
                places //= 2
            in_group = max(thread.header.threads_in_group for thread in threads)
            limits = {"threads": places // max(in_group, 1)}
            device_id = device.properties.device_id
            known = [each for each in DEVICES.values() if each.device_id == device_id]
            if known and execution.slm_size:
                limits["local memory"] = known[0].slm_bytes // execution.slm_size
            if known and execution.barrier_count:
                limits["barriers"] = known[0].barriers // execution.barrier_count
            limit = min(limits, key=lambda each: limits[each])
            groups = limits[limit]
            yield {
                "kernel": name,
                "device": number,
                "GRF": execution.grf_count,
                "threads of a group": in_group,
                "groups of a subslice": groups,
                "limited by": limit,
                "occupancy": f"{100 * groups * in_group // places}%",
                "now": f"{len(threads)} of {shape.thread_count} threads",
            }
