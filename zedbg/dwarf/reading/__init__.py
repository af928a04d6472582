"""Bytes of debug sections: numbers, DIEs, relocation, call frame information."""
