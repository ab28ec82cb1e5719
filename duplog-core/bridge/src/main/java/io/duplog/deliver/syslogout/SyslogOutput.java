package io.duplog.deliver.syslogout;

import com.google.common.net.HostAndPort;
import io.duplog.deliver.line.LineOutput;
import io.duplog.deliver.line.LinesLostException;
import io.duplog.tls.Tls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages to the first receiver that can be reached. Syslog has no acknowledgement. So
 * messages count as accepted if the connection is still open a moment after they were written. If
 * it breaks earlier, the whole group is sent again, because the receiver may have read any part.
 *
 * @see "docs/decisions/sinks.md#syslog-and-kafka"
 */
final class SyslogOutput implements LineOutput {
  /** Time in which a receiver closes few connections, in nanoseconds. */
  private static final long IDLE_NANOS = Duration.ofSeconds(1).toNanos();

  private static final Duration GLANCE = Duration.ofMillis(1);

  private final SyslogSinkConfig config;
  private final List<HostAndPort> receivers;
  private final @Nullable Tls tls;
  private final LongSupplier nanoClock;

  /** Index of the receiver in use. */
  private int current;

  /** Null while there is no connection. Other threads read this field in {@link #watch} only. */
  private volatile @Nullable SyslogConnection connection;

  private boolean hasUnconfirmed;
  private long confirmedNanos;

  SyslogOutput(SyslogSinkConfig config, LongSupplier nanoClock) {
    this.config = config;
    this.receivers = config.receivers();
    this.tls = config.tls() == null ? null : Tls.ofClient(config.displayName(), config.tls());
    this.nanoClock = nanoClock;
  }

  @Override
  public String name() {
    return config.displayName();
  }

  @Override
  public String remedy() {
    return "Check the receiver, and the network path to it.";
  }

  @Override
  public void prepare() throws IOException {
    SyslogConnection open = connection;
    if (open != null && nanoClock.getAsLong() - confirmedNanos > IDLE_NANOS) {
      forgetIfClosed(open);
    }
    if (connection == null) {
      connect();
    }
  }

  /** Notices that a receiver has closed an idle connection, as many do. */
  private void forgetIfClosed(SyslogConnection idle) {
    try {
      idle.requireOpen(GLANCE);
      confirmedNanos = nanoClock.getAsLong();
    } catch (IOException e) {
      disconnect();
    }
  }

  private void connect() throws IOException {
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < receivers.size(); i++) {
      try {
        connection = open(receivers.get(current));
        confirmedNanos = nanoClock.getAsLong();
        return;
      } catch (IOException e) {
        problems.add(String.valueOf(e.getMessage()));
        current = (current + 1) % receivers.size();
      }
    }
    throw new IOException(String.join("; ", problems));
  }

  private SyslogConnection open(HostAndPort receiver) throws IOException {
    return SyslogConnection.open(receiver, tls, config.connectTimeout(), nanoClock);
  }

  @Override
  public void append(ByteBuffer lines) throws IOException {
    hasUnconfirmed = true;
    SyslogConnection open = connected();
    try {
      open.write(lines);
    } catch (IOException e) {
      throw lost(e);
    }
  }

  @Override
  public void commit() throws IOException {
    if (!hasUnconfirmed) {
      return;
    }
    try {
      connected().requireOpen(config.confirmAfter());
    } catch (IOException e) {
      throw lost(e);
    }
    hasUnconfirmed = false;
    confirmedNanos = nanoClock.getAsLong();
  }

  private SyslogConnection connected() throws IOException {
    SyslogConnection open = connection;
    if (open == null) {
      throw new IOException("there is no connection");
    }
    return open;
  }

  private LinesLostException lost(IOException cause) {
    SyslogConnection open = connection;
    boolean hung = open != null && open.hasTimedOut();
    disconnect();
    hasUnconfirmed = false;
    HostAndPort failed = receivers.get(current);
    current = (current + 1) % receivers.size();
    return new LinesLostException(
        hung ? new IOException(failed + ": it reads nothing", cause) : cause);
  }

  private void disconnect() {
    SyslogConnection open = connection;
    connection = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void watch() {
    SyslogConnection open = connection;
    if (open != null) {
      open.abortAfter(config.writeTimeout());
    }
  }

  /** Connects to each receiver once, and waits for a moment whether it closes the connection. */
  void check() throws IOException {
    for (HostAndPort receiver : receivers) {
      SyslogConnection trial = open(receiver);
      try {
        trial.requireOpen(config.confirmAfter());
      } finally {
        trial.close();
      }
    }
  }

  @Override
  public void close() {
    disconnect();
  }
}
