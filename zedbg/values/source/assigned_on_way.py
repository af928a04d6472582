"""What the way that a lane took gave a variable: where ways meet, and each gave it something else.

Where nothing needs a variable any more the SPIR-V has no OpPhi for it, but still says what it was
given on each way.
"""

from __future__ import annotations

from collections.abc import Sequence

from zedbg.spirv.analysis.private_memory import Visit
from zedbg.spirv.module.types import Value
from zedbg.spirv.module.variables import Given, State, VariableValues
from zedbg.spirv.numbers.arithmetic import UnknownValue
from zedbg.spirv.numbers.computations import Place
from zedbg.spirv.work_item.activation import Activation, TooMuch
from zedbg.spirv.work_item.evaluation import Evaluation

_MOST_BLOCKS = 200  # that are gone back


def assigned_on_way(
    values: VariableValues,
    variables: Sequence[int],
    inlined: int,
    state: State,
    evaluation: Evaluation,
    activation: Activation,
    visit: Visit,
) -> tuple[Given, Value | Place | None]:
    """Which of ``state``, what one of ``variables`` has in the block of ``visit``, the work-item
    gave it on its way there, and that value; None for one in memory. Raises UnknownValue,
    TooMuch."""
    (variable,) = variables
    fragments = {each.fragment for each in state if each.value is not None}
    if len(fragments) != 1:
        raise UnknownValue("it depends on the way that led here")
    (fragment,) = fragments
    for _ in range(_MOST_BLOCKS):
        visit = evaluation.before(activation, visit)
        state = values.at_end(variable, visit.block, fragment, inlined)
        if len(state) == 1:
            (given,) = state
            if given.in_memory or given.value is None:
                return given, None
            value = evaluation.value(activation, given.value, visit.block, visit.iterations)
            return given, value
    raise TooMuch
