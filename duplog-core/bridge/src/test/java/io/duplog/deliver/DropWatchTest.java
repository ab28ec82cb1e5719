package io.duplog.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.route.MessageFilter.Filtered;
import io.duplog.observe.LogLines;
import io.duplog.wire.MessageBatch;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a rule which drops most of a sender's messages is logged once. */
class DropWatchTest {
  private final DropWatch watch = new DropWatch("hec");

  /** Adds a thousand messages of a sender, and rule 3 drops some of them. */
  private void add(String sender, int drops) {
    String[] messages = new String[DropWatch.MESSAGES];
    Arrays.fill(messages, sender + " a");
    MessageBatch batch = DeliveryRequests.batch(true, messages);
    BitSet all = new BitSet();
    all.set(0, messages.length);
    BitSet dropped = new BitSet();
    dropped.set(0, drops);
    int[] rules = new int[messages.length];
    Arrays.fill(rules, 0, drops, 3);
    BitSet left = (BitSet) all.clone();
    left.andNot(dropped);
    watch.add(batch, all, drops == 0 ? null : new Filtered(batch, left, dropped, rules));
  }

  @ParameterizedTest
  @CsvSource({"500, 0", "501, 1", "1000, 1", "1, 0", "0, 0"})
  void sender_isLogged_ifMoreThanHalfIsDropped(int drops, int lines) throws Exception {
    assertThat(
            LogLines.of(
                DropWatch.class,
                () -> {
                  add("10.1.2.3", drops);
                  add("10.1.2.3", drops);
                }))
        .hasSize(lines);
  }

  @Test
  void line_saysWhichSender_whichShare_whichRule_andWhatToDo() throws Exception {
    assertThat(LogLines.of(DropWatch.class, () -> add("10.1.2.3", 740)))
        .containsExactly(
            "WARN The rules of sink hec drop 74 % of the messages of sender 10.1.2.3, the latest by"
                + " rule 3. They are not delivered there. If you did not mean this, correct the"
                + " rule: `duplog route` shows what it matches.");
  }

  @Test
  void shareThatGrowsLater_isLogged_whateverCameBefore() throws Exception {
    assertThat(
            LogLines.of(
                DropWatch.class,
                () -> {
                  add("10.1.2.3", 1);
                  for (int i = 0; i < 10; i++) {
                    add("10.1.2.3", 0);
                  }
                  add("10.1.2.3", 900);
                }))
        .hasSize(1);
  }

  @Test
  void oneRuleForAllSenders_makesFewLines() throws Exception {
    List<String> lines =
        LogLines.of(
            DropWatch.class,
            () -> {
              for (int i = 0; i < 2 * DropWatch.MAX_LINES; i++) {
                add("10.1.2." + i, 1_000);
              }
            });
    assertThat(lines).hasSize(DropWatch.MAX_LINES);
    assertThat(lines.get(DropWatch.MAX_LINES - 1)).endsWith("Further senders are not named.");
  }
}
