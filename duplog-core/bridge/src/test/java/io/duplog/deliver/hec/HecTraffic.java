package io.duplog.deliver.hec;

import static io.duplog.deliver.hec.FakeCollector.reply;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.hec.answer.Reply;
import io.duplog.deliver.hec.http.Connection;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/** Sends messages for tests, some of them poisons, and checks what has become of them. */
abstract class HecTraffic {
  HecStage stage = HecStage.of(1, "requests-per-url: 4\n");

  /** Time at which each message was sent. */
  final Map<String, Long> sentNanos = new HashMap<>();

  long longestWaitMillis;

  /** A way in which a request that holds a poison fails, and the dead letter's words for it. */
  enum Way {
    FIREWALL("answers 403 (<html>) to this event alone, 4 times"),
    BUSY("answers 503 (<html>) to this event alone, 5 times"),
    RESET("(Connection reset) with this event alone, 5 times"),
    TIME_OUT("(no answer within 10000 ms) with this event alone, 3 times"),
    CUT_SHORT("answers 200 ({\"text\":\"Succ) to this event alone, 5 times");

    final String reason;

    Way(String reason) {
      this.reason = reason;
    }

    Reply fail(HecStage stage) throws IOException {
      return switch (this) {
        case FIREWALL -> reply(403, "<html>");
        case BUSY -> reply(503, "<html>");
        case CUT_SHORT -> reply(200, "{\"text\":\"Succ");
        case RESET -> throw new IOException("Connection reset");
        case TIME_OUT -> {
          stage.hang(10);
          throw new IOException("no answer within 10000 ms");
        }
      };
    }
  }

  /** Has each request fail from now on that holds such a text. */
  void poison(String text, Way way) {
    stage.collector().always =
        (collector, post) ->
            FakeCollector.holds(post, text) ? way.fail(stage) : index(collector, post);
  }

  void takeAll() {
    stage.collector().always = this::index;
  }

  Reply index(FakeCollector collector, Connection.Post post) throws IOException {
    for (Event event : FakeCollector.events(post)) {
      long waitedNanos = stage.nanos - sentNanos.getOrDefault(event.text(), stage.nanos);
      longestWaitMillis = Math.max(longestWaitMillis, NANOSECONDS.toMillis(waitedNanos));
    }
    return collector.index(post);
  }

  void send(String... messages) {
    for (String message : messages) {
      sentNanos.put(message, stage.nanos);
    }
    stage.deliver(String.join("+", messages), messages);
  }

  /** Takes this many turns, with a pause after each. */
  void repeat(int times, long pauseMillis, IntConsumer turn) {
    for (int i = 0; i < times; i++) {
      turn.accept(i);
      stage.settle().pass(pauseMillis);
    }
  }

  /** Sends ten good messages a second. */
  void flow(int seconds) {
    repeat(10 * seconds, 100, i -> send("good " + stage.nanos));
  }

  void assertGoodIndexedOnce() {
    assertThat(stage.collectors.stream().flatMap(collector -> collector.indexed.stream()))
        .filteredOn(text -> !text.equals(ControlEvents.TEXT))
        .containsExactlyInAnyOrderElementsOf(sent(false));
  }

  /** Asserts that exactly the poisons were refused, and each good message was indexed once. */
  void assertPoisonsRefused_andGoodIndexedOnce() {
    assertThat(stage.deliveries.refused())
        .map(refused -> refused.delivery().split("\\+", -1)[refused.message()])
        .containsExactlyInAnyOrderElementsOf(sent(true));
    assertGoodIndexedOnce();
  }

  List<String> sent(boolean poisons) {
    Stream<String> all = sentNanos.keySet().stream();
    return all.filter(text -> text.contains("poison") == poisons).toList();
  }
}
