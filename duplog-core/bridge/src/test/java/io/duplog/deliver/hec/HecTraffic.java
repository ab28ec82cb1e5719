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

/**
 * Base of tests that send events through the HEC sink. Some events always fail, and the tests check
 * that no good event is lost.
 */
abstract class HecTraffic {
  HecStage stage = HecStage.of(1, "requests-per-url: 4\n");

  /** Time at which each message was sent. */
  final Map<String, Long> sentNanos = new HashMap<>();

  long longestWaitMillis;

  /** A failure of requests with a poison, and its description in the dead letter. */
  enum Way {
    FIREWALL("answers 403 (<html>)", 4),
    BUSY("answers 503 (<html>)", 5),
    RESET("(Connection reset)", 5),
    TIME_OUT("(no answer within 10000 ms)", 3),
    CUT_SHORT("answers 200 ({\"text\":\"Succ)", 5);

    final String cause;
    final int countedFailures;

    Way(String cause, int countedFailures) {
      this.cause = cause;
      this.countedFailures = countedFailures;
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

  /** Makes each request with such a text fail from now on. */
  void poison(String text, Way way) {
    stage.collector().always =
        (collector, post) ->
            FakeCollector.contains(post, text) ? way.fail(stage) : index(collector, post);
  }

  void acceptAll() {
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

  /** Repeats an action, with a pause after each time. */
  void repeat(int times, long pauseMillis, IntConsumer action) {
    for (int i = 0; i < times; i++) {
      action.accept(i);
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
