"""More of the exception that a thread stopped at."""

from __future__ import annotations

from dataclasses import replace

from zedbg.commands.rows.exception_rows import exception_row
from zedbg.engine.events.stops import Stop
from zedbg.engine.threads.thread import HardwareThread
from zedbg.frontends.dap.protocol.arguments import ThreadArguments
from zedbg.frontends.dap.protocol.bodies import ExceptionInfoBody
from zedbg.frontends.dap.protocol.types import ExceptionDetails
from zedbg.frontends.dap.session.adapter import Adapter
from zedbg.frontends.dap.session.errors import RequestError
from zedbg.frontends.dap.session.registry import Answer, request
from zedbg.frontends.dap.session.stops import EXCEPTIONS
from zedbg.frontends.text.rendering import render


@request("exceptionInfo", supports_exception_info_request=True)
def exception_info(adapter: Adapter, arguments: ThreadArguments) -> Answer:
    """What was accessed, by which work-items, and what lies near; the driver's words, if any.
    RequestError for a thread that stopped for something else."""
    thread = adapter.thread(arguments.thread_id)
    stop = _stop_of(adapter.session.stop, thread)
    row = exception_row(stop) if stop is not None else None
    if row is None:
        raise RequestError(f"Thread {thread.id} has not stopped at an exception.")
    return ExceptionInfoBody(
        exception_id=row.kind,
        break_mode="always",
        description=row.text,
        details=ExceptionDetails(
            message=row.text, type_name=row.kind, stack_trace="\n".join(render([row]))
        ),
    )


def _stop_of(stop: Stop | None, thread: HardwareThread) -> Stop | None:
    """The part of ``stop`` that ``thread`` has in it; None when it has none, or no exception."""
    if stop is None:
        return None
    for group in stop.groups:
        for one in group.threads:
            if one.thread is thread and group.reason in EXCEPTIONS:
                return replace(stop, reason=group.reason, focus=one, groups=(group,))
    return None
