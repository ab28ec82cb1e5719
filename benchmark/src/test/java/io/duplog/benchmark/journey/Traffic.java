package io.duplog.benchmark.journey;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.common.collect.HashMultimap;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multimap;
import com.google.common.collect.Multiset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A redundant sender: every message to each node, at a steady rate, until told to end. Each tenth
 * message is a repetition of the one before it; each twentieth is withheld from one of the nodes,
 * in turns.
 */
final class Traffic implements AutoCloseable {
  private static final int BURST = 100;
  private static final int BURSTS_A_SECOND = 20;

  private final String tag;
  private final List<Node> nodes;
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private final Future<?> sending;

  /** Messages, without the priority: of each as many as the merged stream is to have. */
  private final Multiset<String> sent = HashMultiset.create();

  /** Of these, one each, this node alone has a copy. */
  private final Multimap<Node, String> onlyOf = HashMultimap.create();

  private int serial;

  private Traffic(String tag, List<Node> nodes) {
    this.tag = tag;
    this.nodes = nodes;
    sending =
        clock.scheduleAtFixedRate(
            this::sendBurst,
            0,
            TimeUnit.SECONDS.toMicros(1) / BURSTS_A_SECOND,
            TimeUnit.MICROSECONDS);
  }

  /**
   * Begins.
   *
   * @param tag what all of these messages have in common, and no others
   */
  static Traffic begin(String tag, List<Node> nodes) {
    return new Traffic(tag, nodes);
  }

  private void sendBurst() {
    try {
      List<List<byte[]>> copies = nodes.stream().<List<byte[]>>map(n -> new ArrayList<>()).toList();
      for (int i = 0; i < BURST; i++) {
        add(copies);
      }
      for (int i = 0; i < nodes.size(); i++) {
        nodes.get(i).rsyslog().sendTcp(copies.get(i).toArray(byte[][]::new));
      }
    } catch (Exception e) {
      throw new IllegalStateException("sending " + tag, e);
    }
  }

  private void add(List<List<byte[]>> copies) {
    boolean repetition = serial % 10 == 9;
    String message = "%s %06d".formatted(tag, repetition ? serial - 1 : serial);
    int withheldFrom = serial % 20 == 5 ? serial / 20 % nodes.size() : -1;
    for (int node = 0; node < nodes.size(); node++) {
      if (node != withheldFrom) {
        copies.get(node).add(("<13>" + message).getBytes(ISO_8859_1));
      }
    }
    sent.add(message);
    if (withheldFrom >= 0 && nodes.size() == 2) {
      onlyOf.put(nodes.get(1 - withheldFrom), message);
    }
    serial++;
  }

  /** Ends, and returns what the merged stream has to hold: how often each message was sent. */
  Multiset<String> end() throws Exception {
    clock.shutdown();
    if (!clock.awaitTermination(1, TimeUnit.MINUTES)) {
      throw new IllegalStateException("rsyslog takes nothing of " + tag);
    }
    if (!sending.isCancelled()) {
      sending.get();
    }
    return sent;
  }

  /** The same where one of two nodes is lost for good, with what it alone had received. */
  Multiset<String> endWithout(Node lost) throws Exception {
    end();
    sent.removeAll(onlyOf.get(lost));
    return sent;
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
