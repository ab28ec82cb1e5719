package io.duplog.dedup.redis;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Answers as a sentinel does, and says what a test wants. */
final class FakeSentinel extends FakeServer {
  private record Saying(String host, int port, long epoch) {}

  private final AtomicInteger asked = new AtomicInteger();
  private volatile @Nullable Saying saying;
  private volatile boolean silent;

  FakeSentinel(String host, int port, long epoch) {
    super("fake-sentinel");
    say(host, port, epoch);
  }

  /** What it says from now on. */
  void say(String host, int port, long epoch) {
    saying = new Saying(host, port, epoch);
  }

  /** That it knows no such master, from now on. */
  void forget() {
    saying = null;
  }

  /** How often it was asked for the master, whatever it said. */
  int asked() {
    return asked.get();
  }

  /** It takes connections and what is said on them, and never answers. */
  void beSilent() {
    silent = true;
  }

  @Override
  String answer(List<String> words) {
    if (silent) {
      return SILENCE;
    }
    if (!words.get(0).equalsIgnoreCase("sentinel")) {
      return "+OK\r\n";
    }
    Saying now = saying;
    if (now == null || !words.get(words.size() - 1).equals("duplog")) {
      asked.incrementAndGet();
      return "-ERR No such master with that name\r\n";
    }
    if (words.get(1).equalsIgnoreCase("master")) {
      return array("config-epoch", Long.toString(now.epoch()));
    }
    asked.incrementAndGet();
    return array(now.host(), Integer.toString(now.port()));
  }

  private static String array(String... elements) {
    StringBuilder text = new StringBuilder("*" + elements.length + "\r\n");
    for (String each : elements) {
      text.append(bulk(each));
    }
    return text.toString();
  }
}
