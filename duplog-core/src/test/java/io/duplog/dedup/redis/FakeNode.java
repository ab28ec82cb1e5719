package io.duplog.dedup.redis;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** A node of a cluster that says where the slots are, and answers GET, as a test wants. */
final class FakeNode extends FakeServer {
  /** How often it was asked for a key. */
  final AtomicInteger asked = new AtomicInteger();

  /** How often it was asked how the cluster is. */
  final AtomicInteger questions = new AtomicInteger();

  private volatile String info = bulk("cluster_state:ok\r\ncluster_current_epoch:1\r\n");
  private volatile String slots = "*0\r\n";
  private volatile String value = bulk("value");

  FakeNode() {
    super("fake-node");
  }

  /** From now on it says that this one has all slots, since that epoch. */
  void saysThatAllIsAt(FakeNode master, int epoch) {
    info = bulk("cluster_state:ok\r\ncluster_current_epoch:%d\r\n".formatted(epoch));
    slots =
        "*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n"
            + bulk("127.0.0.1")
            + ":%d\r\n".formatted(master.port());
  }

  /** From now on it is no part of the cluster. */
  void knowsOfNobody(int epoch) {
    info = bulk("cluster_state:fail\r\ncluster_current_epoch:%d\r\n".formatted(epoch));
    slots = "*0\r\n";
  }

  /** From now on it knows that it is alone; what it says of the slots is old. */
  void isCutOff() {
    info = info.replace("cluster_state:ok", "cluster_state:no");
  }

  int port() {
    return address().getPort();
  }

  /** What it answers GET with from now on: an error, a value, nothing at all. */
  void answers(String word) {
    value = word.startsWith("-") ? word + "\r\n" : word.equals(SILENCE) ? SILENCE : bulk(word);
  }

  @Override
  String answer(List<String> words) {
    return switch (String.join(" ", words).toUpperCase(Locale.ROOT)) {
      case "CLUSTER INFO" -> {
        questions.incrementAndGet();
        yield info;
      }
      case "CLUSTER SLOTS" -> slots;
      case "PING" -> value.equals(SILENCE) ? SILENCE : "+PONG\r\n";
      case "GET KEY" -> {
        asked.incrementAndGet();
        yield value;
      }
      default -> words.get(0).equalsIgnoreCase("HELLO") ? "%1\r\n+proto\r\n:3\r\n" : "+OK\r\n";
    };
  }
}
