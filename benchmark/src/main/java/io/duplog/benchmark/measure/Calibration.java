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
 * Measures how fast this machine is at the moment, so that runs on a slower machine or at a busier
 * time are recognised. The measured operations are independent of Duplog's version.
 *
 * @param speeds speeds by names that contain the unit: SHA-256, a copy in memory, and round trips
 *     of one byte to another thread through two pipes and through a loopback connection
 * @param stolen time since boot that the host gave to other guests, summed over all processors
 * @param nanos time of the measurement, by {@link System#nanoTime}
 * @see "docs/decisions/benchmark.md#benchmark-load"
 */
public record Calibration(Map<String, Double> speeds, Duration stolen, long nanos) {
  /**
   * Number of time slices in which an operation is measured. The fastest slice counts, because
   * others may have been interrupted.
   */
  private static final int SLICES = 24;

  /** Length of a slice in nanoseconds, shorter than a scheduler's time slice. */
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

  private static final int DIGEST_BYTES = 1 << 16;

  /** Number of bytes to copy, more than the private cache of a core holds. */
  private static final int COPY_BYTES = 1 << 23;

  /**
   * Index of the stolen time among the words of the first line in {@code /proc/stat}, see proc(5).
   */
  private static final int STEAL_INDEX = 8;

  private static final long TICK_MILLIS = 10;

  /**
   * An operation that is repeated. Its result is used, so that the JIT compiler can't remove the
   * operation.
   */
  @FunctionalInterface
  private interface Operation {
    int run() throws IOException;
  }

  /**
   * Measures for half a second.
   *
   * @throws IOException if no pipe or no connection can be opened
   */
  public static Calibration now() throws IOException {
    byte[] from = new byte[COPY_BYTES];
    byte[] to = new byte[COPY_BYTES];
    Operation digest = () -> Hashing.sha256().hashBytes(from, 0, DIGEST_BYTES).asInt();
    Operation copy =
        () -> {
          System.arraycopy(from, 0, to, 0, COPY_BYTES);
          return to[0];
        };
    String statLine = Files.readAllLines(Path.of("/proc/stat")).get(0);
    return new Calibration(
        ImmutableMap.of(
            "SHA-256 MB/s",
            DIGEST_BYTES / 1e6 * timesPerSecond(digest),
            "copy GB/s",
            COPY_BYTES / 1e9 * timesPerSecond(copy),
            "pipe round trips/s",
            pipeRoundTrips(),
            "loopback round trips/s",
            loopbackRoundTrips()),
        Duration.ofMillis(TICK_MILLIS * Long.parseLong(statLine.split(" +", -1)[STEAL_INDEX])),
        System.nanoTime());
  }

  private static double timesPerSecond(Operation operation) throws IOException {
    double best = 0;
    for (int slice = 0; slice < SLICES; slice++) {
      long beginNanos = System.nanoTime();
      long elapsed = 0;
      long times = 0;
      for (; elapsed < SLICE_NANOS; elapsed = System.nanoTime() - beginNanos) {
        times += operation.run() == Integer.MIN_VALUE ? 0 : 1;
      }
      best = Math.max(best, times * (double) TimeUnit.SECONDS.toNanos(1) / elapsed);
    }
    return best;
  }

  private static double pipeRoundTrips() throws IOException {
    Pipe localSink = Pipe.open();
    Pipe remoteSink = Pipe.open();
    return measureRoundTrips(
        localSink.sink(), localSink.source(), remoteSink.sink(), remoteSink.source());
  }

  private static double loopbackRoundTrips() throws IOException {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (ServerSocketChannel server = ServerSocketChannel.open().bind(anyPort)) {
      SocketChannel localSocket = SocketChannel.open(server.getLocalAddress());
      SocketChannel remoteSource = server.accept();
      return measureRoundTrips(localSocket, remoteSource, remoteSource, localSocket);
    }
  }

  /** Returns the round trips per second to a thread that echoes each byte. Closes all channels. */
  private static double measureRoundTrips(
      WritableByteChannel localSink,
      ReadableByteChannel remoteSource,
      WritableByteChannel remoteSink,
      ReadableByteChannel localSource)
      throws IOException {
    Thread echo = new Thread(() -> echo(remoteSource, remoteSink), "calibration");
    echo.setDaemon(true);
    echo.start();
    ByteBuffer oneByte = ByteBuffer.allocate(1);
    try (localSink;
        localSource) {
      return timesPerSecond(
          () -> localSink.write(oneByte.clear()) + localSource.read(oneByte.clear()));
    }
  }

  private static void echo(ReadableByteChannel in, WritableByteChannel out) {
    ByteBuffer oneByte = ByteBuffer.allocate(1);
    try (in;
        out) {
      while (in.read(oneByte.clear()) > 0) {
        out.write(oneByte.flip());
      }
    } catch (IOException e) {
      // The other end was closed, which ends the measurement.
    }
  }

  /**
   * Returns how far the speeds differ from those of another moment: the average absolute value of
   * the ratios' natural logarithms. Round trips are omitted, because they are several times as fast
   * when both threads share a core.
   */
  public double difference(Calibration earlier) {
    return speeds.entrySet().stream()
        .filter(each -> !each.getKey().contains("round trips"))
        .mapToDouble(each -> each.getValue() / earlier.speeds.getOrDefault(each.getKey(), 1.0))
        .map(ratio -> Math.abs(Math.log(ratio)))
        .average()
        .orElse(0);
  }

  /**
   * Returns the fraction of the processors' time since an earlier moment that the host gave to
   * other guests, from 0 to 1.
   */
  public double stolenSince(Calibration earlier, int processors) {
    double processorNanos = (double) (nanos - earlier.nanos) * processors;
    return stolen.minus(earlier.stolen).toNanos() / Math.max(1, processorNanos);
  }
}
