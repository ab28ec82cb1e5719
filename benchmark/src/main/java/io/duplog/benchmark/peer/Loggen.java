package io.duplog.benchmark.peer;

import io.duplog.rig.LabException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * syslog-ng's own generator, the program of the published test of SC4S. One is one run.
 *
 * <p>It has one target, and its messages differ from run to run: who wants a pair of servers to get
 * the same puts a {@link TcpSplitter} between.
 */
public final class Loggen implements AutoCloseable {
  /** Runs it, and says how much time its processors have spent on it. */
  private static final String ACCOUNTED = "\"$@\" 2>&1; status=$?; times; exit $status";

  private static final Pattern COUNT = Pattern.compile("count=(\\d+)");

  /** What times says of the children: {@code 0m1.25s 0m0.50s}. */
  private static final Pattern TIMES = Pattern.compile("(\\d+)m([\\d.]+)s (\\d+)m([\\d.]+)s\\s*");

  private static final double NANOS_A_SECOND = 1e9;

  /**
   * What it sends: RFC 5424 with structured data, lines without framing.
   *
   * @param connections over TCP
   * @param size bytes of a message, its end of line among them
   * @param rate messages a second and connection at most
   */
  public record Load(int connections, int size, int rate, Duration duration) {
    /** As SC4S's documentation has it, as fast as they are accepted. */
    public static Load ofSc4s(Duration duration) {
      return new Load(10, 800, 100_000, duration);
    }
  }

  /**
   * What it says at its end.
   *
   * @param cpu its processors' time
   */
  public record Result(LoggenSummary summary, Duration cpu) {}

  private final Process process;
  private final Thread reader;

  /** Written by the reader, and read when that is over. */
  private final StringBuilder output = new StringBuilder();

  private volatile long sent;

  private Loggen(Process process) {
    this.process = process;
    this.reader = new Thread(this::read, "loggen");
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Starts one, which sends at once.
   *
   * @param port of the loopback interface
   */
  public static Loggen start(Installation installation, int port, Load load) throws LabException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", ACCOUNTED, "loggen"));
    command.addAll(command(installation, port, load));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C");
    builder.environment().putAll(installation.environment());
    try {
      return new Loggen(builder.start());
    } catch (IOException e) {
      throw new LabException("loggen can't be started: " + e.getMessage(), e);
    }
  }

  static List<String> command(Installation installation, int port, Load load) {
    return List.of(
        installation.loggen().toString(),
        "--inet",
        "--stream",
        "--rate=" + load.rate(),
        "--interval=" + load.duration().toSeconds(),
        "--syslog-proto",
        "--no-framing",
        "--sdata=[test name=\"stress17\"]",
        "--size=" + load.size(),
        "--active-connections=" + load.connections(),
        "127.0.0.1",
        Integer.toString(port));
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
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

  /** Messages that it has sent, as far as it has said so, which it does twice a second. */
  public long sent() {
    return sent;
  }

  /** Its processes, as far as they run. */
  public List<ProcessHandle> processes() {
    return process.descendants().toList();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Waits for its end, which comes when its time is over.
   *
   * @throws LabException if it failed, with what it said
   */
  public Result await() throws LabException, InterruptedException {
    int status = process.waitFor();
    reader.join();
    LoggenSummary summary = LoggenSummary.find(output.toString()).orElse(null);
    if (status != 0 || summary == null) {
      throw new LabException(
          "loggen ended with status " + status + ": " + output.toString().strip());
    }
    return new Result(summary, cpu(output.toString()));
  }

  /** From the last line: the one before it is of the shell itself. */
  static Duration cpu(String output) {
    Matcher matcher = TIMES.matcher(output);
    double seconds = 0;
    while (matcher.find()) {
      seconds = seconds(matcher, 1) + seconds(matcher, 3);
    }
    return Duration.ofNanos(Math.round(seconds * NANOS_A_SECOND));
  }

  private static double seconds(Matcher times, int group) {
    return 60 * Double.parseDouble(times.group(group)) + Double.parseDouble(times.group(group + 1));
  }

  /** Ends it, if it runs. */
  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
