package io.duplog.ingest.batch;

/**
 * Delays the answer to rsyslog a little, so that rsyslog sends few large transactions rather than
 * many small ones. A small transaction costs each program on the path about as much as a large one.
 *
 * <p>The answer waits until rsyslog has probably gathered a large enough transaction, estimated
 * from the message rate of this one. It waits at most the linger time from the beginning of the
 * transaction. The messages are published before that wait. A transaction of the same size as the
 * previous one has probably reached rsyslog's own limit. The shim answers such a transaction
 * immediately, because more messages are already waiting. Not thread-safe.
 *
 * @see "docs/decisions/shim.md#linger"
 */
public final class AnswerPacing {

  /** Transaction size, in messages, above which the cost per message hardly decreases. */
  private static final int TARGET_MESSAGES = 512;

  /**
   * Minimum number of messages of two equally large transactions in a row for the assumption that
   * rsyslog limited their size.
   */
  private static final int MIN_LIMITED_MESSAGES = 32;

  private final long lingerNanos;

  /**
   * Time in nanoseconds at which the current transaction began. {@link #gatheringNanos} is the time
   * since the previous transaction began, in which rsyslog gathered the messages.
   */
  private long beginNanos;

  private long gatheringNanos;

  /** Number of messages of the previous transaction. */
  private int previousMessages;

  /** Whether rsyslog is sending a failed transaction again, one message at a time. */
  private boolean resending;

  public AnswerPacing(BatchSettings settings) {
    this.lingerNanos = settings.linger().toNanos();
  }

  /** Called when a transaction begins. */
  public void transactionBegan(long nowNanos) {
    gatheringNanos = nowNanos - beginNanos;
    beginNanos = nowNanos;
  }

  /**
   * Called when a transaction has failed, or may have failed before this program's start.
   *
   * @param messages number of its messages
   */
  public void transactionFailed(int messages) {
    resending = true;
    previousMessages = messages;
  }

  /**
   * Called when a transaction was confirmed.
   *
   * @param messages number of its messages
   * @return time in nanoseconds at which to answer; may be in the past
   */
  public long answerAt(int messages) {
    resending &= messages <= 1;
    boolean sizeLimited = messages >= MIN_LIMITED_MESSAGES && messages == previousMessages;
    previousMessages = messages;
    long targetNanos =
        resending || sizeLimited ? 0 : gatheringNanos / Math.max(1, messages) * TARGET_MESSAGES;
    return beginNanos + Math.min(lingerNanos, targetNanos);
  }
}
