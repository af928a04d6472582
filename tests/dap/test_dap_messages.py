"""Messages that are none: an error response, or the end of that connection; never more."""

from __future__ import annotations

import io
import json
import random
import socket
import threading

import msgspec
import pytest

from tests.support.dap.dap_client import CLIENT
from tests.support.dap.dap_schema import OWN_MEMBERS, check, schema
from zedbg.frontends.dap.protocol import arguments, capabilities, events, types
from zedbg.frontends.dap.protocol.message import Message
from zedbg.frontends.dap.server import Connection
from zedbg.frontends.dap.session.registry import HANDLERS
from zedbg.frontends.dap.session.registry import capabilities as offered_capabilities
from zedbg.frontends.dap.wire.framing import MOST_BYTES, FramingError, framed, read_message


def served(stream: bytes) -> list[dict]:
    """What a connection answers to ``stream``, after which the client is gone."""
    outgoing = io.BytesIO()
    Connection(io.BytesIO(stream), outgoing).serve()
    outgoing.seek(0)
    answers = []
    while (body := read_message(outgoing)) is not None:
        answers.append(json.loads(body))
        check(answers[-1])
    return answers


def request(seq, command, **given):
    body = {"seq": seq, "type": "request", "command": command, "arguments": given}
    return framed(json.dumps(body).encode())


@pytest.mark.parametrize(
    ("stream", "end"),
    [
        (b"Content-Length: 2\r\n\r\n{}", b"{}"),
        (b"content-length:2\nContent-Type: x\n\n{}", b"{}"),
        (b"", None),
        (b"Content-Length: 3\r\n\r\n{}", None),
        (b"Content-Le", None),
    ],
)
def test_messages_are_read_up_to_the_end_of_the_stream(stream, end):
    assert read_message(io.BytesIO(stream)) == end


@pytest.mark.parametrize(
    "stream",
    [
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}",
        b"Content-Length: -1\r\n\r\n",
        b"Content-Length: 1e3\r\n\r\n",
        b"Content-Length: %d\r\n\r\n" % (MOST_BYTES + 1),
        b"Content-Type: x\r\n\r\n{}",
        b"Content-Length: " + b"9" * 2000,
    ],
)
def test_a_stream_of_another_protocol_is_refused(stream):
    with pytest.raises(FramingError):
        read_message(io.BytesIO(stream))
    (answer,) = served(stream)
    assert not answer["success"] and answer["message"]


def test_bad_requests_have_an_error_response_each_and_good_ones_go_on():
    stream = b"".join(
        [
            framed(b"{nonsense"),
            framed(b"[1, 2]"),
            framed(b'"text"'),
            framed(b'{"seq": 7, "type": "request"}'),
            framed(b'{"seq": "x", "type": "request", "command": "threads"}'),
            framed(b'{"seq": 9, "type": "event", "event": "x"}'),
            framed(b"\xff\xfe{}"),
            framed(b"[" * 100_000),
            request(10, "fly"),
            request(11, "stackTrace", threadId="one"),
            request(12, "stackTrace"),
            request(13, "threads"),
            request(14, "initialize", **CLIENT),
            request(15, "cancel", requestId=3),
        ]
    )
    answers = served(stream)
    failed = {each["request_seq"]: each["message"] for each in answers if not each["success"]}
    assert len(answers) == 14
    assert sorted(each["request_seq"] for each in answers)[-6:] == [10, 11, 12, 13, 14, 15]
    assert failed[10] == 'zedbg has no request "fly".'
    assert "Expected `int`, got `str` - at `$.threadId`" in failed[11]
    assert "missing required field `threadId`" in failed[12]
    assert failed[13] == "There is no program yet: launch one, or attach."
    assert 14 not in failed and 15 not in failed


def test_a_request_that_waits_can_be_cancelled():
    ours, theirs = socket.socketpair()
    incoming, outgoing = theirs.makefile("rb"), theirs.makefile("wb")
    connection = Connection(incoming, outgoing)
    begun, go_on = threading.Event(), threading.Event()
    handler = HANDLERS["threads"]

    def slow(adapter, given):
        begun.set()
        go_on.wait(10)
        adapter.check_cancelled()

    HANDLERS["test/slow"] = type(handler)("test/slow", slow, handler.arguments, _nothing(), {})
    thread = threading.Thread(target=connection.serve, daemon=True)
    thread.start()
    try:
        ours.sendall(request(1, "test/slow") + request(2, "threads") + request(3, "threads"))
        assert begun.wait(10)
        ours.sendall(request(4, "cancel", requestId=1) + request(5, "cancel", requestId=3))
        stream = ours.makefile("rb")
        first = [json.loads(read_message(stream)) for _ in range(2)]
        assert [each["command"] for each in first] == ["cancel", "cancel"]
        go_on.set()
        rest = {
            each["request_seq"]: each
            for each in (json.loads(read_message(stream)) for _ in range(3))
        }
        assert rest[1]["message"] == rest[3]["message"] == "cancelled"
        assert rest[2]["message"] != "cancelled"
    finally:
        del HANDLERS["test/slow"]
        ours.shutdown(socket.SHUT_RDWR)
        thread.join(10)
    assert not thread.is_alive()


def _nothing():
    return HANDLERS["initialize"].needs


# --- the types, compared with the schema --------------------------------------------------------

_JSON_TYPES = {int: "integer", str: "string", bool: "boolean"}


