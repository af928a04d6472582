"""Writes the pages into the source tree that this module is in."""

from __future__ import annotations

from pathlib import Path

from zedbg.frontends.pages.installed_files import installed_files


def main() -> None:
    root = Path(__file__).resolve().parents[3]
    for name, text in installed_files().items():
        path = root / "share" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    main()
