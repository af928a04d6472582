"""Which iteration of a loop a lane is in."""
