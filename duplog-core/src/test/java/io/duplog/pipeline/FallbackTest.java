package io.duplog.pipeline;

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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A settler that has another ledger to ask while the first is away, or one for each part. */
class FallbackTest {
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final Duration WINDOW = Duration.ofMinutes(10);
  private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);
  private static final int A = 0;
  private static final int B = 1;

  private long nanos = TimeUnit.HOURS.toNanos(1);
  private final GatedLedger first = new GatedLedger();
  private final GatedLedger second = new GatedLedger();
  private final WaitingSink sink = new WaitingSink();
  private int countedApart;
  private SteppedPipeline pipeline = pipeline(List.of(first), List.of(second));
  private int received;

  @BeforeEach
  void takeLeases() {
    pipeline.settle();
  }

  @Test
  void batch_whileTheFirstIsThere_isShownToItAlone() {
    receive(A, "m");
    sink.accept();
    pipeline.settle();

    assertThat(first.judged).isEqualTo(1);
    assertThat(second.judged).isZero();
    assertThat(second.reported).isEmpty();
    assertThat(pipeline.held()).isZero();
  }

  @Test
  void copies_whileTheFirstIsAway_areMatchedByTheSecond() {
    first.away = true;
    receive(A, "m");
    receive(B, "m");
    sink.accept();
    pipeline.settle();

    assertThat(sink.given).isEqualTo(1);
    assertThat(countedApart).isEqualTo(2);
    assertThat(pipeline.held()).isZero();
  }

  @Test
  void batch_thatTheFirstMayHaveCounted_passesThrough_andIsReportedToItAlone() {
    first.answersAreLost = true;
    receive(A, "m");
    first.answersAreLost = false;
    first.away = true;
    sink.accept();
    pipeline.settle();
    assertThat(second.judged).isZero();
    first.away = false;
    pipeline.settle();

    assertThat(first.reported).containsExactly(Progress.Done.ofUncertain("0 m 1"));
    assertThat(second.reported).isEmpty();
    // It is counted there as delivered: the other copy is a duplicate.
    receive(B, "m");
    assertThat(sink.given).isEqualTo(1);
  }

  @Test
  void droppedCopy_ofTheSecond_isSettledWhenTheKeptOneIs_thoughTheFirstIsBack() {
    first.away = true;
    receive(A, "m");
    receive(B, "m");
    first.away = false;
    pipeline.settle();
    assertThat(pipeline.held()).isEqualTo(2);
    sink.accept();
    pipeline.settle();

    assertThat(pipeline.held()).isZero();
    assertThat(sink.given).isEqualTo(1);
    assertThat(first.reported).isEmpty();
  }

  @Test
  void droppedCopy_ofTheFirst_waitsForAPause_andIsReleasedAfterALongerAbsence() {
    receive(A, "m");
    receive(B, "m");
    first.away = true;
    pipeline.settle();
    nanos += TimeUnit.SECONDS.toNanos(1) - 1;
    pipeline.settle();
    assertThat(sink.given).isEqualTo(1);
    nanos++;
    pipeline.settle();

    assertThat(sink.given).isEqualTo(2);
  }

  @Test
  void redeliveredBatch_thatBothHaveCounted_isDeliveredForEach_andEndsAsPendingInNeither() {
    FakeChannel channel = new FakeChannel("a");
    judge(A, "m", "same id", channel);
    channel.lost = true;
    first.away = true;
    judge(A, "m", "same id", new FakeChannel("a"));
    first.away = false;
    pipeline.settle();
    sink.accept();
    pipeline.settle();

    assertThat(sink.given).isEqualTo(2);
    assertThat(pipeline.held()).isZero();
    assertThat(first.pending()).isEmpty();
    assertThat(second.pending()).isEmpty();
    assertThat(first.reported).hasSize(1).doesNotContainAnyElementsOf(second.reported);
  }

  @Test
  void lapsedLease_thatCannotBeRenewed_sendsBatchesToTheSecond() {
    nanos += 2 * LEASE.toNanos();
    first.refusing = true;
    pipeline.settle();
    receive(A, "m");

    assertThat(second.judged).isEqualTo(1);
    assertThat(sink.given).isEqualTo(1);
  }

  /** Counted in two ledgers, one copy accounts for the drop of two. */
  @Test
  void secondLedger_thatWouldBeShownWhatTheFirstCounts_wouldLose() throws Exception {
    receive(A, "m");
    second.countAsDelivered(A, "m");
    sink.accept();
    pipeline.settle();
    first.away = true;
    receive(B, "m");
    first.away = false;
    receive(B, "m");
    pipeline.settle();

    assertThat(pipeline.held()).isZero();
    assertThat(sink.given).isEqualTo(1); // of two that B's sender logged
  }

  @Test
  void batches_ofTwoParts_areShownToTheirLedgersAlone_andWhatIsAwayToTheFallback() {
    GatedLedger other = new GatedLedger();
    pipeline = pipeline(List.of(first, other), List.of(second));
    pipeline.settle();
    receive(A, "m", 0);
    receive(A, "n", 1);
    first.away = true;
    receive(A, "o", 0);
    receive(A, "p", 1);
    receive(B, "p", 1);
    sink.accept();
    pipeline.settle();

    assertThat(List.of(first.judged, other.judged, second.judged)).containsExactly(1, 3, 1);
    assertThat(countedApart).isEqualTo(1);
    assertThat(sink.given).isEqualTo(4);
    assertThat(other.reported).hasSize(2);
    assertThat(pipeline.held()).isZero();
  }

  @Test
  void outage_withASecondLedger_costsAHundredthOfTheDuplicates() {
    pipeline = pipeline(List.of(first), List.of());
    int passedThrough = duplicatesOfAnOutage();
    pipeline = pipeline(List.of(first), List.of(second));
    int deduplicated = duplicatesOfAnOutage();

    assertThat(passedThrough).isGreaterThanOrEqualTo(10_000);
    assertThat(deduplicated).isPositive().isLessThanOrEqualTo(passedThrough / 100);
  }

  /**
   * A thousand messages a second on both streams, of which one lags by 20 and the sink accepts each
   * 10 ms; the first ledger is away for ten seconds.
   */
  private int duplicatesOfAnOutage() {
    int messages = 15_000;
    int lag = 20;
    int before = sink.given;
    String outage = "outage " + nanos + ", message ";
    pipeline.settle();
    for (int i = 0; i < messages + lag; i++) {
      first.away = i >= 1000 && i < 11_000;
      if (i < messages) {
        receive(A, outage + i);
      }
      if (i >= lag) {
        receive(B, outage + (i - lag));
      }
      if (i % 10 == 0) {
        sink.accept();
      }
      if (i % 5 == 0) {
        pipeline.settle();
      }
      nanos += MILLISECOND;
    }
    sink.accept();
    pipeline.settle();
    sink.accept();
    pipeline.settle();
    assertThat(pipeline.held()).isZero();
    return sink.given - before - messages;
  }

  private SteppedPipeline pipeline(List<Ledger> parts, List<Ledger> fallbacks) {
    return new SteppedPipeline(
        new PipelineSettings(LEASE, Duration.ofMinutes(5), Duration.ofSeconds(1), false, 0),
        parts,
        fallbacks,
        sink,
        new Counters(List.of("a", "b")),
        new Observer() {
          @Override
          public void countedApart(InFlightBatch batch, int fallback) {
            countedApart++;
          }
        },
        () -> nanos);
  }

  private void receive(int stream, String message) {
    receive(stream, message, 0);
  }

  private void receive(int stream, String message, int part) {
    received++;
    judge(
        stream,
        message,
        stream + " " + message + " " + received,
        new FakeChannel(stream == A ? "a" : "b"),
        part);
  }

  private void judge(int stream, String message, String id, FakeChannel channel) {
    judge(stream, message, id, channel, 0);
  }

  private void judge(int stream, String message, String id, FakeChannel channel, int part) {
    pipeline.judge(channel, 1, batch(message), claim(stream, message, id), true, part);
    assertThat(pipeline.parked()).isEmpty();
  }

  private static Claim claim(int stream, String message, String id) {
    return new Claim(id, stream, new Digester(Identity.MESSAGE).digest(batch(message)));
  }

  private static MessageBatch batch(String message) {
    return MessageBatch.ofPlainBody(message.getBytes(StandardCharsets.US_ASCII));
  }

  /** A ledger that can be away, and lose its answers. */
  private final class GatedLedger implements Ledger {
    private final Ledger memory =
        MemoryLedger.ofOneBridge("one", List.of("a", "b"), WINDOW, LEASE, 1_000_000, () -> nanos);
    private final List<Progress.Done> reported = new ArrayList<>();
    private int judged;
    private boolean away;
    private boolean answersAreLost;

    /** Judges, and takes no lease, as one that other bridges use for other streams. */
    private boolean refusing;

    @Override
    public Judgement judge(Claim claim) throws LedgerUnavailableException {
      failIf(away, false);
      judged++;
      Judgement judgement = memory.judge(claim);
      failIf(answersAreLost, true);
      return judgement;
    }

    @Override
    public Horizon advance(Progress progress) throws LedgerUnavailableException {
      failIf(away || refusing, false);
      reported.addAll(progress.done());
      return memory.advance(progress);
    }

    private void failIf(boolean fails, boolean executed) throws LedgerUnavailableException {
      if (fails) {
        throw new LedgerUnavailableException("not now", null, executed);
      }
    }

    void countAsDelivered(int stream, String message) throws LedgerUnavailableException {
      memory.judge(claim(stream, message, "shown"));
      memory.advance(
          new Progress(List.of(Progress.Done.ofUncertain("shown")), List.of(), 0, false));
    }

    List<String> pending() {
      try {
        return memory.advance(new Progress(List.of(), List.of(), 0, true)).ownPending();
      } catch (LedgerUnavailableException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void leave() {}

    @Override
    public Tallies tallies(Tallies.Bounds bounds) {
      throw new UnsupportedOperationException("nothing is tallied here");
    }

    @Override
    public void close() {}
  }
}
