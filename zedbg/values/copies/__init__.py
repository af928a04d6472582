"""Which copies of unrolled loops code is, and so which iterations lanes there are in."""
