"""Programs of their own that need no session: kernel, inspect, doctor, demo."""
