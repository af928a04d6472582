"""The values of an expression in all work-items of some stopped threads."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from zedbg.dwarf.types.program_types import Type
from zedbg.engine.threads.frame_contexts import thread_context
from zedbg.engine.threads.registers_together import read_general_registers
from zedbg.engine.threads.thread import HardwareThread
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.values import api
from zedbg.values.bulk import keeping_all
from zedbg.values.context import ThreadContext
from zedbg.values.evaluation_error import EvaluationError
from zedbg.values.item_table import Place, ThreadItems
from zedbg.xe.coordinates import lanes_of


class AssignmentError(EvaluationError):
    """An expression that is evaluated for all work-items assigns."""


def read_work_items(
    threads: Sequence[HardwareThread], text: str, frame_level: int = 0
) -> list[ThreadItems]:
    """The value of ``text`` in each work-item of ``threads``, read together, in their order.

    Where it has none, the reason takes its place. Raises AssignmentError.
    """
    found: list[ThreadItems] = []
    parsed: dict[int, api.Expression] = {}
    with contextlib.ExitStack() as reading:
        reading.enter_context(keeping_all())
        for device in {thread.device: None for thread in threads}:
            reading.enter_context(device.reading_ahead())
            read_general_registers(device, (each for each in threads if each.device is device))
        for thread in threads:
            lanes = lanes_of(thread.dispatch_lanes)
            value_type: Type | None = None
            data: Sequence[bytes | Missing]
            doubts: Sequence[str | None] = ()
            try:
                within = thread_context(thread, frame_level)
                module = id(thread.module)
                if module not in parsed:
                    parsed[module] = _expression(text, within)
                evaluated = parsed[module].evaluate(within, lanes)
                data, value_type, doubts = evaluated.data, evaluated.type, evaluated.doubts
            except AssignmentError:
                raise
            except (EvaluationError, LevelZeroError) as error:
                data = (Missing(str(error).removesuffix(".")),) * len(lanes)
            found.append(
                ThreadItems(
                    thread=thread.id,
                    workgroup=thread.workgroup,
                    lanes=lanes,
                    global_ids=_of_lanes(thread.global_ids(), lanes),
                    local_ids=_of_lanes(thread.local_ids(), lanes),
                    type=value_type,
                    data=data,
                    doubts=doubts,
                )
            )
    return found


def _expression(text: str, within: ThreadContext) -> api.Expression:
    expression = api.Expression(text, within.debug_info)
    if expression.assigns:
        raise AssignmentError("The expression for all work-items cannot assign.")
    return expression


def _of_lanes(ids: Sequence[Place] | Missing, lanes: Sequence[int]) -> Sequence[Place] | None:
    """Those of ``lanes``; None where ids are not known."""
    if isinstance(ids, Missing):
        return None
    return ids if len(ids) == len(lanes) else [ids[lane] for lane in lanes]
