"""What instructions give of numbers, exactly, or between which bounds."""
