package io.duplog.senders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.SharedTexts;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.senders.SenderReport.State;
import io.duplog.status.SendersText;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what bridges count, share and keep of their senders. */
class SenderInventoryTest extends SenderInventories {
  @Test
  void sender_isKnownWithItsMessagesEachCountedOnce() throws Exception {
    cameByBoth(one, "10.0.0.1 first");
    pass(Duration.ofMinutes(1), one);
    came(one, A, "10.0.0.1 more", "10.0.0.2 other", "10.0.0.1 last", "nobody");
    pass(Duration.ofSeconds(6), one);

    SenderReport sender = of(one, "10.0.0.1");
    assertThat(sender.known().firstMillis()).isEqualTo(BEGIN);
    assertThat(sender.known().lastMillis()).isEqualTo(BEGIN + 60_000);
    assertThat(sender.known().totals().messages()).isEqualTo(3);
    assertThat(sender.known().totals().bytes()).isEqualTo("firstmorelast".length());
    assertThat(sender.paths().stream().map(SenderReport.Path::copies)).containsExactly(3L, 1L);
    assertThat(one.size()).isEqualTo(2);
  }

  /** Two bridges read one queue each; number 70 is on neither. */
  @Test
  void numberThatNoPathBrought_isTold_thoughNoBridgeSawAllOfThem() throws Exception {
    for (int number = 1; number <= 300; number++) {
      SenderInventory first = number % 3 == 0 ? one : two;
      SenderInventory second = number % 2 == 0 ? one : two;
      String message = "x #%d m".formatted(number);
      if (number != 70) {
        came(first, A, message);
        cameAgain(second, now, message);
      }
      pass(Duration.ofSeconds(1), one, two);
    }
    pass(Duration.ofSeconds(30), one, two);

    for (SenderInventory bridge : List.of(one, two)) {
      assertThat(bridge.missingNumbers()).isEqualTo(1);
      SendersText text = text(bridge, "only", "gaps");
      assertThat(text.table())
          .contains("1 sender is losing messages on all paths (x). Nobody has these messages. ")
          .contains(
              "\n  x numbers its messages; since it was first heard, 1 number came by no stream.\n");
      assertThat(text.exitStatus()).isEqualTo(1);
    }
    lookEveryTenSeconds(2 * 60 + 1);
    assertThat(found(one, Concern.LOSING)).as("20 minutes later").isEmpty();
    assertThat(found(one, Concern.GAPS)).containsExactly("x");
    assertThat(text(one, "only", "gaps").exitStatus()).isZero();
    assertThat(senders(100).missingNumbers()).as("nothing was read").isNaN();
    expect(one, "{sender: x, mute-until: 2026-11-27}");
    pass(Duration.ofSeconds(11), one);
    assertThat(one.missingNumbers()).as("muted").isZero();
  }

  /**
   * Brings numbers from one to the other, in batches of a thousand, while the store is unavailable.
   */
  private void comeNumbered(int from, int until, @Nullable BitSet kept) {
    for (int i = from; i < until; i += 1_000) {
      String[] messages = new String[Math.min(1_000, until - i)];
      for (int each = 0; each < messages.length; each++) {
        messages[each] = "x #" + (i + each) + " m";
      }
      one.counted(DeliveryRequests.batch(true, messages), A, kept, now);
    }
  }

  /**
   * Without Redis, duplicates pass; with a part of it, there are more numbers than room for them.
   */
  @Test
  void numbersThatCantBeCounted_areNotHeld_andProveNothing() throws Exception {
    BitSet all = new BitSet();
    all.set(0, 1_000);
    comeNumbered(1, 1_001, all);
    pass(Duration.ofSeconds(6), one);
    store.failsBefore = true;
    comeNumbered(2_000, 3_000, null);
    comeNumbered(2_000, 3_000, null);
    store.failsBefore = false;
    pass(Duration.ofSeconds(6), one);
    comeNumbered(3_000, 4_000, all);
    pass(Duration.ofSeconds(21), one);
    assertThat(one.missingNumbers()).isZero();

    comeNumbered(4_000, 1_005_000, all);
    comeNumbered(1_005_001, 1_006_001, all);
    pass(Duration.ofSeconds(21), one);
    assertThat(one.missingNumbers()).as("among too many").isZero();
    comeNumbered(1_006_001, 1_006_501, all);
    comeNumbered(1_006_502, 1_007_002, all);
    pass(Duration.ofSeconds(21), one);
    assertThat(one.missingNumbers()).isEqualTo(1);
  }

  @Test
  void senderThatIsExpected_hasAPlace_inAFullInventory() throws Exception {
    SenderInventory full = senders(2);
    expect(full, "{sender: x}");
    full.runOnce();
    came(full, A, "invented m", "too m", "three m", "x m");
    pass(Duration.ofSeconds(20), full);

    assertThat(found(full, Concern.UNHEARD)).isEmpty();
    assertThat(of(full, "x").known().totals().messages()).isEqualTo(1);
    assertThat(full.unlisted()).isEqualTo(1);
  }

