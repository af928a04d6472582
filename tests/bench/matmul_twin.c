/* matmul_twin TIMES: what tests/kernels/src/matmul.cl computes, on the processor, TIMES times. Writes the
 * seconds of processor time of one of them. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define N 16

float a[N][N], b[N][N], c[N][N];

__attribute__((noipa)) void matmul(void) {
  for (int row = 0; row < N; ++row) {
    for (int column = 0; column < N; ++column) {
      float sum = 0;
      for (int k = 0; k < N; ++k) {
        sum += a[row][k] * b[k][column];
      }
      c[row][column] = sum;
    }
  }
}

int main(int count, char** arguments) {
  const int times = count > 1 ? atoi(arguments[1]) : 1;
  for (int i = 0; i < N * N; ++i) {
    a[i / N][i % N] = (float)i;
    b[i / N][i % N] = (float)(i % 7);
  }
  const clock_t begin = clock();
  for (int i = 0; i < times; ++i) {
    matmul();
    __asm__ volatile("" ::: "memory");
  }
  const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC / times;
  printf("%.9f\n", seconds);
  return c[1][1] == 0;
}
