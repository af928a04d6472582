"""A module whose SPIR-V has more kernels than its machine code: one of a large program's.

The compilers take very long over a thousand kernels, but not over their SPIR-V.
"""

from __future__ import annotations

import struct
import subprocess
import tempfile
from pathlib import Path

from zedbg.zebin import Module

_KERNEL = """
kernel void more{0}(global const float* a, global const float* b, global float* c, const int n)
{{
    const int gid = get_global_id(0);
    const float x = a[gid], y = b[gid];
    float sum = x + y;
    for (int i = 0; i < n; i++) {{
        sum += x * i;
    }}
    const int twice = gid * 2 + {0};
    if (gid < n) {{
        c[gid] = sum + twice;
    }}
}}
"""
_SPIRV = ".spv"
_TABLE_AT, _ENTRY_SIZE_AT = 40, 58  # in the header of a file: e_shoff, e_shentsize
_PLACE_AT = 24  # in the header of a section: sh_offset, sh_size


def with_more_kernels(data: bytes, source: Path, kernels: int) -> bytes:
    """The module in ``data``, with the SPIR-V that ocloc makes of its ``source`` and ``kernels``
    others after that."""
    more = "".join(_KERNEL.format(number) for number in range(kernels))
    with tempfile.TemporaryDirectory(prefix="zedbg-more-") as directory:
        Path(directory, source.name).write_text(source.read_text() + more)
        command = ["ocloc", "compile", "-file", source.name, "-device", "dg2", "-options", "-g"]
        done = subprocess.run(
            [*command, "-spv_only"], cwd=directory, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        (made,) = Path(directory).glob("*.spv")
        spirv = made.read_bytes()
    section = Module.from_bytes(data, source.name).section(_SPIRV)
    assert section is not None
    image = bytearray(data) + bytes(-len(data) % 8)
    (table,) = struct.unpack_from("<Q", image, _TABLE_AT)
    (size,) = struct.unpack_from("<H", image, _ENTRY_SIZE_AT)
    place = table + section.index * size + _PLACE_AT
    struct.pack_into("<QQ", image, place, len(image), len(spirv))
    return bytes(image) + spirv
