"""Memory of the device and what an access of a stopped thread is about."""
