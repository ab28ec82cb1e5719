package io.duplog.deliver.line;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.DeliveryRequests;
import io.duplog.wire.MessageBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Steps the writer by hand. */
class LineSinkTest {
  private final FakeOutput output = new FakeOutput();
  private final DeliveryRequests deliveries = new DeliveryRequests();
  private final List<String> broken = new ArrayList<>();
  private long nanos = 7;

  private LineSink sink(LineFormat format) {
    return new LineSink(output, format, broken::add, () -> nanos);
  }

  @Test
  void message_isItsOwnLine_withoutItsSender() {
    LineSink sink = sink(LineFormat.MESSAGE);
    sink.deliver(deliveries.ofSenders("p", "10.0.0.1 <13>one two", "10.0.0.2 ", "nosender"));
    sink.runOnce();
    assertThat(output.text()).isEqualTo("<13>one two\n\nnosender\n");
  }

  @Test
  void message_withItsSender_hasItInFront() {
    LineSink sink = sink(LineFormat.SENDER_AND_MESSAGE);
    sink.deliver(deliveries.ofSenders("p", "10.0.0.1 <13>one"));
    sink.deliver(deliveries.ofPlainBody("q", "foreign body"));
    sink.runOnce();
    assertThat(output.text()).isEqualTo("10.0.0.1 <13>one\nforeign body\n");
  }

  @Test
  void bytes_passUntouched_apartFromLineFeeds() {
    StringBuilder all = new StringBuilder();
    for (char c = 0; c < 256; c++) {
      all.append(c);
    }
    LineSink sink = sink(LineFormat.MESSAGE);
    sink.deliver(deliveries.ofPlainBody("p", all + "\n"));
    sink.runOnce();
    assertThat(output.text()).isEqualTo(all.toString().replace("\n", "#012") + "#012\n");
  }

  @Test
  void unchosenMessages_areLeftOut() {
    MessageBatch batch = DeliveryRequests.batch(false, "a", "b", "c", "d");
    BitSet chosen = new BitSet();
    chosen.set(1);
    chosen.set(3);
    LineSink sink = sink(LineFormat.MESSAGE);
    sink.deliver(deliveries.of("p", batch, chosen));
    sink.runOnce();
    assertThat(output.text()).isEqualTo("b\nd\n");
  }

  @Test
  void deliveriesThatWait_areWrittenTogether_andAcceptedAfterTheCommit() {
    LineSink sink = sink(LineFormat.MESSAGE);
    sink.deliver(deliveries.ofPlainBody("p", "a"));
    sink.deliver(deliveries.ofPlainBody("q", "b"));
    sink.runOnce();
    assertThat(output.calls).containsExactly("mark", "append", "commit");
    assertThat(deliveries.accepted()).containsExactly("p", "q");
  }

  @Test
  void moreThanABuffer_isWrittenInOrder_withLongLinesWhole() {
    LineSink sink = sink(LineFormat.MESSAGE);
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
    LineSink sink = sink(LineFormat.MESSAGE);
    sink.deliver(deliveries.ofPlainBody("p", "one"));
    sink.deliver(deliveries.ofPlainBody("q", "two"));
    output.onAppend = new IOException("No space left on device");
    output.takesBytes = "one\n".length();

    long pause = sink.runOnce();
    assertThat(pause).isPositive();
    assertThat(deliveries.accepted()).isEmpty();

    output.onAppend = null;
    sink.deliver(deliveries.ofPlainBody("r", "three"));
    assertThat(sink.runOnce()).isEqualTo(pause);
    assertThat(output.text()).isEqualTo("one\n");

    nanos += pause;
    assertThat(sink.runOnce()).isZero();
    assertThat(deliveries.accepted()).containsExactly("p", "q");
    sink.runOnce();
    assertThat(output.text()).isEqualTo("one\ntwo\nthree\n");
    assertThat(deliveries.accepted()).containsExactly("p", "q", "r");
  }

  @Test
  void pauses_growToABound_andBeginAnewAfterASuccess() {
    LineSink sink = sink(LineFormat.MESSAGE);
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
    LineSink sink = sink(LineFormat.MESSAGE);
    sink.deliver(deliveries.ofPlainBody("p", "one"));
    sink.deliver(deliveries.ofPlainBody("q", "two"));
    output.onCommit = new LinesLostException(new IOException("Input/output error"));
    nanos += sink.runOnce();
    assertThat(deliveries.accepted()).isEmpty();

    output.onCommit = null;
    output.written.reset(); // as the output promises: cut back to the mark
    sink.runOnce();
    assertThat(output.text()).isEqualTo("one\ntwo\n");
    assertThat(deliveries.accepted()).containsExactly("p", "q");
    assertThat(output.calls).containsExactly("mark", "append", "commit", "append", "commit");
  }

  @Test
  void failingOutput_isNotAvailable_untilAWriteSucceeds() {
    LineSink sink = sink(LineFormat.MESSAGE);
    assertThat(sink.isAvailable()).isTrue();
    sink.deliver(deliveries.ofPlainBody("p", "one"));
    output.onAppend = new IOException("No space left on device");
    output.takesBytes = 0;
    nanos += sink.runOnce();
    assertThat(sink.isAvailable()).isFalse();

    output.onAppend = null;
    sink.runOnce();
    assertThat(sink.isAvailable()).isTrue();
  }

  @Test
  void withdraw_givesUpAllButOneDelivery_whichIsWrittenWhenThatWorks() {
    LineSink sink = sink(LineFormat.MESSAGE);
    for (String name : List.of("p", "q", "r")) {
      sink.deliver(deliveries.ofPlainBody(name, name));
    }
    output.onAppend = new IOException("No space left on device");
    output.takesBytes = 0;
    nanos += sink.runOnce();
    sink.deliver(deliveries.ofPlainBody("s", "s"));

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
