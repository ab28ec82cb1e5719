package io.duplog.ingest.batch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.observe.LogLines;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that the shim warns, once an hour, about a sender whose messages rsyslog joins into one
 * line.
 */
class JoinedMessagesTest {
  private static final String MESSAGE = "<134>Nov 21 05:00:00 host app: hello";

  private final FakeTime time = new FakeTime();
  private final JoinedMessages joinedMessages = new JoinedMessages(true, time);

  private List<String> warnings(String line) throws Exception {
    return LogLines.of(JoinedMessages.class, () -> check(line));
  }

  private void check(String line) {
    byte[] bytes = ("xx" + line).getBytes(ISO_8859_1);
    joinedMessages.check(bytes, 2, bytes.length - 2);
  }

  private static String line(String separator, int messages) {
    return separator.endsWith(" ")
        ? "10.0.0.7 " + (separator + MESSAGE).repeat(messages)
        : "10.0.0.7 " + (MESSAGE + separator).repeat(messages);
  }

  @ParameterizedTest
  @CsvSource({
    "#000, addtlFrameDelimiter=\"0\"",
    "'\0', addtlFrameDelimiter=\"0\"",
    "#000#000, addtlFrameDelimiter=\"0\"",
    "#012, let it send each alone",
    "'36 ', port 601"
  })
  void check_lineWithManyMessages_warnsWithSenderAndRemedy(String separator, String remedy)
      throws Exception {
    assertThat(warnings(line(separator, 300)))
        .singleElement()
        .asString()
        .startsWith("WARN a line of 10.0.0.7 holds 300 messages, and is taken for one (1 such")
        .contains(remedy)
        .doesNotContain("hello");
  }

  @Test
  void check_moreSuchLines_warnsOncePerHourWithCount() throws Exception {
    String line = line("#000", 300);
    assertThat(warnings(line)).hasSize(1);
    assertThat(warnings(line)).isEmpty();
    time.sleep(TimeUnit.MINUTES.toNanos(61));
    assertThat(warnings(line)).singleElement().asString().contains("(3 such lines");
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.7 short, 0",
    "10.0.0.7 <13>one, 9000",
    "10.0.0.7 <13>one#000<13>two, 9000",
    "10.0.0.7 <13>one 5 <13>two 5 <13>three, 9000",
    "10.0.0.7 <13><Event><Level>4</Level><1234>#000<x>#000<999>#000<>, 9000",
  })
  void check_otherLines_doesNotWarn(String begin, int fillBytes) throws Exception {
    assertThat(warnings(begin + " <13> a <4>;".repeat(fillBytes / 12))).isEmpty();
  }

  @Test
  void check_lineEndingWithinPriority_isReadToItsEnd() throws Exception {
    assertThat(warnings("? " + "#000<13".repeat(JoinedMessages.MIN_LINE_BYTES / 7 + 1))).isEmpty();
    assertThat(warnings("? " + "#000<13>".repeat(JoinedMessages.MIN_LINE_BYTES / 8) + "#000<1"))
        .singleElement()
        .asString()
        .startsWith("WARN a line of a sender holds");
  }
}
