"""Runs inside GDB: what other scripts there need of its frames."""

import gdb


def locals_of(frame, shown):
    """What ``shown`` makes of each variable in scope by name, inner ones first; of one that GDB
    cannot evaluate, what it makes of the error."""
    found, block = {}, frame.block()
    while block is not None:
        for symbol in block:
            if symbol.is_variable or symbol.is_argument:
                try:
                    value = symbol.value(frame)
                except gdb.error as error:
                    value = error
                found.setdefault(symbol.name, shown(value))
        if block.function is not None:
            return found
        block = block.superblock
    return found
