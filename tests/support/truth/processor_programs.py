"""Kernels of tests/kernels/src as programs for the processor, which GDB steps through."""

ITEMS = 8
# Makes OpenCL C of what C++ has: only lines count, so vectors have one component here.
SHIM = """
#pragma once
#define kernel
#define global
struct float4 { float s; float4(float s) : s(s) {} };
inline float4 operator*(float4 a, float b) { return float4(a.s * b); }
inline float4 operator+(float4 a, float4 b) { return float4(a.s + b.s); }
int get_global_id(int);
"""
HOST = """
#include "shim.h"
static int id;
int get_global_id(int) {{ return id; }}
void {kernel}({types});
int main() {{
  int a[256], b[256];
  for (int i = 0; i < 256; i++) a[i] = b[i] = i;
  for (id = 0; id < {items}; id++) {kernel}({arguments});
}}
"""
IOTA = "i32[256]=iota"
CASES = {
    "calls": ("calls", "int*, float4*", "a, (float4*)b", (IOTA, "f32[256]=2")),
    "diverge": ("diverge", "int*, const int*, int", "a, b, 64", (IOTA, IOTA, "i32=64")),
    "private": ("privsmall", "const int*, int*", "a, b", (IOTA, IOTA)),
}