  @Test
  void batchOfATimeBefore1970_harmsNobody() throws Exception {
    for (int hour = -200; hour < 0; hour += 5) {
      one.counted(DeliveryRequests.batch(true, "x m"), A, null, hour * 3_600_000L);
      pass(Duration.ofSeconds(6), one);
    }
    came(one, A, "y m");
    pass(Duration.ofSeconds(10), one);

    assertThat(of(one, "y").known().totals().messages()).isEqualTo(1);
  }

  @Test
  void bridges_addToTheSameRecords_whoeverIsFirst() throws Exception {
    for (int i = 0; i < 20; i++) {
      came(one, A, "x m" + i);
      cameAgain(two, now, "x m" + i);
      pass(Duration.ofSeconds(6), one, two);
    }
    pass(Duration.ofMinutes(5), one, two);

    for (SenderInventory bridge : List.of(one, two)) {
      assertThat(of(bridge, "x").known().totals().messages()).isEqualTo(20);
      assertThat(of(bridge, "x").paths().stream().map(SenderReport.Path::copies))
          .containsExactly(20L, 20L);
      assertThat(onB(bridge, "x")).isEqualTo(State.HEARD);
    }
  }

  @Test
  void bridgesThatAddTheSame_areBothCounted() throws Exception {
    for (SenderInventory bridge : List.of(one, two)) {
      came(bridge, A, "x m");
    }
    pass(Duration.ofMinutes(1), one, two);

    assertThat(of(two, "x").known().totals().messages()).isEqualTo(2);
  }

  @Test
  void inventoryThatAnotherBridgeHasFilled_takesNobodyMore() throws Exception {
    SenderInventory few = senders(2);
    came(few, A, "a m", "b m", "c m");
    came(one, A, "x m", "y m", "z m");
    now += 6_000;
    one.runOnce();
    pass(Duration.ofSeconds(10), few);

    assertThat(few.size()).isEqualTo(3);
    assertThat(few.unlisted()).isEqualTo(3);
    came(few, A, "z n");
    pass(Duration.ofSeconds(10), few);
    assertThat(of(few, "z").known().totals().messages()).isEqualTo(2);
  }

  @ParameterizedTest(name = "done before the failure: {0}")
  @CsvSource({"true", "false"})
  void storeThatFails_losesNothing_andCountsNothingTwice(boolean done) throws Exception {
    one.runOnce();
    came(one, A, "x 1", "x 2");
    now += 6_000;
    store.failsAfter = done;
    store.failsBefore = !done;
    for (int second = 0; second < 30; second++) {
      assertThatThrownBy(one::runOnce).isInstanceOf(LedgerUnavailableException.class);
      now += 1_000;
    }
    came(one, A, "x 3");
    store.failsAfter = false;
    store.failsBefore = false;
    pass(Duration.ofSeconds(10), one);

    assertThat(of(one, "x").known().totals().messages()).isEqualTo(3);
  }

  @ParameterizedTest(name = "the sender goes on: {0}")
  @CsvSource({"true", "false"})
  void storeThatForgot_isToldAgain_withAllThatWasKnown(boolean active) throws Exception {
    cameByBoth(one, "x 1");
    pass(Duration.ofSeconds(10), one);
    if (active) {
      came(one, A, "x 2", "x 3");
      now += 5_000;
    }
    store.store = SharedTexts.ofOneBridge();
    pass(Duration.ofMinutes(1), one);

    SenderInventory other = senders(100);
    other.runOnce();
    assertThat(of(other, "x")).isEqualTo(of(one, "x"));
    assertThat(of(other, "x").known().firstMillis()).isEqualTo(BEGIN);
    assertThat(of(other, "x").known().totals().messages()).isEqualTo(active ? 3 : 1);
    assertThat(of(other, "x").paths().get(B).copies()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"gibberish", "1 2", "1764151200000 +1 1 a 1764151200000 1 0"})
  void textThatIsNoRecord_isReplaced(String text) throws Exception {
    store.replace(List.of(new SharedTexts.Change("x", "", text)));
    came(one, A, "x 1");
    pass(Duration.ofSeconds(10), one);
    store.replace(List.of(new SharedTexts.Change("x", store.all().get("x"), text)));
    came(one, A, "x 2");
    pass(Duration.ofSeconds(6), one);
    came(one, A, "y 1");
    pass(Duration.ofSeconds(6), one);

    assertThat(of(one, "y").known().totals().messages()).as("not held up").isEqualTo(1);
    assertThat(store.all()).containsOnlyKeys("x", "y").doesNotContainValue(text);
  }

  @Test
  void senderWithoutAPlace_isCountedAsUnlisted() throws Exception {
    SenderInventory few = senders(3);
    came(few, A, "x 1", "y 1");
    pass(Duration.ofSeconds(10), few);
    // Those that are known and wait need no second place.
    came(few, A, "x 2", "y 2", "z 1", "last 1", "last 2");
    pass(Duration.ofSeconds(10), few);
    came(few, A, "last 3", "z 2");

    assertThat(few.size()).isEqualTo(3);
    assertThat(few.unlisted()).isEqualTo(3);
  }

  @Test
  void moreSendersThanATurnTakes_areHandedOverAtTheEnd() throws Exception {
    SenderInventory many = senders(3_000);
    for (int i = 0; i < 1_700; i++) {
      came(many, A, "10.0.0." + i + " m");
    }
    many.leave();

    assertThat(store.all()).hasSize(1_700);
  }
}
