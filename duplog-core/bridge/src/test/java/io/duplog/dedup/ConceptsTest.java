package io.duplog.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.memory.ExplorableStore;
import io.duplog.dedup.memory.SteppedStore;
import io.duplog.parts.Deployed;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the worked example of docs/concepts.md: the ledger gives the verdicts of its table. */
class ConceptsTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| \\d \\| ([AB]) \\| (\\d) \\| (\\d) \\| (kept|dropped) \\|$");
  private static final Pattern RESULT =
      Pattern.compile("(?m)^\\| (\\d) \\| (\\d) \\| (\\d) \\| [^|]*\\|$");
  private static final int FIRST_STREAM_COPIES = 5;
  private static final int ALL_COPIES = 9;

  private int batches;

  private static List<MatchResult> rows(Pattern pattern) {
    return pattern.matcher(Deployed.page("concepts.md")).results().toList();
  }

  private static Ledger ledger() throws Exception {
    return new SteppedStore(Duration.ofMinutes(10))
        .bridge("bridge", List.of("A", "B"), Duration.ofSeconds(20));
  }

  /** Whether the ledger keeps the next copy of the message that this stream brings. */
  private boolean isKept(Ledger ledger, int stream) throws Exception {
    Digests message = ExplorableStore.digestsOf("m");
    Claim claim = new Claim("batch-" + batches++, stream, message);
    return !((Judgement.Counted) ledger.judge(claim)).kept().isEmpty();
  }

  @Test
  void verdicts_ofTheTable_areTheLedgers() throws Exception {
    Ledger ledger = ledger();
    int[] brought = new int[2];
    for (MatchResult row : rows(ROW)) {
      int stream = row.group(1).equals("A") ? 0 : 1;
      brought[stream]++;
      assertThat(isKept(ledger, stream)).as(row.group()).isEqualTo(row.group(4).equals("kept"));
      assertThat(brought)
          .as(row.group())
          .containsExactly(Integer.parseInt(row.group(2)), Integer.parseInt(row.group(3)));
    }
    assertThat(brought).containsExactly(FIRST_STREAM_COPIES, ALL_COPIES - FIRST_STREAM_COPIES);
  }

  @Test
  void copies_inEachOrder_areDeliveredFiveTimes() throws Exception {
    for (int order = 0; order < 1 << ALL_COPIES; order++) {
      if (Integer.bitCount(order) == FIRST_STREAM_COPIES) {
        Ledger ledger = ledger();
        int kept = 0;
        for (int copy = 0; copy < ALL_COPIES; copy++) {
          kept += isKept(ledger, ((order >> copy) & 1) == 1 ? 0 : 1) ? 1 : 0;
        }
        assertThat(kept).as("order %s", Integer.toBinaryString(order)).isEqualTo(5);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void result_ofEachPair_isTheLedgers(int number) throws Exception {
    MatchResult row = rows(RESULT).get(number);
    Ledger ledger = ledger();
    int kept = 0;
    for (int stream = 0; stream < 2; stream++) {
      for (int copy = 0; copy < Integer.parseInt(row.group(stream + 1)); copy++) {
        kept += isKept(ledger, stream) ? 1 : 0;
      }
    }
    assertThat(kept).as(row.group()).isEqualTo(Integer.parseInt(row.group(3)));
  }
}
