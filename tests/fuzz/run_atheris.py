"""``python -m tests.fuzz.run_atheris TARGET [LIBFUZZER-OPTION...]``: fuzzes readers by coverage.

TARGET is one of ``fuzz_targets.TARGETS``, or ``all``.

Runs until an input breaks a bound of ``fuzz_targets.hold`` (the input is left in ``crash-*`` in the
current directory) or an option ends it: ``-max_total_time=600``, ``-runs=2000``, ``-seed=1``.
An input's path instead of options runs that one again.

Memory is measured for one input in sixteen, as measuring makes reading several times slower.
"""

from __future__ import annotations

import sys
import tempfile
import zlib
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["zedbg", "elftools"]):
    from tests.support.fuzz_targets import TARGETS, hold, of_all, seeds_of_all

_LONGEST = 1 << 16  # bytes of an input


def main() -> None:
    chosen = sys.argv[1] if len(sys.argv) > 1 else ""
    if chosen != "all" and chosen not in TARGETS:
        sys.exit(f"usage: python -m tests.fuzz.run_atheris {{all,{','.join(TARGETS)}}} [OPTION...]")
    seeds = seeds_of_all() if chosen == "all" else TARGETS[chosen].seeds()

    def one_input(data: bytes) -> None:
        target, part = of_all(data) if chosen == "all" else (TARGETS[chosen], data)
        hold(target, part, memory=zlib.crc32(data) % 16 == 0)

    with tempfile.TemporaryDirectory(prefix="zedbg-fuzz-") as directory:
        for number, seed in enumerate(seeds):
            (Path(directory) / f"seed{number}").write_bytes(seed)
        longest = max(_LONGEST, *map(len, seeds))
        options = [f"-max_len={longest}", "-timeout=30", "-rss_limit_mb=2048", *sys.argv[2:]]
        # An input that is named is run alone; otherwise the seeds are begun with.
        if not any(Path(option).is_file() for option in sys.argv[2:]):
            options.append(directory)
        atheris.Setup([sys.argv[0], *options], one_input)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
