"""Moving one thread: by instructions, lines, calls, and while a value is watched."""
