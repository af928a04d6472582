"""Scripts of commands: blocks, the user's own commands, Python, the shell, errors with a place."""


def said(debugger, *commands):
    """What commands without a program say: the lines of output, and those of errors."""
    done = debugger.batch([*commands])
    return done.lines, done.err.splitlines()


def test_blocks_loops_and_commands_of_ones_own(debugger):
    lines, errors = said(
        debugger,
        *("set $i = 0", "while $i < 5", "if $i == 1", "set $i = $i + 1", "loop_continue"),
        *("else", "if $i == 3", "loop_break", "end", "end", "p $i", "set $i = $i + 1", "end"),
        *("define twice", "if $argc == 1", "p $arg0 * 2", "else", "echo none\\n", "end", "end"),
        *("document twice", "Print a number twice as large.", "if and end mean nothing here"),
        *("end", "twice 21", "twice", "help twice", "show user twice"),
        *("alias hex = print/x", "hex 255", "alias pr2 = twice", "pr2 4"),
        *("define hook-echo", "p 1", "end", "define hookpost-echo", "p 2", "end", "echo x"),
    )
    assert errors == []
    assert lines[:4] == ["$1 = 0", "$2 = 2", "$3 = 42", "none"]
    assert lines[4:8] == [
        "twice",
        "Print a number twice as large.",
        "Usage: twice [ARGUMENTS]",
        "  ARGUMENTS: see help",
    ]
    assert "if and end mean nothing here" in lines
    shown = lines.index('User command "twice":')
    assert lines[shown + 1 : shown + 6] == [
        *("  if $argc == 1", "  p $arg0 * 2", "  else", "  echo none\\n", "  end")
    ]
    assert lines[-5:] == ["$4 = 0xff", "$5 = 8", "$6 = 1", "x", "$7 = 2"] or lines[-5:] == [
        *("$4 = 0xff", "$5 = 8", "$6 = 1", "$7 = 2", "x")
    ]


def test_python_blocks_keep_their_names_and_say_the_line_of_an_error(debugger):
    lines, errors = said(
        debugger,
        *("python", "def f(n):", "    return n + 1", "", "    # indented", "end"),
        *("python print(f(41))", "pi f(1)", "py print(session.process)"),
        *("python", "x = 1", "y = nothing", "end", "python print(1", "python exit(3)", "p 1"),
    )
    assert lines == ["42", "2", "None", "$1 = 1"]
    assert errors[0] == "NameError: name 'nothing' is not defined (line 2 of the Python code)"
    assert errors[1].startswith("SyntaxError: ") and len(errors) == 3
    assert errors[2].startswith("exit() does not end zedbg: use quit")


def test_lines_go_on_in_the_next_one_and_groups_list_their_commands(debugger):
    running = debugger.start([], "-q")
    for line in (
        "echo one \\",
        "two",
        "p 1 + \\",
        "2 \\",
        "+ 3",
        "complete info sh",
        "complete i ",
    ):
        running(line)
    for line in ("i", "catch", "show directories", "show inferior-tty", "show history"):
        running(line)
    done = running.finish()
    assert done.err == ""
    assert done.lines[:3] == ["one two", "$1 = 6", "info sharedlibrary"]
    assert "i address" in done.lines and "i threads" in done.lines
    assert done.out.count("status:\n") == 1
    assert "  catch load -- Stop when a module is loaded, before its code can run" in done.lines
    assert "Source directories searched: $cdir:$cwd" in done.lines
    assert "The program gets the terminal of zedbg." in done.lines
    assert "history save is on.  (typed lines are kept in a file)" in done.lines


def test_the_shell_pipes_and_what_is_made_of_text(debugger, tmp_path):
    log = tmp_path / "log.txt"
    lines, errors = said(
        debugger,
        *("!echo one", "shell exit 3", "p $_shell_exitcode", "| p 1 + 1 | cat", "pipe p 3 | cat"),
        *("pipe -d @ p 4 | 1 @ cat", 'eval "p %d", 3 + 4', "with print elements 3 -- p 5"),
        *('echo "abc"', "echo a\\tb\\nc\\n", f"set logging file {log}", "set logging enabled on"),
        *("p 6", "set logging enabled off", "p 7", f"cd {tmp_path}", "pwd", "show version"),
    )
    assert errors == []
    assert lines[:2] == ["one", "$1 = 3"]
    assert lines[2:10] == ["$2 = 2", "$3 = 3", "$4 = 5", "$5 = 7", "$6 = 5", '"abc"', "a\tb", "c"]
    assert lines[12:14] == [f"Working directory {tmp_path}."] * 2
    assert lines[14].startswith("zedbg ")
    assert log.read_text() == "$7 = 6\n"


def test_an_error_in_a_script_names_file_and_line(debugger, tmp_path):
    inner, outer = tmp_path / "inner.zdb", tmp_path / "outer.zdb"
    inner.write_text("\ufeff# a byte-order mark\nif 1\n  p 1\n  p nothing\nend\np 2\n")
    outer.write_text(f"p 0\nsource {inner}\np 3\n")
    lines, errors = said(debugger, f"source {outer}", "p 4")
    assert lines == ["$1 = 0", "$2 = 1", "$3 = 4"]
    assert errors == [f"{inner}:4: No thread is stopped."]
    loop = tmp_path / "loop.zdb"
    loop.write_text(f"source {loop}\n")
    _, errors = said(debugger, f"source {loop}", "define f", "f", "end", "f")
    deep = "Commands inside of commands are nested too deeply: does one call itself?"
    assert errors == [f"{loop}:1: {deep}", deep]


