package io.duplog.benchmark.scenario;

import io.duplog.benchmark.lab.BridgeProcess;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.load.Flood;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Counts the messages that have arrived from every stream, so that a load waits for the slowest
 * one. Thread-safe.
 *
 * <p>The number of delivered messages does not show it. If a stream falls behind, the others make
 * up for it, and its backlog would not be counted. The bridges are queried at most six times a
 * second.
 */
final class SlowestStream implements LongSupplier {
  private static final long QUERY_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(160);

  private final Lab lab;
  private final Set<String> seriesNames;
  private long queriedNanos = System.nanoTime() - QUERY_INTERVAL_NANOS;
  private long receivedMessages;

  private SlowestStream(Lab lab) {
    this.lab = lab;
    this.seriesNames =
        lab.nodes().stream()
            .map(node -> "duplog_copies_received_total{stream=\"%s\"}".formatted(node.stream()))
            .collect(Collectors.toSet());
  }

  /** Returns a pace as fast as the slowest stream and the sink accept messages. */
  static Flood newFlood(Lab lab, Measurement sink, long maxInFlight) {
    SlowestStream slowest = new SlowestStream(lab);
    return new Flood(() -> Math.min(slowest.getAsLong(), sink.delivered()), maxInFlight);
  }

  @Override
  public synchronized long getAsLong() {
    if (System.nanoTime() - queriedNanos >= QUERY_INTERVAL_NANOS) {
      Map<String, Long> copiesBySeries = new HashMap<>();
      try {
        for (BridgeProcess bridge : lab.bridges()) {
          for (String line : bridge.metrics()) {
            int end = Math.max(0, line.lastIndexOf(' '));
            if (seriesNames.contains(line.substring(0, end))) {
              long copies = (long) Double.parseDouble(line.substring(end));
              copiesBySeries.merge(line.substring(0, end), copies, Long::sum);
            }
          }
        }
        receivedMessages =
            copiesBySeries.values().stream().mapToLong(Long::longValue).min().orElse(0);
      } catch (IOException e) {
        return receivedMessages; // A bridge is being started.
      } finally {
        queriedNanos = System.nanoTime();
      }
    }
    return receivedMessages;
  }
}
