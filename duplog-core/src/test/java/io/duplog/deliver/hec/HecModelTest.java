package io.duplog.deliver.hec;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.DeliveryRequests;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever two collectors answer: nothing is lost, and each delivery request is told its outcome
 * once.
 */
class HecModelTest {
  private static final int[] CODES = {503, 500, 404, 429, 403, 413, 302};

  static LongStream seeds() {
    return LongStream.range(0, 60);
  }

  /** Answers by chance; poison events are always refused. */
  private static FakeCollector.Behaviour byChance(Random random) {
    return (collector, post) -> {
      int kind = random.nextInt(10);
      if (kind == 0) {
        collector.index(post); // and its answer is lost
        throw new IOException("Connection reset");
      }
      if (kind == 1) {
        throw new IOException("Connection refused");
      }
      if (kind == 2) {
        int status = CODES[random.nextInt(CODES.length)];
        return FakeCollector.events(post).size() == 1 && status == 413
            ? FakeCollector.reply(503, 9)
            : FakeCollector.reply(status, -1);
      }
      List<Event> events = FakeCollector.events(post);
      for (int i = 0; i < events.size(); i++) {
        if (events.get(i).text().startsWith("bad")) {
          if (random.nextBoolean()) {
            return FakeCollector.reply(400, 12); // nothing indexed, nothing named
          }
          IntStream.range(0, i).forEach(n -> collector.indexed.add(events.get(n).text()));
          return FakeCollector.reply(400, "{\"code\":12,\"invalid-event-number\":" + i + "}");
        }
      }
      Reply reply = collector.index(post);
      collector.acks.replaceAll((id, indexed) -> random.nextInt(4) > 0);
      return reply;
    };
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void randomAnswers_loseNothing_andTellEachDeliveryOnce(long seed) {
    Random random = new Random(seed);
    boolean acknowledge = random.nextBoolean();
    boolean withdraws = random.nextInt(3) == 0;
    HecStage stage =
        HecStage.of(
            2,
            "acknowledge: "
                + acknowledge
                + "\nrequests-per-url: 2\nmax-events: "
                + (1 + random.nextInt(9))
                + "\nack-timeout: 5s\nretry-max: 1s\n",
            seed);
    for (FakeCollector collector : stage.collectors) {
      collector.acknowledges = acknowledge;
      collector.always = byChance(random);
    }
    List<String> sent = new ArrayList<>();
    int deliveries = 40;
    for (int p = 0; p < deliveries; p++) {
      String[] messages = new String[1 + random.nextInt(12)];
      for (int i = 0; i < messages.length; i++) {
        messages[i] = (random.nextInt(20) == 0 ? "bad " : "") + p + "-" + i;
      }
      sent.addAll(List.of(messages));
      stage.deliver(String.valueOf(p), messages);
      for (int i = 0; i < random.nextInt(6); i++) {
        stage.step(random.nextInt(4));
        stage.pass(random.nextInt(300), MILLISECONDS);
      }
      if (withdraws && random.nextInt(10) == 0) {
        stage.sink.withdraw();
      }
      keepSome(stage, random);
    }
    for (FakeCollector collector : stage.collectors) {
      collector.always =
          (self, post) ->
              FakeCollector.events(post).stream().anyMatch(e -> e.text().startsWith("bad"))
                  ? FakeCollector.reply(400, 12)
                  : self.index(post);
    }
    for (int i = 0; i < 200; i++) {
      stage.settle().pass(500, MILLISECONDS);
      stage.collectors.forEach(FakeCollector::acknowledgesAll);
      keepSome(stage, random);
    }
    stage.pass(1, MINUTES).settle();
    stage.keepRefused();

    List<String> told = new ArrayList<>(stage.deliveries.accepted());
    told.addAll(stage.deliveries.withdrawn());
    assertThat(told).doesNotHaveDuplicates().hasSize(deliveries);
    assertThat(stage.deliveries.withdrawn().isEmpty() || withdraws).isTrue();
    Set<String> done = new HashSet<>();
    stage.collectors.forEach(collector -> done.addAll(collector.indexed));
    done.removeIf(text -> text.startsWith("bad")); // some were indexed, and the answer was lost
    for (DeliveryRequests.Refused one : stage.deliveries.refused()) {
      assertThat(done.add("bad " + one.delivery() + "-" + one.message())).as("once").isTrue();
    }
    assertThat(sent).containsAll(done); // so that no good one was refused
    sent.removeIf(
        text ->
            !stage.deliveries.accepted().contains(text.replaceFirst("^bad ", "").split("-", 2)[0]));
    assertThat(done).containsAll(sent);
  }

  private static void keepSome(HecStage stage, Random random) {
    for (DeliveryRequests.Refused refused : List.copyOf(stage.deliveries.refused())) {
      if (random.nextInt(4) == 0) {
        refused.kept().run();
      }
    }
  }
}
