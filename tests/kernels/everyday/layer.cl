// A layer of a neural network, forward and back: the activation of each neuron, its error, and its new weights.
float sigmoid(float x) { return 1.0f / (1.0f + exp(-x)); }

kernel void layer(global const float *inputs, global float *weights, global const float *targets, global float *outputs,
                  int count, int neurons, float rate, float momentum) {
  const int neuron = get_global_id(0);
  if (neuron >= neurons)
    return;
  global float *mine = weights + neuron * (count + 1);
  float sum = mine[count];
  for (int i = 0; i < count; i++)
    sum += inputs[i] * mine[i];
  const float activation = sigmoid(sum);
  outputs[neuron] = activation;

  const float error = targets[neuron] - activation;
  const float delta = error * activation * (1.0f - activation);
  float change = 0.0f;
  for (int i = 0; i < count; i++) {
    float gradient = delta * inputs[i];
    change = rate * gradient + momentum * change;
    mine[i] += change;
  }
  mine[count] += rate * delta;
}
