// The largest of the last values that each work-item has seen: an array and a structure that are filled part by part.
#define MOST 8

typedef struct {
  int least;
  int largest;
  int count;
} Range;

kernel void parts(global const int *in, global int *out, int last) {
  const int id = get_global_id(0);
  int kept[MOST];
  Range range;
  range.count = 0;
  for (int i = 0; i < last; i++) {
    kept[i] = in[id + i] & 0xff;
    range.count++;
  }
  range.least = kept[0];
  for (int i = 1; i < last; i++)
    range.least = min(range.least, kept[i]);
  range.largest = kept[0];
  for (int i = 1; i < last; i++)
    range.largest = max(range.largest, kept[i]);
  out[2 * id] = range.largest - range.least;
  out[2 * id + 1] = kept[id % last];
}
