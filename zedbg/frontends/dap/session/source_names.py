"""Sources: files as the compiler recorded them and as the client calls them, and other text."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePath

from zedbg.commands.framework.source_files import SourceFiles
from zedbg.engine.modules.device_contents import DeviceContents
from zedbg.engine.modules.loaded_module import LoadedModule
from zedbg.engine.modules.locations import CodeLocation
from zedbg.frontends.dap.protocol.types import Source
from zedbg.frontends.dap.session.code_listing import CodeListing, CodeListings
from zedbg.frontends.dap.session.errors import RequestError


class SourceNames:
    """Names sources for the client. Code without a source has its disassembly as one.

    Compilers often record a file as it was given to them, ``vadd.cl``, or where it was on another
    machine. The client's own files, which it names to set breakpoints, are looked at first.
    """

    def __init__(self, files: SourceFiles) -> None:
        self.files = files
        self.listings = CodeListings()
        self._clients: dict[str, list[PurePath]] = {}  # by the last part
        self._texts: dict[int, str | CodeListing] = {}
        self._numbers: dict[object, int] = {}

    def learn(self, path: str) -> None:
        """The client has a file ``path``."""
        known = self._clients.setdefault(PurePath(path).name, [])
        if PurePath(path) not in known:
            known.append(PurePath(path))

    def are_same(self, recorded: str, path: str) -> bool:
        """Whether ``recorded``, as the compiler has it, is the client's file ``path``."""
        found = self.files.find(recorded)
        if found is not None and Path(path).exists() and found.samefile(path):
            return True
        ours, theirs = PurePath(recorded).parts, PurePath(path).parts
        count = min(len(ours), len(theirs))
        return ours[-count:] == theirs[-count:]

    def among(self, recorded: Iterable[str], path: str) -> set[str]:
        """Those of ``recorded`` that are the client's file ``path``. When none is, as with a file
        that was compiled elsewhere, those that have its name."""
        named = {each for each in recorded if PurePath(each).name == PurePath(path).name}
        return {each for each in named if self.are_same(each, path)} or named

    def of_file(self, recorded: str) -> Source:
        """The source that the compiler calls ``recorded``."""
        name = PurePath(recorded).name
        clients = self._clients.get(name, [])
        same = [each for each in clients if self.are_same(recorded, str(each))]
        found = self.files.find(recorded)
        if same:
            return Source(name=name, path=str(same[0]))
        if found is not None:
            return Source(name=name, path=str(found.resolve()))
        lines = self.files.lines(recorded)
        if lines is not None:
            number = self._number(recorded, "\n".join(lines) + "\n")
            return Source(name=name, source_reference=number, origin="text that was given to zedbg")
        if len(clients) == 1:  # compiled elsewhere
            return Source(name=name, path=str(clients[0]))
        return Source(name=name, path=recorded, presentation_hint="deemphasize")

    def of_code(
        self, device: DeviceContents, location: CodeLocation
    ) -> tuple[Source | None, int, int]:
        """Source, line and column of ``location``; None, 0 and 0 outside of all code."""
        if location.file is not None and location.line is not None:
            return self.of_file(location.file), location.line, location.column or 0
        listing = self.listings.around(device, location.pc)
        if listing is None:
            return None, 0, 0
        return self.of_listing(listing), listing.position(location.pc) + 1, 0

    def of_listing(self, listing: CodeListing) -> Source:
        """The disassembly of a piece of code as a source."""
        number = self._number(listing, listing)
        where = listing.module.locate(listing.first)
        name = where.kernel or where.function or f"{listing.first:#x}"
        return Source(name=f"{name}.asm", source_reference=number, origin="disassembly")

    def listing(self, number: int) -> CodeListing | None:
        """The disassembly that source ``number`` is; None when it is other text."""
        found = self._texts.get(number)
        return found if isinstance(found, CodeListing) else None

    def text(self, number: int) -> str:
        """The text of source ``number``; RequestError when there is none."""
        found = self._texts.get(number)
        if found is None:
            raise RequestError(f"There is no source {number}.")
        return found.text if isinstance(found, CodeListing) else found

    def module_unloaded(self, module: LoadedModule) -> None:
        """The code of ``module`` is gone; its disassembly with it."""
        self.listings.module_unloaded(module)

    def _number(self, key: object, text: str | CodeListing) -> int:
        number = self._numbers.setdefault(key, len(self._numbers) + 1)
        self._texts[number] = text
        return number
