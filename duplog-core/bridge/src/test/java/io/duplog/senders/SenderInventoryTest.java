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

/** Tests that several bridges count each sender's messages exactly once, and share the counts. */
class SenderInventoryTest extends SenderInventories {
  @Test
  void sender_withCopiesOnBothStreams_hasEachMessageCountedOnce() throws Exception {
    receiveOnBoth(one, "10.0.0.1 first");
    advance(Duration.ofMinutes(1), one);
    receive(one, A, "10.0.0.1 more", "10.0.0.2 other", "10.0.0.1 last", "nobody");
    advance(Duration.ofSeconds(6), one);

    SenderReport sender = of(one, "10.0.0.1");
    assertThat(sender.record().firstMillis()).isEqualTo(BEGIN);
    assertThat(sender.record().lastMillis()).isEqualTo(BEGIN + 60_000);
    assertThat(sender.record().totals().messages()).isEqualTo(3);
    assertThat(sender.record().totals().bytes()).isEqualTo("firstmorelast".length());
    assertThat(sender.paths().stream().map(SenderReport.Path::copies)).containsExactly(3L, 1L);
    assertThat(one.size()).isEqualTo(2);
  }

  /** Two bridges share the messages; number 70 arrives on neither stream. */
  @Test
  void missingNumber_isReported_evenIfBridgesSeeDifferentParts() throws Exception {
    for (int number = 1; number <= 300; number++) {
      SenderInventory first = number % 3 == 0 ? one : two;
      SenderInventory second = number % 2 == 0 ? one : two;
      String message = "x #%d m".formatted(number);
      if (number != 70) {
        receive(first, A, message);
        receiveCopyOnB(second, now, message);
      }
      advance(Duration.ofSeconds(1), one, two);
    }
    advance(Duration.ofSeconds(30), one, two);

    for (SenderInventory bridge : List.of(one, two)) {
      assertThat(bridge.missingNumbers()).isEqualTo(1);
      SendersText text = text(bridge, "only", "gaps");
      assertThat(text.table())
          .contains("1 sender is losing messages on all paths (x). Nobody has these messages. ")
          .contains(
              "\n  x numbers its messages; since it was first heard, 1 number came by no stream.\n");
      assertThat(text.exitStatus()).isEqualTo(1);
    }
    updateEveryTenSeconds(2 * 60 + 1);
    assertThat(found(one, Concern.LOSING)).as("20 minutes later").isEmpty();
    assertThat(found(one, Concern.GAPS)).containsExactly("x");
    assertThat(text(one, "only", "gaps").exitStatus()).isZero();
    assertThat(senders(100).missingNumbers()).as("nothing was read").isNaN();
    expect(one, "{sender: x, mute-until: 2026-11-27}");
    advance(Duration.ofSeconds(11), one);
    assertThat(one.missingNumbers()).as("muted").isZero();
  }

  /** Receives messages with these numbers, in batches of a thousand, within the same instant. */
  private void receiveNumbered(int from, int until, @Nullable BitSet kept) {
    for (int i = from; i < until; i += 1_000) {
      String[] messages = new String[Math.min(1_000, until - i)];
      for (int each = 0; each < messages.length; each++) {
        messages[each] = "x #" + (i + each) + " m";
      }
      one.counted(DeliveryRequests.batch(true, messages), A, kept, now);
    }
  }

  /**
   * Without Redis, duplicates may be delivered. Later, there are more numbers than there is room
   * for.
   */
  @Test
  void uncountableNumbers_areNotHeld_andAreNotMissing() throws Exception {
    BitSet all = new BitSet();
    all.set(0, 1_000);
    receiveNumbered(1, 1_001, all);
    advance(Duration.ofSeconds(6), one);
    store.failsBefore = true;
    receiveNumbered(2_000, 3_000, null);
    receiveNumbered(2_000, 3_000, null);
    store.failsBefore = false;
    advance(Duration.ofSeconds(6), one);
    receiveNumbered(3_000, 4_000, all);
    advance(Duration.ofSeconds(21), one);
    assertThat(one.missingNumbers()).isZero();

    receiveNumbered(4_000, 1_005_000, all);
    receiveNumbered(1_005_001, 1_006_001, all);
    advance(Duration.ofSeconds(21), one);
    assertThat(one.missingNumbers()).as("among too many").isZero();
    receiveNumbered(1_006_001, 1_006_501, all);
    receiveNumbered(1_006_502, 1_007_002, all);
    advance(Duration.ofSeconds(21), one);
    assertThat(one.missingNumbers()).isEqualTo(1);
  }

  @Test
  void expectedSender_inAFullInventory_isCounted() throws Exception {
    SenderInventory full = senders(2);
    expect(full, "{sender: x}");
    full.runOnce();
    receive(full, A, "invented m", "too m", "three m", "x m");
    advance(Duration.ofSeconds(20), full);

    assertThat(found(full, Concern.UNHEARD)).isEmpty();
    assertThat(of(full, "x").record().totals().messages()).isEqualTo(1);
    assertThat(full.unlistedCopies()).isEqualTo(1);
  }

