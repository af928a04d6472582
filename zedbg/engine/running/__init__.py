"""Running the program and stopping it: all threads together, or one by one."""
