package io.duplog.benchmark.fuzz;

import com.google.common.primitives.Bytes;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Generates inputs for the fuzz test by changing valid inputs at random. The same seed gives the
 * same inputs. Not thread-safe.
 */
final class Mutator {
  private static final int MAX_CHANGES = 6;
  private static final int MAX_INPUT_BYTES = 64 * 1024;

  /** Smallest and largest values of signed and unsigned bytes. */
  private static final int[] EDGE_VALUES = {0, 1, 0x7f, 0x80, 0xff};

  private final SplittableRandom random;
  private final List<byte[]> samples;

  Mutator(long seed, List<byte[]> samples) {
    this.random = new SplittableRandom(seed);
    this.samples = samples;
  }

  byte[] next() {
    byte[] input = sample().clone();
    int changes = random.nextInt(MAX_CHANGES + 1);
    for (int i = 0; i < changes; i++) {
      input = change(input);
    }
    return input.length > MAX_INPUT_BYTES ? Arrays.copyOf(input, MAX_INPUT_BYTES) : input;
  }

  private byte[] sample() {
    return samples.get(random.nextInt(samples.size()));
  }

  private byte[] change(byte[] input) {
    if (input.length == 0) {
      return random(1 + random.nextInt(64));
    }
    int position = random.nextInt(input.length);
    return switch (random.nextInt(8)) {
      case 0 -> replaceByte(input, position, (byte) (input[position] ^ (1 << random.nextInt(8))));
      case 1 ->
          replaceByte(input, position, (byte) EDGE_VALUES[random.nextInt(EDGE_VALUES.length)]);
      case 2 -> replaceByte(input, position, (byte) random.nextInt(256));
      case 3 -> Arrays.copyOf(input, position);
      case 4 ->
          splice(
              input, position, position + random.nextInt(input.length - position + 1), new byte[0]);
      case 5 -> splice(input, position, position, random(1 + random.nextInt(16)));
      case 6 -> splice(input, position, position, slice(sample()));
      default -> splice(input, position, position, repeat(slice(input)));
    };
  }

  private static byte[] replaceByte(byte[] input, int position, byte value) {
    input[position] = value;
    return input;
  }

  private static byte[] splice(byte[] input, int from, int to, byte[] insert) {
    return Bytes.concat(
        Arrays.copyOf(input, from), insert, Arrays.copyOfRange(input, to, input.length));
  }

  private byte[] slice(byte[] source) {
    int from = random.nextInt(source.length + 1);
    return Arrays.copyOfRange(source, from, from + random.nextInt(source.length - from + 1));
  }

  private byte[] repeat(byte[] piece) {
    int times = random.nextInt(20);
    byte[] result = new byte[Math.min(MAX_INPUT_BYTES, piece.length * times)];
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
