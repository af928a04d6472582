"""Functions, blocks and variables, and where their code begins."""
