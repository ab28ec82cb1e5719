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
 * How fast the machine is at a moment, in things that no version of Duplog changes. Two machines'
 * runs, or two moments of one, compare by it.
 *
 * @param speeds by names that say the unit: SHA-256, a copy in memory, and the round trips of one
 *     byte to another thread and back through two pipes and through a loopback connection
 * @param stolen time of all processors together that the host gave to others since the start
 * @param nanos when, by {@link System#nanoTime}
 */
public record Calibration(Map<String, Double> speeds, Duration stolen, long nanos) {
  /** The best of some slices counts: one that was interrupted says nothing of the machine. */
  private static final int SLICES = 24;

  /** Shorter than what a scheduler gives a thread at once. */
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

  private static final int DIGESTED = 1 << 16;

  /** More than a core's own cache. */
  private static final int COPIED = 1 << 23;

  /** In the first line of {@code /proc/stat}, in hundredths of a second; proc(5). */
  private static final int STEAL = 8;

  private static final long TICK_MILLIS = 10;

  /** Something that is done again and again; what it returns keeps it from being left out. */
  @FunctionalInterface
  private interface Step {
    int run() throws IOException;
  }

  /**
   * Measures, in half a second.
   *
   * @throws IOException if there is no pipe, or no connection
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

  /** Closes all. */
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
      // The other end was closed: it knows enough.
    }
  }

  /**
   * The part (a logarithm) by which its speeds differ from those of another moment, on average. The
   * round trips do not count: they are several times as fast where both threads get one core.
   */
  public double awayFrom(Calibration other) {
    return speeds.entrySet().stream()
        .filter(each -> !each.getKey().contains("round trips"))
        .mapToDouble(each -> each.getValue() / other.speeds.getOrDefault(each.getKey(), 1.0))
        .map(ratio -> Math.abs(Math.log(ratio)))
        .average()
        .orElse(0);
  }

  /** The part of the processors' time since an earlier moment that the host gave to others. */
  public double stolenSince(Calibration before, int processors) {
    double all = (double) (nanos - before.nanos) * processors;
    return stolen.minus(before.stolen).toNanos() / Math.max(1, all);
  }
}
