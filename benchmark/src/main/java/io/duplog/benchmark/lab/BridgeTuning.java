package io.duplog.benchmark.lab;

import java.time.Duration;
import java.util.Locale;

/**
 * What a lab's bridges are told beyond what they need.
 *
 * @param settings keys of the bridge's configuration file
 * @param heapMegabytes the largest heap
 */
public record BridgeTuning(Settings settings, int heapMegabytes) {

  /** The most that AMQP knows; {@code receive.prefetch-bytes} bounds it. */
  public static final int UNLIMITED_PREFETCH = 65_535;

  /** The program's own defaults. */
  public static final BridgeTuning NONE = new BridgeTuning(Settings.NONE, 256);

  /** When the file sink forces lines to the disk. */
  public enum Fsync {
    ALWAYS,
    INTERVAL,
    NEVER
  }

  /** Most unacknowledged deliveries of a queue. */
  public BridgeTuning withPrefetch(int deliveries) {
    return with("receive.prefetch", Integer.toString(deliveries));
  }

  public BridgeTuning withWorkers(int threads) {
    return with("receive.workers", Integer.toString(threads));
  }

  /** An acknowledgement as soon as a batch may be settled. */
  public BridgeTuning acknowledgingEach() {
    return with("settle.acknowledge", "each");
  }

  /** An acknowledgement for so many batches. */
  public BridgeTuning acknowledgingEvery(int batches) {
    return with("settle.acknowledge", "count")
        .with("settle.acknowledge-count", Integer.toString(batches));
  }

  /** An acknowledgement so often. */
  public BridgeTuning acknowledgingEvery(Duration interval) {
    return with("settle.acknowledge", "interval")
        .with("settle.acknowledge-interval", interval.toMillis() + "ms");
  }

  /** Of use where the sink is a file only. */
  public BridgeTuning withFsync(Fsync fsync) {
    return with("sink.file.fsync", fsync.name().toLowerCase(Locale.ROOT));
  }

  /** Of use where the sink is HEC only, as are the next two. */
  public BridgeTuning withHecCompression(boolean gzip) {
    return with("sink.hec.compression", gzip ? "gzip" : "none");
  }

  /** Requests that are under way to the collector at most. */
  public BridgeTuning withHecRequests(int requests) {
    return with("sink.hec.requests-per-url", Integer.toString(requests));
  }

  /** Most events of a request. */
  public BridgeTuning withHecEvents(int events) {
    return with("sink.hec.max-events", Integer.toString(events));
  }

  public BridgeTuning withHeap(int megabytes) {
    return new BridgeTuning(settings, megabytes);
  }

  /**
   * Any key of the configuration.
   *
   * @param key with its sections, such as {@code receive.prefetch-bytes}
   */
  public BridgeTuning with(String key, String value) {
    return new BridgeTuning(settings.with(key, value), heapMegabytes);
  }
}
