package io.duplog.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duplog.dedup.memory.ExplorableStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What every ledger promises where streams are added and removed while bridges run: nothing is
 * lost, and nothing is kept twice but what the new stream brings late.
 */
public abstract class StreamsContract {
  public static final Duration WINDOW = Duration.ofSeconds(20);
  private static final Duration LASTING = Duration.ofMinutes(1);
  private static final Progress NOTHING = new Progress(List.of(), List.of(), 0, false);

  private static final List<String> PAIR = List.of("b", "c");

  /** Sorts before the others, so that a place in a bridge's own order is not the slot. */
  private static final List<String> THREE = List.of("a", "b", "c");

  private final List<Ledger> opened = new ArrayList<>();
  private int batches;

  /** A bridge's view of one shared state, which is empty when the test begins. */
  public abstract Ledger open(String bridge, List<String> streams, Duration window, Duration lease);

  /** As an operator does it. */
  public abstract void remove(String stream) throws Exception;

  /** How many digests are remembered. */
  public abstract int remembered();

  @AfterEach
  void closeAll() {
    opened.forEach(Ledger::close);
  }

  /** A bridge that has begun. */
  private final class Reader {
    final Ledger ledger;
    final List<String> streams;

    Reader(String name, List<String> streams, Duration window) throws Exception {
      this.ledger = open(name, streams, window, LASTING);
      this.streams = streams;
      opened.add(ledger);
      ledger.advance(NOTHING);
    }

    Reader(String name, List<String> streams) throws Exception {
      this(name, streams, WINDOW);
    }

    String sees(String stream, String messages) throws Exception {
      Judgement judgement =
          ledger.judge(
              new Claim(
                  "batch-" + batches++,
                  streams.indexOf(stream),
                  ExplorableStore.digestsOf(messages)));
      assertThat(judgement).isInstanceOf(Judgement.Counted.class);
      StringBuilder letters = new StringBuilder();
      for (int i = 0; i < messages.length(); i++) {
        letters.append(((Judgement.Counted) judgement).kept().get(i) ? 'K' : 'd');
      }
      return letters.toString();
    }

    String epoch() throws Exception {
      return ledger.advance(NOTHING).epoch();
    }
  }

  @Test
  void stream_addedByOneBridge_isMergedByAll() throws Exception {
    Reader old = new Reader("old", PAIR);
    assertThat(old.sees("b", "xy")).isEqualTo("KK");
    String epoch = old.epoch();

    Reader renewed = new Reader("renewed", THREE);

    assertThat(old.epoch()).isEqualTo(epoch);
    assertThat(renewed.sees("c", "x")).isEqualTo("d");
    assertThat(renewed.sees("a", "xyz")).isEqualTo("ddK");
    assertThat(old.sees("c", "y")).isEqualTo("d");
    assertThat(old.sees("b", "z")).isEqualTo("d");
    assertThat(old.sees("c", "z")).isEqualTo("d");
    assertThat(remembered()).isZero();
  }

  @Test
  void repeatsOfOneStream_readByBridgesOfDifferentSets_areAllKept() throws Exception {
    Reader old = new Reader("old", PAIR);
    assertThat(old.sees("c", "x")).isEqualTo("K");

    Reader renewed = new Reader("renewed", THREE);

    assertThat(renewed.sees("c", "x")).isEqualTo("K");
    assertThat(old.sees("c", "x")).isEqualTo("K");
    assertThat(renewed.sees("b", "xxxx")).isEqualTo("dddK");
  }

  @Test
  void digest_isRememberedUntilTheNewStreamHasBroughtIt() throws Exception {
    Reader old = new Reader("old", PAIR);
    Reader renewed = new Reader("renewed", THREE);
    assertThat(old.sees("b", "x")).isEqualTo("K");
    assertThat(old.sees("c", "x")).isEqualTo("d");
    assertThat(remembered()).isEqualTo(1);

    assertThat(renewed.sees("a", "x")).isEqualTo("d");

    assertThat(remembered()).isZero();
  }

  @Test
  void bridge_thatReadsFewer_isTaken() throws Exception {
    Reader all = new Reader("all", THREE);
    Reader fewer = new Reader("fewer", PAIR);

    assertThat(fewer.sees("c", "x")).isEqualTo("K");
    assertThat(all.sees("a", "x")).isEqualTo("d");
    assertThat(fewer.sees("b", "x")).isEqualTo("d");
    assertThat(remembered()).isZero();
  }

  @Test
  void bridge_thatReadsOthers_isRefused_whileBridgesLive() throws Exception {
    Reader pair = new Reader("pair", PAIR);
    Ledger other = open("other", List.of("b", "d"), WINDOW, LASTING);
    opened.add(other);

    assertThatThrownBy(() -> other.advance(NOTHING))
        .isInstanceOf(LedgerUnavailableException.class)
        .hasMessage(
            "other bridges merge the streams b, c, this one b, d: take d out of this bridge's"
                + " configuration, or add c to it, and all bridges merge d too");

    String epoch = pair.epoch();
    pair.ledger.leave();
    assertThat(other.advance(NOTHING).epoch()).isNotEqualTo(epoch);
  }

