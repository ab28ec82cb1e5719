package io.duplog.bridge;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;

/**
 * Base of tests of the inventory of senders: runs whole bridges between real servers, and sends
 * messages as several senders.
 */
abstract class BridgesWithSenders extends BridgeBetweenServers {
  private static final Duration POLL = Duration.ofMillis(500);

  int sent;

  /**
   * Sends a message of each of two senders on both streams; that of the second one reaches stream b
   * only if {@code secondByB}.
   */
  void send(boolean secondByB) throws Exception {
    String message = "<13>app: message " + ++sent;
    for (TestPublisher stream : new TestPublisher[] {streamA, streamB}) {
      stream.publishFrom("10.1.2.1", message);
      if (stream == streamA || secondByB) {
        stream.publishFrom("10.1.2.2", message);
      }
    }
  }

  /** Sends messages of a sender on both streams. */
  void say(String sender, String... messages) throws Exception {
    streamA.publishFrom(sender, messages);
    streamB.publishFrom(sender, messages);
  }

  void sendUntil(boolean secondByB, Callable<Boolean> over) {
    await()
        .pollInterval(POLL)
        .until(
            () -> {
              send(secondByB);
              return over.call();
            });
  }

  /**
   * @param volume text of the sender's volume
   */
  static void remember(String sender, long hours, long last, String volume) {
    long hour = Duration.ofMillis(last).toHours();
    String always = "o".repeat(7 * 24);
    String record =
        "%d 9,900,0,0,0 %d,%d,9,%s,%d,10,10,10,10,10,10,10 %s 0,0,0,0,0,0 0,0,0,0,0 a %d 9 9 b %d 9 9"
            .formatted(last, hour - hours, hour, always, hour / 24, volume, last, last);
    redis.cli("hset", "duplog:senders", sender, record);
  }
}
