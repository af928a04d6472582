"""What all front ends share: carrying out command lines, output, and how zedbg ends."""
