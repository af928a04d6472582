"""Where breakpoints go in a module's code: the addresses of lines, functions and statements."""

from __future__ import annotations

from pathlib import PurePosixPath

from zedbg.dwarf.info import CodeLocation, DebugInfo
from zedbg.dwarf.lines.line_table import LineRow, SourceFile
from zedbg.dwarf.scopes.prologue import FunctionStart, body_start
from zedbg.dwarf.scopes.scopes import Function


class CodePlaces:
    """The places in the code of the module that ``info`` is of.

    Every question may raise DebugInfoError when the part that it needs is damaged.
    """

    def __init__(self, info: DebugInfo) -> None:
        self._info = info
        self._statements: dict[Function, frozenset[int]] = {}
        self._starts: dict[int, bool] = {}

    def of_line(self, file: str, line: int, past_prologue: bool = True) -> list[CodeLocation]:
        """Where a breakpoint at ``file:line`` stops: one place in each function, and in each copy
        of one that was inlined; two, where a jump leads around the first one into the same line.

        A line without code means the next line that has some. Within a function the lowest
        address counts; a function's first line stops after its prologue (``past_prologue``).
        """
        found: dict[tuple[object, ...], CodeLocation] = {}
        lines = self._info.lines_naming(PurePosixPath(file).name)
        for source in lines.files_matching(file):
            for row in lines.statements(source, line):
                location = self._place_of(row, past_prologue)
                copy = tuple(self._info.inlined_calls_at(location.address))
                key = (location.function, copy, location.file)
                if key not in found or location.address < found[key].address:
                    found[key] = location
        around = [self._entered_past(location) for location in found.values()]
        places = [*found.values(), *(each for each in around if each is not None)]
        return sorted(places, key=lambda location: location.address)

    def _entered_past(self, place: CodeLocation) -> CodeLocation | None:
        """Where else the body's first line is begun, which ``place`` is on, by threads that jump
        around that: as in the code of a built-in function that chooses, which has no line."""
        from zedbg.dwarf.scopes.function_bytes import code_between
        from zedbg.dwarf.scopes.statements import entered_past

        function, address = place.function, place.address
        if function is None:
            return None
        if self.body(function).address != address or address == function.low:
            return None
        rows = self._info.lines.rows_between(function.low, function.high)
        begin = self._on_each_way(function, address)
        line = place.file, place.line
        ends = (each.address for each in rows if each.address > address and each[1:3] != line)
        code, platform = code_between(self._info.module, begin, next(ends, function.high))
        offset = entered_past(code, platform, address - begin)
        return None if offset is None else self._info.location_of_address(begin + offset)

    def of_function(self, name: str) -> list[CodeLocation]:
        """Where a breakpoint on the function ``name`` stops: in each of its copies after the
        prologue, and in each call of it that was inlined at the first instruction."""
        functions = [self._body_of(function) for function in self._info.functions_named(name)]
        places = [self.after_prologue(function) for function in dict.fromkeys(functions)]
        for call in self._info.inlined_calls_named(name):
            places.append(self._info.location_of_address(call.low))
        return places

    def _body_of(self, kernel: Function) -> Function:
        """The function that has the source's code of ``kernel``: another one of the same name where
        Clang 21 or newer compiled it and the kernel calls it; else ``kernel`` itself."""
        for function in self._info.functions_around(kernel.low) if kernel.is_kernel else ():
            if function.linkage_name == f"__clang_ocl_kern_imp_{kernel.kernel}":
                return function
        return kernel

    def _place_of(self, row: LineRow, past_prologue: bool) -> CodeLocation:
        function = self._info.function_at(row.address)
        if not past_prologue or function is None:
            return CodeLocation(row.address, function, row.file, row.line)
        if row.address == function.low:
            return self.after_prologue(function)
        if row.prologue_end:
            # An older compiler gives code of the prologue the line of the closing brace.
            body = self.after_prologue(function)
            if row.address < body.address:
                rows = self._info.lines.rows_between(body.address, function.high)
                row_of_line = (each for each in rows if (each.file, each.line) == row[1:3])
                row = next(row_of_line, row)
                if row.address < body.address:
                    return body
        return CodeLocation(row.address, function, row.file, row.line)

    def after_prologue(self, function: Function) -> CodeLocation:
        """Where a breakpoint on ``function`` stops: after its prologue, where locals exist, and
        where each way through it comes."""
        body = self.body(function)
        address = self._on_each_way(function, body.address)
        return body if address == body.address else self._info.location_of_address(address)

    def body(self, function: Function) -> CodeLocation:
        """Where the first line of the body of ``function`` begins."""
        rows = self._info.lines.rows_between(function.low, function.high)
        row = body_start(FunctionStart.of(function), rows)
        if row is None:
            return CodeLocation(function.low, function, function.file, function.line)
        return CodeLocation(row.address, function, row.file, row.line)

    def _on_each_way(self, function: Function, address: int) -> int:
        """``address`` in ``function``, or the jump before it that leads around it: not all threads
        come there. The code of a built-in function that jumps has no line of its own."""
        from zedbg.dwarf.scopes.function_bytes import code_between
        from zedbg.dwarf.scopes.statements import jump_past_end

        code, platform = code_between(self._info.module, function.low, address)
        if not code:
            return address
        end = len(code)
        while (offset := jump_past_end(code[:end], platform)) is not None:
            end = offset
        return function.low + end

    def source_place(self, address: int) -> tuple[SourceFile, int] | None:
        """File and line of the body of the function at ``address``: those of :meth:`body`, for
        which mostly less is read. None where no file is known."""
        place = self._info.stated_place(address)
        if place is None:
            function = self._info.function_at(address)
            if function is None:
                return None
            location = self.body(function)
            place = location.file, location.line
        file, line = place
        return None if file is None else (file, line)

    def starts_statement(self, address: int) -> bool:
        """Whether a statement of the source begins at ``address``."""
        known = self._starts.get(address)
        if known is None:
            known = self._starts[address] = self._begins_statement(address)
        return known

    def _begins_statement(self, address: int) -> bool:
        function = self._info.function_at(address)
        if function is None:
            row = self._info.lines.row_at(address)
            return row is not None and row.address == address and row.is_stmt
        if function not in self._statements:
            # Instructions are decoded for it, which a page of a module does not need.
            from zedbg.dwarf.scopes.function_bytes import code_of
            from zedbg.dwarf.scopes.statements import backward_jumps, statement_starts

            rows = [
                row
                for row in self._info.lines.rows_between(function.low, function.high)
                if self._info.function_at(row.address) is function
            ]
            jumps = [
                function.low + offset
                for offset in backward_jumps(*code_of(self._info.module, function))
            ]
            self._statements[function] = statement_starts(function, rows, jumps)
        return address in self._statements[function]
