// Structures within arrays within structures; arguments and results of functions by value.
typedef struct { short x, y; } Point;
typedef struct { char tag; Point corners[3]; union { float f; uint u; uchar bytes[4]; } value; } Shape;
typedef struct { long id; Shape shapes[2]; } Record;
__attribute__((noinline)) Shape moved(Shape shape, Point by) {
  for (int k = 0; k < 3; ++k) {
    shape.corners[k].x += by.x;
    shape.corners[k].y -= by.y;
  }
  shape.tag ^= 0x55;
  return shape;
}
__attribute__((noinline)) int area(const Shape *shape) {
  const Point *p = shape->corners;
  return (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y);
}
kernel void nested_structs(global Record *records, global int *areas) {
  size_t i = get_global_id(0);
  Record record = records[i];
  Point by = {(short)(i * 3), (short)(i + 7)};
  for (int k = 0; k < 2; ++k) {
    record.shapes[k] = moved(record.shapes[k], by);
    record.shapes[k].value.u += 1;
    record.shapes[k].value.bytes[k] ^= 0xf0;
  }
  record.id *= 1000003;
  areas[i] = area(&record.shapes[0]) + area(&record.shapes[1]);
  records[i] = record;
}
