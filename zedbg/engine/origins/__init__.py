"""Where values came from: what wrote them last, from what, in a recorded launch."""
