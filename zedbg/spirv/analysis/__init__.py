"""What the code says whatever the work-item is: pointers, inductions, where ways part."""
