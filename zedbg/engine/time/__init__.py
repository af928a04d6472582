"""Where in time a device is: going to another time, and searching what has been executed."""
