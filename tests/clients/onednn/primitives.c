/* primitives: each primitive of oneDNN on the GPU, compared with what oneDNN computes on the CPU.
 *
 * Prints a line for each: passed, failed or skipped, its name, and the implementation or why. Inputs are small
 * numbers that every type has; the CPU computes in f32 what the GPU computes in f16. */
#include <dnnl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRY(call)                                         \
  do {                                                    \
    const dnnl_status_t status = (call);                  \
    if (status != dnnl_success) {                         \
      problem->said = #call;                              \
      return status;                                      \
    }                                                     \
  } while (0)

enum { MOST_TENSORS = 3, NAME_BYTES = 64 };

struct problem {
  dnnl_engine_t engine;
  dnnl_data_type_t type;
  dnnl_primitive_desc_t primitive;
  int count;                              /* tensors: the inputs, then the output */
  int argument[MOST_TENSORS];
  dnnl_memory_desc_t tensor[MOST_TENSORS];
  const char* said;                       /* the call that was refused */
  const char* implementation;
  float* output;
  size_t elements;
};

static void add(struct problem* problem, int argument, dnnl_data_type_t type, dnnl_format_tag_t layout, int rank,
                const dnnl_dims_t sizes) {
  problem->argument[problem->count] = argument;
  dnnl_memory_desc_create_with_tag(&problem->tensor[problem->count++], rank, sizes, type, layout);
}

static dnnl_data_type_t sum_type(const struct problem* problem) {
  return problem->type == dnnl_s8 ? dnnl_s32 : problem->type;
}

static dnnl_status_t matmul(struct problem* problem) {
  add(problem, DNNL_ARG_SRC, problem->type, dnnl_ab, 2, (dnnl_dims_t){70, 48});
  add(problem, DNNL_ARG_WEIGHTS, problem->type, dnnl_ab, 2, (dnnl_dims_t){48, 33});
  add(problem, DNNL_ARG_DST, sum_type(problem), dnnl_ab, 2, (dnnl_dims_t){70, 33});
  dnnl_memory_desc_t* t = problem->tensor;
  TRY(dnnl_matmul_primitive_desc_create(&problem->primitive, problem->engine, t[0], t[1], NULL, t[2], NULL));
  return dnnl_success;
}

static dnnl_status_t aligned_matmul(struct problem* problem) {
  add(problem, DNNL_ARG_SRC, problem->type, dnnl_ab, 2, (dnnl_dims_t){128, 64});
  add(problem, DNNL_ARG_WEIGHTS, problem->type, dnnl_ab, 2, (dnnl_dims_t){64, 96});
  add(problem, DNNL_ARG_DST, sum_type(problem), dnnl_ab, 2, (dnnl_dims_t){128, 96});
  dnnl_memory_desc_t* t = problem->tensor;
  TRY(dnnl_matmul_primitive_desc_create(&problem->primitive, problem->engine, t[0], t[1], NULL, t[2], NULL));
  return dnnl_success;
}

static dnnl_status_t convolution(struct problem* problem) {
  const dnnl_dims_t ones = {1, 1}, zeros = {0, 0};
  add(problem, DNNL_ARG_SRC, problem->type, dnnl_nhwc, 4, (dnnl_dims_t){2, 16, 13, 13});
  add(problem, DNNL_ARG_WEIGHTS, problem->type, dnnl_oihw, 4, (dnnl_dims_t){32, 16, 3, 3});
  add(problem, DNNL_ARG_DST, sum_type(problem), dnnl_nhwc, 4, (dnnl_dims_t){2, 32, 13, 13});
  dnnl_memory_desc_t* t = problem->tensor;
  TRY(dnnl_convolution_forward_primitive_desc_create(&problem->primitive, problem->engine,
                                                     dnnl_forward_inference, dnnl_convolution_direct, t[0], t[1],
                                                     NULL, t[2], ones, zeros, ones, ones, NULL));
  return dnnl_success;
}

static dnnl_status_t reorder(struct problem* problem) {
  add(problem, DNNL_ARG_FROM, problem->type, dnnl_nchw, 4, (dnnl_dims_t){2, 19, 11, 5});
  add(problem, DNNL_ARG_TO, problem->type == dnnl_s8 ? dnnl_s32 : dnnl_f32, dnnl_nhwc, 4,
      (dnnl_dims_t){2, 19, 11, 5});
  dnnl_memory_desc_t* t = problem->tensor;
  TRY(dnnl_reorder_primitive_desc_create(&problem->primitive, t[0], problem->engine, t[1], problem->engine, NULL));
  return dnnl_success;
}

