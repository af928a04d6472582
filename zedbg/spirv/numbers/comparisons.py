"""What comparisons of whole numbers say."""

from __future__ import annotations

from zedbg.spirv.module.operations import Op

#: By comparison of one number with another: whether the first one is less (or greater), and whether
#: it may be as much.
ORDERS: dict[int, tuple[bool, int]] = {
    Op.S_LESS_THAN: (True, 0),
    Op.U_LESS_THAN: (True, 0),
    Op.S_LESS_THAN_EQUAL: (True, 1),
    Op.U_LESS_THAN_EQUAL: (True, 1),
    Op.S_GREATER_THAN: (False, 0),
    Op.U_GREATER_THAN: (False, 0),
    Op.S_GREATER_THAN_EQUAL: (False, 1),
    Op.U_GREATER_THAN_EQUAL: (False, 1),
}
#: Those of numbers without a sign.
UNSIGNED_ORDERS = frozenset(
    {Op.U_LESS_THAN, Op.U_LESS_THAN_EQUAL, Op.U_GREATER_THAN, Op.U_GREATER_THAN_EQUAL}
)
#: By comparison, the one that holds where it does not.
OPPOSITE: dict[int, int] = {
    Op.S_LESS_THAN: Op.S_GREATER_THAN_EQUAL,
    Op.U_LESS_THAN: Op.U_GREATER_THAN_EQUAL,
    Op.S_LESS_THAN_EQUAL: Op.S_GREATER_THAN,
    Op.U_LESS_THAN_EQUAL: Op.U_GREATER_THAN,
    Op.I_EQUAL: Op.I_NOT_EQUAL,
}
OPPOSITE |= {one: other for other, one in OPPOSITE.items()}
