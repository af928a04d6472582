"""What each request does, by subject."""
