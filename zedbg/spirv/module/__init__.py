"""A SPIR-V module as it is read: types, instructions, functions, blocks, variables."""
