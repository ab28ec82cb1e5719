package io.duplog.ingest.omprog;

import java.io.IOException;

/**
 * Answers rsyslog in one mode of omprog. For one thread at a time; Conversation's lock guards it.
 */
interface Dialogue {

  /** Called before the first line is read; the default implementation does nothing. */
  default void opened() throws IOException {}

  /** Called with each line, which is a transaction's mark or a message. */
  void line(byte[] buffer, int offset, int length) throws IOException, InterruptedException;

  /** Called after all lines read so far were handled, because the next read may take long. */
  void drained() throws IOException, InterruptedException;

  /**
   * Publishes what has waited long enough for others.
   *
   * @return nanoseconds until the next call is due; {@link Long#MAX_VALUE} if nothing waits
   */
  long linger() throws IOException, InterruptedException;

  /**
   * Asks for the end of the dialogue, as soon as that costs neither a loss nor a duplicate; the
   * default implementation does nothing.
   */
  default void end() {}

  /** Whether the dialogue may end now, after {@link #end}. */
  boolean isOver();

  /**
   * Whether no transaction is open and none has failed. An end before rsyslog's next message would
   * then double that message.
   */
  boolean isIdle();

  /**
   * Called when no more lines will come.
   *
   * @return number of messages that rsyslog has handed over and that are not known to be in
   *     RabbitMQ
   */
  long closed() throws IOException, InterruptedException;
}
