"""Types of a program's values, and names in C++."""
