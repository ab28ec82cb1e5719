package io.duplog.wire;

/**
 * The maximum sizes of a batch that the bridge decodes, so that a forged body can't fill the
 * memory.
 *
 * @param maxBodyBytes maximum size of an AMQP body as transmitted
 * @param maxBatchBytes maximum size of a body after decompression
 * @param maxMessages maximum number of messages in one batch
 * @param maxMessageBytes maximum size of one message
 */
public record BatchLimits(
    int maxBodyBytes, int maxBatchBytes, int maxMessages, int maxMessageBytes) {

  /**
   * Limits of 16 MiB for a body (RabbitMQ 4's own limit), 32 MiB decompressed, and 100,000 messages
   * of up to 1 MiB each.
   */
  public static final BatchLimits DEFAULT = new BatchLimits(16 << 20, 32 << 20, 100_000, 1 << 20);
}
