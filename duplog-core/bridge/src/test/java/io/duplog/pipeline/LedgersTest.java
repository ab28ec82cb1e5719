package io.duplog.pipeline;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

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
import io.duplog.deliver.WaitingSink;
import io.duplog.observe.Counters;
import io.duplog.receive.FakeChannel;
import io.duplog.wire.MessageBatch;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that a bridge loses no message when its Redis, or one part of a cluster, fails and another
 * ledger takes over.
 */
class LedgersTest {
  private static final Duration LEASE = Duration.ofSeconds(10);

  /** Clock of a machine that has been up for longer than the hold limit. */
  private long nanos = TimeUnit.HOURS.toNanos(1);

  private final GatedLedger first = new GatedLedger();
  private final GatedLedger second = new GatedLedger();
  private final GatedLedger fallback = new GatedLedger();
  private final WaitingSink sink = new WaitingSink();
  private SteppedPipeline pipeline = pipeline(false, List.of(first, second), List.of(fallback));
  private FakeChannel channel = new FakeChannel("a");
  private int received;
  private int countedApart;

  /**
   * Each word is a step. {@code a:m} is a batch with the message m on stream a; messages that begin
   * with q are in the second part. {@code again:m} is the same batch on another channel. {@code
   * shown:m} makes the fallback count it, too. In a {@code turn}, five seconds pass and the
   * settling thread runs. {@code *9} means nine times.
   *
   * <p>The first ledger answers ({@code well}) or is unavailable ({@code away}). The ledger may
   * also judge but lose its answer ({@code mute}), refuse the lease ({@code refusing}), or answer
   * after the settling thread has run ({@code slow}).
   *
   * <p>Words with {@code =} assert counts: copies given to the sink, batches held, and batches that
   * the fallback counted. Some words have a count for each ledger: first part, second part and
   * fallback. They count batches that were judged, reported as delivered, given up, or are pending.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a ledger that is there is asked alone | a:m accept settle judged=1/0/0 told=1/0/0 held=0
          copies that come while it is away are matched by the fallback | away a:m b:m accept settle given=1 apart=2 held=0
          what may be counted passes through, and is told to that ledger | mute a:m away accept settle well settle judged=1/0/0 told=1/0/0 b:m settle given=1 held=0
          a copy that the fallback dropped is settled when the kept one is | away a:m b:m well settle held=2 accept settle held=0 given=1 told=0/0/1
          a dropped copy is released after a second's absence | a:m b:m settle away settle +0.999s settle given=1 +0.001s settle given=2
          a dropped copy waits through two pauses | a:m b:m settle away settle +0.999s settle well settle away settle +0.999s settle given=1
          a batch that two ledgers have counted is delivered for each | a:m away again:m well settle accept settle given=2 held=0 told=1/0/1 pending=0/0/0
          a lease that cannot be renewed sends batches to the fallback | +20s refusing settle a:m given=1 apart=1
          a fallback that was shown the first one's counts loses one of b's two | a:m shown:m accept settle away b:m well b:m settle held=0 given=1
          batches of two parts are shown to their ledgers, and what is away to the fallback | a:m a:q away a:n a:qq b:qq accept settle judged=1/3/1 told=0/2/1 apart=1 given=4 held=0
          a batch whose answer is on its way is not given up | +5s slow a:m turn*2 given-up=0/0/0
          a batch that the sink holds for too long is given up | a:m turn*60 given-up=0/0/0 turn*9 given-up=1/0/0
          a sink that holds a batch for too long is overdue until it is withdrawn | a:m +5m overdue=false +0.001s overdue=true withdraw settle overdue=false held=0
          a withdrawn batch is forgotten, and given up | a:m withdraw turn held=0 settle given-up=1/0/0 pending=0/0/0
          many withdrawn batches are given up before the next renewal | a:m*50 withdraw turn settle*10 given-up=50/0/0 pending=0/0/0
          an observed drop is delivered at once, and then settled | observing a:m b:m given=1 away settle given=2 held=2 accept settle held=0 given=2
          """)
  void batches_whoseLedgersFail(String what, String steps) throws Exception {
    pipeline.settle();
    for (String step : steps.split(" ", -1)) {
      String[] repeated = step.split("\\*", -1);
      for (int i = repeated.length == 1 ? 1 : Integer.parseInt(repeated[1]); i > 0; i--) {
        take(repeated[0]);
      }
    }
  }

  private void take(String step) throws Exception {
    String[] parts = step.split("[=:]", -1);
    if (step.contains("=")) {
      assertThat(state(parts[0])).as(parts[0]).hasToString(parts[1]);
      return;
    }
    switch (parts[0]) {
      case "a", "b" -> receive(parts[0], parts[1]);
      case "again" -> {
        channel.lost = true;
        received--;
        receive(channel.stream(), parts[1]);
      }
      case "shown" -> fallback.countAsDelivered(claim("a", parts[1]));
      case "away", "mute", "refusing", "slow", "well" -> first.mood = step;
      case "observing" -> pipeline = pipeline(true, List.of(first), List.of());
      case "accept" -> sink.accept();
      case "withdraw" -> sink.withdraw();
      case "settle" -> pipeline.settle();
      case "turn" -> {
        nanos += TimeUnit.SECONDS.toNanos(5);
        pipeline.settle();
      }
      default -> nanos += Duration.parse("PT" + step.substring(1)).toNanos();
    }
  }

  private Object state(String name) {
    return switch (name) {
      case "given" -> sink.given;
      case "held" -> pipeline.held();
      case "overdue" -> pipeline.isOverdue();
      case "apart" -> countedApart;
      case "judged" -> ofEach(ledger -> ledger.judged);
      case "told" -> ofEach(ledger -> ledger.told);
      case "given-up" -> ofEach(ledger -> ledger.givenUp);
      case "pending" -> ofEach(GatedLedger::pending);
      default -> throw new IllegalArgumentException(name);
    };
  }

  private String ofEach(ToIntFunction<GatedLedger> count) {
    return Stream.of(first, second, fallback)
        .map(ledger -> "" + count.applyAsInt(ledger))
        .collect(joining("/"));
  }

  @Test
  void leaseThatHasLapsed_isRenewedInTheNextTurn_beforeThatIsDue() {
    pipeline.settle();
    int renewed = first.renewed;
    first.mood = "lapsed";
    pipeline.judge(channel, 1, batch("m"), claim("a", "m"), true, 0);
    assertThat(pipeline.postponed()).hasSize(1);

    first.mood = "well";
    pipeline.settle();
    pipeline.settle();

    assertThat(first.renewed).isEqualTo(renewed + 1);
  }

  @Test
  void outage_withASecondLedger_costsTheDuplicatesThatTheGuaranteesSay() {
    pipeline = pipeline(false, List.of(first), List.of());
    int passedThrough = duplicatesOfAnOutage();
    pipeline = pipeline(false, List.of(first), List.of(fallback));
    int deduplicated = duplicatesOfAnOutage();

    assertThat(passedThrough).isEqualTo(10_030);
    assertThat(deduplicated).isEqualTo(49);
  }

  /**
   * Sends a thousand messages a second on both streams. One stream lags by 20 messages, and the
   * sink accepts every 10 ms. The first ledger is unavailable for ten seconds.
   */
  private int duplicatesOfAnOutage() {
    int messages = 15_000;
    int lag = 20;
    int before = sink.given;
    String outage = "outage " + nanos + ", message ";
    pipeline.settle();
    for (int i = 0; i < messages + lag; i++) {
      first.mood = i >= 1000 && i < 11_000 ? "away" : "well";
      if (i < messages) {
        receive("a", outage + i);
      }
      if (i >= lag) {
        receive("b", outage + (i - lag));
      }
      if (i % 10 == 0) {
        sink.accept();
      }
      if (i % 5 == 0) {
        pipeline.settle();
      }
      nanos += TimeUnit.MILLISECONDS.toNanos(1);
    }
    for (int i = 0; i < 2; i++) {
      sink.accept();
      pipeline.settle();
    }
    assertThat(pipeline.held()).isZero();
    return sink.given - before - messages;
  }

