"""A program of pyopencl, as its users write them; PoCL's device for Level Zero executes it."""

import numpy
import pyopencl

SOURCE = """
kernel void saxpy(float a, global const float *x, global float *y) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}
"""

context = pyopencl.Context(pyopencl.get_platforms()[0].get_devices())
queue = pyopencl.CommandQueue(context)
x = numpy.arange(64, dtype=numpy.float32)
y = numpy.ones(64, dtype=numpy.float32)
flags = pyopencl.mem_flags.READ_WRITE | pyopencl.mem_flags.COPY_HOST_PTR
buffers = [pyopencl.Buffer(context, flags, hostbuf=each) for each in (x, y)]
program = pyopencl.Program(context, SOURCE).build(options="-g")
program.saxpy(queue, x.shape, (16,), numpy.float32(3), *buffers)
result = numpy.empty_like(y)
pyopencl.enqueue_copy(queue, result, buffers[1])
queue.finish()
print("saxpy:", "right" if numpy.array_equal(result, 3 * x + y) else "wrong", flush=True)
