"""The Python API: what ``import zedbg`` offers scripts. Everything here stands on the engine that
the shell uses, and knows no more than that."""
