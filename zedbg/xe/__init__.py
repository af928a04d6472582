"""Facts about the hardware: registers, instructions, coordinates of threads and lanes."""
