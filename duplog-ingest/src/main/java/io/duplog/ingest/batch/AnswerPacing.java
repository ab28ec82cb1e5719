package io.duplog.ingest.batch;

/**
 * Decides when to answer a transaction, so that rsyslog sends few large ones. Each small one would
 * cost every program on the way about as much as a large one.
 *
 * <p>The answer waits until rsyslog has probably gathered a transaction of a good size, judging by
 * the rate of this one, but no longer than the linger after its beginning. The messages themselves
 * are published before that wait. A transaction as large as the one before was probably cut by
 * rsyslog's own limit. It is answered at once, because more messages wait already. Not safe for
 * threads.
 *
 * @see "docs/decisions/shim.md#linger"
 */
public final class AnswerPacing {

  /** Number of messages above which a larger transaction hardly costs less per message. */
  private static final int GOOD_SIZE = 512;

  /** Least number of messages at which two equal transactions in a row count as cut by rsyslog. */
  private static final int LEAST_CUT = 32;

  private final long lingerNanos;

  /**
   * Time in nanoseconds at which the last transaction began. {@link #gatheredNanos} is the time
   * from the beginning of the previous one, in which rsyslog gathered the messages.
   */
  private long begunNanos;

  private long gatheredNanos;

  /** Number of messages of the transaction before. */
  private int messagesBefore;

  /** Whether rsyslog sends a failed transaction again, one message at a time. */
  private boolean replaying;

  public AnswerPacing(BatchSettings settings) {
    this.lingerNanos = settings.linger().toNanos();
  }

  /** Called when a transaction begins. */
  public void begun(long nowNanos) {
    gatheredNanos = nowNanos - begunNanos;
    begunNanos = nowNanos;
  }

  /**
   * Called when a transaction has failed, or may have failed before this program's start.
   *
   * @param messages number of its messages
   */
  public void failed(int messages) {
    replaying = true;
    messagesBefore = messages;
  }

  /**
   * Called when a transaction was confirmed.
   *
   * @param messages number of its messages
   * @return time in nanoseconds at which to answer; it may be past
   */
  public long answerAt(int messages) {
    replaying &= messages <= 1;
    boolean cut = messages >= LEAST_CUT && messages == messagesBefore;
    messagesBefore = messages;
    long enough = replaying || cut ? 0 : gatheredNanos / Math.max(1, messages) * GOOD_SIZE;
    return begunNanos + Math.min(lingerNanos, enough);
  }
}
