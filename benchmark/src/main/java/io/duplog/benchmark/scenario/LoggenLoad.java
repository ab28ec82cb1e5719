package io.duplog.benchmark.scenario;

import io.duplog.benchmark.load.Senders;
import io.duplog.benchmark.measure.Recognition;
import io.duplog.benchmark.measure.Reconciliation;
import io.duplog.benchmark.peer.Installation;
import io.duplog.benchmark.peer.Loggen;
import io.duplog.benchmark.peer.LoggenArrivals;
import io.duplog.benchmark.peer.TcpSplitter;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The load of loggen itself, for a time that is fixed beforehand. */
final class LoggenLoad implements Senders {
  private final Installation installation;
  private final Loggen.Load load;
  private final int copies;
  private final TcpSplitter splitter;
  private @Nullable Loggen loggen;
  private volatile @Nullable LabException failure;
  private String summary = "";

  /**
   * @param ports one a stream
   */
  LoggenLoad(Installation installation, List<Integer> ports, Duration duration)
      throws LabException {
    this.installation = installation;
    this.load = Loggen.Load.ofSc4s(duration);
    this.copies = ports.size();
    this.splitter = new TcpSplitter(ports);
  }

  /** What it sends, for one run. */
  static Messages messages() {
    int size = Loggen.Load.ofSc4s(Duration.ZERO).size();
    return new Messages(
        size - 1,
        new Found(new LoggenArrivals(size)),
        Map.of("message", size + " bytes with the end of its line, by loggen"));
  }

  @Override
  public void start() {
    try {
      loggen = Loggen.start(installation, splitter.port(), load);
    } catch (LabException e) {
      failure = e;
    }
  }

  @Override
  public long sent() {
    return loggen == null ? 0 : loggen.sent();
  }

  /** Waits for its end. */
  @Override
  public long stop() throws IOException, InterruptedException {
    try {
      if (failure != null) {
        throw failure;
      }
      if (loggen == null) {
        throw new IllegalStateException("not started");
      }
      Loggen.Result result = loggen.await();
      splitter.awaitEnd(); // megabytes may be on their way in it
      summary = result.summary().text();
      return result.summary().count();
    } catch (LabException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Its own line; empty before its end. */
  String summary() {
    return summary;
  }

  @Override
  public boolean isBroken() {
    return failure != null;
  }

  @Override
  public List<ProcessHandle> processes() {
    return loggen == null ? List.of() : loggen.processes();
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
    if (loggen != null) {
      loggen.close();
    }
    splitter.close();
  }

  /** Its messages in the sink. */
  private record Found(LoggenArrivals arrivals) implements Recognition {
    @Override
    public long add(byte[] bytes, int offset, int length) {
      return arrivals.add(bytes, offset, length) ? 0 : -1;
    }

    @Override
    public Reconciliation against(long sent, long sentCopies) {
      long found = arrivals.unique() + arrivals.duplicated() + arrivals.corrupted();
      return new Reconciliation(
          sent,
          sentCopies,
          found,
          Math.max(0, sent - arrivals.unique()),
          arrivals.duplicated(),
          arrivals.corrupted());
    }
  }
}
