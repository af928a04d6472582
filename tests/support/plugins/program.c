/* What the script of both debuggers looks at. */
#include <stdint.h>

enum color { RED, GREEN = 5, BLUE };
struct point { int x; float y; unsigned bits : 3; };
struct node { struct node *next; const char *name; struct point at; };
typedef struct node node_t;
union both { int i; float f; };

struct point corner = {3, 2.5f, 5};
node_t last = {0, "last", {7, 8.0f, 1}};
node_t first = {&last, "first", {1, 2.0f, 2}};
int numbers[5] = {1, -2, 3, -4, 5};
double half = 0.5;
unsigned char byte = 200;
int64_t wide = -5000000000;
enum color color = GREEN;
union both both = {.i = 1065353216};
const char *text = "a text";
char word[8] = "word";
int matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};

int stop(int argument) { return argument + (int)sizeof(first) + (int)sizeof(both); }
int main(void) { return stop(4); }
