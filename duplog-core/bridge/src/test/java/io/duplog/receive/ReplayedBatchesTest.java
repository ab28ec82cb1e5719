package io.duplog.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.DeliveryRequests;
import io.duplog.observe.Boards;
import io.duplog.observe.Conditions;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.ContentEncoding;
import io.duplog.wire.Envelope;
import io.duplog.wire.EventHead;
import io.duplog.wire.MessageBatch;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Tests that a replayed dead letter becomes batches with its original times, and with ids that
 * prevent duplicates.
 */
class ReplayedBatchesTest {
  private static final BatchLimits LIMITS = BatchLimits.DEFAULT;

  /** Returns what a bridge makes of refused messages that it received at these times. */
  private static Letter letter(long... received) {
    FakeLetterBroker broker = new FakeLetterBroker();
    Conditions board = Boards.at(() -> 0);
    LetterHost host =
        new LetterHost(TestQueues.of("a", "node-a", 80), List.of(), broker, board, new Random(1));
    DeadLetters letters = new DeadLetters(List.of(host), board);
    for (int i = 0; i < received.length; i++) {
      letters.add(
          "a",
          DeliveryRequests.batch(true, "h a", "h b", "h c"),
          i,
          received[i],
          null,
          "bad",
          () -> {});
    }
    letters.runOnce();
    return broker.dead.get(0);
  }

  /** Returns the letter with another value of a header. */
  private static Letter with(String header, Object value, Letter letter) {
    Map<String, Object> headers = Letter.headers(letter.properties());
    headers.put(header, value);
    return letter.with(headers);
  }

  private static String id(Letter letter) {
    return letter.properties().getMessageId();
  }

  private static List<Letter> replayed(Letter letter, BatchLimits limits) {
    return ReplayedBatches.of(
        new DeadLetterQueue.Entry(1, id(letter), "a", "bad", letter.properties(), letter.body()),
        limits);
  }

  @Test
  void messagesOfSeveralTimes_becomeABatchEach_inTheirOrder() {
    List<Letter> batches = replayed(with(Envelope.ALONE_HEADER, 1, letter(7, 8, 7)), LIMITS);

    assertThat(batches)
        .extracting(FakeLetterBroker::texts)
        .containsExactly(List.of("h a", "h c"), List.of("h b"));
    assertThat(batches.get(0).properties().getHeaders())
        .isEqualTo(
            Map.of(
                Envelope.COUNT_HEADER,
                2,
                Envelope.STREAM_HEADER,
                "a",
                Envelope.RECEIVED_HEADER,
                7L));
    assertThat(batches.get(1).header(Envelope.RECEIVED_HEADER)).isEqualTo(8L);
  }

  @Test
  void anotherCopyOfTheLetter_becomesBatchesOfTheSameIds_whichABridgeTakes() {
    Letter letter = letter(7, 8);

    for (Letter copy : List.of(letter, with(Envelope.ALONE_HEADER, 1, letter))) {
      assertThat(replayed(copy, LIMITS))
          .extracting(ReplayedBatchesTest::id)
          .containsExactly(id(letter) + ".0", id(letter) + ".1")
          .allMatch(Envelope::isValidId);
    }
  }

  /** A refused event keeps its metadata and its identity. */
  @Test
  void eventsOfHec_keepTheirHeads() throws Exception {
    EventHead head =
        new EventHead("1.5", "web 1", "s", "t", "i", "\"a\":1", EventHead.Content.JSON);
    FakeLetterBroker broker = new FakeLetterBroker();
    Conditions board = Boards.at(() -> 0);
    LetterHost host =
        new LetterHost(TestQueues.of("a", "node-a", 80), List.of(), broker, board, new Random(1));
    DeadLetters letters = new DeadLetters(List.of(host), board);
    MessageBatch event = DeliveryRequests.event(head, 7, "web_1 {}");
    letters.add("a", event, 0, 8, null, "bad", () -> {});
    letters.runOnce();

    Letter back = replayed(broker.dead.get(0), LIMITS).get(0);

    MessageBatch batch =
        new BatchDecoder(LIMITS)
            .decode(back.body(), ContentEncoding.of(back.properties().getContentEncoding()));
    assertThat(batch.eventHead(0)).isEqualTo(head);
    assertThat(batch.data()[batch.eventIdentityStart(0)]).isEqualTo((byte) 7);
    assertThat(DeliveryRequests.texts(batch)).containsExactly("web_1 {}");
  }

  @Test
  void timesThatDoNotFit_andBodiesBeyondTheLimits_goBackAsTheyAre() {
    Letter letter = letter(7, 8);
    Letter tooFew = with(Envelope.RECEIVED_HEADER, List.of(7L), letter);

    BatchLimits tight = new BatchLimits(1 << 20, 1 << 20, 1, 1 << 20);
    for (List<Letter> back : List.of(replayed(tooFew, LIMITS), replayed(letter, tight))) {
      assertThat(back).extracting(ReplayedBatchesTest::id).containsExactly(id(letter));
    }
  }
}
