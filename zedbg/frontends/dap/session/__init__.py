"""What the requests of one client share: the session, its state, and how it is shown."""
