"""A program-debug session whose calls fail when a test says so, for the engine to survive."""

from zedbg.levelzero.enums import Result
from zedbg.levelzero.level_zero_errors import check

# What the specification of each call allows, and what Intel's driver returns besides.
COMMON = (
    Result.ERROR_UNINITIALIZED,
    Result.ERROR_DEVICE_LOST,
    Result.ERROR_OUT_OF_HOST_MEMORY,
    Result.ERROR_OUT_OF_DEVICE_MEMORY,
    Result.ERROR_UNKNOWN,
)
STATE = (Result.ERROR_NOT_AVAILABLE, Result.ERROR_INVALID_ARGUMENT)
DOCUMENTED = {
    "read_event": (*COMMON, Result.ERROR_INVALID_NULL_HANDLE),
    "acknowledge": (*COMMON, Result.ERROR_INVALID_ARGUMENT),
    "interrupt": (*COMMON, *STATE, Result.NOT_READY),
    "resume": (*COMMON, *STATE),
    "read_memory": (*COMMON, *STATE, Result.ERROR_INSUFFICIENT_PERMISSIONS),
    "write_memory": (*COMMON, *STATE, Result.ERROR_INSUFFICIENT_PERMISSIONS),
    "read_registers": (*COMMON, *STATE, Result.ERROR_INSUFFICIENT_PERMISSIONS),
    "write_registers": (*COMMON, *STATE, Result.ERROR_INSUFFICIENT_PERMISSIONS),
    "detach": (*COMMON, Result.ERROR_INVALID_NULL_HANDLE),
}


class FailingDebug:
    """Hands calls on to ``debug``. ``fail(name, result)`` makes the call ``name`` after the next
    ``skip`` ones fail, ``times`` times."""

    def __init__(self, debug):
        self._debug = debug
        self._plan = {}
        self.failed = 0

    def fail(self, name, result, skip=0, times=1):
        self._plan[name] = [result, skip, times]

    def __getattr__(self, name):
        real = getattr(self._debug, name)
        if not callable(real):
            return real

        def call(*arguments):
            plan = self._plan.get(name)
            if plan is not None and plan[2] > 0:
                if plan[1] > 0:
                    plan[1] -= 1
                else:
                    plan[2] -= 1
                    self.failed += 1
                    check(plan[0], name)
            return real(*arguments)

        return call
