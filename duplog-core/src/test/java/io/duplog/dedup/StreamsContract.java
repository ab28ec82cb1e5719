package io.duplog.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What every ledger promises where streams are added and removed while bridges run: nothing is
 * lost, and nothing is kept twice but what the new stream brings late.
 */
public abstract class StreamsContract extends StoreContract {
  protected static final Duration WINDOW = Duration.ofSeconds(20);
  private static final List<String> PAIR = List.of("b", "c");

  /** Sorts before the others, so that a place in a bridge's own order is not the slot. */
  private static final List<String> THREE = List.of("a", "b", "c");

  protected StreamsContract(Function<Duration, SharedStore> stores) {
    super(stores, WINDOW);
  }

  private Ledger bridge(String name, List<String> streams) throws Exception {
    return bridge(name, streams, LASTING);
  }

  private void assertRefused(Ledger ledger, String words) {
    assertThatThrownBy(() -> ledger.advance(NOTHING))
        .isInstanceOf(LedgerUnavailableException.class)
        .hasMessageContaining(words);
  }

  /**
   * Histories of bridges that are well, a word a step. {@code old=bc}: a bridge begins, which reads
   * these streams. {@code old.b:xy=KK}: it judges these messages of one, with these verdicts.
   * {@code -a}: the stream is removed. {@code old}: the bridge advances. {@code #1}: so many
   * digests are remembered.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          one bridge adds a stream    | old=bc old.b:xy=KK new=abc new.c:x=d new.a:xyz=ddK old.c:y=d old.b:z=d old.c:z=d #0
          repeats of one stream       | old=bc old.c:x=K new=abc new.c:x=K old.c:x=K new.b:xxxx=dddK
          a new stream is waited for  | old=bc new=abc old.b:x=K old.c:x=d #1 new.a:x=d #0
          a bridge reads fewer        | all=abc fewer=bc fewer.c:x=K all.a:x=d fewer.b:x=d #0
          what was removed counts     | all=abc all.a:xy=KK all.b:y=d -a all.b:xz=dK all.c:xyz=ddd #0 all.b:x=K
          what was removed brings     | all=abc -a all all.a:x=K all.b:x=d new=abc new.a:x=K new.b:xx=dK new.c:xxx=ddd
          only who begins adds it     | all=abc -a all all.b:x=K all.c:x=d #0 new=abc all.b:y=K all.c:y=d #1 new.a:y=d #0
          """)
  void streams_comingAndGoing_loseNothing_andDuplicateNothing(String name, String history)
      throws Exception {
    Map<String, Ledger> bridges = new HashMap<>();
    Map<String, String> streams = new HashMap<>();
    Set<String> epochs = new HashSet<>();
    for (String step : history.split(" ", -1)) {
      String[] words = step.split("[.:=]", -1);
      if (step.startsWith("-")) {
        store.remove(step.substring(1));
      } else if (step.startsWith("#")) {
        assertThat(store.remembered()).as(step).isEqualTo(Integer.parseInt(step.substring(1)));
      } else if (words.length == 4) {
        int stream = streams.get(words[0]).indexOf(words[1]);
        assertThat(verdicts(bridges.get(words[0]), stream, words[2])).as(step).isEqualTo(words[3]);
      } else {
        if (words.length == 2) {
          streams.put(words[0], words[1]);
          bridges.put(words[0], bridge(words[0], List.of(words[1].split(""))));
        }
        epochs.add(bridges.get(words[0]).advance(NOTHING).epoch());
      }
    }
    assertThat(epochs).hasSize(1);
  }

  @Test
  void bridge_thatReadsOthers_isRefused_whileBridgesLive() throws Exception {
    Ledger pair = bridge("pair", PAIR);
    Ledger other = open(store, "other", List.of("b", "d"), LASTING);
    assertRefused(
        other,
        "other bridges merge the streams b, c, this one b, d: take d out of this bridge's"
            + " configuration, or add c to it, and all bridges merge d too");

    String epoch = pair.advance(NOTHING).epoch();
    pair.leave();
    assertThat(other.advance(NOTHING).epoch()).isNotEqualTo(epoch);
  }

  @Test
  void eightStreams_areMerged_andNotNine() throws Exception {
    List<String> nine = IntStream.range(0, 9).mapToObj(i -> "s" + i).toList();
    Ledger two = bridge("two", nine.subList(0, 2));
    Ledger eight = bridge("eight", nine.subList(0, 8));
    assertRefused(
        open(store, "too-many", nine, LASTING),
        "take s8 out of this bridge's configuration, since there are 8");

    String many = "x".repeat(300);
    assertThat(verdicts(eight, 7, many)).isEqualTo("K".repeat(300));
    assertThat(verdicts(two, 0, many)).isEqualTo("d".repeat(300));
    assertThat(verdicts(eight, 6, "x".repeat(299))).isEqualTo("d".repeat(299));
    for (int i = 1; i < 6; i++) {
      assertThat(verdicts(eight, i, many)).isEqualTo("d".repeat(300));
    }
    assertThat(verdicts(eight, 6, "xx")).isEqualTo("dK");
    assertThat(store.remembered()).isEqualTo(1);
  }

  /** Not taken without what was removed: the name could as well be another one's, mistyped. */
  @Test
  void bridge_thatBeginsWithAnOlderList_isRefused_andSaysWhatToDo() throws Exception {
    Ledger all = bridge("all", THREE);
    store.remove("a");
    all.advance(NOTHING);
    bridge("renewed", List.of("b", "c", "d"));

    assertRefused(
        open(store, "old", THREE, LASTING),
        "other bridges merge the streams b, c, d, this one a, b, c: take a out of this bridge's"
            + " configuration (a was removed), or add d to it, and all bridges merge a too");
  }

  @Test
  void slotOfARemovedStream_isFreeAfterTwoWindows() throws Exception {
    SharedStore brief = stores.apply(Duration.ofMillis(400));
    List<String> eight = IntStream.range(0, 8).mapToObj(i -> "s" + i).toList();
    List<String> other = new ArrayList<>(eight.subList(0, 7));
    other.add("other");
    Ledger first = open(brief, "first", eight, LASTING);
    first.advance(NOTHING);
    brief.remove("s7");
    Ledger second = open(brief, "second", other, LASTING);
    assertRefused(second, "other bridges merge the streams ");

    await()
        .ignoreExceptions()
        .until(
            () -> {
              first.advance(NOTHING);
              return second.advance(NOTHING).ownPending().isEmpty();
            });

    assertThat(verdicts(first, 7, "x")).as("of a stream that has no slot").isEqualTo("K");
    assertThat(verdicts(first, 0, "x")).as("uncounted").isEqualTo("K");
  }
}
