"""All commands that ship with zedbg: the registry, its index of modules, and the reference."""