static dnnl_status_t eltwise(struct problem* problem) {
  const dnnl_alg_kind_t kind = problem->type == dnnl_s8 ? dnnl_eltwise_relu : dnnl_eltwise_gelu_tanh;
  add(problem, DNNL_ARG_SRC, problem->type, dnnl_ab, 2, (dnnl_dims_t){17, 129});
  add(problem, DNNL_ARG_DST, problem->type, dnnl_ab, 2, (dnnl_dims_t){17, 129});
  dnnl_memory_desc_t* t = problem->tensor;
  TRY(dnnl_eltwise_forward_primitive_desc_create(&problem->primitive, problem->engine, dnnl_forward_inference,
                                                 kind, t[0], t[1], 0, 0, NULL));
  return dnnl_success;
}

static dnnl_status_t pooling(struct problem* problem) {
  const dnnl_dims_t twos = {2, 2}, zeros = {0, 0};
  add(problem, DNNL_ARG_SRC, problem->type, dnnl_nhwc, 4, (dnnl_dims_t){2, 16, 14, 14});
  add(problem, DNNL_ARG_DST, problem->type, dnnl_nhwc, 4, (dnnl_dims_t){2, 16, 7, 7});
  dnnl_memory_desc_t* t = problem->tensor;
  TRY(dnnl_pooling_forward_primitive_desc_create(&problem->primitive, problem->engine, dnnl_forward_inference,
                                                 dnnl_pooling_max, t[0], t[1], twos, twos, zeros, zeros, zeros,
                                                 NULL));
  return dnnl_success;
}

static dnnl_status_t binary(struct problem* problem) {
  const int arguments[] = {DNNL_ARG_SRC_0, DNNL_ARG_SRC_1, DNNL_ARG_DST};
  for (int i = 0; i < MOST_TENSORS; ++i) {
    add(problem, arguments[i], problem->type, dnnl_ab, 2, (dnnl_dims_t){31, 65});
  }
  dnnl_memory_desc_t* t = problem->tensor;
  TRY(dnnl_binary_primitive_desc_create(&problem->primitive, problem->engine, dnnl_binary_mul, t[0], t[1], t[2],
                                        NULL));
  return dnnl_success;
}

static dnnl_data_type_t type_of(const_dnnl_memory_desc_t tensor) {
  dnnl_data_type_t type = dnnl_data_type_undef;
  dnnl_memory_desc_query(tensor, dnnl_query_data_type, &type);
  return type;
}

static size_t elements_of(const_dnnl_memory_desc_t tensor) {
  return dnnl_memory_desc_get_size(tensor) / dnnl_data_type_size(type_of(tensor));
}

static float value_at(const void* data, dnnl_data_type_t type, size_t index) {
  switch (type) {
    case dnnl_f32: return ((const float*)data)[index];
    case dnnl_f16: return (float)((const _Float16*)data)[index];
    case dnnl_s8: return ((const int8_t*)data)[index];
    default: return (float)((const int32_t*)data)[index];
  }
}

static void set_value(void* data, dnnl_data_type_t type, size_t index, float value) {
  switch (type) {
    case dnnl_f32: ((float*)data)[index] = value; break;
    case dnnl_f16: ((_Float16*)data)[index] = (_Float16)value; break;
    case dnnl_s8: ((int8_t*)data)[index] = (int8_t)value; break;
    default: ((int32_t*)data)[index] = (int32_t)value; break;
  }
}

static float input(const struct problem* problem, int tensor, size_t index) {
  const float number = (float)((index * 7 + (size_t)tensor * 3) % 11) - 5;
  return problem->type == dnnl_s8 ? number : number / 4;
}

