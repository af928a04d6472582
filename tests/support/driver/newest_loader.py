"""The newest Level Zero loader, from Debian unstable, beside the system's own.

    python -m tests.support.driver.newest_loader DIRECTORY

puts the loader, its layers and the C and C++ libraries that they need under DIRECTORY, without
installing anything: the packages are downloaded by an apt of its own and unpacked. Programs run
with that loader when that C library's dynamic linker starts them: see `command_prefix`. Needs a
Debian system with network; no privileges.
"""

from __future__ import annotations

import fcntl
import re
import subprocess
import sys
from pathlib import Path

SUITE = "unstable"
PACKAGE = "libze1"
LIBRARIES = "usr/lib/x86_64-linux-gnu"
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
SECONDS = 300


class NoNewestLoaderError(Exception):
    """The packages cannot be downloaded here; the message says why."""


def make(directory: Path) -> Path:
    """Makes `directory` hold the newest loader, or finds that it does; returns it.

    Raises NoNewestLoaderError.
    """
    directory = directory.absolute()
    directory.mkdir(parents=True, exist_ok=True)
    with (directory / ".lock").open("w") as lock:  # test processes run side by side
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (directory / LIBRARIES / "libze_loader.so.1").exists():
            for package in _download(directory / "apt"):
                _run("dpkg-deb", "-x", str(package), str(directory))
    return directory


def command_prefix(directory: Path) -> list[str]:
    """What to put before a program, so that it runs with the libraries under `directory`."""
    libraries = directory / LIBRARIES
    return [str(libraries / "ld-linux-x86-64.so.2"), "--library-path", str(libraries)]


def version(directory: Path) -> str:
    """The loader's version: 1.32.0."""
    name = (directory / LIBRARIES / "libze_loader.so.1").resolve().name
    return name.removeprefix("libze_loader.so.")


def _download(apt: Path) -> list[Path]:
    """The packages of the loader and of everything that it needs, down to the C library."""
    if not KEYRING.exists():
        raise NoNewestLoaderError(f"{KEYRING} is not there: this is no Debian system")
    for folder in ("lists/partial", "archives/partial", "empty"):
        (apt / folder).mkdir(parents=True, exist_ok=True)
    sources = apt / "sources.list"
    sources.write_text(f"deb [signed-by={KEYRING}] {_mirror()} {SUITE} main\n")
    (apt / "status").write_text("")  # as if nothing were installed: every dependency is wanted
    settings = {
        "Dir::Etc::SourceList": sources,
        "Dir::Etc::SourceParts": apt / "empty",
        "Dir::State::Lists": apt / "lists",
        "Dir::State::Status": apt / "status",
        "Dir::Cache": apt,
        "Dir::Cache::Archives": apt / "archives",
        "APT::Install-Recommends": "false",
        "APT::Sandbox::User": "",
        "Acquire::Languages": "none",
    }
    options = [
        argument for name, value in settings.items() for argument in ("-o", f"{name}={value}")
    ]
    _run("apt-get", *options, "-qq", "update")
    _run("apt-get", *options, "-qq", "--download-only", "--yes", "install", PACKAGE)
    return sorted((apt / "archives").glob("*.deb"))


def _mirror() -> str:
    """The Debian archive that this machine uses."""
    listing = _run("apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)")
    for line in listing.splitlines():
        uri, _, rest = line.partition(" ")
        if re.fullmatch(r"\S+ main", rest) and "security" not in line:
            return uri
    raise NoNewestLoaderError("apt knows no Debian archive")


def _run(*command: str) -> str:
    try:
        return subprocess.run(
            command, check=True, capture_output=True, text=True, timeout=SECONDS
        ).stdout
    except FileNotFoundError as error:
        raise NoNewestLoaderError(f"{command[0]} is not there") from error
    except subprocess.TimeoutExpired as error:
        raise NoNewestLoaderError(f"{command[0]} took longer than {SECONDS} s") from error
    except subprocess.CalledProcessError as error:
        last = (error.stderr.strip().splitlines() or ["no message"])[-1]
        raise NoNewestLoaderError(f"{command[0]}: {last}") from error


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} DIRECTORY")
    try:
        made = make(Path(sys.argv[1]))
    except NoNewestLoaderError as error:
        sys.exit(f"newest_loader: {error}")
    print(f"loader {version(made)}; run programs with: {' '.join(command_prefix(made))} PROGRAM")
