"""A launch in the words of the native programs that run one (see kernel_run.hpp)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.support.kernels.kernel_case import Case, Local


def launch_words(case: Case, module: Path, directory: Path) -> tuple[list[str], list[Path]]:
    """What describes ``case`` to the native programs, and the files of its buffers, which are made
    in ``directory``."""
    groups = [size // group for size, group in zip(case.size, case.group, strict=True)]
    words = [
        *(str(module), case.kernel),
        *("--groups", ",".join(map(str, groups))),
        *("--size", ",".join(map(str, case.group))),
    ]
    if case.offset:
        words += ["--offset", ",".join(map(str, (*case.offset, 0, 0)[:3]))]
    files: list[Path] = []
    for index, value in enumerate(case.arguments):
        if isinstance(value, Local):
            words.append(f"local:{value.size}")
        elif isinstance(value, np.ndarray):
            files.append(directory / f"argument{index}.bin")
            files[-1].write_bytes(value.tobytes())
            words.append(f"buf:{files[-1]}")
        else:
            raw = value if isinstance(value, bytes) else value.tobytes()
            words.append(f"val:{raw.hex()}")
    return words, files