static dnnl_status_t compute(struct problem* problem) {
  dnnl_primitive_t primitive;
  dnnl_stream_t stream;
  dnnl_exec_arg_t arguments[MOST_TENSORS];
  dnnl_primitive_desc_query(problem->primitive, dnnl_query_impl_info_str, 0, &problem->implementation);
  TRY(dnnl_primitive_create(&primitive, problem->primitive));
  TRY(dnnl_stream_create(&stream, problem->engine, dnnl_stream_default_flags));
  const int last = problem->count - 1;
  void* data = NULL;
  for (int i = 0; i <= last; ++i) {
    arguments[i].arg = problem->argument[i];
    TRY(dnnl_memory_create(&arguments[i].memory, problem->tensor[i], problem->engine, DNNL_MEMORY_ALLOCATE));
    TRY(dnnl_memory_map_data(arguments[i].memory, &data));
    for (size_t index = 0; index < elements_of(problem->tensor[i]); ++index) {
      set_value(data, type_of(problem->tensor[i]), index, i == last ? 0 : input(problem, i, index));
    }
    TRY(dnnl_memory_unmap_data(arguments[i].memory, data));
  }
  TRY(dnnl_primitive_execute(primitive, stream, problem->count, arguments));
  TRY(dnnl_stream_wait(stream));
  TRY(dnnl_memory_map_data(arguments[last].memory, &data));
  problem->elements = elements_of(problem->tensor[last]);
  problem->output = malloc(problem->elements * sizeof(float));
  for (size_t index = 0; index < problem->elements; ++index) {
    problem->output[index] = value_at(data, type_of(problem->tensor[last]), index);
  }
  TRY(dnnl_memory_unmap_data(arguments[last].memory, data));
  return dnnl_success;
}

typedef dnnl_status_t (*describe)(struct problem*);

static dnnl_status_t run(describe describe, struct problem* problem) {
  const dnnl_status_t status = describe(problem);
  return status != dnnl_success ? status : compute(problem);
}

/* Whether it passed, or there is no such primitive. */
static int compare(const char* name, describe describe, dnnl_engine_t cpu, dnnl_engine_t gpu, dnnl_data_type_t type,
                   float tolerance) {
  struct problem expected = {.engine = cpu, .type = type == dnnl_f16 ? dnnl_f32 : type};
  struct problem found = {.engine = gpu, .type = type};
  dnnl_status_t status = run(describe, &expected);
  if (status != dnnl_success) {
    printf("skipped %s: the CPU has none (status %d of %s)\n", name, status, expected.said);
    return 1;
  }
  status = run(describe, &found);
  if (status != dnnl_success) {
    const int is_missing = status == dnnl_unimplemented;
    printf("%s %s: status %d of %s\n", is_missing ? "skipped" : "failed", name, status, found.said);
    return is_missing;
  }
  size_t wrong = 0;
  for (size_t index = 0; index < found.elements; ++index) {
    const float right = expected.output[index];
    wrong += !(fabsf(right - found.output[index]) <= tolerance * (1 + fabsf(right)));
  }
  if (wrong != 0) {
    printf("failed %s: %zu of %zu are wrong (%s)\n", name, wrong, found.elements, found.implementation);
  } else {
    printf("passed %s: %s\n", name, found.implementation);
  }
  return wrong == 0;
}

int main(void) {
  static const struct {
    const char* name;
    describe describe;
  } primitives[] = {{"matmul", matmul},   {"aligned matmul", aligned_matmul}, {"convolution", convolution},
                    {"reorder", reorder}, {"eltwise", eltwise},               {"pooling", pooling},
                    {"binary", binary}};
  static const struct {
    const char* name;
    dnnl_data_type_t type;
    float tolerance;
  } types[] = {{"f32", dnnl_f32, 1e-4f}, {"f16", dnnl_f16, 1e-2f}, {"s8", dnnl_s8, 0}};
  dnnl_engine_t cpu, gpu;
  if (dnnl_engine_create(&cpu, dnnl_cpu, 0) != dnnl_success || dnnl_engine_create(&gpu, dnnl_gpu, 0) != dnnl_success) {
    puts("failed engines: there is no CPU, or no GPU");
    return 1;
  }
  int good = 1;
  for (size_t i = 0; i < sizeof primitives / sizeof *primitives; ++i) {
    for (size_t j = 0; j < sizeof types / sizeof *types; ++j) {
      char name[NAME_BYTES];
      snprintf(name, sizeof name, "%s of %s", primitives[i].name, types[j].name);
      good &= compare(name, primitives[i].describe, cpu, gpu, types[j].type, types[j].tolerance);
      fflush(stdout);
    }
  }
  return !good;
}
