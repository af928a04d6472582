"""What docs/inspect.md shows of Python runs as it stands there, and prints what stands there."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]


def test_the_python_example_prints_what_the_page_says(tmp_path, user_environment):
    page = (REPOSITORY / "docs" / "inspect.md").read_text()
    example = re.search(r"```python\n(.*?)```\n\nprints\n\n((?:    [^\n]*\n)+)", page, re.DOTALL)
    assert example is not None
    shutil.copy(REPOSITORY / "tests/kernels/zebin/igc2-dg2-O0/vadd.zebin", tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", example[1]],
        cwd=tmp_path,
        env=user_environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == re.sub(r"^    ", "", example[2], flags=re.MULTILINE)
