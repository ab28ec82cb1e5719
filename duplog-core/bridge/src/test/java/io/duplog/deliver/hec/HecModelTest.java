package io.duplog.deliver.hec;

import static io.duplog.deliver.hec.FakeCollector.refuses;
import static io.duplog.deliver.hec.FakeCollector.reply;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.hec.answer.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the HEC sink loses nothing and reports one outcome for each request, for random
 * answers from two collectors. Messages that are not chosen are never sent.
 */
class HecModelTest {
  private static final int[] CODES = {503, 500, 404, 429, 403, 413, 302};
  private static final int DELIVERIES = 40;

  static LongStream seeds() {
    return LongStream.range(0, 60);
  }

  /** Gives random answers; poison events are always rejected. */
  private static FakeCollector.Behaviour randomAnswers(Random random) {
    return (collector, post) -> {
      int kind = random.nextInt(10);
      if (kind == 0) {
        collector.index(post); // but its answer is lost
        throw new IOException("Connection reset");
      }
      if (kind == 1) {
        throw new IOException("Connection refused");
      }
      if (kind == 2) {
        int status = CODES[random.nextInt(CODES.length)];
        boolean single = FakeCollector.events(post).size() == 1;
        return single && status == 413 ? reply(503, 9) : reply(status, -1);
      }
      if (FakeCollector.contains(post, "bad") && random.nextBoolean()) {
        return reply(400, 12); // nothing is indexed, and no event is identified
      }
      Reply reply = refuses(event -> event.text().startsWith("bad"), 12).answer(collector, post);
      collector.acknowledgeOnly(id -> random.nextInt(4) > 0);
      return reply;
    };
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void randomAnswers_loseNothing_andGiveEachDeliveryOneOutcome(long seed) {
    Random random = new Random(seed);
    boolean withdraws = random.nextInt(3) == 0;
    HecStage stage =
        HecStage.of(
            2,
            "acknowledge: %s\nrequests-per-url: 2\nmax-events: %d\nack-timeout: 5s\nretry-max: 1s\n"
                .formatted(random.nextBoolean(), 1 + random.nextInt(9)),
            seed);
    stage.collectors.forEach(collector -> collector.always = randomAnswers(random));
    Set<String> sent = new HashSet<>();
    for (int p = 0; p < DELIVERIES; p++) {
      sent.addAll(deliver(stage, p, random));
      for (int i = 0; i < random.nextInt(6); i++) {
        stage.step(random.nextInt(4));
        stage.pass(random.nextInt(300));
      }
      if (withdraws && random.nextInt(10) == 0) {
        stage.sink.withdraw();
      }
      keepSome(stage, random);
    }
    for (FakeCollector collector : stage.collectors) {
      collector.always =
          (self, post) -> FakeCollector.contains(post, "bad") ? reply(400, 12) : self.index(post);
    }
    for (int i = 0; i < 200; i++) {
      stage.settle().pass(500);
      stage.collectors.forEach(FakeCollector::acknowledgeAll);
      keepSome(stage, random);
    }
    stage.idle(60).keepRefused();

    List<String> outcomes = new ArrayList<>(stage.deliveries.accepted());
    outcomes.addAll(stage.deliveries.withdrawn());
    assertThat(outcomes).doesNotHaveDuplicates().hasSize(DELIVERIES);
    assertThat(stage.deliveries.withdrawn().isEmpty() || withdraws).isTrue();
    Set<String> handled = new HashSet<>();
    stage.collectors.forEach(collector -> handled.addAll(collector.indexed));
    handled.removeIf(text -> text.startsWith("bad")); // some were indexed, but the answer was lost
    for (String one : stage.refused()) {
      assertThat(handled.add("bad " + one)).as("once").isTrue();
    }
    assertThat(sent).containsAll(handled); // no good event was refused
    sent.removeIf(
        text ->
            !stage.deliveries.accepted().contains(text.replaceFirst("^bad ", "").split("-", 2)[0]));
    assertThat(handled).containsAll(sent);
  }

  /** Delivers some messages of a batch and returns them. */
  private static List<String> deliver(HecStage stage, int number, Random random) {
    String[] messages = new String[1 + random.nextInt(12)];
    BitSet chosen = new BitSet();
    chosen.set(random.nextInt(messages.length));
    for (int i = 0; i < messages.length; i++) {
      messages[i] = (random.nextInt(20) == 0 ? "bad " : "") + number + "-" + i;
      chosen.set(i, chosen.get(i) || random.nextInt(4) > 0);
    }
    stage.sink.deliver(
        stage.deliveries.of(
            String.valueOf(number), DeliveryRequests.batch(false, messages), chosen));
    return chosen.stream().mapToObj(i -> messages[i]).toList();
  }

  private static void keepSome(HecStage stage, Random random) {
    for (DeliveryRequests.Refused refused : List.copyOf(stage.deliveries.refused())) {
      if (random.nextInt(4) == 0) {
        refused.kept().run();
      }
    }
  }
}
