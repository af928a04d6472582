"""One `zedbg dap` at a port for all tests of a file, and clients of it."""

from __future__ import annotations

import socket

import pytest

from tests.support.dap.dap_client import DapClient
from tests.support.dap.dap_server import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory, driver_library):
    """A running adapter that takes one client after another."""
    running = Server(tmp_path_factory.mktemp("dap"))
    yield running
    running.close()


@pytest.fixture
def editor(server):
    """A client; at the end of the test it disconnects."""
    connection = socket.create_connection(("127.0.0.1", server.port))
    stream = connection.makefile("rwb")
    client = DapClient(stream, stream)
    yield client
    client.leave()
    connection.close()
