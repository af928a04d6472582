"""A watched value that never changes, and that no driver can watch."""


class Unchanging:
    """A sample of a watchpoint: 0 in lane 0, whose thread has to be stepped."""

    is_fixed = False

    def __call__(self, _thread):
        return {0: "0"}

    def stored(self, _thread):
        return {}

    def requests(self, _thread):
        return []

    def around(self, _thread, _hits):
        return []

    def is_over(self, _thread):
        return False
