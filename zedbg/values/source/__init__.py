"""Where code is in the module's SPIR-V, which variables are there, and what code makes alone."""
