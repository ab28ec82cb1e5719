package io.duplog.pipeline;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.bridge.TestPublisher;
import io.duplog.dedup.Claim;
import io.duplog.dedup.Digester;
import io.duplog.dedup.Horizon;
import io.duplog.dedup.Identity;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Progress;
import io.duplog.dedup.Tallies;
import io.duplog.dedup.memory.MemoryLedger;
import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.WaitingSink;
import io.duplog.observe.Counters;
import io.duplog.observe.StreamCounters;
import io.duplog.receive.FakeChannel;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.MalformedBatchException;
import io.duplog.wire.MessageBatch;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The law of conservation: what was received is delivered, dropped, repeated, refused, given back
 * or in flight. Held over random histories with lost channels, a store that is away, a sink that
 * refuses and one that gives up, with the bridge's own parts between a broker, a store and a sink
 * of the test's, which count for themselves.
 */
class ConservationTest {
  private static final List<String> STREAMS = List.of("a", "b");
  private static final int HISTORIES = 300;
  private static final int STEPS = 120;

  private final Counters total = new Counters(STREAMS);

  @Test
  void everyCopyReceived_endsInExactlyOneCount_whateverFails() throws Exception {
    for (int seed = 0; seed < HISTORIES; seed++) {
      World world = new World(seed);
      world.live();
      world.comeToRest();
      world.assertConservation("history " + seed);
      for (StreamCounters counts : world.counters.streams()) {
        total.of(counts.stream()).released.add(counts.released.sum());
        total.of(counts.stream()).bypassed.add(counts.bypassed.sum());
        total.of(counts.stream()).repeated.add(counts.repeated.sum());
        total.of(counts.stream()).refused.add(counts.refused.sum());
        total.of(counts.stream()).dropped.add(counts.dropped.sum());
        total.of(counts.stream()).givenBack.add(counts.givenBack.sum());
      }
    }
    // A history without faults would prove little.
    assertThat(total.total(s -> s.released)).isPositive();
    assertThat(total.total(s -> s.bypassed)).isPositive();
    assertThat(total.total(s -> s.repeated)).isPositive();
    assertThat(total.total(s -> s.refused)).isPositive();
    assertThat(total.total(s -> s.dropped)).isPositive();
    assertThat(total.total(s -> s.givenBack)).isPositive();
  }

  /** A batch in a queue. */
  private record Published(String id, int stream, MessageBatch messages) {}

  private static final class World {
    private final Random random;
    private long nanos = TimeUnit.HOURS.toNanos(1);
    private final Counters counters = new Counters(STREAMS);
    private final List<Deque<Published>> queues = List.of(new ArrayDeque<>(), new ArrayDeque<>());
    private final Channel[] channels = {new Channel(0), new Channel(1)};
    private long tag;
    private final WaitingSink sink = new WaitingSink();
    private final AwayLedger ledger = new AwayLedger();

    /** Each batch ends once. */
    private final Set<InFlightBatch> ended = new HashSet<>();

    private final SteppedPipeline pipeline =
        new SteppedPipeline(
            new PipelineSettings(
                Duration.ofSeconds(4), Duration.ofMinutes(5), Duration.ofSeconds(1), false, 0),
            List.of(ledger),
            List.of(),
            sink,
            counters,
            new Observer() {
              @Override
              public void settled(InFlightBatch batch) {
                assertThat(ended.add(batch)).isTrue();
              }

              @Override
              public void forgotten(InFlightBatch batch) {
                assertThat(ended.add(batch)).isTrue();
              }
            },
            () -> nanos);
    private final Digester digester = new Digester(Identity.SENDER_AND_MESSAGE);

    private final long[] received = {0, 0};
    private final long[] acknowledged = {0, 0};
    private final long[] published = {0, 0};
    private long accepted;
    private long refused;
    private boolean refusing;

    World(int seed) throws MalformedBatchException {
      random = new Random(seed);
      for (int i = 0; i < 20; i++) {
        String[] messages =
            IntStream.range(0, 1 + random.nextInt(4))
                .mapToObj(n -> "m" + random.nextInt(12))
                .toArray(String[]::new);
        publish(0, "a-" + i, messages);
        if (random.nextInt(5) > 0) {
          publish(1, "b-" + i, messages);
        }
        if (random.nextInt(8) == 0) {
          publish(0, "a-" + i, messages); // a publisher that did not see the confirmation
        }
      }
      pipeline.settle();
    }

    private void publish(int stream, String id, String... messages) throws MalformedBatchException {
      EncodedBatch encoded = TestPublisher.encode(messages);
      MessageBatch batch =
          new BatchDecoder(BatchLimits.DEFAULT).decode(encoded.body(), encoded.encoding());
      queues.get(stream).add(new Published(id, stream, batch));
      published[stream] += messages.length;
    }

