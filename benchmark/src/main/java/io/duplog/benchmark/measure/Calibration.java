package io.duplog.benchmark.measure;

import com.google.common.collect.ImmutableMap;
import com.google.common.hash.Hashing;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The speed of the machine at a moment, measured with operations that no version of Duplog changes.
 * It tells whether runs on two machines, or at two times, can be compared.
 *
 * @param speeds speeds by names that contain the unit: SHA-256, a copy in memory, and round trips
 *     of one byte to another thread through two pipes and through a loopback connection
 * @param stolen time since boot that the host gave to other guests, summed over all processors
 * @param nanos time of the measurement, by {@link System#nanoTime}
 * @see "docs/decisions/benchmark.md#benchmark-load"
 */
public record Calibration(Map<String, Double> speeds, Duration stolen, long nanos) {
  /**
   * Number of time slices in which an operation is measured; the fastest slice counts, because
   * others may have been interrupted.
   */
  private static final int SLICES = 24;

  /** Length of a slice in nanoseconds, shorter than the time that a scheduler gives a thread. */
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

  private static final int DIGESTED = 1 << 16;

  /** Number of bytes to copy, more than the private cache of a core holds. */
  private static final int COPIED = 1 << 23;

  /**
   * Index of the stolen time among the words of the first line in {@code /proc/stat}, see proc(5).
   */
  private static final int STEAL = 8;

  private static final long TICK_MILLIS = 10;

  /**
   * An operation that is repeated. Its result is used, so that the JIT can't remove the operation.
   */
  @FunctionalInterface
  private interface Step {
    int run() throws IOException;
  }

  /**
   * Measures for half a second.
   *
   * @throws IOException if no pipe or no connection can be opened
   */
  public static Calibration now() throws IOException {
    byte[] from = new byte[COPIED];
    byte[] to = new byte[COPIED];
    Step digest = () -> Hashing.sha256().hashBytes(from, 0, DIGESTED).asInt();
    Step copy =
        () -> {
          System.arraycopy(from, 0, to, 0, COPIED);
          return to[0];
        };
    String all = Files.readAllLines(Path.of("/proc/stat")).get(0);
    return new Calibration(
        ImmutableMap.of(
            "SHA-256 MB/s",
            DIGESTED / 1e6 * timesASecond(digest),
            "copy GB/s",
            COPIED / 1e9 * timesASecond(copy),
            "pipe round trips/s",
            throughPipes(),
            "loopback round trips/s",
            throughLoopback()),
        Duration.ofMillis(TICK_MILLIS * Long.parseLong(all.split(" +", -1)[STEAL])),
        System.nanoTime());
  }

  private static double timesASecond(Step step) throws IOException {
    double best = 0;
    for (int slice = 0; slice < SLICES; slice++) {
      long begun = System.nanoTime();
      long elapsed = 0;
      long times = 0;
      for (; elapsed < SLICE_NANOS; elapsed = System.nanoTime() - begun) {
        times += step.run() == Integer.MIN_VALUE ? 0 : 1;
      }
      best = Math.max(best, times * (double) TimeUnit.SECONDS.toNanos(1) / elapsed);
    }
    return best;
  }

  private static double throughPipes() throws IOException {
    Pipe there = Pipe.open();
    Pipe back = Pipe.open();
    return trips(there.sink(), there.source(), back.sink(), back.source());
  }

  private static double throughLoopback() throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (ServerSocketChannel server = ServerSocketChannel.open().bind(any)) {
      SocketChannel near = SocketChannel.open(server.getLocalAddress());
      SocketChannel far = server.accept();
      return trips(near, far, far, near);
    }
  }

  /** Returns the round trips a second to a thread that echoes each byte; closes all channels. */
  private static double trips(
      WritableByteChannel there,
      ReadableByteChannel far,
      WritableByteChannel back,
      ReadableByteChannel here)
      throws IOException {
    Thread echo = new Thread(() -> echo(far, back), "calibration");
    echo.setDaemon(true);
    echo.start();
    ByteBuffer one = ByteBuffer.allocate(1);
    try (there;
        here) {
      return timesASecond(() -> there.write(one.clear()) + here.read(one.clear()));
    }
  }

  private static void echo(ReadableByteChannel in, WritableByteChannel out) {
    ByteBuffer one = ByteBuffer.allocate(1);
    try (in;
        out) {
      while (in.read(one.clear()) > 0) {
        out.write(one.flip());
      }
    } catch (IOException e) {
      // the other end was closed, which ends the measurement
    }
  }

  /**
   * Returns how far the speeds differ from those of another moment: the average absolute value of
   * the ratios' natural logarithms. Round trips are left out, because they are several times as
   * fast when both threads share a core.
   */
  public double awayFrom(Calibration other) {
    return speeds.entrySet().stream()
        .filter(each -> !each.getKey().contains("round trips"))
        .mapToDouble(each -> each.getValue() / other.speeds.getOrDefault(each.getKey(), 1.0))
        .map(ratio -> Math.abs(Math.log(ratio)))
        .average()
        .orElse(0);
  }

  /**
   * Returns the share of the processors' time since an earlier moment that the host gave to other
   * guests, from 0 to 1.
   */
  public double stolenSince(Calibration before, int processors) {
    double all = (double) (nanos - before.nanos) * processors;
    return stolen.minus(before.stolen).toNanos() / Math.max(1, all);
  }
}
