"""From OpenCL C or SPIR-V to a native module, by Intel's offline compiler where it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from zedbg.levelzero.newest import COMPILER
from zedbg.user_error import UserError


class CompileError(UserError):
    """The source cannot be compiled; the message is the line for the user, or the compiler's."""


def compile_module(source: Path, device: str, options: str) -> bytes:
    """The zebin that ``ocloc`` makes of an OpenCL C (``.cl``) or SPIR-V (``.spv``) file.

    Raises:
        CompileError: ocloc is missing, or refuses the source.
    """
    wanted = os.environ.get(COMPILER) or "ocloc"
    ocloc = shutil.which(wanted)
    if ocloc is None and wanted != "ocloc":
        raise CompileError(f"{source}: {COMPILER} names {wanted}, which is no program")
    if ocloc is None:
        raise CompileError(
            f"{source}: compiling needs ocloc: install it (Debian: apt install intel-opencl-icd), "
            "or give a compiled zebin"
        )
    with tempfile.TemporaryDirectory(prefix="zedbg-") as directory:
        command = [ocloc, "compile", "-file", str(source.resolve()), "-device", device]
        command += ["-options", options, "-output", "module", "-output_no_suffix"]
        command += ["-out_dir", directory]
        if source.suffix == ".spv":
            command.append("-spirv_input")
        # Compilers before zeinfo 1.30 make the older patch-token format unless asked for a zebin;
        # later ones have forgotten the option and ignore it.
        command += ["-internal_options", "-cl-intel-allow-zebin"]
        done = subprocess.run(
            command, cwd=directory, capture_output=True, text=True, errors="replace", check=False
        )
        outputs = [
            path
            for path in sorted(Path(directory).iterdir())
            if path.suffix in ("", ".bin") and path.read_bytes()[:4] == b"\x7fELF"
        ]
        if done.returncode != 0 or not outputs:
            lines = [each for each in (done.stdout + done.stderr).splitlines() if each.strip()]
            detail = next((each for each in lines if "error" in each.lower()), "").strip()
            if "HW Info" in detail:
                raise CompileError(
                    f"{source}: {ocloc} does not know {device}: name a newer ocloc with "
                    f"{COMPILER}, or give a compiled zebin"
                )
            raise CompileError(f"{source}: ocloc failed: {detail or done.returncode}")
        return outputs[0].read_bytes()
