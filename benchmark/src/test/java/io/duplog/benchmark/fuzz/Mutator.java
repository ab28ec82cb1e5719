package io.duplog.benchmark.fuzz;

import com.google.common.primitives.Bytes;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Makes invalid inputs by changing valid ones at random. The same seed gives the same inputs. Not
 * thread-safe.
 */
final class Mutator {
  private static final int MOST_CHANGES = 6;
  private static final int LONGEST = 64 * 1024;

  /** Smallest and largest values of signed and unsigned bytes. */
  private static final int[] EDGES = {0, 1, 0x7f, 0x80, 0xff};

  private final SplittableRandom random;
  private final List<byte[]> samples;

  Mutator(long seed, List<byte[]> samples) {
    this.random = new SplittableRandom(seed);
    this.samples = samples;
  }

  byte[] next() {
    byte[] input = sample().clone();
    int changes = random.nextInt(MOST_CHANGES + 1);
    for (int i = 0; i < changes; i++) {
      input = change(input);
    }
    return input.length > LONGEST ? Arrays.copyOf(input, LONGEST) : input;
  }

  private byte[] sample() {
    return samples.get(random.nextInt(samples.size()));
  }

  private byte[] change(byte[] input) {
    if (input.length == 0) {
      return random(1 + random.nextInt(64));
    }
    int at = random.nextInt(input.length);
    return switch (random.nextInt(8)) {
      case 0 -> with(input, at, (byte) (input[at] ^ (1 << random.nextInt(8))));
      case 1 -> with(input, at, (byte) EDGES[random.nextInt(EDGES.length)]);
      case 2 -> with(input, at, (byte) random.nextInt(256));
      case 3 -> Arrays.copyOf(input, at);
      case 4 -> splice(input, at, at + random.nextInt(input.length - at + 1), new byte[0]);
      case 5 -> splice(input, at, at, random(1 + random.nextInt(16)));
      case 6 -> splice(input, at, at, slice(sample()));
      default -> splice(input, at, at, repeated(slice(input)));
    };
  }

  private static byte[] with(byte[] input, int at, byte value) {
    input[at] = value;
    return input;
  }

  private static byte[] splice(byte[] input, int from, int to, byte[] insert) {
    return Bytes.concat(
        Arrays.copyOf(input, from), insert, Arrays.copyOfRange(input, to, input.length));
  }

  private byte[] slice(byte[] of) {
    int from = random.nextInt(of.length + 1);
    return Arrays.copyOfRange(of, from, from + random.nextInt(of.length - from + 1));
  }

  private byte[] repeated(byte[] piece) {
    int times = random.nextInt(20);
    byte[] result = new byte[Math.min(LONGEST, piece.length * times)];
    for (int i = 0; i < result.length; i++) {
      result[i] = piece[i % piece.length];
    }
    return result;
  }

  private byte[] random(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
