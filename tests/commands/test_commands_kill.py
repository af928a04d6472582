"""A program that zedbg started ends with it, whatever reads its output."""

import errno
from unittest.mock import Mock

import pytest

from zedbg.commands.running import kill_process


@pytest.mark.parametrize("gone", [OSError(errno.EIO, "terminal"), SystemExit(129)], ids=type)
def test_a_program_is_killed_where_what_it_did_cannot_be_shown(gone):
    context = Mock()
    context.show_pending_events.side_effect = gone
    with pytest.raises(type(gone)):
        kill_process(context)
    context.session.kill.assert_called_once_with()
