"""The tables of the zeinfo documents, as lines: what the schema is compared with.

    python -m tests.support.zebin.zeinfo_documents DIRECTORY > tests/zebin/zeinfo_rows.txt

writes them from ``zeinfo-1.14.md`` and ``zeinfo-latest.md`` in DIRECTORY. A line is the document,
the table's or enumeration's name, and the cells that say something: of an attribute its name, type,
presence and default; of an enumeration's value its name.
"""

import re
import sys
from pathlib import Path

DOCUMENTS = {"1.14": "zeinfo-1.14.md", "latest": "zeinfo-latest.md"}
_NAME = re.compile(r"<!---\s*(<\w+>|\w+)")
_PRESENCE = "Required/Optional"


def document_lines(name, text):
    """Every row of every named table in a document; tables are named by the comment below them."""
    header, rows = None, []
    for line in text.splitlines():
        if line.startswith("|"):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if header is None:
                header = cells
            elif not set(line) <= set("|- "):
                rows.append(dict(zip(header, cells, strict=False)))
        elif header is not None and (named := _NAME.match(line)):
            for row in rows:
                yield "|".join([name, named[1], *_cells(named[1], header, row)])
            header, rows = None, []


def _cells(table, header, row):
    if table.startswith("<"):
        return [row[header[0]]]
    default = row.get("Default", "") if "Default" in header else ""
    return [row["Attribute"], row["Type"], row.get(_PRESENCE, ""), default]


def all_lines(directory):
    """The lines of both documents in ``directory``."""
    return [
        line
        for name, file in DOCUMENTS.items()
        for line in document_lines(name, (Path(directory) / file).read_text())
    ]


if __name__ == "__main__":
    print("\n".join(all_lines(sys.argv[1])))
