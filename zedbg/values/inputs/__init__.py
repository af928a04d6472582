"""What code takes from outside of it: memory, the work-group, what the device has recorded."""
