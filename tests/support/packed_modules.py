"""The committed modules: one archive for each set, unpacked once for all tests.

``tests/kernels/FOLDER/SET.tar.xz`` is unpacked as the folder ``MODULES / FOLDER / SET``, and
``tests/kernels/FOLDER/modules.tar.xz``, where a folder has one set, as ``MODULES / FOLDER``.
``python -m tests.support.packed_modules`` prints the folder, for use by hand; followed by an
archive and files it puts these into the archive, in the place of those of the same names.
"""

from __future__ import annotations

import hashlib
import io
import lzma
import shutil
import sys
import tarfile
import tempfile
from pathlib import Path

from tests.support.places import KERNELS, REPOSITORY

_SUFFIX = ".tar.xz"


def archive_names() -> list[Path]:
    """Every committed archive."""
    return sorted(KERNELS.rglob(f"*{_SUFFIX}"))


def pack(path: Path, modules: dict[str, bytes]) -> None:
    """Writes an archive of files by name, which depends on its contents only."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as archive:
        for name in sorted(modules):
            entry = tarfile.TarInfo(name)
            entry.size = len(modules[name])
            archive.addfile(entry, io.BytesIO(modules[name]))
    path.write_bytes(lzma.compress(raw.getvalue(), preset=9 | lzma.PRESET_EXTREME))


def unpack(path: Path) -> dict[str, bytes]:
    """The files of an archive by name; none where there is no archive."""
    if not path.exists():
        return {}
    files = {}
    with tarfile.open(path) as archive:
        for member in archive.getmembers():
            file = archive.extractfile(member)
            assert file is not None and "/" not in member.name
            files[member.name] = file.read()
    return files


def _folder_of(archive: Path) -> Path:
    relative = archive.relative_to(KERNELS)
    name = relative.name.removesuffix(_SUFFIX)
    return relative.parent if name == "modules" else relative.with_name(name)


def _unpacked() -> Path:
    """The folder with what all archives have; test processes that make it at once make the same."""
    digest = hashlib.sha256()
    for archive in archive_names():
        digest.update(f"{archive.relative_to(KERNELS)}\n".encode())
        digest.update(archive.read_bytes())
    parent = REPOSITORY / "build" / "modules"
    folder = parent / digest.hexdigest()[:16]
    if not folder.exists():
        parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix="unpacking-", dir=parent))
        for archive in archive_names():
            target = made / _folder_of(archive)
            target.mkdir(parents=True, exist_ok=True)
            for name, data in unpack(archive).items():
                (target / name).write_bytes(data)
        made.chmod(0o755)  # tests that become another user read them too
        try:
            made.rename(folder)
        except OSError:  # another process was first
            shutil.rmtree(made)
    return folder


MODULES = _unpacked()
#: ``SET/KERNEL.zebin`` of the sources in tests/kernels/src.
ZEBINS = MODULES / "zebin"

if __name__ == "__main__":
    if len(sys.argv) > 2:
        put = {Path(each).name: Path(each).read_bytes() for each in sys.argv[2:]}
        pack(Path(sys.argv[1]), unpack(Path(sys.argv[1])) | put)
    else:
        print(MODULES)
