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

/** For tests that send messages, some of them poisons: what has become of them. */
abstract class HecTraffic {
  HecStage stage = HecStage.of(1, "requests-per-url: 4\n");

  /** Of each message that was sent: when. */
  final Map<String, Long> sentNanos = new HashMap<>();

  long longestWaitMillis;

  /** What becomes of a request that holds a poison, and how the dead letter says it. */
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

  /** From now on a request that holds such a text fails. */
  void poison(String text, Way way) {
    stage.collector().always =
        (collector, post) ->
            FakeCollector.holds(post, text) ? way.fail(stage) : index(collector, post);
  }

  void takeAll() {
    stage.collector().always = this::index;
  }

  Reply index(FakeCollector collector, Connection.Post post) {
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

  /** So many turns, with a pause behind each. */
  void repeat(int times, long pauseMillis, IntConsumer turn) {
    for (int i = 0; i < times; i++) {
      turn.accept(i);
      stage.settle().pass(pauseMillis);
    }
  }

  /** Ten good messages a second. */
  void flow(int seconds) {
    repeat(10 * seconds, 100, i -> send("good " + stage.nanos));
  }

  void assertGoodIndexedOnce() {
    assertThat(stage.collectors.stream().flatMap(collector -> collector.indexed.stream()))
        .filteredOn(text -> !text.equals(ControlEvents.TEXT))
        .containsExactlyInAnyOrderElementsOf(sent(false));
  }

  /** Where no poison was sent, nothing was refused. */
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
