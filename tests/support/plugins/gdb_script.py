"""A script for GDB's Python, as anybody would write it: GDB and zedbg print the same."""

import gdb
import gdb.printing
import gdb.types


class Show(gdb.Command):
    """Show what values and types are"""

    def __init__(self):
        super().__init__("show-everything", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        for part in (values, numbers, types, errors, parameters, functions):
            for line in part():
                shown = map(str, line if isinstance(line, tuple) else (line,))
                print(f"{part.__name__}: {', '.join(shown)}")


class Prefix(gdb.Command):
    """Commands of this script"""

    def __init__(self):
        super().__init__("mine", gdb.COMMAND_USER, gdb.COMPLETE_NONE, True)


class Argument(gdb.Command):
    """Say the argument"""

    def __init__(self):
        super().__init__("mine says", gdb.COMMAND_USER)

    def invoke(self, argument, from_tty):
        gdb.write(f"{gdb.string_to_argv(argument)}\n")
        if argument == "nothing":
            raise gdb.GdbError("I say nothing.")


class Level(gdb.Parameter):
    """How much"""

    set_doc = "Set how much"
    show_doc = "Show how much"

    def __init__(self):
        super().__init__("minelevel", gdb.COMMAND_DATA, gdb.PARAM_ENUM, ["low", "high"])
        self.value = "high"

    def get_set_string(self):
        return ""

    def get_show_string(self, value):
        return f"It is {value}"


class Twice(gdb.Function):
    def __init__(self):
        super().__init__("twice")

    def invoke(self, value):
        return value * 2


class PointPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return f"({int(self.value['x'])}, {float(self.value['y'])})"


class NodePrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return "node"

    def children(self):
        value, number = self.value, 0
        while True:
            yield f"[{number}]", value["at"]
            if not value["next"]:
                return
            value, number = value["next"].dereference(), number + 1

    def display_hint(self):
        return "array"


class Wrapped(gdb.Value):
    """A value with more to it, as some collections of printers have them."""

    def __init__(self, value):
        super().__init__(value)
        self.kind = str(value.type)


def values():
    wrapped = Wrapped(gdb.parse_and_eval("corner"))
    yield wrapped.kind, wrapped["x"] + 1, isinstance(wrapped, gdb.Value)
    point, first = gdb.parse_and_eval("corner"), gdb.parse_and_eval("first")
    yield point["x"], point["y"], point["bits"], point.type, point.format_string(raw=True)
    yield first["next"]["at"]["x"], first["next"].dereference()["at"]["y"]
    yield first["next"] == gdb.parse_and_eval("&last"), first["next"] != 0, bool(first["next"])
    yield (
        first["name"].string(),
        first["name"].string(length=3),
        gdb.parse_and_eval("word").string(),
    )
    yield gdb.parse_and_eval("text").string().upper(), len(gdb.parse_and_eval("text").string())
    yield point, first, gdb.parse_and_eval("color"), int(gdb.parse_and_eval("color"))
    both = gdb.parse_and_eval("both")
    yield both["f"], both["i"], both["i"].cast(gdb.lookup_type("short"))
    row = gdb.parse_and_eval("matrix")[1]
    yield row, row[2], [int(row[i]) for i in range(row.type.range()[1] + 1)]
    yield first.address.dereference()["at"]["x"], first["at"].address + 0 == first["at"].address
    yield point[point.type.fields()[1]], point[point.type["x"]]
    yield [str(point[field]) for field in point.type.fields()]
    pointer = gdb.parse_and_eval("&numbers[1]")
    yield pointer[2], (pointer + 1).dereference(), pointer - gdb.parse_and_eval("&numbers[0]")
    yield pointer.cast(gdb.lookup_type("unsigned int").pointer()).dereference()
    memory = gdb.selected_inferior().read_memory(pointer, 8)
    yield bytes(memory).hex()


def numbers():
    n, wide = gdb.parse_and_eval("numbers"), gdb.parse_and_eval("wide")
    half, byte = gdb.parse_and_eval("half"), gdb.parse_and_eval("byte")
    yield n[0] + 1, 1 + n[0], n[1] * 3, 10 - n[2], n[3] / 3, n[3] % 3, -n[0], ~n[0], abs(n[1])
    yield n[0] << 4, n[4] >> 1, n[4] & 4, n[4] | 8, n[4] ^ 1, n[2] ** 2
    yield half + 1, half * n[1], float(half), int(half), byte + 100, int(byte)
    yield wide, wide * 2, int(wide) + 1, hex(int(byte)), f"{int(wide):,}", range(int(n[2]))
    yield n[0] < n[2], n[1] > 0, n[0] == 1, n[0] != 1.0, n[2] >= 3, half <= 0.5, bool(n[0] - 1)
    yield sorted([int(n[i]) for i in range(5)]), max(n[0], n[2]), [7, 8, 9][n[0]]
    yield gdb.Value(5), gdb.Value(5).type, gdb.Value(True), gdb.Value(2.5).type, gdb.Value("ab")
    yield gdb.Value(7) + n[0], gdb.Value(2) * half, gdb.Value(5).cast(gdb.lookup_type("char"))


def types():
    node = gdb.lookup_type("node_t")
    yield node, node.name, node.code == gdb.TYPE_CODE_TYPEDEF, node.sizeof
    plain = node.strip_typedefs()
    yield plain, plain.tag, plain.code == gdb.TYPE_CODE_STRUCT, plain.keys(), len(plain.fields())
    yield [(f.name, str(f.type), f.bitpos, f.bitsize, f.is_base_class) for f in plain.fields()]
    point = gdb.lookup_type("struct point")
    yield [(f.name, f.bitpos, f.bitsize) for f in point.fields()], point.has_key("x"), "q" in point
    pointer = gdb.lookup_type("int").pointer()
    yield pointer, pointer.target(), pointer.code == gdb.TYPE_CODE_PTR, pointer.sizeof
    array = gdb.parse_and_eval("matrix").type
    yield array, array.target(), array.range(), array.sizeof, array.code == gdb.TYPE_CODE_ARRAY
    color = gdb.lookup_type("enum color")
    yield color, [(f.name, f.enumval) for f in color.fields()], color.code == gdb.TYPE_CODE_ENUM
    yield gdb.lookup_type("int").const(), gdb.lookup_type("int").const().volatile().unqualified()
    yield gdb.lookup_type("char").array(3), gdb.lookup_type("char").array(1, 2).sizeof
    yield gdb.lookup_type("int") == gdb.parse_and_eval("numbers[0]").type
    yield gdb.types.has_field(plain, "at"), gdb.types.make_enum_dict(color)
    yield gdb.types.get_basic_type(node.const()), gdb.lookup_type("unsigned char").sizeof


def errors():
    for expression in ("nosuch", "corner.nosuch", "1 +", "*(int *)0"):
        try:
            str(gdb.parse_and_eval(expression))
            yield expression, "no error"
        except gdb.error as error:
            yield expression, isinstance(error, RuntimeError)
    try:
        int(gdb.parse_and_eval("*(int *)0"))
    except gdb.MemoryError:
        yield "memory"
    try:
        yield gdb.lookup_type("struct nosuch")
    except RuntimeError:
        yield "error"
    try:
        gdb.lookup_type("struct point")["nosuch"]
    except KeyError:
        yield "key"


def parameters():
    yield gdb.parameter("minelevel"), gdb.parameter("print elements")
    gdb.execute("set minelevel low")
    yield gdb.parameter("minelevel")
    gdb.set_convenience_variable("mine", 7)
    yield gdb.convenience_variable("mine"), gdb.convenience_variable("nosuch")
    yield gdb.execute("output numbers[2]", to_string=True).strip()
    yield gdb.execute("echo a", False, True).strip()


def functions():
    yield gdb.parse_and_eval("$twice(numbers[4]) + 1"), gdb.parse_and_eval("$twice(half)")


def lookup(value):
    kind = gdb.types.get_basic_type(value.type)
    return NodePrinter(value) if kind.tag == "node" else None


points = gdb.printing.RegexpCollectionPrettyPrinter("points")
points.add_printer("point", "^point$", PointPrinter)
gdb.printing.register_pretty_printer(None, points)
gdb.pretty_printers.append(lookup)
gdb.events.stop.connect(lambda event: None)
Show()
Prefix()
Argument()
Level()
Twice()
