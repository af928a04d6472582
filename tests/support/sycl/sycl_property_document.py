"""The properties of the SYCL property-set document, as lines: what the table is compared with.

    python -m tests.support.sycl.sycl_property_document FILE > tests/sycl/sycl_property_rows.txt

writes them from ``sycl-property-sets.txt``. A line is the set, the key or what is appended to a
name (nothing where the key is any name), and the number of the value's type.
"""

import re
import sys
from pathlib import Path

_SET = re.compile(r"\[(SYCL(?:BIN)?/.*)\]")
_TYPE_OF_A_SET = re.compile(r"Value type: .*\(“(\d)”\)")
_TYPE_OF_A_KEY = re.compile(r"(?:Byte array|32 bit integer)\. \(“(\d)”\)")


def document_lines(text: str) -> list[str]:
    """Every property of the document, in its order."""
    current = ""
    rows = []
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for before, line in zip(["", *lines], lines, strict=False):
        if found := _SET.fullmatch(line):
            current = found[1]
        elif current and (found := _TYPE_OF_A_SET.match(line)):
            key = re.search(r"with “(\w+)”", before)
            rows.append(f"{current}|{key[1] if key else ''}|{found[1]}")
        elif current and (found := _TYPE_OF_A_KEY.fullmatch(line)):
            key = re.search(r"“(.*)”", before)
            rows.append(f"{current}|{key[1] if key else ''}|{found[1]}")
    return rows


if __name__ == "__main__":
    print("\n".join(document_lines(Path(sys.argv[1]).read_text())))
