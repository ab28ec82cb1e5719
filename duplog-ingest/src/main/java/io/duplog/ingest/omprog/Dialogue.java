package io.duplog.ingest.omprog;

import java.io.IOException;

/**
 * Handles the lines from rsyslog in one {@link Mode} of omprog: with or without confirmation. Not
 * thread-safe; the lock of {@link Conversation} guards it.
 */
interface Dialogue {

  /** Called before the first line is read. The default implementation does nothing. */
  default void started() throws IOException {}

  /** Handles a line, which is a message, or a mark that begins or commits a transaction. */
  void handleLine(byte[] buffer, int offset, int length) throws IOException, InterruptedException;

  /**
   * Called after all lines of a read have been handled. The next read may block for a long time.
   */
  void linesHandled() throws IOException, InterruptedException;

  /**
   * Publishes the gathered messages if the linger time has passed.
   *
   * @return nanoseconds until the next call is due, or {@link Long#MAX_VALUE} if no message waits
   */
  long publishGathered() throws IOException, InterruptedException;

  /**
   * Requests the end of the dialogue as soon as possible without a loss or a duplicate. The default
   * implementation does nothing.
   */
  default void requestEnd() {}

  /** Whether the dialogue may end now, after {@link #requestEnd} was called. */
  boolean mayEnd();

  /**
   * Whether no transaction is open and no failed transaction remains. If the shim ends in this
   * state before rsyslog's next message, rsyslog sends that message twice.
   */
  boolean isIdle();

  /**
   * Called after the last line.
   *
   * @return number of messages from rsyslog that RabbitMQ has not confirmed
   */
  long ended() throws IOException, InterruptedException;
}