  @Test
  void batchFromBefore1970_doesNotAffectOtherSenders() throws Exception {
    for (int hour = -200; hour < 0; hour += 5) {
      one.counted(DeliveryRequests.batch(true, "x m"), A, null, hour * 3_600_000L);
      advance(Duration.ofSeconds(6), one);
    }
    receive(one, A, "y m");
    advance(Duration.ofSeconds(10), one);

    assertThat(of(one, "y").record().totals().messages()).isEqualTo(1);
  }

  @Test
  void twoBridges_withTheSameSender_shareOneRecord() throws Exception {
    for (int i = 0; i < 20; i++) {
      receive(one, A, "x m" + i);
      receiveCopyOnB(two, now, "x m" + i);
      advance(Duration.ofSeconds(6), one, two);
    }
    advance(Duration.ofMinutes(5), one, two);

    for (SenderInventory bridge : List.of(one, two)) {
      assertThat(of(bridge, "x").record().totals().messages()).isEqualTo(20);
      assertThat(of(bridge, "x").paths().stream().map(SenderReport.Path::copies))
          .containsExactly(20L, 20L);
      assertThat(stateOnB(bridge, "x")).isEqualTo(State.HEARD);
    }
  }

  @Test
  void identicalCounts_fromTwoBridges_areAdded() throws Exception {
    for (SenderInventory bridge : List.of(one, two)) {
      receive(bridge, A, "x m");
    }
    advance(Duration.ofMinutes(1), one, two);

    assertThat(of(two, "x").record().totals().messages()).isEqualTo(2);
  }

  @Test
  void newSender_inAnInventoryFilledByAnotherBridge_isUnlisted() throws Exception {
    SenderInventory few = senders(2);
    receive(few, A, "a m", "b m", "c m");
    receive(one, A, "x m", "y m", "z m");
    now += 6_000;
    one.runOnce();
    advance(Duration.ofSeconds(10), few);

    assertThat(few.size()).isEqualTo(3);
    assertThat(few.unlistedCopies()).isEqualTo(3);
    receive(few, A, "z n");
    advance(Duration.ofSeconds(10), few);
    assertThat(of(few, "z").record().totals().messages()).isEqualTo(2);
  }

  @ParameterizedTest(name = "done before the failure: {0}")
  @CsvSource({"true", "false"})
  void storeFailure_losesNoCounts_andAddsNoneTwice(boolean done) throws Exception {
    one.runOnce();
    receive(one, A, "x 1", "x 2");
    now += 6_000;
    store.failsAfter = done;
    store.failsBefore = !done;
    for (int second = 0; second < 30; second++) {
      assertThatThrownBy(one::runOnce).isInstanceOf(LedgerUnavailableException.class);
      now += 1_000;
    }
    receive(one, A, "x 3");
    store.failsAfter = false;
    store.failsBefore = false;
    advance(Duration.ofSeconds(10), one);

    assertThat(of(one, "x").record().totals().messages()).isEqualTo(3);
  }

  @ParameterizedTest(name = "the sender goes on: {0}")
  @CsvSource({"true", "false"})
  void emptiedStore_isRefilled(boolean active) throws Exception {
    receiveOnBoth(one, "x 1");
    advance(Duration.ofSeconds(10), one);
    if (active) {
      receive(one, A, "x 2", "x 3");
      now += 5_000;
    }
    store.store = SharedTexts.ofOneBridge();
    advance(Duration.ofMinutes(1), one);

    SenderInventory other = senders(100);
    other.runOnce();
    assertThat(of(other, "x")).isEqualTo(of(one, "x"));
    assertThat(of(other, "x").record().firstMillis()).isEqualTo(BEGIN);
    assertThat(of(other, "x").record().totals().messages()).isEqualTo(active ? 3 : 1);
    assertThat(of(other, "x").paths().get(B).copies()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"gibberish", "1 2", "1764151200000 +1 1 a 1764151200000 1 0"})
  void invalidText_isReplaced(String text) throws Exception {
    store.replace(List.of(new SharedTexts.Change("x", "", text)));
    receive(one, A, "x 1");
    advance(Duration.ofSeconds(10), one);
    store.replace(List.of(new SharedTexts.Change("x", store.all().get("x"), text)));
    receive(one, A, "x 2");
    advance(Duration.ofSeconds(6), one);
    receive(one, A, "y 1");
    advance(Duration.ofSeconds(6), one);

    assertThat(of(one, "y").record().totals().messages()).as("not held up").isEqualTo(1);
    assertThat(store.all()).containsOnlyKeys("x", "y").doesNotContainValue(text);
  }

  @Test
  void newSender_inAFullInventory_isUnlisted() throws Exception {
    SenderInventory few = senders(3);
    receive(few, A, "x 1", "y 1");
    advance(Duration.ofSeconds(10), few);
    // Known senders and waiting senders need no further room.
    receive(few, A, "x 2", "y 2", "z 1", "last 1", "last 2");
    advance(Duration.ofSeconds(10), few);
    receive(few, A, "last 3", "z 2");

    assertThat(few.size()).isEqualTo(3);
    assertThat(few.unlistedCopies()).isEqualTo(3);
  }

  @Test
  void manySenders_areAllShared_whenTheBridgeLeaves() throws Exception {
    SenderInventory many = senders(3_000);
    for (int i = 0; i < 1_700; i++) {
      receive(many, A, "10.0.0." + i + " m");
    }
    many.leave();

    assertThat(store.all()).hasSize(1_700);
  }
}
