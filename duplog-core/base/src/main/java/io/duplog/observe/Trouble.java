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
 * One thing that may be wrong with a component and may last, such as a broker that can't be
 * reached. Its start is one WARN, its repetitions are counted and logged at DEBUG, and its end is
 * one INFO that says how long it took. If its cause changes and the new one lasts, that is another
 * WARN. A trouble of {@link Conditions} is also a condition there from its start to its end; any
 * other is only logged.
 *
 * <p>Safe for any thread. Nothing is logged with the lock held, so two threads may log in another
 * order than the one in which they changed the condition. A recovery of something that works costs
 * one read of a volatile field.
 */
public final class Trouble {
  /**
   * Number of times in a row that another cause has to be met: an outage shows several in passing.
   */
  static final int LASTING = 3;

  /** Most WARNs for one failure of a kind. */
  static final int MOST_TOLD = 8;

  /** Most exceptions of a chain that are looked at; a chain may be a circle. */
  private static final int MOST_CAUSES = 20;

  /**
   * The condition while something is wrong.
   *
   * @param isTold whether it was logged; if not, it is expected
   */
  record Open(Condition condition, boolean isTold, long sinceNanos) {}

  private final Logger log;
  private final String name;
  private final LongSupplier nanoClock;
  private final @Nullable Conditions board;

  /** The condition's subject, level and runbook; its sentence is that of each failure. */
  private final Condition template;

  /** Null while nothing is wrong. Written only with this locked. */
  private volatile @Nullable Open open;

  private String kind = "";

  /** The cause that was logged last, and how many were. */
  private String toldCause = "";

  private int toldTimes;

  /** The latest cause, and how often it was met in a row. */
  private String cause = "";

  private int inRow;
  private long repeats;

  /**
   * Creates a trouble that is only logged. {@link Conditions#trouble} creates those that are on the
   * board.
   *
   * @param name the subject, as the line of recovery calls it: {@code broker syslog-b}
   * @param nanoClock {@code System::nanoTime}, or a test's clock
   */
  public Trouble(Logger log, String name, LongSupplier nanoClock) {
    this(log, name, nanoClock, null, new Condition(name, Level.ATTENTION, "", null));
  }

  Trouble(
      Logger log,
      String name,
      LongSupplier nanoClock,
      @Nullable Conditions board,
      Condition template) {
    this.log = log;
    this.name = name;
    this.nanoClock = nanoClock;
    this.board = board;
    this.template = template;
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
  public void occurred(String kind, String newCause, String line) {
    boolean isRepeated;
    boolean isNewCause = false;
    long repeatsSoFar;
    synchronized (this) {
      Open before = open;
      boolean wasTold = before != null && before.isTold();
      isRepeated = wasTold && kind.equals(this.kind);
      inRow = isRepeated && newCause.equals(cause) ? inRow + 1 : 1;
      this.kind = kind;
      cause = newCause;
      if (isRepeated) {
        repeats++;
        isNewCause = !newCause.equals(toldCause) && inRow >= LASTING && toldTimes < MOST_TOLD;
        toldTimes += isNewCause ? 1 : 0;
      } else {
        repeats = wasTold ? repeats : 0;
        toldTimes = 1;
      }
      toldCause = isRepeated && !isNewCause ? toldCause : newCause;
      repeatsSoFar = repeats;
      set(line, true);
    }
    if (!isRepeated) {
      log.warn("{}", line);
    } else if (isNewCause) {
      log.warn("{} (another cause than before)", line);
    } else {
      log.debug("{} (again, {} times so far)", line, repeatsSoFar);
    }
  }

  /**
   * Called at each look at something that lasts, and that is one and the same failure whatever its
   * sentence is.
   *
   * @param line what is wrong; null if nothing is
   */
  public void update(@Nullable String line) {
    if (line == null) {
      recovered();
    } else if (!line.equals(current())) {
      occurred("", line);
    }
  }

  /**
   * Called when the subject does not work for an expected reason. The condition is on the board but
   * not logged. Does nothing if a failure was logged and lasts.
   */
  public synchronized void expected(String line) {
    Open before = open;
    if (before == null || !before.isTold()) {
      set(line, false);
    }
  }

  private void set(String line, boolean isTold) {
    Open before = open;
    open =
        new Open(
            new Condition(template.subject(), template.level(), line, template.runbook()),
            isTold,
            before == null ? nanoClock.getAsLong() : before.sinceNanos());
    changed();
  }

  private void changed() {
    if (board != null) {
      board.changed(template.subject());
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
  public void recovered(Supplier<String> cost) {
    if (open == null) {
      return; // nearly always, and on the way of each message
    }
    Open ended;
    long endNanos;
    long repeatsInAll;
    synchronized (this) {
      ended = open;
      if (ended == null) {
        return;
      }
      endNanos = nanoClock.getAsLong();
      repeatsInAll = repeats;
      open = null;
      changed();
    }
    if (ended.isTold()) {
      log.info(
          "{} recovered after {} ({} repeated failures){}",
          name,
          duration(TimeUnit.NANOSECONDS.toMillis(endNanos - ended.sinceNanos())),
          repeatsInAll,
          cost.get());
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

  /** Returns what is wrong now; null if nothing is. */
  @Nullable Open open() {
    return open;
  }

  /** Whether the subject does not work, and this was logged. */
  public boolean isTold() {
    Open now = open;
    return now != null && now.isTold();
  }

  /** Whether the subject does not work. */
  public boolean isOpen() {
    return open != null;
  }

  /** Returns the log line of the current failure; null if the subject has not failed. */
  public @Nullable String current() {
    Open now = open;
    return now == null ? null : now.condition().sentence();
  }
}
