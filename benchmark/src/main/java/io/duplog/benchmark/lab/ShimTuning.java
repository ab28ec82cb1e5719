package io.duplog.benchmark.lab;

import java.time.Duration;

/**
 * What a lab's shims are told beyond what they need.
 *
 * @param settings keys of the shim's configuration file
 * @param heapMegabytes the largest heap
 */
public record ShimTuning(Settings settings, int heapMegabytes) {

  /** As the package has it: deploy/debian/ingest/files/duplog-ingest. */
  public static final ShimTuning NONE = new ShimTuning(Settings.NONE, 48);

  /** Most messages of an AMQP message. */
  public ShimTuning withMaxMessages(int messages) {
    return with("batch.max-messages", Integer.toString(messages));
  }

  /** How long a message waits for others, where no transaction says when to go. */
  public ShimTuning withLinger(Duration linger) {
    return with("batch.linger", linger.toMillis() + "ms");
  }

  public ShimTuning withCompression(boolean compress) {
    return with("batch.compress", Boolean.toString(compress));
  }

  /** Whether the broker is asked to write what it takes to its disk. */
  public ShimTuning withPersistence(boolean persistent) {
    return with("broker.persistent", Boolean.toString(persistent));
  }

  public ShimTuning withHeap(int megabytes) {
    return new ShimTuning(settings, megabytes);
  }

  /**
   * Any key of the configuration.
   *
   * @param key with its sections, such as {@code batch.max-bytes}
   */
  public ShimTuning with(String key, String value) {
    return new ShimTuning(settings.with(key, value), heapMegabytes);
  }
}
