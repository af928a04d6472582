/* expressions.cl as C: each call stands for a work-item, and the last one calls stop(), so that
   their frames hold the variables of all of them. expressions FILE: an array of struct item. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef _Float16 half;
typedef double double_bits;
typedef int int4 __attribute__((vector_size(16)));
typedef float float4 __attribute__((vector_size(16)));
typedef uchar uchar4 __attribute__((vector_size(4)));
#define kernel
#define global
#define WITH_DOUBLE
#define ITEMS 8

static int current = -1;

static int get_global_id(int dimension) { return dimension == 0 ? current : 0; }

static void stop(void) {}

struct item;
void expressions(const struct item *in, struct item *out, int zero, float one);

static void next_item(const struct item *in, struct item *out) {
  if (++current < ITEMS)
    expressions(in, out, 0, 1);
  else
    stop();
}

#define DEEPER next_item(in, out);
#include "expressions.cl"

int main(int count, char **names) {
  static struct item in[ITEMS], out[ITEMS];
  FILE *file = count == 2 ? fopen(names[1], "rb") : NULL;
  if (file == NULL || fread(in, sizeof in, 1, file) != 1) return EXIT_FAILURE;
  fclose(file);
  next_item(in, out);
  return EXIT_SUCCESS;
}
