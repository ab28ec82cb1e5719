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
 * Number of messages that every stream has brought to the bridges. The number of delivered messages
 * does not show it: if a stream falls behind, the others make up for it, and the work left in its
 * backlog would not be counted. The bridges are asked at most six times a second. May be used from
 * any thread.
 */
final class SlowestStream implements LongSupplier {
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(160);

  private final Lab lab;
  private final Set<String> seriesNames;
  private long askedNanos = System.nanoTime() - PERIOD_NANOS;
  private long receivedMessages;

  private SlowestStream(Lab lab) {
    this.lab = lab;
    this.seriesNames =
        lab.nodes().stream()
            .map(node -> "duplog_copies_received_total{stream=\"%s\"}".formatted(node.stream()))
            .collect(Collectors.toSet());
  }

  /** Returns a pace as fast as the slowest stream and the sink take messages. */
  static Flood flood(Lab lab, Measurement sink, long underWay) {
    SlowestStream slowest = new SlowestStream(lab);
    return new Flood(() -> Math.min(slowest.getAsLong(), sink.delivered()), underWay);
  }

  @Override
  public synchronized long getAsLong() {
    if (System.nanoTime() - askedNanos >= PERIOD_NANOS) {
      Map<String, Long> ofEach = new HashMap<>();
      try {
        for (BridgeProcess bridge : lab.bridges()) {
          for (String line : bridge.metrics()) {
            int end = Math.max(0, line.lastIndexOf(' '));
            if (seriesNames.contains(line.substring(0, end))) {
              long copies = (long) Double.parseDouble(line.substring(end));
              ofEach.merge(line.substring(0, end), copies, Long::sum);
            }
          }
        }
        receivedMessages = ofEach.values().stream().mapToLong(Long::longValue).min().orElse(0);
      } catch (IOException e) {
        return receivedMessages; // a bridge is being started
      } finally {
        askedNanos = System.nanoTime();
      }
    }
    return receivedMessages;
  }
}
