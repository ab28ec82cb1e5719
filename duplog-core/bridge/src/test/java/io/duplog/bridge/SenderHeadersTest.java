package io.duplog.bridge;

import static io.duplog.deliver.DeliveryRequests.batch;
import static io.duplog.deliver.DeliveryRequests.event;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.hec.HecStage;
import io.duplog.wire.EventHead;
import io.duplog.wire.MessageBatch;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests what a bridge learns from a message's header about its sender: a wrong clock, the host name
 * and message numbers.
 */
class SenderHeadersTest {
  private static final long RECEIVED = Instant.parse("2026-11-26T10:00:00Z").toEpochMilli();

  private final SenderHeaders utc = new SenderHeaders(null);
  private final SenderHeaders berlin =
      new SenderHeaders(
          HecStage.config(
              "urls: [http://s]\ntoken: t\nrouting: {time-zone: Europe/Berlin, rules: []}\n"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          <13>Nov 26 10:00:05 h app: m             | 5     | -3595 | -1 | h
          <13>1 2026-11-26T10:01:00Z h.x app - - - | 60    | 60    | -1 | h.x
          <189>12: Nov 26 09:00:00: %SYS-5-A: m    | -3600 | -7200 | 12 | ''
          """)
  void headerTells_howFarItsTimeIsAhead_theHost_andTheNumber(
      String message, long utcSeconds, long berlinSeconds, long number, String host) {
    byte[] data = message.getBytes(US_ASCII);
    MessageBatch batch = batch(false, message);

    assertThat(utc.aheadMillis(batch, 0, RECEIVED)).isEqualTo(1_000 * utcSeconds);
    assertThat(utc.host()).isEqualTo(host);
    assertThat(berlin.aheadMillis(batch, 0, RECEIVED)).isEqualTo(1_000 * berlinSeconds);
    assertThat(utc.number(data, 0, data.length)).isEqualTo(number);
  }

  @ParameterizedTest
  @CsvSource({"Nov 26 10:00:05 h app: m", "<13>no time", "<189>12: *Nov 26 09:00:00: %SYS-5-A: m"})
  void headerWithoutPriority_orATimeToTrust_isMalformed(String message) {
    assertThat(utc.aheadMillis(batch(false, message), 0, RECEIVED))
        .isEqualTo(SenderHeaders.MALFORMED);
  }

  /** An event needs no header, so a text without one is not malformed. */
  @ParameterizedTest
  @CsvSource({
    "1795687265.5, web-1, 65500, web-1",
    "            , web-1,      , web-1",
    "            , 'a b',      , ''",
    "            ,      ,      , ''"
  })
  void eventTells_whatItsMetadataTells(String time, String host, Long ahead, String shown) {
    EventHead head = new EventHead(time, host, null, null, null, null, EventHead.Content.TEXT);

    assertThat(utc.aheadMillis(event(head, "10.0.0.1 sshd[22]: Accepted"), 0, RECEIVED))
        .isEqualTo(ahead);
    assertThat(utc.host()).isEqualTo(shown);
  }
}
