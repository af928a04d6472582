"""The session manager: one process, its devices, and everything known of it."""
