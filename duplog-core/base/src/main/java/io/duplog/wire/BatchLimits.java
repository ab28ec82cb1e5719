package io.duplog.wire;

/**
 * Limits of what a decoder accepts, so that a hostile or torn body can't use up the memory.
 *
 * @param maxBodyBytes largest AMQP body, as it is transmitted
 * @param maxBatchBytes largest body after decompression
 * @param maxMessages most messages in one batch
 * @param maxMessageBytes longest single message
 */
public record BatchLimits(
    int maxBodyBytes, int maxBatchBytes, int maxMessages, int maxMessageBytes) {

  /**
   * Limits of 16 MiB for a body (RabbitMQ 4's own limit), 32 MiB decompressed, and 100,000 messages
   * of up to 1 MiB each.
   */
  public static final BatchLimits DEFAULT = new BatchLimits(16 << 20, 32 << 20, 100_000, 1 << 20);
}
