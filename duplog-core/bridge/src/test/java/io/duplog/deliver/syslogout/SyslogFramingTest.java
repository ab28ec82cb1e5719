package io.duplog.deliver.syslogout;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.line.LineOutput;
import io.duplog.deliver.line.LineSink;
import io.duplog.observe.Conditions;
import io.duplog.wire.EventHead;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which bytes a receiver of syslog gets for each message. */
class SyslogFramingTest {
  private final DeliveryRequests deliveries = new DeliveryRequests();

  private static String sent(SyslogFraming framing, DeliveryRequest delivery) throws Exception {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    LineOutput output =
        new LineOutput() {
          @Override
          public String name() {
            return "memory";
          }

          @Override
          public void append(ByteBuffer lines) {
            while (lines.hasRemaining()) {
              written.write(lines.get());
            }
          }

          @Override
          public void close() {}
        };
    SinkContext context = SinkContext.ofOnly(line -> {}, Conditions.ofSystem());
    try (LineSink sink = new LineSink(output, framing, context)) {
      sink.deliver(delivery);
      sink.runOnce();
    }
    return written.toString(ISO_8859_1);
  }

  private static String payload(SyslogFraming framing, DeliveryRequest delivery) {
    return new String(framing.payload().of(delivery, 0), ISO_8859_1);
  }

  @Test
  void octetCounting_sendsEachMessageUnchanged_afterItsLength() throws Exception {
    DeliveryRequest delivery =
        deliveries.ofSenders("p", "10.0.0.1 <13>one\ntwo", "10.0.0.2 <14>\u00e4");
    assertThat(sent(SyslogFraming.OCTET_COUNTING, delivery))
        .isEqualTo("11 <13>one\ntwo5 <14>\u00e4");
    assertThat(payload(SyslogFraming.OCTET_COUNTING, delivery)).isEqualTo("<13>one\ntwo");
  }

  @Test
  void newline_sendsLines_withoutLineFeedsInside() throws Exception {
    DeliveryRequest delivery = deliveries.ofSenders("p", "10.0.0.1 <13>one\ntwo", "10.0.0.2 three");
    assertThat(sent(SyslogFraming.NEWLINE, delivery)).isEqualTo("<13>one#012two\n<13>three\n");
    assertThat(payload(SyslogFraming.NEWLINE, delivery)).isEqualTo("<13>one#012two");
  }

  @ParameterizedTest
  @ValueSource(strings = {"<0>a", "<191>a", "<34>1 2026-03-14T15:09:26Z h p - - - a"})
  void messageWithPriority_isSentAsReceived(String message) throws Exception {
    assertThat(payload(SyslogFraming.OCTET_COUNTING, deliveries.ofPlainBody("p", message)))
        .isEqualTo(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "<", "<>a", "<13", "<192>a", "<0013>a", "<1x>a", "13>a"})
  void messageWithoutPriority_getsThatOfRfc3164(String message) throws Exception {
    assertThat(payload(SyslogFraming.OCTET_COUNTING, deliveries.ofPlainBody("p", message)))
        .isEqualTo("<13>" + message);
  }

  @Test
  void messageLongerThanTheBuffer_isSentWhole() throws Exception {
    String message = "<13>" + "x".repeat(3_000_000);
    DeliveryRequest delivery = deliveries.ofPlainBody("p", message);
    assertThat(sent(SyslogFraming.OCTET_COUNTING, delivery))
        .isEqualTo(message.length() + " " + message);
  }

  @ParameterizedTest
  @CsvSource({
    "1773500966.25, web 1, /var/log/a, 2026-03-14T15:09:26.250Z web_1 /var/log/a",
    "             ,      ,           , 2026-03-14T15:09:26.535Z 10.0.0.9 -",
    "-1           , h    , s          , 2026-03-14T15:09:26.535Z h s",
    "999999999999999, h  , s          , 2026-03-14T15:09:26.535Z h s",
  })
  void event_getsHeaderOfRfc5424(
      @Nullable String time, @Nullable String host, @Nullable String source, String header)
      throws Exception {
    EventHead head = new EventHead(time, host, source, null, null, null, EventHead.Content.JSON);
    DeliveryRequest delivery = deliveries.ofEvent("p", head, "10.0.0.9 {\"a\":1}");
    assertThat(payload(SyslogFraming.OCTET_COUNTING, delivery))
        .isEqualTo("<13>1 " + header + " - - - {\"a\":1}");
  }

  @Test
  void eventWithPriority_isSyslogAlready() throws Exception {
    EventHead head = new EventHead("1", "h", "s", null, null, null, EventHead.Content.TEXT);
    DeliveryRequest delivery = deliveries.ofEvent("p", head, "10.0.0.9 <34>su: failed");
    assertThat(payload(SyslogFraming.OCTET_COUNTING, delivery)).isEqualTo("<34>su: failed");
  }
}
