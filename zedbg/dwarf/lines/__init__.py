"""Line tables, and the line programs that make them."""
