package io.duplog.benchmark.peer;

import io.duplog.benchmark.load.Senders;
import io.duplog.rig.LabException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * syslog-ng's own generator, the program of the published test of SC4S: RFC 5424 with structured
 * data, lines without framing, by ten TCP connections. It runs for a time that is fixed beforehand.
 *
 * <p>It has one target, and its messages differ from run to run: a {@link TcpSplitter} gives
 * several servers the same.
 */
public final class Loggen implements Senders {
  /** Bytes of a message, its end of line among them. */
  public static final int SIZE = 800;

  /** Messages a second and connection at most: as fast as they are accepted. */
  public static final int UNBOUNDED = 100_000;

  private static final int CONNECTIONS = 10;
  private static final Pattern COUNT = Pattern.compile("count=(\\d+)");
  private static final Pattern SUMMARY = Pattern.compile("average rate = .*, count=(\\d+), .*");

  private final Installation installation;
  private final int rate;
  private final Duration duration;
  private final int copies;
  private final TcpSplitter splitter;

  /** Written by the reader, and read when that is over. */
  private final StringBuilder output = new StringBuilder();

  private volatile @Nullable Process process;
  private volatile @Nullable Thread reader;
  private volatile @Nullable IOException failure;
  private volatile long sent;
  private String summary = "";

  /**
   * @param ports of the loopback interface, one a stream
   * @param rate messages a second and connection at most
   */
  public Loggen(Installation installation, List<Integer> ports, int rate, Duration duration)
      throws LabException {
    this.installation = installation;
    this.rate = rate;
    this.duration = duration;
    this.copies = ports.size();
    this.splitter = new TcpSplitter(ports);
  }

  @Override
  public void start() {
    ProcessBuilder builder =
        new ProcessBuilder(command(installation, splitter.port(), rate, duration))
            .redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C");
    builder.environment().putAll(installation.environment());
    try {
      Process started = builder.start();
      Thread reading = new Thread(() -> read(started), "loggen");
      reading.setDaemon(true);
      reading.start();
      process = started;
      reader = reading;
    } catch (IOException e) {
      failure = new IOException("loggen can't be started: " + e.getMessage(), e);
    }
  }

  static List<String> command(Installation installation, int port, int rate, Duration duration) {
    return List.of(
        installation.loggen().toString(),
        "--inet",
        "--stream",
        "--rate=" + rate,
        "--interval=" + duration.toSeconds(),
        "--syslog-proto",
        "--no-framing",
        "--sdata=[test name=\"stress17\"]",
        "--size=" + SIZE,
        "--active-connections=" + CONNECTIONS,
        "127.0.0.1",
        Integer.toString(port));
  }

  private void read(Process started) {
    try (BufferedReader lines = started.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        output.append(line).append('\n');
        Matcher matcher = COUNT.matcher(line);
        if (matcher.find()) {
          sent = Long.parseLong(matcher.group(1));
        }
      }
    } catch (IOException e) {
      output.append(e.getMessage()).append('\n');
    }
  }

  /** As far as it has said so, which it does twice a second. */
  @Override
  public long sent() {
    return sent;
  }

  /**
   * Waits for its end, which comes when its time is over.
   *
   * @throws IOException if it failed, with what it said
   */
  @Override
  public long stop() throws IOException, InterruptedException {
    if (failure != null) {
      throw failure;
    }
    Process started = process;
    Thread reading = reader;
    if (started == null || reading == null) {
      throw new IllegalStateException("not started");
    }
    int status = started.waitFor();
    reading.join();
    Matcher matcher = SUMMARY.matcher(output);
    if (status != 0 || !matcher.find()) {
      throw new IOException(
          "loggen ended with status " + status + ": " + output.toString().strip());
    }
    splitter.awaitEnd(); // megabytes may be on their way in it
    summary = matcher.group();
    return Long.parseLong(matcher.group(1));
  }

  /** The line that it ends with; empty before its end. */
  public String summary() {
    return summary;
  }

  @Override
  public boolean isBroken() {
    return failure != null;
  }

  @Override
  public List<ProcessHandle> processes() {
    Process started = process;
    return started == null || !started.isAlive() ? List.of() : List.of(started.toHandle());
  }

  @Override
  public int copies() {
    return copies;
  }

  /** Each leaves when those before it were taken. */
  @Override
  public long dueNanos(long serial) {
    return -1;
  }

  @Override
  public void close() {
    Process started = process;
    if (started != null) {
      started.destroyForcibly();
    }
    splitter.close();
  }
}
