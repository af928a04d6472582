"""What an expression sees when no thread is stopped: constants and the user's names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from zedbg.dwarf import DebugInfo
from zedbg.engine.engine_errors import NoThreadError
from zedbg.engine.sessions.session import Session
from zedbg.missing import Missing
from zedbg.values.threads.context import MemorySpace
from zedbg.values.typed.evaluation_error import EvaluationError
from zedbg.xe.registers import RegisterKind, RegisterLayout


class NoThread:
    """Implements ThreadContext without a thread: what needs one raises EvaluationError."""

    simd_width = 1
    active_lanes = dispatch_lanes = 1
    focused_lane = 0
    debug_info: DebugInfo | None = None
    debug_info_advice = "stop a thread first"

    def __init__(self, session: Session) -> None:
        self._session = session
        self.register_layout = RegisterLayout({})

    @property
    def pc(self) -> int:
        return self._none()

    def read_registers(self, kind: RegisterKind) -> bytes:
        return self._none()

    def write_registers(self, kind: RegisterKind, start: int, data: bytes) -> None:
        self._none()

    def read_memory(self, space: MemorySpace, address: int, size: int) -> bytes:
        return self._none()

    def write_memory(self, space: MemorySpace, address: int, data: bytes) -> None:
        self._none()

    def global_ids(self) -> list[tuple[int, int, int]] | Missing:
        return Missing("no thread is stopped")

    def local_ids(self) -> list[tuple[int, int, int]] | Missing:
        return Missing("no thread is stopped")

    def kernel_argument(self, index: int) -> bytes | Missing:
        return Missing("no thread is stopped")

    def loaded_payload(self, address: int, first: int, size: int) -> bytes | Missing:
        return Missing("no thread is stopped")

    def work_identity(self, arguments: Sequence[int]) -> None:
        """No thread is stopped."""

    def most_groups(self) -> tuple[int, int, int] | Missing:
        return Missing("no thread is stopped")

    def memory_at_launch(self, address: int, size: int) -> bytes | Missing:
        return Missing("no thread is stopped")

    def recorded_writes(self, places: object) -> Missing:
        return Missing("no thread is stopped")

    def recorded_executions(self, instruction: int, until: object) -> Missing:
        return Missing("no thread is stopped")

    def threads_of_group(self) -> tuple[()]:
        return ()

    def may_share_memory(self, address: int, other: int) -> bool:
        return True

    @property
    def stop_cache(self) -> dict[object, object]:
        return {}

    @property
    def launch_findings(self) -> None:
        return None

    @property
    def group_cache(self) -> dict[object, object]:
        return {}

    def is_memory_changed_by_hand(self, address: int, size: int) -> bool:
        return False

    @property
    def is_changed_by_hand(self) -> bool:
        return False

    def convenience(self, name: str) -> object | Missing:
        return self._session.variables.get(name)

    def keep(self, name: str, value: object) -> None:
        """Gives the user's own ``$name`` a value."""
        self._session.variables.set(name, value)

    def _none(self) -> NoReturn:
        if self._session.selected is not None:
            try:
                self._session.require_focus()
            except NoThreadError as error:  # it runs; others may be stopped
                raise EvaluationError(str(error)) from None
        raise EvaluationError("No thread is stopped.")
