package io.duplog.deliver.line;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.SinkContext;
import io.duplog.observe.Boards;
import io.duplog.observe.Conditions;
import io.duplog.wire.MessageBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Tests step by step that each message becomes a whole line, and is accepted only after the output
 * has committed it.
 */
class LineSinkTest {
  private final FakeOutput output = new FakeOutput();
  private final DeliveryRequests deliveries = new DeliveryRequests();
  private final List<String> broken = new ArrayList<>();
  private long nanos = 7;
  private final Conditions board = Boards.at(() -> nanos);

  private final LineSink sink =
      new LineSink(output, LineFormat.MESSAGE, SinkContext.ofOnly(broken::add, board));

  private void deliver(String... messages) {
    for (String message : messages) {
      sink.deliver(deliveries.ofPlainBody(message, message));
    }
  }

  /** A sink that nobody waits for must not claim that everything waits. */
  @Test
  void failureOfASinkThatIsNotRequired_saysWhatIsMissing() {
    SinkContext optional = new SinkContext("one", "sink copy", false, broken::add, board);
    LineSink copy = new LineSink(output, LineFormat.MESSAGE, optional);
    output.onCommit = new IOException("disk full");
    copy.deliver(deliveries.ofMessages("p", "one"));
    copy.runOnce();
    assertThat(Boards.trouble(board, "sink copy"))
        .contains("missing there when the buffer is full")
        .doesNotContain("Nothing is settled");
  }

  @Test
  void message_isItsOwnLine_withoutItsSender() {
    sink.deliver(deliveries.ofSenders("p", "10.0.0.1 <13>one two", "10.0.0.2 ", "nosender"));
    sink.runOnce();
    assertThat(output.text()).isEqualTo("<13>one two\n\nnosender\n");
  }

  @Test
  void message_withItsSender_hasItInFront() {
    LineFormat format = LineFormat.SENDER_AND_MESSAGE;
    LineSink sink = new LineSink(output, format, SinkContext.ofOnly(broken::add, board));
    DeliveryRequest delivery = deliveries.ofSenders("p", "10.0.0.1 <13>one\ntwo");
    sink.deliver(delivery);
    sink.deliver(deliveries.ofPlainBody("q", "foreign body"));
    sink.runOnce();
    assertThat(output.text()).isEqualTo("10.0.0.1 <13>one#012two\nforeign body\n");
    assertThat(format.payload().of(delivery, 0)).asString().isEqualTo("10.0.0.1 <13>one#012two");
  }

  @Test
  void bytes_passUntouched_apartFromLineFeeds() {
    StringBuilder all = new StringBuilder();
    for (char c = 0; c < 256; c++) {
      all.append(c);
    }
    DeliveryRequest delivery = deliveries.ofPlainBody("p", all + "\n");
    sink.deliver(delivery);
    sink.runOnce();
    String line = all.toString().replace("\n", "#012") + "#012";
    assertThat(output.text()).isEqualTo(line + "\n");
    assertThat(LineFormat.MESSAGE.payload().of(delivery, 0)).isEqualTo(line.getBytes(ISO_8859_1));
  }

  @Test
  void unchosenMessages_areLeftOut() {
    MessageBatch batch = DeliveryRequests.batch(false, "a", "b", "c", "d");
    BitSet chosen = new BitSet();
    chosen.set(1);
    chosen.set(3);
    sink.deliver(deliveries.of("p", batch, chosen));
    sink.runOnce();
    assertThat(output.text()).isEqualTo("b\nd\n");
  }

  @Test
  void deliveriesThatWait_areWrittenTogether_andAcceptedAfterTheCommit() {
    deliver("p", "q");
    sink.runOnce();
    assertThat(output.calls).containsExactly("mark", "append", "commit");
    assertThat(deliveries.accepted()).containsExactly("p", "q");
  }

  @Test
  void moreThanABuffer_isWrittenInOrder_withLongLinesWhole() {
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      String message = (i + "\n") + "x".repeat(i == 20 ? 3_000_000 : 100_000);
      expected.append(message.replace("\n", "#012")).append('\n');
      sink.deliver(deliveries.ofPlainBody("p" + i, message));
    }
    while (sink.runOnce() == 0) {
      // The next group.
    }
    assertThat(output.text()).isEqualTo(expected.toString());
    assertThat(deliveries.accepted()).hasSize(40);
  }

  @Test
  void failedWrite_acceptsNothing_andGoesOnWhereItStopped_afterAPause() {
    deliver("one", "two");
    output.onAppend = new IOException("No space left on device");
    output.takesBytes = "one\n".length();

    long pause = sink.runOnce();
    assertThat(pause).isPositive();
    assertThat(deliveries.accepted()).isEmpty();

    output.onAppend = null;
    deliver("three");
    assertThat(sink.runOnce()).isEqualTo(pause);
    assertThat(output.text()).isEqualTo("one\n");

    nanos += pause;
    assertThat(sink.runOnce()).isZero();
    assertThat(deliveries.accepted()).containsExactly("one", "two");
    sink.runOnce();
    assertThat(output.text()).isEqualTo("one\ntwo\nthree\n");
    assertThat(deliveries.accepted()).containsExactly("one", "two", "three");
  }

  @Test
  void pauses_growToABound_andBeginAnewAfterASuccess() {
    output.onPrepare = new IOException("No space left on device");
    List<Long> millis = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      long pause = sink.runOnce();
      millis.add(TimeUnit.NANOSECONDS.toMillis(pause));
      nanos += pause;
    }
    assertThat(millis).containsExactly(250L, 500L, 1000L, 2000L, 4000L, 5000L, 5000L);
    output.onPrepare = null;
    sink.runOnce();
    output.onPrepare = new IOException("again");
    assertThat(TimeUnit.NANOSECONDS.toMillis(sink.runOnce())).isEqualTo(250);
  }

  @Test
  void lostLines_areAllWrittenAgain_withTheSameMark() {
    deliver("one", "two");
    output.onCommit = new LinesLostException(new IOException("Input/output error"));
    nanos += sink.runOnce();
    assertThat(deliveries.accepted()).isEmpty();

    output.onCommit = null;
    output.written.reset(); // as the output promises: cut back to the mark
    sink.runOnce();
    assertThat(output.text()).isEqualTo("one\ntwo\n");
    assertThat(deliveries.accepted()).containsExactly("one", "two");
    assertThat(output.calls).containsExactly("mark", "append", "commit", "append", "commit");
  }

  @Test
  void withdraw_givesUpAllButOneDelivery_whichIsWrittenWhenThatWorks() {
    assertThat(sink.isAvailable()).isTrue();
    deliver("p", "q", "r");
    output.onAppend = new IOException("No space left on device");
    output.takesBytes = 0;
    nanos += sink.runOnce();
    deliver("s");

    sink.withdraw();
    assertThat(deliveries.withdrawn()).containsExactlyInAnyOrder("q", "r", "s");
    assertThat(sink.isAvailable()).isFalse();

    output.onAppend = null;
    sink.runOnce();
    assertThat(output.text()).isEqualTo("p\n");
    assertThat(deliveries.accepted()).containsExactly("p");
    assertThat(sink.isAvailable()).isTrue();
  }
}
