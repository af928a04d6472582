"""The ``usm`` command: what memory pointers point to.

A plugin for zedbg (docs/plugins.md).
"""

from __future__ import annotations

from collections.abc import Iterator

import zedbg


class UnifiedSharedMemory(zedbg.Command):
    """Show what memory a pointer points to, or all pointers among the arguments and locals

    Usage: usm [POINTER]
    Device, shared and host allocations have one address everywhere. The driver does not say where
    an allocation begins: zedbg says what argument points near an address, and what is mapped there.
    """

    def __init__(self) -> None:
        super().__init__("usm", zedbg.COMMAND_DATA, zedbg.COMPLETE_EXPRESSION)

    def invoke(self, argument: str, from_tty: bool) -> Iterator[object]:
        found = False
        for name, address in self._pointers(argument):
            found = True
            yield {"pointer": name, "address": f"{address:#x}", "memory": self._memory(address)}
        if not found:
            raise zedbg.CommandError("No pointer is in scope here.")

    def _pointers(self, argument: str) -> Iterator[tuple[str, int]]:
        if argument:
            (row,) = self.context.execute(f"output (unsigned long) ({argument})")
            yield argument, int(row.to_json()["value"])
            return
        for command in ("info args", "info locals"):
            for row in self.context.execute(command):
                each = row.to_json()
                if str(each.get("type")).endswith("*") and isinstance(each["value"], int):
                    yield str(each["name"]), each["value"]

    def _memory(self, address: int) -> str:
        if not address:
            return "null"
        try:
            rows = self.context.execute(f"info symbol {address:#x}")
        except zedbg.CommandError as error:
            return str(error)
        return " ".join(str(row.to_json()["text"]) for row in rows)
