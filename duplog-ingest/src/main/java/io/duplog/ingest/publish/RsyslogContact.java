package io.duplog.ingest.publish;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.duplog.wire.Heartbeat;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * When rsyslog last handed something over, for the heartbeats. A shim that listens does not end
 * with rsyslog, so that its living alone says nothing of rsyslog. Safe for any thread.
 *
 * @see "docs/decisions/lag.md#heartbeats"
 */
public final class RsyslogContact {
  private static final byte[] PROBE = Heartbeat.Rsyslog.PROBE.getBytes(US_ASCII);

  private final LongSupplier nanoClock;
  private volatile long heardNanos;
  private volatile boolean waiting;
  private volatile boolean probes;

  /**
   * Counts from now on.
   *
   * @param nanoClock {@code System::nanoTime}, or a test's clock
   */
  public RsyslogContact(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.heardNanos = nanoClock.getAsLong();
  }

  /** Called when rsyslog has handed over a whole transaction and waits for the answer. */
  public void handedOver() {
    waiting = true;
    heardNanos = nanoClock.getAsLong();
  }

  /** Called when rsyslog does not wait any more, whether it was answered or not. */
  public void answered() {
    if (waiting) {
      heardNanos = nanoClock.getAsLong();
      waiting = false;
    }
  }

  /**
   * Whether a line is rsyslog's own mark, which is noted, and is no message of a sender's.
   *
   * @param senderPrefixed whether an address and a space stand before each message
   */
  public boolean isProbe(byte[] buffer, int offset, int length, boolean senderPrefixed) {
    int from = length - PROBE.length;
    if (from < 0
        || !Arrays.equals(buffer, offset + from, offset + length, PROBE, 0, PROBE.length)) {
      return false;
    }
    boolean whole = senderPrefixed ? isAddress(buffer, offset, from) : from == 0;
    if (whole) {
      probes = true;
    }
    return whole;
  }

  /** Whether these bytes are one word and the space behind it. */
  private static boolean isAddress(byte[] buffer, int offset, int length) {
    for (int i = 0; i < length; i++) {
      if (buffer[offset + i] == ' ') {
        return i == length - 1;
      }
    }
    return false;
  }

  /**
   * Returns what is wrong with rsyslog, in one line for an operator; empty if nothing is, or if
   * nobody can tell because rsyslog sends no marks.
   */
  public String trouble() {
    Heartbeat.Rsyslog now = report();
    long most = Heartbeat.PATIENCE * Heartbeat.Rsyslog.PROBE_INTERVAL.toMillis();
    return now.probes() && now.quietMillis() > most
        ? "rsyslog has handed over nothing for more than %d s, not even its mark: it is down, hangs, or is refused; see journalctl -u rsyslog"
            .formatted(most / 1000)
        : "";
  }

  /** Returns what the next heartbeat says. */
  public Heartbeat.Rsyslog report() {
    long nanos = waiting ? 0 : Math.max(0, nanoClock.getAsLong() - heardNanos);
    return new Heartbeat.Rsyslog(TimeUnit.NANOSECONDS.toMillis(nanos), probes);
  }
}
