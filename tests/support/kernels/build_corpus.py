"""Compiles tests/kernels/corpus (or another folder) with Intel's compilers and packs the modules.

``python -m tests.support.kernels.build_corpus --igc1 ocloc --igc2 ocloc``: each option is the
command of one compiler's ``ocloc``; a set whose compiler is not given is left as it is. For one in
another root directory (a newer Debian release, say) give ``--igc2 "chroot ROOT ocloc"`` and
``--igc2-root ROOT``. ``--only PATTERN`` compiles sources whose name matches and keeps the others of
the archive. ``--folder tests/kernels/truth`` compiles that folder: a file ``prelude.h`` in it
stands before each source, and each kernel gets a module of its own, since the older compiler leaves
debug information out of modules with several. What does not compile is reported, and is not in the
archive.
"""

from __future__ import annotations

import argparse
import fnmatch
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.support.kernels.compilers import (
    DEVICES,
    LEVELS,
    Compiler,
    add_options,
    compile_source,
    compilers_of,
)
from tests.support.packed_modules import pack, unpack
from tests.support.places import KERNELS

CORPUS = KERNELS / "corpus"
_PARALLEL = 2
_KERNEL = re.compile(r"^kernel void (\w+)\(.*?^}\n", re.MULTILINE | re.DOTALL)


def archive_of(configuration: str, folder: Path = CORPUS) -> Path:
    """The archive of a configuration such as ``igc2-dg2-O0``."""
    return folder / f"{configuration}.tar.xz"


def module_texts(folder: Path) -> dict[str, str]:
    """What the compiler gets for each module of ``folder``; lines of sources keep their numbers."""
    prelude = folder / "prelude.h"
    sources = sorted(folder.rglob("*.cl"))
    if not prelude.exists():
        return {source.stem: source.read_text() for source in sources}
    return {
        kernel: f'{prelude.read_text()}#line 1 "{source.name}"\n{text}'
        for source in sources
        for kernel, text in _kernels_of(source.read_text())
    }


def _kernels_of(text: str) -> Iterator[tuple[str, str]]:
    """Each kernel of a source, and the source with the lines of the other kernels empty."""
    kernels = list(_KERNEL.finditer(text))
    for kernel in kernels:
        alone = text
        for other in kernels:
            if other is not kernel:
                lines = "\n" * other[0].count("\n")
                alone = alone.replace(other[0], lines)
        yield kernel[1], alone


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser)
    parser.add_argument("--only", default="*", metavar="PATTERN")
    parser.add_argument("--folder", default=CORPUS, type=Path, metavar="DIRECTORY")
    arguments = parser.parse_args()
    folder = arguments.folder
    every = module_texts(folder)
    texts = {name: every[name] for name in every if fnmatch.fnmatch(name, arguments.only)}
    for compiler in compilers_of(arguments):
        for device in DEVICES[compiler.name]:
            for level in LEVELS:
                path = archive_of(f"{compiler.name}-{device}-{level}", folder)
                _build_set(path, compiler, device, level, texts, set(every))


def _build_set(
    path: Path,
    compiler: Compiler,
    device: str,
    level: str,
    texts: dict[str, str],
    all_names: set[str],
) -> None:
    modules = unpack(path)
    modules = {name: data for name, data in modules.items() if name in all_names - set(texts)}
    with ThreadPoolExecutor(_PARALLEL) as pool:
        made = pool.map(lambda each: compile_source(compiler, device, level, each), texts.values())
        for name, result in zip(texts, made, strict=True):
            if isinstance(result, bytes):
                modules[name] = result
            else:
                complaints = [line for line in result.splitlines() if "error" in line.lower()]
                print(f"{path.name}: {name}: {complaints[:2]}", file=sys.stderr)
    pack(path, modules)
    print(f"{path.name}: {len(modules)} modules, {path.stat().st_size:,} bytes", flush=True)


if __name__ == "__main__":
    main()
