# Every kind of entry that a range list and a location list of DWARF 5 may have (7.25, 7.29), and the
# forms that refer to lists, addresses and strings by index. The unit says nothing else.
  .text
  .globl _start
_start:
  .fill 256, 1, 0x90
.Lend:

  .section .debug_abbrev,"",@progbits
  .uleb128 1                     # compile unit
  .uleb128 0x11
  .byte 1
  .uleb128 0x03, 0x25            # name, strx1
  .uleb128 0x72, 0x17            # str_offsets_base, sec_offset
  .uleb128 0x73, 0x17            # addr_base
  .uleb128 0x74, 0x17            # rnglists_base
  .uleb128 0x8c, 0x17            # loclists_base
  .uleb128 0x11, 0x1b            # low_pc, addrx
  .uleb128 0x12, 0x06            # high_pc, data4
  .byte 0, 0
  .uleb128 2                     # subprogram
  .uleb128 0x2e
  .byte 1
  .uleb128 0x03, 0x26            # name, strx2
  .uleb128 0x55, 0x23            # ranges, rnglistx
  .uleb128 0x3b, 0x21            # decl_line, implicit_const
  .sleb128 42
  .byte 0, 0
  .uleb128 3                     # variable in a list
  .uleb128 0x34
  .byte 0
  .uleb128 0x03, 0x28            # name, strx4
  .uleb128 0x02, 0x22            # location, loclistx
  .uleb128 0x49, 0x13            # type, ref4
  .byte 0, 0
  .uleb128 4                     # base type
  .uleb128 0x24
  .byte 0
  .uleb128 0x03, 0x08            # name, string
  .uleb128 0x0b, 0x0b            # byte_size, data1
  .uleb128 0x3e, 0x0b            # encoding
  .byte 0, 0
  .uleb128 5                     # constant variable
  .uleb128 0x34
  .byte 0
  .uleb128 0x03, 0x08
  .uleb128 0x1c, 0x1e            # const_value, data16
  .uleb128 0x49, 0x13
  .byte 0, 0
  .uleb128 6                     # block
  .uleb128 0x0b
  .byte 0
  .uleb128 0x11, 0x1b            # low_pc, addrx
  .uleb128 0x12, 0x0b            # high_pc, data1
  .byte 0, 0
  .byte 0

  .section .debug_info,"",@progbits
.Lunit:
  .long .Lunit_end - .Lunit_body
.Lunit_body:
  .short 5
  .byte 1, 8
  .long .debug_abbrev
  .uleb128 1
  .byte 0
  .long .Lstrings
  .long .Laddresses
  .long .Lrange_offsets
  .long .Llocation_offsets
  .uleb128 0
  .long .Lend - _start
  .uleb128 2
  .short 1
  .uleb128 0
  .uleb128 3
  .long 2
  .uleb128 0
  .long .Lint - .Lunit
  .uleb128 5
  .asciz "wide"
  .quad 0x1122334455667788, 0x99aabbccddeeff00
  .long .Lint - .Lunit
  .uleb128 6
  .byte 1
  .byte 8
  .byte 0
.Lint:
  .uleb128 4
  .asciz "int"
  .byte 4, 5
  .byte 0
.Lunit_end:

  .section .debug_str,"MS",@progbits,1
.Lname0: .asciz "lists.s"
.Lname1: .asciz "function"
.Lname2: .asciz "variable"

  .section .debug_str_offsets,"",@progbits
  .long .Lstrings_end - .Lstrings + 4
  .short 5, 0
.Lstrings:
  .long .Lname0 - .Lname0, .Lname1 - .Lname0, .Lname2 - .Lname0
.Lstrings_end:

  .section .debug_addr,"",@progbits
  .long .Laddresses_end - .Laddresses + 4
  .short 5
  .byte 8, 0
.Laddresses:
  .quad _start, _start + 0x10, _start + 0x18, _start + 0x80
.Laddresses_end:

  .section .debug_rnglists,"",@progbits
  .long .Lranges_end - .Lranges_body
.Lranges_body:
  .short 5
  .byte 8, 0
  .long 1
.Lrange_offsets:
  .long .Lranges - .Lrange_offsets
.Lranges:
  .byte 4; .uleb128 0, 8         # offsets, from the unit's base
  .byte 2; .uleb128 1, 2         # start and end, by index
  .byte 3; .uleb128 2, 8         # start by index, and length
  .byte 1; .uleb128 3            # base by index
  .byte 4; .uleb128 0, 4
  .byte 5; .quad _start + 0x90   # base
  .byte 4; .uleb128 0, 4
  .byte 4; .uleb128 6, 6         # empty
  .byte 6; .quad _start + 0xa0, _start + 0xa8
  .byte 7; .quad _start + 0xb0; .uleb128 0x10
  .byte 0
.Lranges_end:

  .section .debug_loclists,"",@progbits
  .long .Llocations_end - .Llocations_body
.Llocations_body:
  .short 5
  .byte 8, 0
  .long 1
.Llocation_offsets:
  .long .Llocations - .Llocation_offsets
.Llocations:
  .byte 5; .uleb128 2; .byte 0x31, 0x9f          # where nothing else holds
  .byte 4; .uleb128 0, 8, 1; .byte 0x50
  .byte 2; .uleb128 1, 2, 1; .byte 0x51
  .byte 3; .uleb128 2, 8, 1; .byte 0x52
  .byte 1; .uleb128 3
  .byte 4; .uleb128 0, 4, 2; .byte 0x77, 0x10
  .byte 6; .quad _start + 0x90
  .byte 4; .uleb128 0, 4, 3; .byte 0xa1, 3, 0x06
  .byte 7; .quad _start + 0xa0, _start + 0xa8; .uleb128 6; .byte 0xa3, 1, 0x55, 0x31, 0x22, 0x9f
  .byte 8; .quad _start + 0xb0; .uleb128 0x10, 5; .byte 0x50, 0x93, 2, 0x93, 2
  .byte 0
.Llocations_end:
