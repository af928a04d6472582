"""The ``kernel-report`` command: what is known of the focused kernel, as one HTML page.

A plugin for zedbg (docs/plugins.md).
"""

from __future__ import annotations

import html
from collections import defaultdict
from pathlib import Path
from typing import Any

import zedbg

_STYLE = """
body { font: 15px sans-serif; margin: 2em; color: #222; }
pre, td { font: 13px monospace; } td, th { padding: 0 1em 0 0; text-align: left; }
td.number { text-align: right; color: #888; } tr.here { background: #fff3c4; }
.bar { display: inline-block; height: .7em; background: #3b528b; }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd; }
  tr.here { background: #4a3f10; } .bar { background: #5ec962; } }
"""


class KernelReport(zedbg.Command):
    """Write a page about the focused kernel: source with hits and divergence, registers, memory

    Usage: kernel-report FILE.html
    Each source line shows how often breakpoints at it were hit, how many threads are at it now, and
    the share of their lanes that are active.
    """

    def __init__(self) -> None:
        super().__init__("kernel-report", zedbg.COMMAND_FILES, zedbg.COMPLETE_FILENAME)

    def invoke(self, argument: str, from_tty: bool) -> str:
        if not argument:
            raise zedbg.CommandError("Usage: kernel-report FILE.html")
        thread = self.context.thread
        path = Path(argument).expanduser()
        sections = [
            ("Source", self._source(thread)),
            ("Threads", _table(self._rows("stacks"))),
            ("Arguments", _table(self._rows("info args"))),
            ("Locals of the focused lane", _table(self._rows("info locals"))),
            ("Registers and memory", _table(self._rows(f"info kernels {thread.kernel_name}"))),
            ("Breakpoints", _table(self._rows("info breakpoints"))),
        ]
        body = "".join(f"<h2>{title}</h2>{text}" for title, text in sections if text)
        name = html.escape(thread.kernel_name or "??")
        where = html.escape(f"thread {thread.id}, {thread.location}")
        path.write_text(
            f"<!doctype html><html lang=en><meta charset=utf-8><title>{name}</title>"
            f"<style>{_STYLE}</style><h1>{name}</h1><p>{where}</p>{body}</html>\n"
        )
        return f"Wrote {path}"

    def _rows(self, command: str) -> list[dict[str, Any]]:
        """What a command gives; nothing where it cannot be carried out."""
        try:
            rows = self.context.execute(command)
            return [each for row in rows for each in row.json_rows()]
        except zedbg.UserError:
            return []

    def _source(self, focused: Any) -> str:  # noqa: ANN401 - a hardware thread
        file = focused.location.file
        lines = self.context.sources.lines(file) if file else None
        if lines is None:
            return "<p>The source is not found: directory FOLDER says where it is.</p>"
        here = defaultdict(list)
        for thread in self.context.session.stopped_threads():
            if thread.location.file == file:
                here[thread.location.line].append(thread)
        hits = {
            place.code.line: each.hits
            for each in self.context.session.breakpoints
            for place in each.locations
            if place.code.file == file
        }
        rows = []
        for number, text in enumerate(lines, 1):
            threads = here.get(number, [])
            active = sum(each.active_lanes.bit_count() for each in threads)
            whole = sum(each.dispatch_lanes.bit_count() for each in threads)
            share = 100 * active // whole if whole else 0
            bar = f'<span class=bar style="width:{share}px"></span> {share}%' if threads else ""
            mark = " class=here" if threads else ""
            rows.append(
                f"<tr{mark}><td class=number>{number}<td class=number>{hits.get(number, '')}"
                f"<td class=number>{len(threads) or ''}<td>{bar}"
                f"<td><pre style='margin:0'>{html.escape(text)}</pre>"
            )
        head = "<tr><th>Line<th>Hits<th>Threads<th>Active lanes<th>"
        return f"<table>{head}{''.join(rows)}</table>"


def _table(rows: list[dict[str, Any]]) -> str:
    """Rows of a command, of which all kinds have a table of their own."""
    kinds: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for row in rows:
        kinds.setdefault(tuple(row), []).append(row)
    tables = []
    for columns, members in kinds.items():
        head = "".join(f"<th>{html.escape(each)}" for each in columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(_text(row[each]))}" for each in columns)
            for row in members
        )
        tables.append(f"<table><tr>{head}{body}</table>")
    return "".join(tables)


def _text(value: object) -> str:
    if isinstance(value, dict) and "function" in value:  # a frame
        return f"{value['function']} {value.get('file') or ''}:{value.get('line') or ''}"
    if isinstance(value, dict):
        return f"<{value['missing']}>" if "missing" in value else ", ".join(map(str, value.items()))
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    return "" if value is None else str(value)
