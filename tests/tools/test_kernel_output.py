"""What ``zedbg kernel`` writes shares a terminal with the debugger that it runs under."""

import os
import subprocess


def test_each_line_is_written_in_one_piece_also_where_python_does_not_buffer(
    vadd, user_environment
):
    read_end, write_end = os.pipe2(os.O_DIRECT)  # one write is one packet
    environment = user_environment | {"PYTHONUNBUFFERED": "1"}
    with os.fdopen(read_end, "rb", buffering=0) as packets:
        with os.fdopen(write_end, "wb", buffering=0) as output:
            subprocess.run(vadd, env=environment, stdout=output, check=True, timeout=60)
        lines = list(iter(lambda: packets.read(4096), b""))
    assert len(lines) == 4
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in lines)
    assert lines[3].startswith(b"argument 2: f32[64] = 2 3 4 5")
