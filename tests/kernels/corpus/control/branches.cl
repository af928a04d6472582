// Made by tests/support/kernels/structured_programs.py.
kernel void branches_1(global const uint *in, global uint *out) {
  size_t i = get_global_id(0);
  uint lane = (uint)i, a = in[2 * i], b = in[2 * i + 1], c = lane * 7u, h = 1u, fuel = 60u;
  do {
    label1:;
      label2:;
        for (uint k1 = 0, ek1 = a & 7u; k1 < ek1 && fuel != 0u; ++k1, fuel -= fuel != 0u) {
          b -= h;
          h = h * 31u + 739u;
          a *= (a ^ a);
          if ((h & 6u) != 0u) break;
        }
        while (fuel != 0u && ((h & 1u) && (b + 7u) > (b | a))) {
          --fuel;
          if (fuel == 0u || --fuel == 0u) goto done;
          if (b % 7u == 2u) continue;
          if ((c & 4u) != 0u) { out[2 * i] = h; out[2 * i + 1] = ((h ^ h) >> (c & 15u)); return; }
          if ((lane + 6u) % 4u == 0u) break;
        }
        label3:;
          if (b < b) { out[2 * i] = h; out[2 * i + 1] = c; return; }
        if (fuel != 0u && ((b & 1u) || (7u | h) > (b >> (1u & 15u)))) { --fuel; goto label3; }
        label4:;
          if (((h & 1u) || (a & h) > b)) break;
          if ((b & 6u) != 0u) break;
          h = h * 31u + 34u;
        if (fuel != 0u && (a & 1u) != 0u) { --fuel; goto label4; }
      if (fuel != 0u && (h & 3u) != 0u) { --fuel; goto label2; }
      a ^= c;
      h = h * 31u + 72u;
      b += (c >> ((12u + 4096u) & 15u));
    if (fuel != 0u && a % 11u == 1u) { --fuel; goto label1; }
  } while (fuel > 1u && --fuel != 0u && (c + h) < 1u);
  for (uint k2 = 0, ek2 = b & 3u; k2 < ek2 && fuel != 0u; ++k2, fuel -= fuel != 0u) {
    if ((lane + 6u) % 3u == 0u) break;
  }
  if ((h >> (h & 15u)) < c) goto label5;
  {
    b = a;
    h = h * 31u + 940u;
  }
  label5:;
  if (((b & 1u) || a > (b >> (3u & 15u)))) {
    if ((lane + 3u) % 8u == 0u) goto done;
  } else {
    h = h * 31u + 517u;
    if (h % 3u == 0u) { out[2 * i] = h; out[2 * i + 1] = c; return; }
    c ^= c;
    if ((lane + 5u) % 8u == 0u) { out[2 * i] = h; out[2 * i + 1] = 7u; return; }
  }
  while (fuel != 0u && (a & 1u) != 0u) {
    --fuel;
    c += 7u;
    h = h * 31u + 615u;
  }
  if (c % 7u == 1u) goto label6;
  {
    h = h * 31u + 241u;
  }
  label6:;
done:
  out[2 * i] = h;
  out[2 * i + 1] = a ^ b ^ c;
}
kernel void branches_2(global const uint *in, global uint *out) {
  size_t i = get_global_id(0);
  uint lane = (uint)i, a = in[2 * i], b = in[2 * i + 1], c = lane * 7u, h = 1u, fuel = 60u;
  h = h * 31u + 370u;
  switch ((b ^ b) % 7u) {
  case 6:
    if ((c & 1u) != 0u) goto label1;
    {
      do {
        for (uint k1 = 0, ek1 = 5u; k1 < ek1 && fuel != 0u; ++k1, fuel -= fuel != 0u) {
          if (b < (b ^ b)) break;
          if (((c & 1u) || (4096u | c) > c)) { out[2 * i] = h; out[2 * i + 1] = ((c ^ 3u) >> ((h & h) & 15u)); return; }
        }
        label2:;
          h = h * 31u + 981u;
          if (fuel == 0u || --fuel == 0u) goto done;
          if ((a - a) < a) continue;
          if ((lane + 3u) % 2u == 0u) break;
        if (fuel != 0u && b % 5u == 0u) { --fuel; goto label2; }
        c -= a;
      } while (fuel > 1u && --fuel != 0u && c % 5u == 0u);
      a = a;
      b = (b ^ a);
    }
    label1:;
    a += a;
    h = h * 31u + 961u;
    b ^= (c - (c ^ 3u));
    break;
  case 5:
    b = h;
    if ((b & 4u) != 0u) goto done;
    c *= b;
    break;
  case 4:
    a ^= 12u;
    h = h * 31u + 701u;
    if ((b & 2u) != 0u) goto done;
    c *= ((h | b) & (2654435769u ^ a));
    break;
  case 2:
    if (h < h) goto done;
    break;
  case 3:
    c *= a;
    h = h * 31u + 25u;
    h = h * 31u + 314u;
    b += 2u;
    break;
  default:
    h = h * 31u + 402u;
  }
  do {
    h = h * 31u + 405u;
    a ^= a;
  } while (fuel > 1u && --fuel != 0u && ((c & 1u) && a > (h ^ c)));
  if (c % 11u == 2u) {
    if (((b & 1u) && a > c)) { out[2 * i] = h; out[2 * i + 1] = ((5u & h) - (2u * a)); return; }
    if ((c & 2u) != 0u) goto done;
    if (h < 255u) { out[2 * i] = h; out[2 * i + 1] = c; return; }
    h = h * 31u + 802u;
  }
  if (((h & 1u) && (h * h) > (h & 12u))) {
    c += 255u;
    if (a < (h ^ a)) goto done;
    c ^= 4096u;
  }
  if ((lane + 6u) % 8u == 0u) {
    c -= 2u;
    h = h * 31u + 4u;
    if ((b ^ b) < (7u * a)) { out[2 * i] = h; out[2 * i + 1] = (h >> ((7u + 1u) & 15u)); return; }
  } else {
    h = h * 31u + 35u;
  }
done:
  out[2 * i] = h;
  out[2 * i + 1] = a ^ b ^ c;
}
kernel void branches_3(global const uint *in, global uint *out) {
  size_t i = get_global_id(0);
  uint lane = (uint)i, a = in[2 * i], b = in[2 * i + 1], c = lane * 7u, h = 1u, fuel = 60u;
  switch ((a & 7u) % 4u) {
  case 5:
    for (uint k1 = 0, ek1 = b & 3u; k1 < ek1 && fuel != 0u; ++k1, fuel -= fuel != 0u) {
      if ((h & 7u) != 0u) {
        switch (c % 4u) {
        case 3:
          if (fuel == 0u || --fuel == 0u) goto done;
          if (b % 3u == 0u) continue;
          a -= ((h & 12u) | (c & c));
          if ((lane + 1u) % 3u == 0u) break;
          if (fuel == 0u || --fuel == 0u) goto done;
          if ((c & 1u) != 0u) continue;
          break;
        case 4:
          a ^= (a & (255u & a));
          c -= ((b >> (c & 15u)) + a);
          if (((b & 1u) || (a * c) > h)) break;
          if (((a & 1u) || h > a)) { out[2 * i] = h; out[2 * i + 1] = ((2654435769u >> (c & 15u)) * (c & 7u)); return; }
          break;
        case 6:
          if ((lane + 5u) % 3u == 0u) { out[2 * i] = h; out[2 * i + 1] = ((h | a) * c); return; }
          h = h * 31u + 190u;
          h = h * 31u + 777u;
          break;
        case 5:
          h = h * 31u + 807u;
          if (b % 5u == 2u) { out[2 * i] = h; out[2 * i + 1] = a; return; }
          h = h * 31u + 245u;
          break;
        default:
          h = h * 31u + 695u;
        }
      } else {
        b *= (4096u * a);
      }
      if (h % 5u == 0u) break;
    }
    a *= (c & (c * h));
    h = h * 31u + 476u;
    h = h * 31u + 650u;
    break;
  case 3:
    if (((a & 1u) || (a >> (2654435769u & 15u)) > (b + c))) goto done;
    a = (255u >> (a & 15u));
    if ((b & 6u) != 0u) { out[2 * i] = h; out[2 * i + 1] = b; return; }
    if ((lane + 7u) % 2u == 0u) goto done;
    break;
  case 4:
    a *= b;
    h = h * 31u + 944u;
  default:
    h = h * 31u + 132u;
  }
  c -= (c & 7u);
  if ((h & 4u) != 0u) goto label1;
  {
    a = a;
    b = a;
    if (c % 7u == 0u) { out[2 * i] = h; out[2 * i + 1] = (c ^ c); return; }
  }
  label1:;
  if ((h & 2u) != 0u) {
    if ((lane + 8u) % 8u == 0u) goto done;
  }
  b *= c;
  label2:;
    if (a % 7u == 2u) goto done;
    h = h * 31u + 125u;
    if ((lane + 8u) % 2u == 0u) { out[2 * i] = h; out[2 * i + 1] = h; return; }
  if (fuel != 0u && ((a & 1u) && 255u > a)) { --fuel; goto label2; }
done:
  out[2 * i] = h;
  out[2 * i + 1] = a ^ b ^ c;
}
kernel void branches_6(global const uint *in, global uint *out) {
  size_t i = get_global_id(0);
  uint lane = (uint)i, a = in[2 * i], b = in[2 * i + 1], c = lane * 7u, h = 1u, fuel = 60u;
  do {
    c += ((a - h) * (b ^ a));
  } while (fuel > 1u && --fuel != 0u && a % 11u == 1u);
  do {
    for (uint k1 = 0, ek1 = (lane & 3u) + 1u; k1 < ek1 && fuel != 0u; ++k1, fuel -= fuel != 0u) {
      a *= ((a & b) | (c & a));
    }
  } while (fuel > 1u && --fuel != 0u && (b & 6u) != 0u);
  do {
    for (uint k2 = 0, ek2 = 5u; k2 < ek2 && fuel != 0u; ++k2, fuel -= fuel != 0u) {
      while (fuel != 0u && (lane + 3u) % 2u == 0u) {
        --fuel;
        switch (c % 7u) {
        case 2:
          a -= h;
          if (fuel == 0u || --fuel == 0u) goto done;
          if (((a & 1u) && h > (2u * 4096u))) continue;
          if (fuel == 0u || --fuel == 0u) goto done;
          if ((4096u + a) < (c >> (b & 15u))) continue;
          break;
        case 3:
          h = h * 31u + 950u;
          if (fuel == 0u || --fuel == 0u) goto done;
          if (((h & 1u) || (4096u | 3u) > (7u * 12u))) continue;
          if ((lane + 4u) % 4u == 0u) break;
          if (fuel == 0u || --fuel == 0u) goto done;
          if ((h + b) < c) continue;
          break;
        case 4:
          if ((h ^ 2u) < 2u) break;
          h = h * 31u + 371u;
          c += (a + a);
          if (fuel == 0u || --fuel == 0u) goto done;
          if ((h & 7u) != 0u) continue;
          break;
        case 5:
          if ((lane + 4u) % 8u == 0u) break;
          if (((b & 1u) || (2654435769u | h) > c)) { out[2 * i] = h; out[2 * i + 1] = b; return; }
        default:
          h = h * 31u + 293u;
        }
        switch (a % 7u) {
        case 2:
          h = h * 31u + 33u;
          if ((lane + 3u) % 2u == 0u) break;
          if (c % 3u == 0u) break;
          if (h % 3u == 0u) break;
        case 6:
          if ((lane + 2u) % 3u == 0u) { out[2 * i] = h; out[2 * i + 1] = (h >> ((b & c) & 15u)); return; }
          break;
        case 3:
          if (fuel == 0u || --fuel == 0u) goto done;
          if (h < c) continue;
          c *= h;
          break;
        case 4:
          if (((b & 1u) && a > h)) goto done;
          c = (c >> (a & 15u));
          if ((h - a) < (a | a)) break;
        default:
          h = h * 31u + 769u;
        }
      }
      if (fuel == 0u || --fuel == 0u) goto done;
      if (c % 11u == 0u) continue;
      c *= 7u;
      if ((lane + 5u) % 2u == 0u) break;
    }
    if (c % 3u == 0u) break;
    c ^= ((c + a) + (h * h));
  } while (fuel > 1u && --fuel != 0u && b < (b & 255u));
  if (h % 7u == 0u) goto label1;
  {
    b += b;
    c = a;
    b *= ((5u ^ 3u) ^ c);
  }
  label1:;
  do {
    b ^= (1u + (a | 5u));
    b -= b;
    if (h % 7u == 2u) break;
  } while (fuel > 1u && --fuel != 0u && h % 3u == 1u);
  if ((a & 6u) != 0u) {
    a = b;
    h = h * 31u + 347u;
  } else {
    a += h;
    if ((lane + 5u) % 3u == 0u) goto done;
  }
done:
  out[2 * i] = h;
  out[2 * i + 1] = a ^ b ^ c;
}
__attribute__((noinline)) uint function_7_0(uint a, uint b, uint lane) {
  uint c = a + b, h = 41u, fuel = 12u;
  for (uint k1 = 0, ek1 = a & 7u; k1 < ek1 && fuel != 0u; ++k1, fuel -= fuel != 0u) {
    if ((lane + 0u) % 3u == 0u) {
      h = h * 31u + 445u;
    } else {
      h = h * 31u + 565u;
      while (fuel != 0u && (lane + 1u) % 3u == 0u) {
        --fuel;
        for (uint k2 = 0, ek2 = a & 7u; k2 < ek2 && fuel != 0u; ++k2, fuel -= fuel != 0u) {
          a *= ((a + b) + 12u);
          if ((lane + 3u) % 8u == 0u) break;
        }
      }
    }
  }
  while (fuel != 0u && ((c & 1u) || (b + b) > (12u & 7u))) {
    --fuel;
    if ((h | 1u) < c) {
      switch ((2u ^ c) % 7u) {
      case 0:
        do {
          if (fuel == 0u || --fuel == 0u) goto done;
          if ((c & 4u) != 0u) continue;
          h = h * 31u + 173u;
          if ((h & 2u) != 0u) break;
        } while (fuel > 1u && --fuel != 0u && 255u < (2u ^ h));
        do {
          if ((b & 4u) != 0u) goto done;
          if (c % 3u == 0u) break;
        } while (fuel > 1u && --fuel != 0u && (lane + 5u) % 4u == 0u);
        c *= h;
      case 5:
        if ((lane + 0u) % 2u == 0u) goto done;
        a *= (c >> (a & 15u));
        b *= c;
        h = h * 31u + 617u;
        break;
      default:
        h = h * 31u + 126u;
      }
      b -= ((a | a) & (h - a));
      h = h * 31u + 151u;
    }
  }
  b *= c;
  if ((c - b) < (b | 12u)) goto label1;
  {
    b ^= (12u - (c + b));
  }
  label1:;
  label2:;
    h = h * 31u + 210u;
    if ((c & 7u) != 0u) return h;
  if (fuel != 0u && ((a & 1u) && (h | a) > (255u - b))) { --fuel; goto label2; }
  if ((h & b) < (a >> (a & 15u))) {
    if (b % 5u == 2u) goto done;
    h = h * 31u + 266u;
  } else {
    b ^= ((b - h) >> (b & 15u));
    b += a;
  }
done:
  return a ^ b ^ c ^ h;
}
kernel void branches_7(global const uint *in, global uint *out) {
  size_t i = get_global_id(0);
  uint lane = (uint)i, a = in[2 * i], b = in[2 * i + 1], c = lane * 7u, h = 1u, fuel = 60u;
  label1:;
    a ^= function_7_0(7u, a, lane);
    label2:;
      if ((a & 4u) != 0u) goto label3;
      {
        label4:;
          h = h * 31u + 464u;
          if ((h & 2u) != 0u) { out[2 * i] = h; out[2 * i + 1] = ((c - h) >> ((h + 12u) & 15u)); return; }
        if (fuel != 0u && (c & 2u) != 0u) { --fuel; goto label4; }
        if (b % 5u == 1u) {
          b -= b;
          c -= ((5u + c) + (c | 4096u));
        } else {
          if ((b & 1u) != 0u) { out[2 * i] = h; out[2 * i + 1] = a; return; }
          h = h * 31u + 279u;
          b += h;
        }
        while (fuel != 0u && (12u >> (c & 15u)) < b) {
          --fuel;
          a ^= c;
          a *= c;
          if ((h & 3u) != 0u) break;
          if (b % 11u == 2u) { out[2 * i] = h; out[2 * i + 1] = ((a - a) * (b | c)); return; }
        }
      }
      label3:;
      if (c % 3u == 1u) {
        c = ((h >> (h & 15u)) >> (h & 15u));
      }
      if ((lane + 4u) % 3u == 0u) goto label5;
      {
        if ((a + a) < (3u | a)) {
          if ((h & 3u) != 0u) goto done;
          h = h * 31u + 985u;
          h = h * 31u + 996u;
          if ((lane + 3u) % 3u == 0u) goto done;
        } else {
          a ^= h;
        }
        a -= ((a * h) & (c | a));
      }
      label5:;
      for (uint k1 = 0, ek1 = b & 3u; k1 < ek1 && fuel != 0u; ++k1, fuel -= fuel != 0u) {
        if ((a & 1u) != 0u) break;
      }
    if (fuel != 0u && b % 3u == 1u) { --fuel; goto label2; }
    c ^= function_7_0(b, (a | 2u), lane);
    if (((b & 1u) || (h & a) > 2u)) { out[2 * i] = h; out[2 * i + 1] = (a >> ((a | b) & 15u)); return; }
  if (fuel != 0u && b % 7u == 2u) { --fuel; goto label1; }
  do {
    a -= ((b | 7u) + (h >> (4096u & 15u)));
    if ((h & 3u) != 0u) { out[2 * i] = h; out[2 * i + 1] = 7u; return; }
  } while (fuel > 1u && --fuel != 0u && (h & 6u) != 0u);
  while (fuel != 0u && ((c & 1u) && 2u > b)) {
    --fuel;
    h = h * 31u + 136u;
    if ((h * a) < c) goto done;
    if (fuel == 0u || --fuel == 0u) goto done;
    if ((h & 2u) != 0u) continue;
  }
  b ^= (h * (c + 7u));
  c ^= function_7_0((b & h), (c | 1u), lane);
  switch ((a >> (h & 15u)) % 5u) {
  case 5:
    if (c % 7u == 1u) goto done;
  case 2:
    b ^= function_7_0((2u + b), 2654435769u, lane);
    b ^= function_7_0((255u - b), b, lane);
    h = h * 31u + 570u;
    break;
  case 3:
    h = h * 31u + 265u;
    if (((h & 1u) || (h >> (c & 15u)) > h)) { out[2 * i] = h; out[2 * i + 1] = 1u; return; }
    break;
  default:
    h = h * 31u + 991u;
  }
done:
  out[2 * i] = h;
  out[2 * i + 1] = a ^ b ^ c;
}
kernel void branches_8(global const uint *in, global uint *out) {
  size_t i = get_global_id(0);
  uint lane = (uint)i, a = in[2 * i], b = in[2 * i + 1], c = lane * 7u, h = 1u, fuel = 60u;
  for (uint k1 = 0, ek1 = b & 3u; k1 < ek1 && fuel != 0u; ++k1, fuel -= fuel != 0u) {
    a = 2654435769u;
    for (uint k2 = 0, ek2 = 5u; k2 < ek2 && fuel != 0u; ++k2, fuel -= fuel != 0u) {
      do {
        do {
          if ((b & 7u) != 0u) goto done;
          h = h * 31u + 533u;
          if ((lane + 2u) % 2u == 0u) goto done;
          if (h < (c - 3u)) break;
        } while (fuel > 1u && --fuel != 0u && (lane + 5u) % 4u == 0u);
        label1:;
          h = h * 31u + 154u;
          h = h * 31u + 542u;
        if (fuel != 0u && (lane + 1u) % 3u == 0u) { --fuel; goto label1; }
        switch (1u % 5u) {
        case 1:
          if (((a & 1u) || h > 3u)) goto done;
          if ((3u >> (b & 15u)) < b) { out[2 * i] = h; out[2 * i + 1] = ((2u | c) + a); return; }
          h = h * 31u + 396u;
          break;
        case 2:
          if (fuel == 0u || --fuel == 0u) goto done;
          if (c % 7u == 0u) continue;
          break;
        case 0:
          c = b;
          b ^= (a ^ 5u);
          if ((h ^ 12u) < 1u) goto done;
          b = a;
          break;
        case 3:
          if (((c & 1u) && (b >> (h & 15u)) > (a >> (c & 15u)))) break;
        default:
          h = h * 31u + 762u;
        }
        if ((h & c) < (c ^ b)) {
          if (a % 5u == 0u) goto done;
          if (2654435769u < 12u) { out[2 * i] = h; out[2 * i + 1] = ((c & c) - (h - c)); return; }
          if ((lane + 6u) % 2u == 0u) goto done;
        }
      } while (fuel > 1u && --fuel != 0u && (b & 6u) != 0u);
    }
  }
  for (uint k3 = 0, ek3 = (lane & 3u) + 1u; k3 < ek3 && fuel != 0u; ++k3, fuel -= fuel != 0u) {
    b -= (b | (c - a));
  }
  switch (b % 7u) {
  case 4:
    h = h * 31u + 762u;
    h = h * 31u + 991u;
    break;
  case 2:
    h = h * 31u + 445u;
    break;
  default:
    h = h * 31u + 262u;
  }
  for (uint k4 = 0, ek4 = b & 3u; k4 < ek4 && fuel != 0u; ++k4, fuel -= fuel != 0u) {
    if ((lane + 3u) % 2u == 0u) break;
    h = h * 31u + 948u;
    c ^= 2u;
    c = b;
  }
  if ((2u >> (b & 15u)) < b) {
    a -= b;
    if (((c & 1u) || (12u * c) > (c & 2654435769u))) { out[2 * i] = h; out[2 * i + 1] = h; return; }
    h = h * 31u + 827u;
  } else {
    c -= (c ^ (a * c));
    a *= a;
    c -= h;
    c ^= c;
  }
  switch (c % 7u) {
  case 3:
    if ((lane + 5u) % 8u == 0u) goto done;
    h = h * 31u + 488u;
    break;
  case 1:
    a ^= ((h ^ c) - (2u * 4096u));
    c ^= ((255u - b) - (a >> (b & 15u)));
    if (b % 7u == 0u) { out[2 * i] = h; out[2 * i + 1] = (2u ^ a); return; }
  default:
    h = h * 31u + 754u;
  }
done:
  out[2 * i] = h;
  out[2 * i + 1] = a ^ b ^ c;
}
kernel void branches_10(global const uint *in, global uint *out) {
  size_t i = get_global_id(0);
  uint lane = (uint)i, a = in[2 * i], b = in[2 * i + 1], c = lane * 7u, h = 1u, fuel = 60u;
  label1:;
    for (uint k1 = 0, ek1 = 5u; k1 < ek1 && fuel != 0u; ++k1, fuel -= fuel != 0u) {
      do {
        b *= (b ^ (h ^ c));
        if (((c & 1u) && (b ^ 5u) > (a - b))) {
          if (fuel == 0u || --fuel == 0u) goto done;
          if (b % 11u == 1u) continue;
          if ((a * h) < a) { out[2 * i] = h; out[2 * i + 1] = c; return; }
          c -= (a - h);
        }
      } while (fuel > 1u && --fuel != 0u && b % 11u == 1u);
      do {
        do {
          if (a % 11u == 1u) break;
          a += ((h & a) * c);
        } while (fuel > 1u && --fuel != 0u && (b & 3u) != 0u);
        do {
          if (((h & 1u) && (h >> (2u & 15u)) > h)) break;
          if (fuel == 0u || --fuel == 0u) goto done;
          if ((h & 3u) < (h ^ a)) continue;
          if (a % 3u == 0u) break;
          b *= (h * (12u ^ h));
        } while (fuel > 1u && --fuel != 0u && (b + 1u) < (5u + a));
      } while (fuel > 1u && --fuel != 0u && a % 5u == 2u);
      label2:;
        switch ((c & a) % 4u) {
        case 1:
          if (h < a) goto done;
          h = h * 31u + 261u;
          h = h * 31u + 468u;
          if ((lane + 7u) % 4u == 0u) goto done;
          break;
        case 0:
          h = h * 31u + 744u;
          h = h * 31u + 495u;
          if ((lane + 5u) % 4u == 0u) goto done;
          break;
        case 2:
          a ^= (b >> (h & 15u));
          c *= (h & 12u);
          break;
        case 3:
          a *= c;
          if ((c & 4u) != 0u) goto done;
          if ((lane + 8u) % 8u == 0u) { out[2 * i] = h; out[2 * i + 1] = (b ^ (4096u * 3u)); return; }
          break;
        case 4:
          if ((h - a) < (a | a)) { out[2 * i] = h; out[2 * i + 1] = a; return; }
          break;
        default:
          h = h * 31u + 857u;
        }
        a ^= ((c - h) ^ h);
      if (fuel != 0u && (c & 2u) != 0u) { --fuel; goto label2; }
      c *= (h + h);
    }
  if (fuel != 0u && (b & 4u) != 0u) { --fuel; goto label1; }
  if ((lane + 1u) % 4u == 0u) {
    b *= b;
    if ((h & 6u) != 0u) { out[2 * i] = h; out[2 * i + 1] = 2u; return; }
    if ((lane + 8u) % 2u == 0u) goto done;
    a -= h;
  } else {
    b ^= (a * 3u);
    a += ((2654435769u >> (b & 15u)) + a);
  }
  a += (a | (h + b));
  for (uint k2 = 0, ek2 = 5u; k2 < ek2 && fuel != 0u; ++k2, fuel -= fuel != 0u) {
    h = h * 31u + 191u;
    c -= ((a * c) ^ a);
    b += c;
    c = c;
  }
  if ((lane + 4u) % 8u == 0u) {
    c = b;
    a += ((a ^ a) ^ (4096u + b));
  }
  do {
    h = h * 31u + 519u;
    if (fuel == 0u || --fuel == 0u) goto done;
    if ((b & 4u) != 0u) continue;
  } while (fuel > 1u && --fuel != 0u && (b * 2654435769u) < (3u >> (c & 15u)));
done:
  out[2 * i] = h;
  out[2 * i + 1] = a ^ b ^ c;
}
__attribute__((noinline)) uint function_13_0(uint a, uint b, uint lane) {
  uint c = a + b, h = 63u, fuel = 12u;
  switch (3u % 4u) {
  case 1:
    if (((a & 1u) && c > a)) {
      do {
        if (c % 5u == 1u) {
          if (fuel == 0u || --fuel == 0u) goto done;
          if (h % 3u == 1u) continue;
          if (fuel == 0u || --fuel == 0u) goto done;
          if ((lane + 2u) % 8u == 0u) continue;
          if (fuel == 0u || --fuel == 0u) goto done;
          if (b % 5u == 0u) continue;
          if (fuel == 0u || --fuel == 0u) goto done;
          if (c % 11u == 1u) continue;
        }
        for (uint k1 = 0, ek1 = b & 3u; k1 < ek1 && fuel != 0u; ++k1, fuel -= fuel != 0u) {
          if ((a ^ 4096u) < h) break;
          a += ((b * 7u) & 12u);
          if (((b & 1u) && a > (b - b))) break;
          if (h < (h >> (a & 15u))) break;
        }
        if ((h & c) < h) goto label1;
        {
          b = (h + (5u >> (c & 15u)));
          if ((lane + 4u) % 8u == 0u) goto done;
          b ^= c;
        }
        label1:;
        for (uint k2 = 0, ek2 = 5u; k2 < ek2 && fuel != 0u; ++k2, fuel -= fuel != 0u) {
          c = c;
        }
      } while (fuel > 1u && --fuel != 0u && ((b & 1u) || (12u >> (c & 15u)) > (3u >> (a & 15u))));
      if (7u < (7u - c)) {
        switch ((255u & c) % 5u) {
        case 6:
          a = a;
          if ((lane + 0u) % 2u == 0u) goto done;
          break;
        case 0:
          h = h * 31u + 547u;
          if ((c & 3u) != 0u) goto done;
        case 2:
          c *= (a ^ c);
          if (12u < (h - 7u)) goto done;
          if (a < c) return ((h + 5u) >> (h & 15u));
          c -= (b >> ((a & c) & 15u));
          break;
        default:
          h = h * 31u + 55u;
        }
      }
      if ((lane + 7u) % 4u == 0u) goto done;
    }
    c *= (2654435769u * a);
  case 0:
    h = h * 31u + 852u;
    c ^= 7u;
    c ^= b;
    a *= b;
    break;
  case 4:
    if ((lane + 1u) % 8u == 0u) return ((2654435769u ^ 2u) - (c >> (2u & 15u)));
  default:
    h = h * 31u + 308u;
  }
  b -= ((a + b) * c);
  if (((b & 1u) || b > a)) goto label2;
  {
    b *= 12u;
    a = a;
  }
  label2:;
  b += h;
  h = h * 31u + 817u;
  label3:;
    b = b;
    b -= ((c * h) + (a + b));
  if (fuel != 0u && 7u < a) { --fuel; goto label3; }
done:
  return a ^ b ^ c ^ h;
}
kernel void branches_13(global const uint *in, global uint *out) {
  size_t i = get_global_id(0);
  uint lane = (uint)i, a = in[2 * i], b = in[2 * i + 1], c = lane * 7u, h = 1u, fuel = 60u;
  c ^= function_13_0((3u >> (5u & 15u)), (c | a), lane);
  do {
    b ^= function_13_0(h, a, lane);
  } while (fuel > 1u && --fuel != 0u && (h * 1u) < (c - a));
  if (((b & 1u) && (h - 2654435769u) > h)) {
    switch ((h + 7u) % 7u) {
    case 3:
      while (fuel != 0u && (h & 6u) != 0u) {
        --fuel;
        if ((lane + 3u) % 2u == 0u) {
          b ^= function_13_0((1u | b), (3u ^ 5u), lane);
          if (fuel == 0u || --fuel == 0u) goto done;
          if (((a & 1u) || 5u > (a ^ a))) continue;
        } else {
          b ^= function_13_0(h, (2u | a), lane);
          if (fuel == 0u || --fuel == 0u) goto done;
          if (a < (h ^ 1u)) continue;
          if (b % 11u == 2u) break;
          a += b;
        }
        h = h * 31u + 302u;
        if ((b + h) < a) {
          if ((a & 4u) != 0u) { out[2 * i] = h; out[2 * i + 1] = b; return; }
          if ((b & a) < (h * 5u)) { out[2 * i] = h; out[2 * i + 1] = 4096u; return; }
          h = h * 31u + 463u;
          if (((a & 1u) || 3u > (h & c))) break;
        } else {
          if (h % 5u == 1u) break;
        }
        b -= b;
      }
      break;
    case 1:
      while (fuel != 0u && (a & 1u) != 0u) {
        --fuel;
        if ((lane + 2u) % 8u == 0u) {
          if ((lane + 5u) % 4u == 0u) { out[2 * i] = h; out[2 * i + 1] = h; return; }
          b -= b;
          h = h * 31u + 160u;
          a *= h;
        } else {
          h = h * 31u + 763u;
          if (fuel == 0u || --fuel == 0u) goto done;
          if (((b & 1u) && h > (a - h))) continue;
          c ^= function_13_0(h, (h >> (b & 15u)), lane);
          if ((c & 3u) != 0u) break;
        }
      }
      c ^= function_13_0(c, c, lane);
      b ^= function_13_0(h, c, lane);
      break;
    case 4:
      b ^= function_13_0((5u >> (a & 15u)), (a * b), lane);
      h = h * 31u + 813u;
      if (c % 7u == 0u) goto done;
      break;
    default:
      h = h * 31u + 291u;
    }
  }
  for (uint k1 = 0, ek1 = a & 7u; k1 < ek1 && fuel != 0u; ++k1, fuel -= fuel != 0u) {
    a = 2u;
    h = h * 31u + 224u;
    c = ((b + a) + (4096u ^ 255u));
    h = h * 31u + 582u;
  }
  for (uint k2 = 0, ek2 = b & 3u; k2 < ek2 && fuel != 0u; ++k2, fuel -= fuel != 0u) {
    h = h * 31u + 801u;
    if (fuel == 0u || --fuel == 0u) goto done;
    if ((lane + 1u) % 3u == 0u) continue;
    if ((lane + 0u) % 4u == 0u) break;
  }
  if ((lane + 6u) % 8u == 0u) {
    c += ((b >> (h & 15u)) + (2654435769u & h));
    h = h * 31u + 460u;
  }
done:
  out[2 * i] = h;
  out[2 * i + 1] = a ^ b ^ c;
}
kernel void branches_14(global const uint *in, global uint *out) {
  size_t i = get_global_id(0);
  uint lane = (uint)i, a = in[2 * i], b = in[2 * i + 1], c = lane * 7u, h = 1u, fuel = 60u;
  while (fuel != 0u && c % 7u == 2u) {
    --fuel;
    do {
      do {
        for (uint k1 = 0, ek1 = a & 7u; k1 < ek1 && fuel != 0u; ++k1, fuel -= fuel != 0u) {
          b ^= ((b + b) & a);
          h = h * 31u + 29u;
          a ^= ((2u - c) & h);
        }
        for (uint k2 = 0, ek2 = (lane & 3u) + 1u; k2 < ek2 && fuel != 0u; ++k2, fuel -= fuel != 0u) {
          if (h % 7u == 0u) break;
          b = (a + h);
          if (((h & 1u) && (4096u >> (h & 15u)) > (255u ^ c))) break;
          if ((h & 6u) != 0u) { out[2 * i] = h; out[2 * i + 1] = 4096u; return; }
        }
        if (h % 11u == 0u) {
          if (((c & 1u) || (b * h) > h)) { out[2 * i] = h; out[2 * i + 1] = c; return; }
          a = (a + (c >> (a & 15u)));
          a += 7u;
          if (fuel == 0u || --fuel == 0u) goto done;
          if (12u < (a * b)) continue;
        } else {
          if (7u < (3u + 1u)) goto done;
          h = h * 31u + 721u;
        }
        switch ((255u >> (h & 15u)) % 4u) {
        case 1:
          c = 12u;
          if (((h & 1u) || (a | a) > (a >> (2u & 15u)))) break;
        case 5:
          c = (b | (a ^ 4096u));
          if ((c & 3u) != 0u) break;
          break;
        default:
          h = h * 31u + 698u;
        }
      } while (fuel > 1u && --fuel != 0u && (lane + 3u) % 2u == 0u);
      switch (a % 5u) {
      case 3:
        if ((lane + 4u) % 3u == 0u) {
          b = ((7u + 5u) - (5u + 2654435769u));
          b += b;
          c -= (a >> (7u & 15u));
          if (((b & 1u) && (5u ^ c) > (a >> (h & 15u)))) goto done;
        } else {
          if ((b >> (c & 15u)) < (12u - c)) goto done;
          if (fuel == 0u || --fuel == 0u) goto done;
          if ((lane + 6u) % 2u == 0u) continue;
          b = (c + 5u);
        }
        if (h % 11u == 0u) break;
        if ((lane + 3u) % 2u == 0u) { out[2 * i] = h; out[2 * i + 1] = h; return; }
        break;
      case 2:
        if (fuel == 0u || --fuel == 0u) goto done;
        if ((lane + 1u) % 3u == 0u) continue;
        h = h * 31u + 884u;
      case 5:
        c = b;
        a = ((12u >> (2654435769u & 15u)) + c);
        if (fuel == 0u || --fuel == 0u) goto done;
        if ((2u & a) < (a - h)) continue;
        a *= ((c >> (1u & 15u)) ^ a);
        break;
      case 4:
        c *= (h | (c | b));
        a ^= (b >> (b & 15u));
        if ((c & 3u) != 0u) { out[2 * i] = h; out[2 * i + 1] = (b - 1u); return; }
        if (b % 5u == 0u) break;
        break;
      case 0:
        c = ((h >> (5u & 15u)) - h);
        if ((lane + 4u) % 2u == 0u) { out[2 * i] = h; out[2 * i + 1] = 7u; return; }
        if ((a & 3u) != 0u) goto done;
        break;
      default:
        h = h * 31u + 166u;
      }
      b -= ((255u & h) * 2u);
    } while (fuel > 1u && --fuel != 0u && (lane + 3u) % 8u == 0u);
  }
  while (fuel != 0u && h % 7u == 1u) {
    --fuel;
    if (fuel == 0u || --fuel == 0u) goto done;
    if (h % 7u == 0u) continue;
    c += (h - (b + 1u));
    if (((b & 1u) && 7u > a)) { out[2 * i] = h; out[2 * i + 1] = b; return; }
    h = h * 31u + 334u;
  }
  h = h * 31u + 521u;
  for (uint k3 = 0, ek3 = a & 7u; k3 < ek3 && fuel != 0u; ++k3, fuel -= fuel != 0u) {
    if ((3u >> (c & 15u)) < (255u + h)) break;
  }
  a = (1u * a);
  if ((a & 6u) != 0u) {
    if ((lane + 2u) % 8u == 0u) { out[2 * i] = h; out[2 * i + 1] = (b | (h ^ 5u)); return; }
    b ^= a;
  } else {
    h = h * 31u + 507u;
    c += ((c * 2654435769u) >> (a & 15u));
    h = h * 31u + 40u;
    c = a;
  }
done:
  out[2 * i] = h;
  out[2 * i + 1] = a ^ b ^ c;
}
kernel void branches_15(global const uint *in, global uint *out) {
  size_t i = get_global_id(0);
  uint lane = (uint)i, a = in[2 * i], b = in[2 * i + 1], c = lane * 7u, h = 1u, fuel = 60u;
  if (1u < b) goto label1;
  {
    while (fuel != 0u && a % 11u == 2u) {
      --fuel;
      do {
        do {
          b += (7u ^ (5u >> (255u & 15u)));
          c -= ((h ^ 2u) - b);
          if (a % 11u == 0u) break;
        } while (fuel > 1u && --fuel != 0u && (a & 4u) != 0u);
        b = ((2654435769u & b) >> ((a >> (c & 15u)) & 15u));
        if (b % 11u == 1u) {
          if (((a & 1u) || (c + c) > h)) goto done;
          a ^= ((1u + h) + (h & a));
          c ^= ((a * h) | (h >> (1u & 15u)));
        }
        for (uint k1 = 0, ek1 = a & 7u; k1 < ek1 && fuel != 0u; ++k1, fuel -= fuel != 0u) {
          h = h * 31u + 256u;
          if ((c & 2u) != 0u) { out[2 * i] = h; out[2 * i + 1] = ((b * h) >> (c & 15u)); return; }
        }
      } while (fuel > 1u && --fuel != 0u && (lane + 6u) % 4u == 0u);
      a ^= ((2654435769u ^ 2u) - a);
      if (fuel == 0u || --fuel == 0u) goto done;
      if ((c >> (5u & 15u)) < (h >> (c & 15u))) continue;
    }
    if ((b & 1u) != 0u) { out[2 * i] = h; out[2 * i + 1] = (c ^ (c + b)); return; }
    h = h * 31u + 211u;
  }
  label1:;
  h = h * 31u + 814u;
  do {
    a ^= c;
    if (b % 5u == 2u) { out[2 * i] = h; out[2 * i + 1] = 255u; return; }
  } while (fuel > 1u && --fuel != 0u && ((b & 1u) || (3u ^ 2u) > (5u * h)));
  for (uint k2 = 0, ek2 = b & 3u; k2 < ek2 && fuel != 0u; ++k2, fuel -= fuel != 0u) {
    if (((h & 1u) && (4096u ^ h) > (2654435769u | b))) break;
  }
  if (((h & 1u) || (b & b) > (2u >> (12u & 15u)))) {
    if ((b + 2654435769u) < 5u) goto done;
    if (((c & 1u) || (b | 5u) > 2u)) goto done;
    c *= ((b ^ 7u) ^ b);
  }
  switch ((c >> (a & 15u)) % 5u) {
  case 1:
    if (((b & 1u) && a > a)) goto done;
    if ((lane + 8u) % 2u == 0u) goto done;
    if (b < (5u >> (h & 15u))) { out[2 * i] = h; out[2 * i + 1] = (b >> (h & 15u)); return; }
  case 0:
    c = h;
    h = h * 31u + 980u;
    h = h * 31u + 775u;
    a ^= (b >> ((3u | 7u) & 15u));
    break;
  default:
    h = h * 31u + 538u;
  }
done:
  out[2 * i] = h;
  out[2 * i + 1] = a ^ b ^ c;
}
kernel void branches_18(global const uint *in, global uint *out) {
  size_t i = get_global_id(0);
  uint lane = (uint)i, a = in[2 * i], b = in[2 * i + 1], c = lane * 7u, h = 1u, fuel = 60u;
  do {
    while (fuel != 0u && ((b & 1u) || h > (7u | c))) {
      --fuel;
      if (b < 12u) {
        label1:;
          if (fuel == 0u || --fuel == 0u) goto done;
          if ((c & 3u) != 0u) continue;
          if (c % 7u == 2u) { out[2 * i] = h; out[2 * i + 1] = 255u; return; }
        if (fuel != 0u && a % 11u == 2u) { --fuel; goto label1; }
        if (((b & 1u) && 5u > (h | 2u))) goto label2;
        {
          if (fuel == 0u || --fuel == 0u) goto done;
          if ((lane + 7u) % 2u == 0u) continue;
          if (c < 255u) goto done;
        }
        label2:;
      }
    }
    if (h < (3u - 255u)) goto label3;
    {
      for (uint k1 = 0, ek1 = (lane & 3u) + 1u; k1 < ek1 && fuel != 0u; ++k1, fuel -= fuel != 0u) {
        if ((lane + 4u) % 3u == 0u) {
          if (h < h) break;
          if ((lane + 4u) % 8u == 0u) break;
          if (fuel == 0u || --fuel == 0u) goto done;
          if ((lane + 8u) % 8u == 0u) continue;
          if (b % 7u == 1u) goto done;
        } else {
          h = h * 31u + 777u;
        }
        if ((b * b) < c) break;
      }
      b ^= c;
      h = h * 31u + 737u;
    }
    label3:;
    c -= ((2654435769u >> (c & 15u)) - (c + 7u));
  } while (fuel > 1u && --fuel != 0u && (h * a) < (2654435769u | b));
  h = h * 31u + 896u;
  do {
    a = ((2654435769u >> (255u & 15u)) + (1u + b));
    if (h % 3u == 2u) goto done;
    if ((lane + 0u) % 8u == 0u) goto done;
  } while (fuel > 1u && --fuel != 0u && c % 3u == 0u);
  if ((b & 2u) != 0u) goto label4;
  {
    b += b;
    c -= 4096u;
    b -= 5u;
  }
  label4:;
  do {
    if (fuel == 0u || --fuel == 0u) goto done;
    if (h % 5u == 0u) continue;
    if (h % 7u == 0u) goto done;
    if (b % 7u == 0u) { out[2 * i] = h; out[2 * i + 1] = a; return; }
  } while (fuel > 1u && --fuel != 0u && h % 5u == 0u);
  if (b < (a & b)) {
    a = c;
    h = h * 31u + 706u;
    h = h * 31u + 797u;
  } else {
    h = h * 31u + 292u;
    h = h * 31u + 240u;
    if (h % 5u == 1u) goto done;
  }
done:
  out[2 * i] = h;
  out[2 * i + 1] = a ^ b ^ c;
}
kernel void branches_19(global const uint *in, global uint *out) {
  size_t i = get_global_id(0);
  uint lane = (uint)i, a = in[2 * i], b = in[2 * i + 1], c = lane * 7u, h = 1u, fuel = 60u;
  if (((b & 1u) || (b >> (a & 15u)) > (12u * a))) {
    c *= 2u;
    for (uint k1 = 0, ek1 = a & 7u; k1 < ek1 && fuel != 0u; ++k1, fuel -= fuel != 0u) {
      for (uint k2 = 0, ek2 = a & 7u; k2 < ek2 && fuel != 0u; ++k2, fuel -= fuel != 0u) {
        while (fuel != 0u && (a & 6u) != 0u) {
          --fuel;
          if (((a & 1u) || h > (12u >> (2654435769u & 15u)))) { out[2 * i] = h; out[2 * i + 1] = ((h - a) & (b + h)); return; }
          a = a;
          if ((a & 2u) != 0u) goto done;
          h = h * 31u + 704u;
        }
      }
      while (fuel != 0u && ((a & 1u) && (1u | h) > (a ^ b))) {
        --fuel;
        do {
          b *= h;
        } while (fuel > 1u && --fuel != 0u && (b & 4u) != 0u);
        if ((lane + 8u) % 4u == 0u) {
          c ^= (a ^ (a & c));
          if ((lane + 4u) % 4u == 0u) break;
          if (fuel == 0u || --fuel == 0u) goto done;
          if (((h & 1u) && 3u > h)) continue;
        }
        if (a % 11u == 2u) {
          if (fuel == 0u || --fuel == 0u) goto done;
          if (c % 5u == 1u) continue;
          h = h * 31u + 995u;
          if (((h & 1u) && (c ^ 12u) > (c + c))) break;
          a -= b;
        } else {
          if ((lane + 6u) % 2u == 0u) break;
        }
      }
      if ((c >> (b & 15u)) < 7u) {
        do {
          b -= ((c * b) >> (c & 15u));
          if ((h + h) < (1u >> (c & 15u))) { out[2 * i] = h; out[2 * i + 1] = (2654435769u >> ((a - 2u) & 15u)); return; }
        } while (fuel > 1u && --fuel != 0u && (b & 4u) != 0u);
      } else {
        while (fuel != 0u && ((b & 1u) && (c & 4096u) > a)) {
          --fuel;
          a ^= (h - (255u + b));
          if ((lane + 5u) % 3u == 0u) { out[2 * i] = h; out[2 * i + 1] = c; return; }
        }
        h = h * 31u + 185u;
      }
      b *= a;
    }
    c = h;
  } else {
    c -= ((c + b) * a);
  }
  switch (c % 5u) {
  case 2:
    a *= ((a + h) - h);
    a += (a + 7u);
    break;
  case 5:
    if (h % 5u == 1u) goto done;
    a *= a;
    h = h * 31u + 866u;
    h = h * 31u + 862u;
    break;
  case 3:
    a *= ((h >> (c & 15u)) & (12u - h));
    if ((lane + 3u) % 3u == 0u) { out[2 * i] = h; out[2 * i + 1] = a; return; }
    b = h;
    if ((4096u - c) < (c * 255u)) { out[2 * i] = h; out[2 * i + 1] = (h & b); return; }
  case 0:
    if (b % 5u == 0u) { out[2 * i] = h; out[2 * i + 1] = b; return; }
    c += c;
    c ^= ((h ^ 4096u) & a);
    h = h * 31u + 811u;
    break;
  default:
    h = h * 31u + 201u;
  }
  if (b % 7u == 2u) {
    if (((a & 1u) && (1u * b) > h)) { out[2 * i] = h; out[2 * i + 1] = (c & (h | 7u)); return; }
    if ((lane + 2u) % 3u == 0u) goto done;
    c -= c;
    h = h * 31u + 261u;
  } else {
    h = h * 31u + 675u;
    a *= ((a >> (7u & 15u)) * (3u - 4096u));
    if ((b & 3u) != 0u) goto done;
  }
  while (fuel != 0u && ((h & 1u) && a > (b | b))) {
    --fuel;
    if (fuel == 0u || --fuel == 0u) goto done;
    if (h % 7u == 0u) continue;
    if (((h & 1u) || a > h)) break;
  }
  while (fuel != 0u && (lane + 1u) % 2u == 0u) {
    --fuel;
    h = h * 31u + 562u;
    if (fuel == 0u || --fuel == 0u) goto done;
    if ((b & h) < (h ^ 2u)) continue;
  }
  label1:;
    a -= h;
    a *= ((a - 7u) - (h + c));
    if (h % 3u == 0u) goto done;
    b = ((c | a) | c);
  if (fuel != 0u && (lane + 7u) % 8u == 0u) { --fuel; goto label1; }
done:
  out[2 * i] = h;
  out[2 * i + 1] = a ^ b ^ c;
}
kernel void branches_31(global const uint *in, global uint *out) {
  size_t i = get_global_id(0);
  uint lane = (uint)i, a = in[2 * i], b = in[2 * i + 1], c = lane * 7u, h = 1u, fuel = 60u;
  if (b < b) {
    if ((a & 2u) != 0u) {
      do {
        for (uint k1 = 0, ek1 = a & 7u; k1 < ek1 && fuel != 0u; ++k1, fuel -= fuel != 0u) {
          b -= 5u;
        }
        if (h % 5u == 0u) {
          if (((b & 1u) && h > 5u)) goto done;
          if (c % 11u == 1u) goto done;
        }
        if ((b & 3u) != 0u) {
          if (fuel == 0u || --fuel == 0u) goto done;
          if (1u < (h | c)) continue;
          b = 12u;
        } else {
          if ((c & 7u) != 0u) break;
        }
        if ((b ^ 1u) < (c >> (1u & 15u))) {
          if (a % 11u == 1u) { out[2 * i] = h; out[2 * i + 1] = h; return; }
        } else {
          c -= ((a & a) - b);
        }
      } while (fuel > 1u && --fuel != 0u && (2654435769u >> (5u & 15u)) < (h >> (h & 15u)));
      if (b % 3u == 2u) {
        for (uint k2 = 0, ek2 = (lane & 3u) + 1u; k2 < ek2 && fuel != 0u; ++k2, fuel -= fuel != 0u) {
          if ((a & 7u) != 0u) break;
          if ((b + a) < (c | h)) goto done;
          h = h * 31u + 216u;
          if (12u < (c + b)) goto done;
        }
        while (fuel != 0u && ((h & 1u) || (h ^ a) > c)) {
          --fuel;
          b = ((c ^ c) & 5u);
          b *= b;
          c ^= ((2654435769u ^ c) - (b & 1u));
          if (((a & 1u) || (a | b) > (3u * c))) break;
        }
        a -= ((a ^ h) >> ((h | 1u) & 15u));
      }
    }
    if (h < (h - h)) {
      c = (h & (3u - h));
      h = h * 31u + 804u;
      a -= c;
      c += ((c ^ c) - (h + 12u));
    }
  }
  switch (a % 7u) {
  case 2:
    a *= ((4096u >> (b & 15u)) * (3u & c));
    h = h * 31u + 873u;
  case 5:
    h = h * 31u + 124u;
    break;
  case 3:
    a ^= ((4096u | c) >> (b & 15u));
    b += (h >> ((b - 2654435769u) & 15u));
    break;
  case 4:
    if (2u < (12u | a)) goto done;
    h = h * 31u + 834u;
    a = a;
  default:
    h = h * 31u + 357u;
  }
  switch (2u % 5u) {
  case 3:
    a = (c * a);
    a *= ((c & b) | (h * 3u));
    a *= 1u;
    c *= c;
    break;
  case 2:
    b ^= c;
    if ((a & 4u) != 0u) goto done;
    h = h * 31u + 543u;
    if (h % 3u == 1u) { out[2 * i] = h; out[2 * i + 1] = (h * (a ^ a)); return; }
    break;
  case 4:
    a -= (3u * (c >> (c & 15u)));
    b = (h | (h >> (h & 15u)));
    if ((lane + 1u) % 2u == 0u) goto done;
    a -= ((5u >> (a & 15u)) & h);
  case 0:
    a *= c;
    break;
  case 1:
    a = c;
    break;
  default:
    h = h * 31u + 851u;
  }
  if ((c & 3u) != 0u) {
    c -= (4096u | 2654435769u);
  }
  b *= (5u >> (a & 15u));
  do {
    if ((lane + 5u) % 2u == 0u) break;
    h = h * 31u + 494u;
  } while (fuel > 1u && --fuel != 0u && (lane + 4u) % 8u == 0u);
done:
  out[2 * i] = h;
  out[2 * i + 1] = a ^ b ^ c;
}
kernel void branches_32(global const uint *in, global uint *out) {
  size_t i = get_global_id(0);
  uint lane = (uint)i, a = in[2 * i], b = in[2 * i + 1], c = lane * 7u, h = 1u, fuel = 60u;
  if ((a & c) < (h & a)) {
    if (((a & 1u) && (h + c) > a)) goto label1;
    {
      do {
        while (fuel != 0u && (a & 6u) != 0u) {
          --fuel;
          b += ((c & a) | (c - a));
          if ((c & 6u) != 0u) goto done;
          h = h * 31u + 150u;
        }
      } while (fuel > 1u && --fuel != 0u && (h & 2u) != 0u);
      a -= ((c >> (4096u & 15u)) >> (12u & 15u));
    }
    label1:;
    if ((12u & b) < (b ^ a)) goto label2;
    {
      if ((lane + 2u) % 4u == 0u) {
        while (fuel != 0u && ((h & 1u) && (3u + c) > (b >> (h & 15u)))) {
          --fuel;
          if ((b & 1u) != 0u) { out[2 * i] = h; out[2 * i + 1] = a; return; }
          if (((c & 1u) && h > (b + h))) break;
          if ((c & 6u) != 0u) goto done;
        }
        h = h * 31u + 133u;
        switch (a % 7u) {
        case 5:
          c += a;
          a = 12u;
          h = h * 31u + 733u;
          break;
        case 2:
          a *= (a | (b >> (a & 15u)));
          c -= (b | (b + c));
          if (4096u < (a - h)) goto done;
          break;
        case 0:
          h = h * 31u + 979u;
          c = (b ^ b);
          c = a;
          break;
        default:
          h = h * 31u + 136u;
        }
        h = h * 31u + 385u;
      } else {
        h = h * 31u + 484u;
        b *= ((c * a) & (a & c));
        c *= ((b ^ 7u) | a);
        if ((a & 6u) != 0u) { out[2 * i] = h; out[2 * i + 1] = (a | (c >> (5u & 15u))); return; }
      }
    }
    label2:;
  }
  for (uint k1 = 0, ek1 = a & 7u; k1 < ek1 && fuel != 0u; ++k1, fuel -= fuel != 0u) {
    if ((2654435769u - 3u) < (h - a)) break;
    if (fuel == 0u || --fuel == 0u) goto done;
    if ((c & 6u) != 0u) continue;
  }
  if (((c & 1u) && (2u >> (h & 15u)) > b)) {
    if (b % 11u == 0u) goto done;
    h = h * 31u + 246u;
  } else {
    c -= (h - h);
  }
  h = h * 31u + 31u;
  do {
    if ((b & 4u) != 0u) { out[2 * i] = h; out[2 * i + 1] = h; return; }
    if (((h & 1u) || b > (c ^ 3u))) break;
    if (c < h) goto done;
  } while (fuel > 1u && --fuel != 0u && (c & 1u) != 0u);
  h = h * 31u + 687u;
done:
  out[2 * i] = h;
  out[2 * i + 1] = a ^ b ^ c;
}
__attribute__((noinline)) uint function_34_0(uint a, uint b, uint lane) {
  uint c = a + b, h = 18u, fuel = 12u;
  while (fuel != 0u && ((a & 1u) || h > (a * a))) {
    --fuel;
    c += a;
    switch ((h * c) % 5u) {
    case 1:
      for (uint k1 = 0, ek1 = 5u; k1 < ek1 && fuel != 0u; ++k1, fuel -= fuel != 0u) {
        while (fuel != 0u && (lane + 1u) % 8u == 0u) {
          --fuel;
          if ((h ^ h) < (b - 7u)) return c;
          b += (c ^ (c >> (5u & 15u)));
          h = h * 31u + 781u;
        }
        switch ((a ^ c) % 5u) {
        case 6:
          if ((h | c) < (a & 12u)) return ((c * b) + c);
          b += ((1u >> (4096u & 15u)) ^ (3u ^ a));
          if (fuel == 0u || --fuel == 0u) goto done;
          if ((lane + 7u) % 8u == 0u) continue;
          break;
        case 1:
          if (((h & 1u) || (b >> (a & 15u)) > (c * a))) return ((b >> (c & 15u)) + c);
          h = h * 31u + 964u;
          c -= (a & a);
        case 3:
          b *= (b - (2u | 7u));
          c += ((c ^ h) | b);
          c = (1u >> (c & 15u));
          h = h * 31u + 240u;
          break;
        default:
          h = h * 31u + 314u;
        }
      }
      h = h * 31u + 998u;
    case 6:
      b *= ((c + 5u) - b);
      h = h * 31u + 378u;
      if (b % 7u == 2u) return (b + (3u >> (b & 15u)));
      if (((c & 1u) && (4096u + a) > (a * a))) break;
      break;
    case 3:
      c = c;
      h = h * 31u + 856u;
      h = h * 31u + 61u;
      break;
    case 5:
      a *= b;
      if ((h & 6u) != 0u) goto done;
      break;
    default:
      h = h * 31u + 285u;
    }
    if ((lane + 0u) % 8u == 0u) return a;
  }
  do {
    if ((a & 7u) != 0u) break;
    if (fuel == 0u || --fuel == 0u) goto done;
    if ((lane + 3u) % 2u == 0u) continue;
    b -= ((h >> (h & 15u)) - 3u);
    c *= h;
  } while (fuel > 1u && --fuel != 0u && 4096u < (h * a));
  h = h * 31u + 670u;
  for (uint k2 = 0, ek2 = (lane & 3u) + 1u; k2 < ek2 && fuel != 0u; ++k2, fuel -= fuel != 0u) {
    if ((c & 4u) != 0u) return (1u ^ c);
    if (((c & 1u) && (b + b) > (b - c))) return ((b >> (c & 15u)) * (b & 255u));
    c *= ((h * 7u) >> ((c & h) & 15u));
    if ((2654435769u ^ 7u) < (b + b)) break;
  }
  if (((a & 1u) && (a | c) > b)) {
    b += ((7u & h) * h);
    h = h * 31u + 198u;
    c = ((a | h) & (h >> (c & 15u)));
  } else {
    c ^= (h & c);
    a ^= ((a >> (1u & 15u)) + (1u * 12u));
    b ^= b;
    if (((b & 1u) && (b >> (255u & 15u)) > (h | 2u))) return 2654435769u;
  }
  if ((h >> (a & 15u)) < b) {
    a *= b;
  } else {
    b *= (h ^ (b >> (h & 15u)));
    a -= c;
    a -= 4096u;
  }
done:
  return a ^ b ^ c ^ h;
}
kernel void branches_34(global const uint *in, global uint *out) {
  size_t i = get_global_id(0);
  uint lane = (uint)i, a = in[2 * i], b = in[2 * i + 1], c = lane * 7u, h = 1u, fuel = 60u;
  do {
    if ((c | 255u) < (h & b)) {
      switch ((a >> (b & 15u)) % 5u) {
      case 3:
        h = h * 31u + 641u;
      case 2:
        h = h * 31u + 559u;
        if ((b & 3u) != 0u) {
          a ^= function_34_0(h, (h >> (c & 15u)), lane);
          h = h * 31u + 116u;
          if ((lane + 8u) % 8u == 0u) { out[2 * i] = h; out[2 * i + 1] = (a >> ((b | 4096u) & 15u)); return; }
        }
        if ((h & b) < a) {
          a ^= function_34_0((3u + a), a, lane);
          b += (b >> ((12u - a) & 15u));
          if (fuel == 0u || --fuel == 0u) goto done;
          if (((a & 1u) && h > (b ^ h))) continue;
        }
        b ^= function_34_0((c >> (7u & 15u)), a, lane);
      default:
        h = h * 31u + 695u;
      }
      h = h * 31u + 817u;
      h = h * 31u + 51u;
    } else {
      if ((lane + 3u) % 4u == 0u) goto done;
      a = (b * (c & 2654435769u));
      h = h * 31u + 220u;
      c = (b >> (h & 15u));
    }
    c = ((5u | a) - a);
  } while (fuel > 1u && --fuel != 0u && (h >> (b & 15u)) < c);
  switch ((a ^ b) % 4u) {
  case 3:
    h = h * 31u + 558u;
  case 5:
    b ^= ((a | c) + b);
    if ((c & 6u) != 0u) goto done;
    break;
  case 6:
    h = h * 31u + 578u;
    h = h * 31u + 707u;
    if (b % 3u == 0u) goto done;
    break;
  case 0:
    b = (a | b);
    break;
  default:
    h = h * 31u + 74u;
  }
  label1:;
    h = h * 31u + 108u;
  if (fuel != 0u && 5u < (h >> (c & 15u))) { --fuel; goto label1; }
  while (fuel != 0u && (lane + 7u) % 3u == 0u) {
    --fuel;
    if ((lane + 5u) % 3u == 0u) break;
  }
  label2:;
    if (b % 5u == 2u) { out[2 * i] = h; out[2 * i + 1] = b; return; }
    h = h * 31u + 729u;
    c ^= (c + c);
  if (fuel != 0u && (lane + 0u) % 2u == 0u) { --fuel; goto label2; }
  b ^= h;
done:
  out[2 * i] = h;
  out[2 * i + 1] = a ^ b ^ c;
}
kernel void branches_39(global const uint *in, global uint *out) {
  size_t i = get_global_id(0);
  uint lane = (uint)i, a = in[2 * i], b = in[2 * i + 1], c = lane * 7u, h = 1u, fuel = 60u;
  for (uint k1 = 0, ek1 = a & 7u; k1 < ek1 && fuel != 0u; ++k1, fuel -= fuel != 0u) {
    while (fuel != 0u && (lane + 0u) % 4u == 0u) {
      --fuel;
      switch (c % 7u) {
      case 2:
        while (fuel != 0u && ((c & 1u) && (c ^ h) > (a & b))) {
          --fuel;
          if (fuel == 0u || --fuel == 0u) goto done;
          if (c % 11u == 2u) continue;
          h = h * 31u + 491u;
          b *= b;
          h = h * 31u + 957u;
        }
        break;
      case 0:
        while (fuel != 0u && ((a & 1u) || (h >> (a & 15u)) > (h + b))) {
          --fuel;
          if (a < (c & b)) break;
          a += ((b - a) + b);
          a = ((12u >> (b & 15u)) - c);
          h = h * 31u + 545u;
        }
        h = h * 31u + 855u;
        h = h * 31u + 474u;
        break;
      default:
        h = h * 31u + 28u;
      }
      if ((h - c) < 4096u) {
        if ((lane + 7u) % 4u == 0u) {
          if ((lane + 1u) % 4u == 0u) goto done;
        }
        c *= ((c | 5u) >> (h & 15u));
      }
      if (a % 7u == 2u) {
        do {
          if (b % 5u == 1u) break;
        } while (fuel > 1u && --fuel != 0u && (c & 3u) != 0u);
      }
    }
    if (fuel == 0u || --fuel == 0u) goto done;
    if (a < (b ^ c)) continue;
  }
  a *= c;
  label1:;
    h = h * 31u + 811u;
    c -= c;
  if (fuel != 0u && (c & h) < (a * 4096u)) { --fuel; goto label1; }
  while (fuel != 0u && ((a & 1u) || 4096u > (b & a))) {
    --fuel;
    h = h * 31u + 974u;
    if ((lane + 5u) % 4u == 0u) break;
    if ((b >> (5u & 15u)) < (2u + h)) break;
  }
  b = 12u;
  if (((h & 1u) && (2u * h) > (h * b))) {
    a = (1u >> ((c + b) & 15u));
  } else {
    a += ((1u >> (7u & 15u)) * (a + 7u));
    b += ((4096u + a) >> ((h >> (c & 15u)) & 15u));
    c += c;
    h = h * 31u + 683u;
  }
done:
  out[2 * i] = h;
  out[2 * i + 1] = a ^ b ^ c;
}
kernel void branches_42(global const uint *in, global uint *out) {
  size_t i = get_global_id(0);
  uint lane = (uint)i, a = in[2 * i], b = in[2 * i + 1], c = lane * 7u, h = 1u, fuel = 60u;
  do {
    while (fuel != 0u && (b & 7u) != 0u) {
      --fuel;
      while (fuel != 0u && (a & 1u) != 0u) {
        --fuel;
        while (fuel != 0u && (lane + 3u) % 8u == 0u) {
          --fuel;
          if (a % 7u == 2u) goto done;
          h = h * 31u + 827u;
        }
        c -= h;
      }
    }
    h = h * 31u + 566u;
  } while (fuel > 1u && --fuel != 0u && (lane + 5u) % 3u == 0u);
  h = h * 31u + 47u;
  while (fuel != 0u && (c & 2u) != 0u) {
    --fuel;
    for (uint k1 = 0, ek1 = (lane & 3u) + 1u; k1 < ek1 && fuel != 0u; ++k1, fuel -= fuel != 0u) {
      switch (c % 5u) {
      case 5:
        while (fuel != 0u && ((b & 1u) || (c + b) > (7u & b))) {
          --fuel;
          b -= (c | b);
          if (fuel == 0u || --fuel == 0u) goto done;
          if ((lane + 6u) % 4u == 0u) continue;
          c += (a | b);
        }
        c -= h;
        break;
      case 2:
        if (fuel == 0u || --fuel == 0u) goto done;
        if ((a & 7u) != 0u) continue;
        if (fuel == 0u || --fuel == 0u) goto done;
        if ((c & 3u) != 0u) continue;
        if ((lane + 2u) % 2u == 0u) goto done;
        if (fuel == 0u || --fuel == 0u) goto done;
        if ((a + h) < c) continue;
      case 0:
        a = a;
        if (fuel == 0u || --fuel == 0u) goto done;
        if ((lane + 2u) % 3u == 0u) continue;
        if (fuel == 0u || --fuel == 0u) goto done;
        if (b % 11u == 0u) continue;
      default:
        h = h * 31u + 774u;
      }
      if (((c & 1u) || (2u + b) > (b + a))) break;
      if ((b & 1u) != 0u) break;
      h = h * 31u + 73u;
    }
  }
  if (b % 11u == 0u) goto label1;
  {
    if ((b & 1u) != 0u) { out[2 * i] = h; out[2 * i + 1] = 4096u; return; }
    if ((5u & h) < a) goto done;
  }
  label1:;
  a = h;
  label2:;
    a -= h;
    b -= ((2654435769u - 3u) + (a + c));
    if (((b & 1u) && 1u > h)) { out[2 * i] = h; out[2 * i + 1] = ((a >> (b & 15u)) >> (a & 15u)); return; }
    h = h * 31u + 958u;
  if (fuel != 0u && (c | 3u) < (12u ^ a)) { --fuel; goto label2; }
done:
  out[2 * i] = h;
  out[2 * i + 1] = a ^ b ^ c;
}
