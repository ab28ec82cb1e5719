package io.duplog.benchmark.hec;

import static io.duplog.benchmark.hec.HecClient.TOKEN;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.duplog.collector.HecEvent;
import io.duplog.collector.HecSettings;
import io.duplog.deliver.DeliveryRequests;
import java.net.URLEncoder;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the HEC sink loses no message over real connections, for each answer that Splunk may
 * give and when connections break or hang. The tests of {@code io.duplog.deliver.hec} check the
 * sink's reactions step by step.
 */
class HecSinkIT {
  private static final HecSettings SETTINGS = HecSettings.withToken(TOKEN);

  private @AutoClose SinkUnderTest sink;

  @Test
  void deliver_success_indexesEveryMessageOnceWithMetadata() throws Exception {
    sink = new SinkUnderTest();
    sink.deliver(40, 250);
    assertThat(sink.index)
        .extracting(HecEvent::host, HecEvent::time)
        .containsOnly(tuple("192.0.2.7", "1773500966.535"));
  }

  /**
   * Splunk's codes have two digits. An answer without a code is given by its status, which has
   * three.
   */
  @ParameterizedTest
  @ValueSource(ints = {8, 9, 18, 19, 20, 23, 26, 27, 404, 408, 429, 500, 502, 503, 504})
  void deliver_transientAnswer_isRetriedUntilAccepted(int answer) throws Exception {
    sink = new SinkUnderTest();
    sink.cause("answer&times=5&" + (answer < 100 ? "code=" : "status=") + answer);
    sink.deliver(8, 50);
    assertThat(sink.server().faults.describe()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "2", "3", "4", "10", "11", "14", "16", "refuse-connections"})
  void deliver_collectorUnusable_isUnavailableAndDropsNothing(String codeOrFault) throws Exception {
    sink = new SinkUnderTest();
    boolean isCode = Character.isDigit(codeOrFault.charAt(0));
    sink.cause(isCode ? "answer&target=events&code=" + codeOrFault : codeOrFault);
    sink.send(4, 50);
    sink.awaitAvailable(false);
    assertThat(sink.deliveries.accepted()).isEmpty();
    assertThat(sink.deliveries.refused()).isEmpty();

    sink.mend();
    sink.awaitAccepted();
    sink.awaitAvailable(true);
    sink.assertIndexedOnce();
  }

  /**
   * The sink asks twice about the first of the 500 events, because this code may also refuse the
   * whole request.
   */
  @ParameterizedTest
  @CsvSource({"0, 12", "250, 15", "499, 7"})
  void deliver_oneBadEventOf500_isRefusedAloneAndOthersIndexedOnce(int bad, int code)
      throws Exception {
    String text = "<13>delivery-0 message %d of 500".formatted(bad);
    sink = new SinkUnderTest();
    sink.cause("refuse-text&text=%s&code=%s".formatted(URLEncoder.encode(text, UTF_8), code));
    sink.send(1, 500);
    await().until(() -> !sink.deliveries.refused().isEmpty());
    assertThat(sink.deliveries.refused())
        .extracting(DeliveryRequests.Refused::delivery, DeliveryRequests.Refused::message)
        .containsExactly(tuple("delivery-0", bad));
    sink.sent.remove(text);
    await().until(() -> sink.index.size() >= 499);

    assertThat(sink.deliveries.accepted())
        .isEmpty(); // The request is accepted only after the refused message is safe elsewhere.
    sink.deliveries.refused().get(0).kept().run();
    sink.awaitAccepted();
    assertThat(sink.indexed()).isEqualTo(sink.sent);
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "gzip"})
  void deliver_tooLargeRequestOrEvent_isSplitOrRefused(String compression) throws Exception {
    HecSettings small = new HecSettings(TOKEN, false, Set.of(), 3_000);
    sink = new SinkUnderTest(1, small, "compression: " + compression);
    sink.deliver(3, 100);

    sink.send("large", "<13>" + "x".repeat(4_000), "<13>small");
    await().until(() -> !sink.deliveries.refused().isEmpty());
    assertThat(sink.deliveries.refused())
        .extracting(DeliveryRequests.Refused::message)
        .containsExactly(0);
    await().until(() -> sink.indexed().contains("<13>small"));
  }

  @ParameterizedTest
  @CsvSource({
    "accept&code=24, 1",
    "accept&code=25, 1",
    "cut&point=request, 1",
    "cut&point=before-answer, 2",
    "cut&point=answer, 2",
    "hang, 1",
    "hang&taken=true, 2"
  })
  void deliver_answerLost_duplicatesThatRequestOnly(String fault, int copies) throws Exception {
    sink = new SinkUnderTest();
    sink.deliver(4, 100);
    sink.cause(fault + "&times=1");
    sink.send(1, 100);
    sink.awaitAccepted();
    sink.send(4, 100);
    sink.awaitAccepted();

    assertThat(sink.deliveries.refused()).isEmpty();
    assertThat(sink.indexed().elementSet()).isEqualTo(sink.sent.elementSet());
    assertThat(sink.indexed().entrySet())
        .allMatch(
            text ->
                text.getCount() == (text.getElement().startsWith("<13>delivery-4 ") ? copies : 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"hang", "refuse-connections"})
  void deliver_oneOfTwoUrlsDead_losesNothingAndReusesItLater(String fault) throws Exception {
    sink = new SinkUnderTest(2, SETTINGS);
    sink.cause(fault);
    sink.deliver(20, 100);
    assertThat(sink.sink.isAvailable()).isTrue();

    sink.mend();
    await()
        .until(
            () -> {
              sink.send(4, 50);
              sink.awaitAccepted();
              return sink.server().events() > 0;
            });
    sink.assertIndexedOnce();
  }

  @Test
  void withdraw_collectorHangs_returnsAllDeliveries() throws Exception {
    sink = new SinkUnderTest();
    sink.cause("hang");
    sink.send(5, 100);
    sink.awaitAvailable(false);
    sink.sink.withdraw();
    assertThat(sink.deliveries.withdrawn()).hasSize(5).doesNotHaveDuplicates();
    assertThat(sink.deliveries.accepted()).isEmpty();
  }

  private static SinkUnderTest newAcknowledgingSink(String timeout) throws Exception {
    return new SinkUnderTest(
        1,
        new HecSettings(TOKEN, true, Set.of(), HecSettings.MAX_BYTES),
        "acknowledge: true",
        "max-events: 100",
        "ack-timeout: " + timeout);
  }

  @ParameterizedTest
  @ValueSource(strings = {"order=as-taken&millis=300", "order=reversed&millis=20000"})
  void deliver_acknowledgedLateOrInReverse_isAcceptedAfterwardsAndIndexedOnce(String order)
      throws Exception {
    sink = newAcknowledgingSink("1m");
    sink.cause("acks&order=never");
    sink.send(20, 100);
    await().until(() -> sink.index.size() == 2_000);
    assertThat(sink.deliveries.accepted()).isEmpty();

    sink.cause("acks&" + order);
    sink.awaitAccepted();
    sink.assertIndexedOnce();
  }

  @Test
  void deliver_answersAndPollsCut_losesNothing() throws Exception {
    sink = newAcknowledgingSink("1s");
    sink.cause("cut&times=3");
    sink.cause("cut&point=answer&target=acks&times=3");
    sink.send(20, 100);
    sink.awaitAccepted();
    assertThat(sink.deliveries.refused()).isEmpty();
    assertThat(sink.indexed().elementSet()).isEqualTo(sink.sent.elementSet());
  }
}
