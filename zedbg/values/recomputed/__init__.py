"""Variables computed again from the SPIR-V, and whether their places hold that."""
