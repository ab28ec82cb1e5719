package io.duplog.observe;

import java.io.EOFException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs a failure that may last, such as a broker that can't be reached, without repeating itself.
 * Its beginning is one WARN, its repetitions are counted and logged at DEBUG, and its end is one
 * INFO that says how long it took. If its cause changes and the new one lasts, that is another
 * WARN. Safe for any thread.
 */
public final class RecurringWarning {
  /**
   * Number of times in a row that another cause has to be met: an outage shows several in passing.
   */
  static final int LASTING = 3;

  /** Most WARNs for one failure of a kind. */
  static final int MOST_TOLD = 8;

  /** Most exceptions of a chain that are looked at; a chain may be a circle. */
  private static final int MOST_CAUSES = 20;

  private final Logger log;
  private final String name;
  private final LongSupplier nanoClock;
  private String kind = "";

  /** The cause that was logged last, and how many were. */
  private String toldCause = "";

  private int toldTimes;

  /** The latest cause, and how often it was met in a row. */
  private String cause = "";

  private int inRow;
  private @Nullable String currentLine;
  private long sinceNanos;
  private long repeats;

  /**
   * @param name the subject, as the line of recovery calls it: {@code broker syslog-b}
   * @param nanoClock {@code System::nanoTime}, or a test's clock
   */
  public RecurringWarning(Logger log, String name, LongSupplier nanoClock) {
    this.log = log;
    this.name = name;
    this.nanoClock = nanoClock;
  }

  /**
   * Called when the subject, such as a broker, has failed, for the first time or again.
   *
   * @param line names the subject, the cause and what happens next
   */
  public void occurred(String line) {
    occurred(line, line);
  }

  /**
   * Called when the subject failed, with a line that may differ each time for the same failure.
   *
   * @param kind a text that is equal for failures to be logged once
   */
  public void occurred(String kind, String line) {
    occurred(kind, "", line);
  }

  /**
   * Called when the subject failed, and failures of one kind may have different causes.
   *
   * @param kind a text that is equal for failures to be logged once
   * @param newCause a text that is equal for equal causes; one that lasts is logged, too
   */
  public synchronized void occurred(String kind, String newCause, String line) {
    boolean repeated = currentLine != null && kind.equals(this.kind);
    if (currentLine == null) {
      sinceNanos = nanoClock.getAsLong();
      repeats = 0;
    }
    this.kind = kind;
    currentLine = line;
    inRow = repeated && newCause.equals(cause) ? inRow + 1 : 1;
    cause = newCause;
    if (!repeated) {
      toldTimes = 1;
      toldCause = newCause;
      log.warn("{}", line);
      return;
    }
    repeats++;
    if (!newCause.equals(toldCause) && inRow >= LASTING && toldTimes < MOST_TOLD) {
      toldTimes++;
      toldCause = newCause;
      log.warn("{} (another cause than before)", line);
    } else {
      log.debug("{} (again, {} times so far)", line, repeats);
    }
  }

  /**
   * Returns the cause of a failed connection, for {@link #occurred(String, String, String)}. An
   * absence shows as a reset, a refused connection and a time-out in turn, which are one cause. A
   * certificate or an unknown name is another one.
   *
   * @param words the failure in an operator's words
   */
  public static String causeOf(Throwable failure, String words) {
    boolean absent = false;
    boolean refused = false;
    Throwable each = failure;
    for (int depth = 0; each != null && depth < MOST_CAUSES; depth++) {
      absent |= each instanceof SocketException || each instanceof EOFException;
      refused |= each instanceof SSLException;
      if (each instanceof CertificateException
          || each instanceof UnknownHostException
          || each instanceof UnresolvedAddressException) {
        return words;
      }
      each = each.getCause();
    }
    return refused && !absent ? words : "";
  }

  /** Called when the subject works; logs the recovery if the subject had failed before. */
  public void recovered() {
    recovered(() -> "");
  }

  /**
   * Called when the subject works; logs the recovery if the subject had failed before.
   *
   * @param cost what the failure has cost, as the end of the line; asked only if there was one
   */
  public synchronized void recovered(Supplier<String> cost) {
    if (currentLine != null) {
      long millis = TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - sinceNanos);
      log.info(
          "{} recovered after {} ({} repeated failures){}",
          name,
          duration(millis),
          repeats,
          cost.get());
      currentLine = null;
    }
  }

  private static String duration(long millis) {
    if (millis < 1_000) {
      return millis + " ms";
    }
    long seconds = millis / 1_000;
    return seconds < 120
        ? seconds + " s"
        : seconds < 7_200 ? seconds / 60 + " min" : seconds / 3_600 + " h";
  }

  /** Returns the log line of the current failure; null if the subject has not failed. */
  public synchronized @Nullable String current() {
    return currentLine;
  }
}
