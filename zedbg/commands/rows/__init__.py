"""The typed rows that commands return, and those about files and modules."""
