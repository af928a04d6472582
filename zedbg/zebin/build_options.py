"""What the options that a module was built with say."""

from __future__ import annotations

_DEBUG = "-g"
COMPILE_WITH_DEBUG_INFO = f"compile with {_DEBUG}"
_LEFT_OUT = f"compiled with {_DEBUG}, but the compiler left it out"


_IMPRECISE = frozenset(
    {
        *("-cl-finite-math-only", "-cl-fast-relaxed-math", "-cl-unsafe-math-optimizations"),
        *("-ffast-math", "-ffinite-math-only"),
    }
)


def computes_precisely(options: str) -> bool:
    """Whether a compiler with ``options`` computes floating-point numbers as OpenCL C says, NaN
    among them (OpenCL API, section 5.8.6.2, optimization options)."""
    return _IMPRECISE.isdisjoint(options.split())


def debug_info_advice(options: str | None, kernels: int, has_own_data: bool) -> str:
    """What to do to have debug information in a module of so many ``kernels`` without it, built
    with ``options`` (None: that is not known).

    Intel's compiler before version 2 leaves it out where a module has code of more than one kernel.
    For ``has_own_data`` (tables of constants, strings of printf, variables outside of kernels) it
    adds code of its own, which counts as a kernel.
    """
    if _DEBUG not in (options or "").split():
        return COMPILE_WITH_DEBUG_INFO
    if kernels > 1:
        return f"{_LEFT_OUT}, as older ones do with several kernels: compile each kernel alone"
    if has_own_data:
        return (
            f"{_LEFT_OUT}, as older ones do where a module has data of its own (tables of "
            "constants, strings of printf, variables outside of the kernel): take that out, or "
            "use a newer compiler"
        )
    return f"{_LEFT_OUT}: use a newer compiler"