def structs():
    """Every type of the protocol, by the name that the schema has for it."""
    for module in (arguments, types):
        for value in vars(module).values():
            if (
                isinstance(value, type)
                and issubclass(value, Message)
                and value.__module__ == module.__name__
            ):
                yield value.__name__, value
    yield "Capabilities", capabilities.Capabilities


def members(definition):
    """The members of a definition, with those of what it extends."""
    if "$ref" in definition:
        return members(schema()["definitions"][definition["$ref"].rpartition("/")[2]])
    found = dict(definition.get("properties", {}))
    for part in definition.get("allOf", []):
        found |= members(part)
    return found


# Names that differ, and what newer editions than the schema's have; those are compared with
# dap-types in each message.
_NAMES = {
    "InitializeArguments": "InitializeRequestArguments",
    "Instruction": "DisassembledInstruction",
    "PresentationHint": "VariablePresentationHint",
    "ExceptionFilter": "ExceptionBreakpointsFilter",
}
_NEWER = {"asAddress", "bytes", "supportsDataBreakpointBytes", "reason"}


@pytest.mark.parametrize(("name", "struct"), list(structs()))
def test_types_have_the_members_of_the_schema(name, struct):
    if name in ("LaunchArguments", "AttachArguments"):
        return  # of the adapter's own
    definition = schema()["definitions"].get(_NAMES.get(name, name))
    if definition is None:
        assert name in (
            {"NoArguments", "StartArguments", "ThreadArguments", "FrameArguments", "StepArguments"}
            | {"FocusArguments", "LanesArguments", "ThreadsPageArguments"}
        )
        return
    known = members({"$ref": f"#/definitions/{_NAMES.get(name, name)}"})
    if name == "Instruction":
        known["presentationHint"] = {"type": "string"}
    for field in msgspec.structs.fields(struct):
        member = field.encode_name
        if member in _NEWER | OWN_MEMBERS:
            continue
        assert member in known, f"{name} has no {member}"
        declared = known[member].get("type")
        plain = _JSON_TYPES.get(field.type)
        if plain is not None and isinstance(declared, str):
            assert declared == plain, f"{name}.{member}"


def test_every_request_and_event_of_the_protocol_is_offered_or_known_not_to_be():
    definitions = schema()["definitions"]
    asked = {
        each["properties"]["command"]["enum"][0]
        for name, definition in definitions.items()
        if name.endswith("Request")
        for each in definition.get("allOf", [])
        if "enum" in each.get("properties", {}).get("command", {})
    }
    ours = {name for name in HANDLERS if not name.startswith("zedbg/")} | {"cancel"}
    # Requests to the client, and what no device offers.
    missing = {"runInTerminal", "startDebugging", "restartFrame"}
    assert asked - ours == missing | {"terminateThreads"}
    assert ours <= asked
    told = {each.event for each in events.EventBody.__subclasses__()}
    happens = {
        each["properties"]["event"]["enum"][0]
        for name, definition in definitions.items()
        if name.endswith("Event")
        for each in definition.get("allOf", [])
        if "enum" in each.get("properties", {}).get("event", {})
    }
    assert told - {"zedbg/focusChanged"} <= happens


def test_a_client_is_told_of_all_that_there_is():
    offered = offered_capabilities()
    every = {each.name for each in msgspec.structs.fields(capabilities.Capabilities)}
    assert every - set(offered) == {"supports_step_back"}  # said when the devices are known
    assert all(offered.values())


# --- random streams ----------------------------------------------------------------------------

_VALUES = [
    0,
    -1,
    1 << 70,
    1.5,
    "",
    "x" * 300,
    None,
    True,
    [],
    {},
    [{}],
    {"line": 1},
    "0x10",
    "\ud800",
]


def _mutated(random_: random.Random) -> bytes:
    """A request with arguments of its own names and anything as values; or damaged bytes."""
    command = random_.choice([*HANDLERS, "cancel", "nothing"])
    if command in ("launch", "attach"):
        command = "scopes"  # would start things
    names = ["threadId", "frameId", "variablesReference", "source", "breakpoints", "expression"]
    names += ["memoryReference", "count", "start", "text", "column", "context", "arguments", "name"]
    given = {name: random_.choice(_VALUES) for name in random_.sample(names, random_.randint(0, 6))}
    body = {"seq": random_.choice([1, 2, 3, "x", None]), "type": "request", "command": command}
    body["arguments"] = random_.choice([given, given, given, None, [], 3])
    data = bytearray(json.dumps(body).encode())
    if random_.random() < 0.3:
        for _ in range(random_.randint(1, 5)):
            data[random_.randrange(len(data))] = random_.randrange(256)
    return bytes(data)


@pytest.mark.parametrize("seed", range(40))
def test_random_streams_end_with_an_answer_to_each_message(seed):
    random_ = random.Random(seed)
    bodies = [_mutated(random_) for _ in range(60)]
    bodies = [each for each in bodies if b'"disconnect"' not in each]
    answers = [each for each in served(b"".join(map(framed, bodies))) if each["type"] == "response"]
    assert len(answers) == len(bodies)
    assert not any("internal error" in str(each.get("message")) for each in answers)


@pytest.mark.parametrize("seed", range(20))
def test_random_bytes_end_the_connection(seed):
    random_ = random.Random(seed)
    whole = b"".join(framed(_mutated(random_)) for _ in range(10))
    damaged = bytearray(whole)
    for _ in range(8):
        position = random_.randrange(len(damaged))
        damaged[position : position + random_.randint(0, 3)] = random_.randbytes(
            random_.randint(0, 3)
        )
    for each in served(bytes(damaged)):
        assert "internal error:" not in str(each.get("message"))
