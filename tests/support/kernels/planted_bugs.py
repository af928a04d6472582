"""The kernels with a planted bug each, and the scripts that find it."""

from tests.support.packed_modules import MODULES
from tests.support.places import KERNELS

FOLDER = KERNELS / "planted"
FOLDER_OF_MODULES = MODULES / "planted"
FLAT = ["--global", "16", "--local", "16"]
# By kernel: how it is launched, the script, and what its output says of the bug.
BUGS = {
    "off_by_one": (
        [*FLAT, "i32[16]=iota", "i32[16]", "i32=16"],
        ["break off_by_one.cl:5 if next >= n", "run", "print next", "print n", "print $_global_id"],
        ["with lane 7, off_by_one", "$1 = 16", "$2 = 16", "$3 = {15, 0, 0}"],
    ),
    "null_table": (
        [*FLAT, "i32[16]=iota"],
        ["run", "workitem 1", "print table", "print i % 2"],
        ["page-fault: reading 0x4 by work-items (1,0,0), (3,0,0)", "$1 = (int *) 0x0", "$2 = 1"],
    ),
    "endless_search": (
        [*FLAT, "i32[16]=iota", "i32[16]", "i32=16"],
        ["break endless_search.cl:7 if turns > 50", "run", "print/l at", "print steps[i]"],
        ["with lane 0, endless_search", "0     (0,0,0)    0", "$1 = 0"],
    ),
    "overflow": (
        [*FLAT, "i64[16]", "i32=1000000000"],
        ["break overflow.cl:6 if offset < 0", "run", "print offset", "print (long)i * pitch"],
        ["with lanes [3-4 7], overflow", "$1 = -1294967296", "$2 = 3000000000"],
    ),
    "low_maximum": (
        [*FLAT, "i32[256]=-5", "i32[16]", "i32=16"],
        ["break low_maximum.cl:7", "run", "print/w best", "grid in 16x2"],
        ["16 work-items, min 0, max 0", "0 -5 -5 -5 -5"],
    ),
    "unsigned_loop": (
        [*FLAT, "i32[16]=iota", "i32[16]", "i32=16"],
        ["break unsigned_loop.cl:8 if left > 100", "run", "print left", "whatis left"],
        ["with lanes [0 4], unsigned_loop", "$1 = 4294967295", "type = uint"],
    ),
    "wrong_id": (
        ["--global", "32", "--local", "8", "i32[32]=iota", "i32[32]"],
        ["break wrong_id.cl:5", "run", "print/w i", "info workgroups"],
        ["32 work-items, min 0, max 7", "8 distinct", "(3,0,0)     wrong_id"],
    ),
    "transposed": (
        ["--global", "8,8", "--local", "8,8", "f32[64]=iota", "f32[64]"],
        ["break transposed.cl:8", "run", "workitem 1,0", "print value", "grid &tile[0][0] 8x2"],
        ["$1 = 1\n", "0  0  1  2  3  4  5  6  7\n1  8  9 10"],
    ),
    "not_a_number": (
        [*FLAT, "f32[16]=iota", "f32[16]"],
        ["break not_a_number.cl:6 if unit != unit", "run", "print unit", "print length"],
        ["with lane 0, not_a_number", "nan", "$2 = 0"],
    ),
    "layout": (
        ["--global", "4", "--local", "4", "u8[40]=iota", "f32[4]"],
        ["break layout.cl:9", "run", "ptype/o struct item", "print/x *(uint *)&items[0].weight"],
        ["XXX  3-byte hole", "= 0x7060504"],
    ),
}
