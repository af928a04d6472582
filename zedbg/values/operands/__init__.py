"""What expressions compute with: arithmetic, pointers, vectors, parts, casts, ``$name``."""
