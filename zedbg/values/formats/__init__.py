"""Values, types and memory as text, in the shapes of GDB."""