WRONG = [
    ("i foo", 'Undefined info command "foo": one of '),
    ('skip "', "A quote is not closed"),
    ("directory ~nobody_of_that_name", "~nobody_of_that_name: there is no user"),
    ("source ~nobody_of_that_name/x", "there is no user nobody_of_that_name."),
    ("source /dev/zero", "/dev/zero: is not text."),
    ("source /nowhere", "/nowhere: No such file or directory."),
    ("set substitute-path a ~nobody_of_that_name", "there is no user"),
    ("info b > f", "To write to a file use: info breakpoints | cat > f"),
    ("attach 99999999999999999999999", "No such process: 99999999999999999999999."),
    ("info display > f", "To write to a file use: info display | cat > f"),
    ("p " + "1+" * 20000 + "1", "The expression is nested too deeply."),
    ("p " + "(" * 3000, "The expression is nested too deeply."),
    ("while", "while needs CONDITION"),
    ("end", "end stands in a block only"),
    ("record full", "zedbg has no command record: "),
    ("set print elements -1", '"set print elements" takes a number or unlimited.'),
    ("set print elements 99999999999999999999", '"set print elements" takes'),
    ("set nonsense on", 'No setting "nonsense"'),
    ("print/k 1", 'Undefined output format "k".'),
    ("print/3x 1", "print takes no count"),
    ("file /nowhere", "/nowhere: no such file"),
    ("run /nowhere", "/nowhere: no such file"),
    ("run 'x", "A quote is not closed"),
    ("cd /nowhere", "/nowhere: No such file or directory."),
    ("with print elements 3", "with takes SETTING VALUE -- COMMAND."),
    ("alias x", "alias takes NAME = COMMAND"),
    ("help $nothing", "Nothing is known of $nothing"),
]


def test_what_is_wrong_is_one_line(debugger):
    lines, errors = said(debugger, *(command for command, _ in WRONG), "echo \\")
    assert len(errors) == len(WRONG), errors
    for (command, message), error in zip(WRONG, errors, strict=True):
        assert message in error, command
    assert lines == [""]


def test_functions_of_the_debugger_compare_strings(debugger):
    lines, errors = said(
        debugger,
        *('set $x = "abc"', 'p $_streq($x, "abc")', 'p $_streq($x, "abd")', 'p $_strlen("four")'),
        *('p $_memeq("abc", "abd", 2)', 'p $_regex($x, "a.c$")', "p $_isvoid($zz)"),
        *("p $_isvoid(1)", "p $_streq(1)", "p $_streq(1, 2)", 'p $_regex("a", "(")', "p $_no(1)"),
    )
    assert [line.split(" = ")[1] for line in lines[:-1]] == ["1", "0", "4", "1", "1", "1", "0"]
    assert (
        lines[-1] == "<Bad regular expression: missing ), unterminated subpattern at position 0.>"
    )
    assert errors == [
        "$_streq takes 2 arguments.",
        "This function takes strings and pointers.",
        "There is no function $_no.",
    ]


def test_functions_of_the_debugger_know_its_settings(debugger):
    lines, errors = said(
        debugger,
        *('p $_gdb_setting("print elements")', 'p $_gdb_setting_str("print elements")'),
        *("set print elements 0", 'p $_gdb_setting("print elements")'),
        *('p $_gdb_setting_str("print elements")', 'p $_gdb_setting("confirm")'),
        *('p $_gdb_setting_str("confirm")', 'p $_gdb_setting("scheduler-locking")'),
        *('p $_gdb_setting("nosuch")', "p $_gdb_setting(1)", 'p $_caller_is("main")'),
        *('if $_gdb_setting("print elements") == 0', "echo unlimited\\n", "end"),
    )
    # As GDB says them of its settings.
    assert [line.split(" = ")[1] for line in lines[:-1]] == [
        *("200", '"200"', "0", '"unlimited"', "1", '"on"', '"step"')
    ]
    assert lines[-1] == "unlimited"
    assert errors == [
        '$_gdb_setting takes the name of a setting: "nosuch" is none.',
        "$_gdb_setting takes the name of a setting as a string.",
        "No thread is stopped.",
    ]


def test_what_gdb_users_set_is_taken_or_answered(debugger):
    lines, errors = said(
        debugger,
        *("set confirm off", "set p elem unlimited", "show print elements", "set pagination off"),
        *("set $x = 3", "p $x", "p $undefined", "p -elements 2 -- 1", "help set listsize"),
        *("help $_lane", "show environment HOME", "set environment A=b c", "show environment A"),
        *("show values", "show convenience", "set step-mode 1", "show step-mode"),
    )
    assert errors == []
    assert lines[0].startswith("print elements is unlimited.")
    assert lines[1].startswith("set pagination has no effect: ") or lines[1] == "$1 = 3"
    assert "$1 = 3" in lines and "$2 = void" in lines and "$3 = 1" in lines
    assert "It takes a number or unlimited; the default is 10." in lines
    assert "A = b c" in lines
    assert lines.count("$1 = 3") == 2 and "$x = 3" in lines
    assert lines[-1].startswith("step-mode is on.")