  private SteppedPipeline pipeline(boolean observing, List<Ledger> parts, List<Ledger> fallbacks) {
    return new SteppedPipeline(
        new PipelineSettings(LEASE, Duration.ofMinutes(5), Duration.ofSeconds(1), observing, 0),
        parts,
        fallbacks,
        sink,
        new Counters(List.of("a", "b")),
        new Observer() {
          @Override
          public void countedApart(InFlightBatch batch, int place) {
            countedApart++;
          }
        },
        () -> nanos);
  }

  private void receive(String stream, String message) {
    received++;
    channel = new FakeChannel(stream);
    int part = message.startsWith("q") ? 1 : 0;
    pipeline.judge(channel, 1, batch(message), claim(stream, message), true, part);
    assertThat(pipeline.postponed()).isEmpty();
  }

  private Claim claim(String stream, String message) {
    return new Claim(
        stream + " " + message + " " + received,
        stream.equals("a") ? 0 : 1,
        new Digester(Identity.MESSAGE).digest(batch(message)));
  }

  private static MessageBatch batch(String message) {
    return MessageBatch.ofPlainBody(message.getBytes(US_ASCII));
  }

  /** A ledger that may fail, as its mood says. */
  private final class GatedLedger implements Ledger {
    private final Ledger memory =
        MemoryLedger.ofOneBridge(
            "one", List.of("a", "b"), Duration.ofMinutes(10), LEASE, 1_000_000, () -> nanos);
    private String mood = "well";
    private int judged;
    private int told;
    private int givenUp;
    private int renewed;

    @Override
    public Judgement judge(Claim claim) throws LedgerUnavailableException {
      failIf("away", false);
      if (mood.equals("lapsed")) {
        return new Judgement.LeaseLapsed();
      }
      judged++;
      Judgement judgement = memory.judge(claim);
      failIf("mute", true);
      if (mood.equals("slow")) {
        pipeline.settle();
      }
      return judgement;
    }

    @Override
    public Horizon advance(Progress progress) throws LedgerUnavailableException {
      failIf("away", false);
      failIf("refusing", false);
      told += progress.done().size();
      renewed++;
      givenUp += progress.revoke().size();
      return memory.advance(progress);
    }

    private void failIf(String failing, boolean executed) throws LedgerUnavailableException {
      if (mood.equals(failing)) {
        throw new LedgerUnavailableException("not now", null, executed);
      }
    }

    void countAsDelivered(Claim claim) throws LedgerUnavailableException {
      memory.judge(claim);
      Progress.Done done = Progress.Done.ofUncertain(claim.batchId());
      memory.advance(new Progress(List.of(done), List.of(), 0, false));
    }

    int pending() {
      try {
        return memory.advance(new Progress(List.of(), List.of(), 0, true)).ownPending().size();
      } catch (LedgerUnavailableException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void leave() {}

    @Override
    public Tallies tallies(Duration period) {
      throw new UnsupportedOperationException("nothing is tallied here");
    }

    @Override
    public void close() {}
  }
}
