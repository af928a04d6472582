// Two smoothings of a level, one after the other, and their largest ratio.
kernel void smooth(global float *ratios, global const float *samples, int length, int channels,
                   float decay) {
  int channel = get_global_id(0);
  float fast = 0.0f;
  float slow = 0.0f;
  float largest = 0.0f;
  for (int n = 0; n < length; n++) {
    float sample = samples[n * channels + channel];
    float level = sqrt(sample * sample + 0.25f);
    float kept = fast * decay;
    fast = kept + level * (1.0f - decay);
    float before = slow;
    slow = slow * decay + fast * (1.0f - decay);
    float rise = slow - before;
    float ratio = fast / slow;
    largest = fmax(largest, ratio + rise);
    ratios[n * channels + channel] = ratio;
  }
  ratios[channel] = largest;
}
