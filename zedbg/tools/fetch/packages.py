"""Debian's newest packages, unpacked into a folder: nothing is installed, no privileges needed.

An apt of its own downloads a package with everything that it needs, down to the C library.
"""

from __future__ import annotations

import fcntl
import re
import subprocess
from pathlib import Path

from zedbg.user_error import UserError

SUITE = "unstable"
_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
_SECONDS = 600


class FetchError(UserError):
    """The packages cannot be downloaded here; the message says why."""


def unpack_newest(packages: tuple[str, ...], directory: Path, evidence: str) -> Path:
    """Makes ``directory`` hold the newest ``packages`` of Debian, or finds that it does.

    ``evidence`` is a file in it, by which they are known to be there. Returns the absolute path of
    the folder. Raises FetchError.
    """
    directory = directory.absolute()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with (directory / ".lock").open("w") as lock:  # processes run side by side
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (directory / evidence).exists():
                for package in _download(packages, directory / "apt"):
                    _run("dpkg-deb", "-x", str(package), str(directory))
                    package.unlink()
    except OSError as error:
        raise FetchError(f"{directory}: {error.strerror}") from error
    return directory


def _download(packages: tuple[str, ...], apt: Path) -> list[Path]:
    if not _KEYRING.exists():
        raise FetchError(f"{_KEYRING} is not there: this is no Debian system")
    for folder in ("lists/partial", "archives/partial", "empty"):
        (apt / folder).mkdir(parents=True, exist_ok=True)
    sources = apt / "sources.list"
    sources.write_text(f"deb [signed-by={_KEYRING}] {_mirror()} {SUITE} main\n")
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
    options = [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]
    _run("apt-get", *options, "-qq", "update")
    _run("apt-get", *options, "-qq", "--download-only", "--yes", "install", *packages)
    return sorted((apt / "archives").glob("*.deb"))


def _mirror() -> str:
    """The Debian archive that this machine uses."""
    listing = _run("apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)")
    for line in listing.splitlines():
        uri, _, rest = line.partition(" ")
        if re.fullmatch(r"\S+ main", rest) and "security" not in line:
            return uri
    raise FetchError("apt knows no Debian archive: run apt-get update first")


def _run(*command: str) -> str:
    try:
        return subprocess.run(
            command, check=True, capture_output=True, text=True, timeout=_SECONDS
        ).stdout
    except FileNotFoundError as error:
        raise FetchError(f"{command[0]} is not there: this is no Debian system") from error
    except subprocess.TimeoutExpired as error:
        raise FetchError(f"{command[0]} took longer than {_SECONDS} s") from error
    except subprocess.CalledProcessError as error:
        last = (error.stderr.strip().splitlines() or ["no message"])[-1]
        raise FetchError(f"{command[0]}: {last}") from error
