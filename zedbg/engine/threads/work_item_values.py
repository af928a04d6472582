"""The values of an expression in all work-items of some stopped threads."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from zedbg.dwarf.types.program_types import Type
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.engine.threads.frame_contexts import thread_context
from zedbg.engine.threads.registers_together import read_general_registers
from zedbg.engine.threads.thread import HardwareThread
from zedbg.levelzero.level_zero_errors import LevelZeroError
from zedbg.missing import Missing
from zedbg.user_error import UserError
from zedbg.values.expressions import api
from zedbg.values.tables.bulk import keeping_all
from zedbg.values.tables.item_table import Place, ThreadItems
from zedbg.values.threads.context import ThreadContext
from zedbg.values.threads.thread_group import ThreadGroup
from zedbg.values.typed.evaluation_error import EvaluationError
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
    expression = _ExpressionInModules(text)
    with contextlib.ExitStack() as reading:
        reading.enter_context(keeping_all())
        for device in {thread.device: None for thread in threads}:
            reading.enter_context(device.reading_ahead())
            read_general_registers(device, (each for each in threads if each.device is device))
        together = {} if frame_level else _evaluated_together(threads, expression)
        for thread in threads:
            lanes = lanes_of(thread.dispatch_lanes)
            value_type: Type | None = None
            data: Sequence[bytes | Missing]
            doubts: Sequence[str | None] = ()
            try:
                if thread in together:
                    value_type, data = together[thread]
                else:
                    within = thread_context(thread, frame_level)
                    evaluated = expression.of(thread, within).evaluate(within, lanes)
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


class _ExpressionInModules:
    """The expression ``text``: types belong to a module, so it is read once for each."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._read: dict[LoadedModule | None, api.Expression] = {}

    def of(self, thread: HardwareThread, within: ThreadContext) -> api.Expression:
        """That in the module that ``thread`` executes. Raises EvaluationError, AssignmentError."""
        module = thread.module
        if module not in self._read:
            expression = api.Expression(self._text, within.debug_info)
            if expression.assigns:
                raise AssignmentError("The expression for all work-items cannot assign.")
            self._read[module] = expression
        return self._read[module]


def _evaluated_together(
    threads: Sequence[HardwareThread], expression: _ExpressionInModules
) -> dict[HardwareThread, tuple[Type, Sequence[bytes]]]:
    """The type and the bytes in all lanes of those of ``threads`` which can be evaluated together:
    they are of one launch, stopped at one instruction with the same lanes."""
    groups: dict[tuple[object, ...], list[HardwareThread]] = {}
    for thread in threads:
        with contextlib.suppress(
            LevelZeroError, UserError, ValueError
        ):  # is said of each by itself
            launch = thread.device, thread.work.payload_address
            lanes = thread.dispatch_lanes, thread.active_lanes
            groups.setdefault((*launch, thread.pc, *lanes), []).append(thread)
    found: dict[HardwareThread, tuple[Type, Sequence[bytes]]] = {}
    for same in groups.values():
        first = same[0]
        lanes_of_each = lanes_of(first.dispatch_lanes)
        if not lanes_of_each:
            continue
        with contextlib.suppress(LevelZeroError, UserError):
            group = ThreadGroup(same, lanes_of_each)
            evaluated = expression.of(first, first).evaluate_together(group)
            if evaluated is not None:
                value_type, data = evaluated
                count = len(lanes_of_each)
                for index, thread in enumerate(same):
                    found[thread] = value_type, data[index * count : (index + 1) * count]
    return found


def _of_lanes(ids: Sequence[Place] | Missing, lanes: Sequence[int]) -> Sequence[Place] | None:
    """Those of ``lanes``; None where ids are not known."""
    if isinstance(ids, Missing):
        return None
    return ids if len(ids) == len(lanes) else [ids[lane] for lane in lanes]
