"""From the events of the driver to stops."""
