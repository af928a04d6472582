"""Every command that docs/guide.md shows is carried out, on kernels that have what it names."""

import re

import pytest

from tests.support.machine_view import assert_fits
from tests.support.packed_modules import MODULES
from tests.support.places import REPOSITORY

GUIDE = (REPOSITORY / "docs" / "guide.md").read_text()
# What the guide writes where people have to write more, or what this program has instead.
MEANT = {
    "tbreak ...": "tbreak average",
    "print/w value --csv FILE": "print/w value --csv all.csv",
    "whatis": "whatis value",
    "ptype": "ptype in",
    "ptype/o": "ptype/o value",
    "info scope": "info scope blur",
    "info line": "info line blur.cl:15",
    "info symbol": "info symbol $pc",
    "info line vadd.cl:4": "info line blur.cl:4",
    "zeinfo vadd": "zeinfo blur",
    "print *(geometry::Box<int> *) p": "print *(geometry::Box<int> *) &box",
}
ELSEWHERE = {"attach PID &"}  # of a process that runs: test_non_stop.py
ELSEWHERE |= {"layout src asm > /dev/pts/3"}  # test_panes.py
DEMO = REPOSITORY / "zedbg" / "tools" / "demo"
BLUR = [f"{DEMO}/blur.zebin", "--global", "256", "--local", "16"]
BLUR += ["f32[256]=iota", "f32[256]", "i32=256"]
EXPRESSIONS = [f"{MODULES}/guide/guide.zebin", "--global", "64", "--local", "16"]
EXPRESSIONS += ["f32[64]=iota", "i32=5"]
OBJECTS = [f"{MODULES}/cpp/objects-dg2-O0.zebin:objects", "--global", "8", "--local", "8"]
OBJECTS += ["i32[8]", "i32=3"]
SESSIONS = {
    "looking": (
        BLUR,
        """
break blur.cl:15
run
thread 1.17:3
lane 5
workitem 37,0,0
info threads
info threads/g
layout src locals stack
layout src:20 regs
layout
layout off
info workgroups
info lanes
set editing-mode vi
set style enabled off
set toolbar off
set plain on
next
print value
print/l value
print/w value
print/w value --csv all.csv
print/x $r10
print $_global_id
print *in@4
print in[4:8]
set var value = 5
x/8xw in
grid in 16x4
grid/p in 16x4
display value
undisplay 1
explain value
whatis value
ptype in
ptype/o value
info scope blur
info line blur.cl:15
info line blur.cl:4
info symbol $pc
info symbol 0x410000000004
info source
info types
info locals
info args
info registers
backtrace
tbreak average
delete
thread 1.20
directory DEMO
list
disassemble
info modules
info kernels smooth*
zeinfo
zeinfo blur
info frame
""",
    ),
    "stopping": (
        BLUR,
        """
break blur.cl:15
break average
run
break *0x420000010990
break 15 if value > 3
break 15 thread 1.4:3
break 15 workitem 37,0,0
break 15 log "v={value}"
break kernel v*
tbreak average
dprintf 15,"v=%g\\n",value
watch value
watch -l out[i]
ignore 1 100
enable once 1
enable delete 1
enable count 3 1
info breakpoints
disable
enable
commands 1
  silent
  print value
  continue
end
delete
""",
    ),
    "catching": (
        BLUR,
        """
catch launch
catch launch v*
catch load
catch load v*
catch unload
catch page-fault
catch assert
catch illegal-opcode
run
continue
info breakpoints
""",
    ),
    "stepping": (
        BLUR,
        """
break blur.cl:15
run
step
up
down
finish
thread 1.2
step
finish/l
thread 1.4
step
return 0
thread 1.3
until
skip leaf
skip -gfi '*.h'
until 17
thread 1.5
advance 17
info frame
""",
    ),
    "without stopping all": (
        BLUR,
        """
set non-stop on
break blur.cl:15
run &
wait
thread 1.1
info threads
step &
wait 10
next &
wait 10
continue &
interrupt
interrupt -a
interrupt 1.1-8
interrupt workgroup 2,0,0
break blur.cl:18
thread 1.5
continue
delete
continue -a
""",
    ),
    "expressions": (
        EXPRESSIONS,
        """
break guide.cl:9
run
print a > 3 ? a : -a
print row[1:3]
print row[1]@2
print v.xz
print v.lo
print v.s03
print v > 4 ? v : -v
set var $r10.f[3] = 1.5
print $_global_id[0] == 17 && flag
print get_global_id(0)
print isnan(v.x) || fabs(v.y) > 9
set var $n = 4
x/4xw p
print $__
print $_
x/8f16 p
x/8bf16 p
print/bf16 v
print 6 * 7
print *@slm (float *)64
""",
    ),
    "objects": (
        OBJECTS,
        """
break Box<int>::width
break objects.clcpp:44
run
ptype this
info scope Box::grow
delete 1
continue
print colour == Colour::red
print *(geometry::Box<int> *) &box
""",
    ),
}


def script_of(session):
    return [line for line in SESSIONS[session][1].replace("DEMO", f"{DEMO}").splitlines() if line]


def lines_of_the_guide():
    """What its indented lines say in front of the explanation, without those for the shell."""
    text = re.sub(r"^```.*?^```", "", GUIDE, flags=re.MULTILINE | re.DOTALL)
    lines = re.findall(r"^    (?! {3})(.*)", text, re.MULTILINE)
    named = [re.split(r"\s{2,}", line.strip())[0] for line in lines]
    return [each for each in named if not each.startswith(("zedbg", "LD_AUDIT"))]


def test_every_command_of_the_guide_is_carried_out_here():
    done = {line.strip() for session in SESSIONS for line in script_of(session)} | ELSEWHERE
    lines, missing = lines_of_the_guide(), []
    assert len(lines) > 70
    for line in lines:
        first = ""
        for piece in line.split(", "):
            # ``info scope, line`` means info line.
            forms = [piece, f"{first} {piece}"]
            first = first or piece.partition(" ")[0]
            if not any(MEANT.get(form, form) in done for form in forms):
                missing.append(piece)
    assert missing == []


@pytest.mark.parametrize("session", SESSIONS)
def test_the_commands_of_the_guide_succeed(session, debugger):
    program, _ = SESSIONS[session]
    finished = debugger.json(script_of(session), ["zedbg", "kernel", *program])
    answers = [each for each in finished.objects if "command" in each]
    failed = [(each["command"], each["error"]) for each in answers if not each["ok"]]
    assert failed == []
    assert_fits(finished.objects)
    assert finished.code == 0, finished.err
    assert len(answers) >= len(script_of(session)) - len(["silent", "print", "continue", "end"])