  @Test
  void eightStreams_areMerged_andNotNine() throws Exception {
    List<String> nine = IntStream.range(0, 9).mapToObj(i -> "s" + i).toList();
    Reader two = new Reader("two", nine.subList(0, 2));
    Reader eight = new Reader("eight", nine.subList(0, 8));
    Ledger tooMany = open("too-many", nine, WINDOW, LASTING);
    opened.add(tooMany);

    assertThatThrownBy(() -> tooMany.advance(NOTHING))
        .isInstanceOf(LedgerUnavailableException.class)
        .hasMessageContaining("take s8 out of this bridge's configuration, since there are 8");

    String many = "x".repeat(300);
    assertThat(eight.sees("s7", many)).isEqualTo("K".repeat(300));
    assertThat(two.sees("s0", many)).isEqualTo("d".repeat(300));
    assertThat(eight.sees("s6", "x".repeat(299))).isEqualTo("d".repeat(299));
    for (int i = 1; i < 6; i++) {
      assertThat(eight.sees("s" + i, many)).isEqualTo("d".repeat(300));
    }
    assertThat(eight.sees("s6", "xx")).isEqualTo("dK");
    assertThat(remembered()).isEqualTo(1);
  }

  @Test
  void removedStream_keepsNothingWaiting_andWhatItBroughtCounts() throws Exception {
    Reader all = new Reader("all", THREE);
    assertThat(all.sees("a", "xy")).isEqualTo("KK");
    assertThat(all.sees("b", "y")).isEqualTo("d");

    remove("a");

    assertThat(all.sees("b", "xz")).isEqualTo("dK");
    assertThat(all.sees("c", "xyz")).isEqualTo("ddd");
    assertThat(remembered()).isZero();
    assertThat(all.sees("b", "x")).isEqualTo("K");
  }

  @Test
  void removedStream_thatStillBrings_losesNothing_andKeepsItsSlot() throws Exception {
    Reader all = new Reader("all", THREE);
    remove("a");
    all.ledger.advance(NOTHING);

    assertThat(all.sees("a", "x")).isEqualTo("K");
    assertThat(all.sees("b", "x")).isEqualTo("d");
    Reader again = new Reader("again", THREE);

    assertThat(again.sees("a", "x")).as("its second").isEqualTo("K");
    assertThat(again.sees("b", "xx")).isEqualTo("dK");
    assertThat(again.sees("c", "xxx")).isEqualTo("ddd");
  }

  @Test
  void runningBridge_doesNotAddWhatWasRemoved_andOneThatBeginsDoes() throws Exception {
    Reader all = new Reader("all", THREE);
    remove("a");
    all.ledger.advance(NOTHING);
    assertThat(all.sees("b", "x")).isEqualTo("K");
    assertThat(all.sees("c", "x")).isEqualTo("d");
    assertThat(remembered()).isZero();

    Reader again = new Reader("again", THREE);

    assertThat(all.sees("b", "y")).isEqualTo("K");
    assertThat(all.sees("c", "y")).isEqualTo("d");
    assertThat(remembered()).isEqualTo(1);
    assertThat(again.sees("a", "y")).isEqualTo("d");
    assertThat(remembered()).isZero();
  }

  /** Not taken without what was removed: the name could as well be another one's, mistyped. */
  @Test
  void bridge_thatBeginsWithAnOlderList_isRefused_andSaysWhatToDo() throws Exception {
    Reader all = new Reader("all", THREE);
    remove("a");
    all.ledger.advance(NOTHING);
    new Reader("renewed", List.of("b", "c", "d"));
    Ledger old = open("old", THREE, WINDOW, LASTING);
    opened.add(old);

    assertThatThrownBy(() -> old.advance(NOTHING))
        .isInstanceOf(LedgerUnavailableException.class)
        .hasMessage(
            "other bridges merge the streams b, c, d, this one a, b, c: take a out of this bridge's"
                + " configuration (a was removed), or add d to it, and all bridges merge a too");
  }

  @Test
  void slotOfARemovedStream_isFreeAfterTwoWindows() throws Exception {
    Duration window = Duration.ofMillis(400);
    List<String> eight = IntStream.range(0, 8).mapToObj(i -> "s" + i).toList();
    List<String> other = new ArrayList<>(eight.subList(0, 7));
    other.add("other");
    Reader first = new Reader("first", eight, window);
    remove("s7");
    Ledger second = open("second", other, window, LASTING);
    opened.add(second);
    assertThatThrownBy(() -> second.advance(NOTHING))
        .isInstanceOf(LedgerUnavailableException.class);

    await()
        .ignoreExceptions()
        .until(
            () -> {
              first.ledger.advance(NOTHING);
              return second.advance(NOTHING).ownPending().isEmpty();
            });

    assertThat(first.sees("s7", "x")).as("of a stream that has no slot").isEqualTo("K");
    assertThat(first.sees("s0", "x")).as("uncounted").isEqualTo("K");
  }
}
