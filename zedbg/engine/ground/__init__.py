"""What needs nothing else of the engine: settings, user variables, notifications, signals."""
