"""Modules and SPIR-V that the installed ocloc compiles."""

import subprocess


def compiled(folder, source, *options):
    """What ocloc makes of OpenCL C; SPIR-V with -spv_only."""
    (folder / "kernel.cl").write_text(source)
    command = [
        "ocloc",
        "compile",
        "-q",
        "-file",
        "kernel.cl",
        "-device",
        "dg2",
        "-output",
        "module",
    ]
    command += ["-output_no_suffix", *options]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    found = folder / ("module.spv" if "-spv_only" in options else "module")
    return (found if found.exists() else folder / "module.bin").read_bytes()
