// Variables of every kind that expressions deal with, all alive at one line. The same text is C for
// the processor (expressions.c), so that GDB can be asked about the same values.

#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif

enum colour { RED = 1, GREEN = 2, BLUE = 4 };
enum level { BELOW = -3, GROUND, ABOVE = 70000 };

struct point { short x, y; };
union word { int i; uint u; float f; uchar bytes[4]; };
struct record {
  char tag;
  struct point at;
  long wide;
  union word word;
  struct point corners[2];
  enum colour colour;
};

// What a work-item starts with; the layout of ITEM in expression_values.py.
struct item {
  long l;
  ulong ul;
  double_bits d;
  int i, j;
  uint u;
  float f, g;
  short s;
  ushort us;
  char c;
  uchar uc;
  char text[8];
  int row[4];
  float grid[2][3];
  int4 iv;
  float4 fv;
  uchar4 cv;
};

kernel void expressions(global const struct item *in, global struct item *out,
                        int zero, float one) {
  int id = get_global_id(0);
  global const struct item *mine = in + id;
  global const struct item *nothing = 0;
  // What is computed has a place of its own also in optimised code, which loads several at once.
  long l = mine->l + zero;
  ulong ul = mine->ul + zero;
  int i = mine->i + zero, j = mine->j + zero;
  uint u = mine->u + zero;
  float f = mine->f * one, g = mine->g * one;
  short s = mine->s + zero;
  ushort us = mine->us + zero;
  char c = mine->c + zero;
  uchar uc = mine->uc + zero;
  bool b = i > j;
  half h = f;
  enum colour colour = uc & 4 ? BLUE : GREEN;
  enum level level = i > 0 ? ABOVE : BELOW;
  int row[4] = {mine->row[0], mine->row[1], mine->row[2], mine->row[3]};
  float grid[2][3];
  for (int n = 0; n < 6; n++) grid[n / 3][n % 3] = mine->grid[n / 3][n % 3];
  char text[8];
  for (int n = 0; n < 8; n++) text[n] = mine->text[n];
  struct record record = {c, {s, 7}, l, {i}, {{1, s}, {-2, 3}}, BLUE};
  int4 iv = mine->iv;
  float4 fv = mine->fv;
  uchar4 cv = mine->cv;
#ifdef WITH_DOUBLE
  double d = mine->d * one;
#endif
  out[id].i = i;  // the stop: everything is stored behind it
  DEEPER
  out[id].j = j + colour + level + b + record.word.i;
  out[id].l = l + record.wide;
  out[id].ul = ul;
  out[id].u = u;
  out[id].f = f + h;
  out[id].g = g;
  out[id].s = s + record.at.x + record.at.y + record.corners[j & 1].y;
  out[id].us = us;
  out[id].c = c + record.tag + text[j & 3];
  out[id].uc = uc + record.colour;
  out[id].row[0] = row[i & 3];
  out[id].grid[0][0] = grid[i & 1][j & 1];
  out[id].iv = iv;
  out[id].fv = fv;
  out[id].cv = cv;
  out[id].text[0] = mine != nothing;
#ifdef WITH_DOUBLE
  out[id].d = d;
#endif
}
