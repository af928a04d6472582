"""The files that are generated from the declarations: the command reference, the index, and the
schema of what scripts see.

``python -m zedbg.commands.catalogue.reference`` writes them into the source tree.
"""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path

from zedbg.commands.catalogue import index
from zedbg.commands.catalogue.catalogue import declared, index_source
from zedbg.commands.catalogue.gdb_users import gdb_users_page
from zedbg.commands.catalogue.machine_view import incompatibilities, machine_view
from zedbg.commands.framework.convenience import CONVENIENCES
from zedbg.commands.framework.declaration import Category, Declaration, Repeat, Requirement
from zedbg.commands.framework.settings import SETTINGS, Group
from zedbg.commands.rows.events import VERSION

_HEAD = """\
# Commands

Generated from the declarations in `zedbg/commands`; do not edit:
`python -m zedbg.commands.catalogue.reference` writes it.

A name may be shortened as long as it stays unique. A `|` sends the output to a shell
command; for commands that take an expression use `pipe`. In the shell an empty line repeats
the last command unless its entry says that it does not repeat. With `--py` at its end
a command is not carried out: it shows the calls of the [Python API](python.md) that do the same.
"""


def reference() -> str:
    """The whole page, as Markdown."""
    order = list(Category)
    declarations = sorted(declared(), key=lambda each: (order.index(each.category), each.name))
    parts = [_HEAD]
    for category, members in groupby(declarations, key=lambda each: each.category):
        parts.append(f"\n## {category.value.capitalize()}\n")
        parts.extend(_entry(declaration) for declaration in members)
    parts.append(_settings())
    parts.append(_conveniences())
    return "".join(parts)


def _settings() -> str:
    """The chapter of settings, from their table."""
    lines = ["\n## Settings\n", "`set NAME VALUE` changes one, `show NAME` shows it.\n"]
    for group in Group:
        lines += [f"\n### {group.value.capitalize()}\n", "| setting | takes | default | |"]
        lines.append("|---|---|---|---|")
        for each in SETTINGS.values():
            if each.group is group:
                default = "unlimited" if each.unlimited and each.default == "0" else each.default
                lines.append(f"| `{each.name}` | {each.takes} | {default} | {each.summary} |")
    return "\n".join(lines) + "\n"


def _conveniences() -> str:
    """The chapter of the names that begin with ``$``."""
    lines = ["\n## Names that begin with $\n", "| name | value |", "|---|---|"]
    lines += [f"| `{each.name}` | {each.meaning} |" for each in CONVENIENCES]
    return "\n".join(lines) + "\n"


def _entry(declaration: Declaration) -> str:
    lines = [
        f"\n### {declaration.name}\n",
        f"{declaration.summary}.\n",
        f"    {declaration.usage}\n",
    ]
    for argument in declaration.arguments:
        lines.append(f"- `{argument.name.upper()}`: {argument.help}")
    if declaration.arguments:
        lines.append("")
    if declaration.description:
        lines.append(declaration.description.strip() + "\n")
    facts = []
    if declaration.aliases:
        facts.append("Short: " + ", ".join(f"`{alias}`" for alias in declaration.aliases) + ".")
    if declaration.example:
        facts.append(f"Example: `{declaration.example}`.")
    if declaration.repeats is Repeat.NO:
        facts.append("Does not repeat.")
    if declaration.requires is not Requirement.NOTHING:
        facts.append(f"Needs {declaration.requires.value}.")
    if facts:
        lines.append(" ".join(facts))
    return "\n".join(lines).rstrip() + "\n"


def write_all() -> None:
    """Writes the generated files of the source tree that this module is in."""
    index_file = Path(index.__file__)
    index_file.write_text(index_source())
    docs = index_file.parents[3] / "docs"
    (docs / "commands.md").write_text(reference())
    (docs / "gdb-users.md").write_text(gdb_users_page())
    _write_machine_view(docs / "machine-view.json")


def machine_view_text() -> str:
    """The schema of what scripts see, as a file with one definition a line."""
    view = machine_view(declared())
    definitions = view.pop("$defs")
    lines = [f"  {json.dumps(name)}: {json.dumps(each)}" for name, each in definitions.items()]
    head = json.dumps(view, indent=2).removesuffix("\n}")
    joined = ",\n".join(lines)
    return f'{head},\n  "$defs": {{\n{joined}\n  }}\n}}\n'


def _write_machine_view(file: Path) -> None:
    """Writes it, unless scripts that rely on what it was would break."""
    text = machine_view_text()
    old = json.loads(file.read_text()) if file.exists() else None
    if old is not None and old["version"] == VERSION:
        lost = incompatibilities(old, json.loads(text))
        if lost:
            reason = "; ".join(lost)
            raise SystemExit(f"{file.name}: raise VERSION in rows/events.py, for {reason}")
    file.write_text(text)


if __name__ == "__main__":
    write_all()
