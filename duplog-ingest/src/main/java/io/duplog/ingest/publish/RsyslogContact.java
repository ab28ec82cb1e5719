package io.duplog.ingest.publish;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.duplog.wire.Heartbeat;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Records when rsyslog last sent something, so that a shim's heartbeats can report an rsyslog that
 * hangs. A shim that listens does not end with rsyslog; so a running shim does not prove that
 * rsyslog is running. Thread-safe.
 *
 * @see "docs/decisions/lag.md#heartbeats"
 */
public final class RsyslogContact {
  private static final byte[] PROBE_BYTES = Heartbeat.Rsyslog.PROBE.getBytes(US_ASCII);

  private final LongSupplier nanoClock;
  private volatile long lastContactNanos;
  private volatile boolean rsyslogWaits;
  private volatile boolean probeReceived;

  /**
   * Starts to measure rsyslog's silence now.
   *
   * @param nanoClock {@code System::nanoTime}, or the clock of a test
   */
  public RsyslogContact(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.lastContactNanos = nanoClock.getAsLong();
  }

  /** Called when rsyslog has sent a complete transaction and waits for the answer. */
  public void handedOver() {
    rsyslogWaits = true;
    lastContactNanos = nanoClock.getAsLong();
  }

  /** Called when rsyslog no longer waits, with or without an answer. */
  public void answered() {
    if (rsyslogWaits) {
      lastContactNanos = nanoClock.getAsLong();
      rsyslogWaits = false;
    }
  }

  /**
   * Whether a line is rsyslog's own periodic mark message, rather than a sender's message. Records
   * that rsyslog sends mark messages.
   *
   * @param senderPrefixed whether each message begins with its sender's address and a space
   */
  public boolean isProbe(byte[] buffer, int offset, int length, boolean senderPrefixed) {
    int probeOffset = length - PROBE_BYTES.length;
    if (probeOffset < 0
        || !Arrays.equals(
            buffer, offset + probeOffset, offset + length, PROBE_BYTES, 0, PROBE_BYTES.length)) {
      return false;
    }
    boolean isProbe = senderPrefixed ? isAddress(buffer, offset, probeOffset) : probeOffset == 0;
    if (isProbe) {
      probeReceived = true;
    }
    return isProbe;
  }

  /** Whether these bytes are one word and a space after it. */
  private static boolean isAddress(byte[] buffer, int offset, int length) {
    for (int i = 0; i < length; i++) {
      if (buffer[offset + i] == ' ') {
        return i == length - 1;
      }
    }
    return false;
  }

  /**
   * Returns the problem with rsyslog as one line for an operator. Returns an empty text if there is
   * no problem, or if it can't be detected because rsyslog sends no mark messages.
   */
  public String trouble() {
    Heartbeat.Rsyslog report = report();
    long maxQuietMillis = Heartbeat.PATIENCE * Heartbeat.Rsyslog.PROBE_INTERVAL.toMillis();
    return report.probes() && report.quietMillis() > maxQuietMillis
        ? "rsyslog has handed over nothing for more than %d s, not even its mark: it is down, hangs, or is refused; see journalctl -u rsyslog"
            .formatted(maxQuietMillis / 1000)
        : "";
  }

  /** Returns the contact for the next heartbeat. */
  public Heartbeat.Rsyslog report() {
    long nanos = rsyslogWaits ? 0 : Math.max(0, nanoClock.getAsLong() - lastContactNanos);
    return new Heartbeat.Rsyslog(TimeUnit.NANOSECONDS.toMillis(nanos), probeReceived);
  }
}