    void live() {
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(14)) {
          case 0 -> loseChannel(random.nextInt(2));
          case 1 -> ledger.away = !ledger.away;
          case 2 -> giveUpAtTheSink();
          case 3 -> refusing = !refusing;
          case 4, 5 -> nanos += TimeUnit.MILLISECONDS.toNanos(random.nextInt(3000));
          case 6, 7 -> accept();
          case 8, 9 -> turn();
          default -> deliver(random.nextInt(2));
        }
        assertThat(counters.streams()).allMatch(counts -> counts.inFlight() >= 0);
      }
    }

    void comeToRest() {
      ledger.away = false;
      refusing = false;
      for (int i = 0; i < 2000 && !isAtRest(); i++) {
        deliver(0);
        deliver(1);
        accept();
        nanos += TimeUnit.MILLISECONDS.toNanos(500);
        turn();
      }
      assertThat(isAtRest()).isTrue();
    }

    private boolean isAtRest() {
      return queues.stream().allMatch(Deque::isEmpty)
          && pipeline.held() == 0
          && pipeline.parked().isEmpty()
          && sink.waiting.isEmpty();
    }

    void assertConservation(String history) {
      for (int i = 0; i < STREAMS.size(); i++) {
        StreamCounters counts = counters.of(STREAMS.get(i));
        assertThat(counts.received.sum()).as(history).isEqualTo(received[i]);
        assertThat(counts.inFlight()).as(history).isZero();
        assertThat(
                counts.delivered()
                    + counts.dropped.sum()
                    + counts.repeated.sum()
                    + counts.refused.sum()
                    + counts.givenBack.sum())
            .as(history)
            .isEqualTo(received[i]);
        assertThat(acknowledged[i]).as(history).isEqualTo(published[i]);
      }
      assertThat(counters.sum(StreamCounters::delivered)).as(history).isEqualTo(accepted);
      assertThat(counters.total(s -> s.refused)).as(history).isEqualTo(refused);
    }

    private void deliver(int stream) {
      Published next = queues.get(stream).poll();
      if (next == null) {
        return;
      }
      Channel channel = channels[stream];
      channel.unacknowledged.put(++tag, next);
      int copies = next.messages().count();
      received[stream] += copies;
      counters.of(STREAMS.get(stream)).received.add(copies);
      Claim claim = new Claim(next.id(), stream, digester.digest(next.messages()));
      pipeline.judge(channel, tag, next.messages(), claim, true, 0);
    }

    /** The broker delivers again what it has no acknowledgement for. */
    private void loseChannel(int stream) {
      Channel channel = channels[stream];
      channel.lost = true;
      channel.unacknowledged.values().forEach(queues.get(stream)::addFirst);
      channels[stream] = new Channel(stream);
    }

    private void giveUpAtTheSink() {
      loseChannel(0);
      loseChannel(1);
      sink.withdraw();
    }

    private void accept() {
      if (sink.waiting.isEmpty()) {
        return;
      }
      DeliveryRequest delivery = sink.waiting.remove(random.nextInt(sink.waiting.size()));
      int bad = 0;
      if (refusing) {
        delivery.callback().refused(delivery.chosen().nextSetBit(0), "not to its liking", () -> {});
        bad = 1;
      }
      refused += bad;
      accepted += delivery.chosen().cardinality() - bad;
      delivery.callback().accepted();
    }

    private void turn() {
      pipeline.settle();
      pipeline.parked().forEach(pipeline::judgeAgain);
    }

    /** One life of a connection. */
    private final class Channel extends FakeChannel {
      private final int number;
      private final Map<Long, Published> unacknowledged = new LinkedHashMap<>();

      Channel(int number) {
        super(STREAMS.get(number));
        this.number = number;
      }

      @Override
      public void settled(long tag) {
        if (!lost) {
          acknowledged[number] += requireNonNull(unacknowledged.remove(tag)).messages().count();
        }
      }
    }

    /** A store that is away at times, and may have counted all the same. */
    private final class AwayLedger implements Ledger {
      private final Ledger memory =
          MemoryLedger.ofOneBridge(
              "one",
              List.of("a", "b"),
              Duration.ofMinutes(10),
              Duration.ofSeconds(4),
              1000,
              () -> nanos);
      private boolean away;

      @Override
      public Judgement judge(Claim claim) throws LedgerUnavailableException {
        if (away) {
          boolean executed = random.nextBoolean();
          if (executed) {
            memory.judge(claim);
          }
          throw new LedgerUnavailableException("away", null, executed);
        }
        return memory.judge(claim);
      }

      @Override
      public Horizon advance(Progress progress) throws LedgerUnavailableException {
        if (away) {
          throw new LedgerUnavailableException("away", null, false);
        }
        return memory.advance(progress);
      }

      @Override
      public void leave() {}

      @Override
      public Tallies tallies(Tallies.Bounds bounds) {
        return memory.tallies(bounds);
      }

      @Override
      public void close() {}
    }
  }
}
