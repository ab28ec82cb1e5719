package io.duplog.dedup.redis;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RedisWatchTest {
  private final AtomicInteger failing = new AtomicInteger();
  private final AtomicInteger other = new AtomicInteger();

  private void fail() {
    failing.incrementAndGet();
    throw new IllegalStateException("a defect");
  }

  @Test
  void questionThatFails_isAskedAgain_andKeepsNoOtherFromBeingAsked() {
    try (RedisWatch watch =
        new RedisWatch("watch", "it", Duration.ofMillis(1), this::fail, other::incrementAndGet)) {
      watch.start();
      watch.start(); // once is enough
      await().until(() -> failing.get() > 1 && other.get() > 1);
    }
  }
}
