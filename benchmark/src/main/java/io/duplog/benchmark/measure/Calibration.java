package io.duplog.benchmark.measure;

import com.google.common.collect.ImmutableMap;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How fast the machine is at a moment, in things that no version of Duplog changes. Two machines'
 * runs, or two moments of one, compare by it.
 *
 * @param shaMegabytes SHA-256 of so many a second
 * @param copyGigabytes copied in memory, so many a second
 * @param pipeTrips round trips of one byte through two pipes between two threads, a second
 * @param loopbackTrips the same through a connection of the loopback interface
 * @param stolen time of all processors together that the host gave to others since the start
 * @param nanos when, by {@link System#nanoTime}
 */
public record Calibration(
    double shaMegabytes,
    double copyGigabytes,
    double pipeTrips,
    double loopbackTrips,
    Duration stolen,
    long nanos) {
  /** The best of some slices counts: one that was interrupted says nothing of the machine. */
  private static final int SLICES = 4;

  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(30);
  private static final int DIGESTED = 1 << 16;

  /** More than a core's own cache. */
  private static final int COPIED = 1 << 24;

  /** In the first line of {@code /proc/stat}, in hundredths of a second; proc(5). */
  private static final int STEAL = 8;

  private static final long TICK_MILLIS = 10;

  /** Something that is done again and again. */
  @FunctionalInterface
  private interface Step {
    void run() throws IOException;
  }

  /**
   * Measures, in half a second.
   *
   * @throws IOException if there is no pipe, or no connection
   */
  public static Calibration now() throws IOException {
    MessageDigest sha;
    try {
      sha = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IOException("every Java has SHA-256", e);
    }
    byte[] digested = new byte[DIGESTED];
    byte[] from = new byte[COPIED];
    byte[] to = new byte[COPIED];
    return new Calibration(
        DIGESTED / 1e6 * timesASecond(() -> sha.digest(digested)),
        COPIED / 1e9 * timesASecond(() -> System.arraycopy(from, 0, to, 0, COPIED)),
        throughPipes(),
        throughLoopback(),
        stolenSinceStart(),
        System.nanoTime());
  }

  private static double timesASecond(Step step) throws IOException {
    double best = 0;
    for (int slice = 0; slice < SLICES; slice++) {
      long begun = System.nanoTime();
      long elapsed = 0;
      long times = 0;
      for (; elapsed < SLICE_NANOS; elapsed = System.nanoTime() - begun) {
        step.run();
        times++;
      }
      best = Math.max(best, times * (double) TimeUnit.SECONDS.toNanos(1) / elapsed);
    }
    return best;
  }

  private static double throughPipes() throws IOException {
    Pipe there = Pipe.open();
    Pipe back = Pipe.open();
    return trips(
        Channels.newOutputStream(there.sink()),
        Channels.newInputStream(there.source()),
        Channels.newOutputStream(back.sink()),
        Channels.newInputStream(back.source()));
  }

  private static double throughLoopback() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket server = new ServerSocket(0, 1, loopback);
        Socket near = new Socket(loopback, server.getLocalPort());
        Socket far = server.accept()) {
      near.setTcpNoDelay(true);
      far.setTcpNoDelay(true);
      return trips(
          near.getOutputStream(),
          far.getInputStream(),
          far.getOutputStream(),
          near.getInputStream());
    }
  }

  private static double trips(
      OutputStream there, InputStream far, OutputStream back, InputStream in) throws IOException {
    Thread echo = new Thread(() -> echo(far, back), "calibration");
    echo.setDaemon(true);
    echo.start();
    try (there;
        in) {
      return timesASecond(
          () -> {
            there.write(1);
            in.read();
          });
    }
  }

  private static void echo(InputStream in, OutputStream out) {
    try (in;
        out) {
      while (in.read() >= 0) {
        out.write(1);
      }
    } catch (IOException e) {
      // The other end was closed: it knows enough.
    }
  }

  private static Duration stolenSinceStart() throws IOException {
    String all = Files.readAllLines(Path.of("/proc/stat")).get(0);
    return Duration.ofMillis(TICK_MILLIS * Long.parseLong(all.split(" +", -1)[STEAL]));
  }

  /**
   * The part by which its speeds differ from those of another moment, on average: a pair of threads
   * that got another core this time is no slower machine.
   */
  public double awayFrom(Calibration other) {
    double sum = 0;
    for (Map.Entry<String, Double> speed : figures().entrySet()) {
      double there = other.figures().getOrDefault(speed.getKey(), 0.0);
      sum += Math.abs(speed.getValue() - there) / Math.max(speed.getValue(), there);
    }
    return sum / figures().size();
  }

  /** The part of the processors' time since an earlier moment that the host gave to others. */
  public double stolenSince(Calibration before, int processors) {
    double all = (double) (nanos - before.nanos) * processors;
    return stolen.minus(before.stolen).toNanos() / Math.max(1, all);
  }

  /** The speeds, by names that say the unit. */
  public Map<String, Double> figures() {
    return ImmutableMap.of(
        "SHA-256 MB/s", shaMegabytes,
        "copy GB/s", copyGigabytes,
        "pipe round trips/s", pipeTrips,
        "loopback round trips/s", loopbackTrips);
  }
}
