"""What docs/inspect.md shows of Python runs as it stands there, and prints what stands there."""

import re
import shutil
import subprocess
import sys

from tests.support.packed_modules import ZEBINS
from tests.support.places import REPOSITORY
from tests.support.sycl.host_source import SourceImage, build_host, host_source


def test_the_python_example_prints_what_the_page_says(tmp_path, user_environment):
    page = (REPOSITORY / "docs" / "inspect.md").read_text()
    example = re.search(r"```python\n(.*?)```\n\nprints\n\n((?:    [^\n]*\n)+)", page, re.DOTALL)
    assert example is not None
    shutil.copy(ZEBINS / "igc2-dg2-O0/vadd.zebin", tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", example[1]],
        cwd=tmp_path,
        env=user_environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == re.sub(r"^    ", "", example[2], flags=re.MULTILINE)


def test_the_python_example_of_containers_finds_the_modules_in_them(tmp_path, user_environment):
    page = (REPOSITORY / "docs" / "inspect.md").read_text()
    _first, example = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    module = (ZEBINS / "igc2-dg2-O0/vadd.zebin").read_bytes()
    header = b"64.12.55.8/".ljust(16) + b"0".ljust(12) + b"0".ljust(6) * 2 + b"644".ljust(8)
    (tmp_path / "fat.ar").write_bytes(
        b"!<arch>\n" + header + str(len(module)).encode().ljust(10) + b"`\n" + module
    )
    host = build_host(tmp_path / "host", host_source([[SourceImage(module, ["vadd"], [])]], 3))
    shutil.copy(host, tmp_path / "program")
    done = subprocess.run(
        [sys.executable, "-c", f"import zedbg\n{example}\nprint(module.kernel_names)"],
        cwd=tmp_path,
        env=user_environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "FileFormat.ZEBIN ('vadd',) ()\n['vadd']\n"
