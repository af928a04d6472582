"""What values need from stopped threads: registers, memory, lanes, work-items."""
