"""Call frames of a stopped thread: unwinding, and what a variable may ask of a frame."""
