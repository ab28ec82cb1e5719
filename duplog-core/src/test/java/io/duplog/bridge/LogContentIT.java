package io.duplog.bridge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import com.rabbitmq.client.AMQP;
import io.duplog.parts.Redis;
import io.duplog.wire.Envelope;
import io.duplog.wire.Heartbeat;
import io.duplog.wire.Topology;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What is logged is read by more people than the messages are. */
class LogContentIT extends BridgeBetweenServers {
  private static final String CONTENT = "content-7c1d9b";
  private static final String SECRET = "secret-2f60ea";

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  @BeforeEach
  void listen() {
    log.setContext(root.getLoggerContext());
    log.start();
    root.addAppender(log);
  }

  @AfterEach
  void stopListening() {
    root.detachAppender(log);
  }

  @Test
  void wholeRun_withAllThatGoesWrong_logsNeitherSecretsNorContent() throws Exception {
    Bridge one = start("one", "limits: {max-message: 1KiB}");
    publish(CONTENT + " fine");
    AMQP.BasicProperties batch =
        new AMQP.BasicProperties.Builder()
            .contentType(Envelope.CONTENT_TYPE)
            .messageId("bad-1")
            .build();
    streamA.publish(batch, CONTENT.getBytes(UTF_8));
    streamA.publish(batch.builder().messageId(CONTENT + " €").build(), CONTENT.getBytes(UTF_8));
    streamA.publish(new AMQP.BasicProperties(), (CONTENT + "x".repeat(2000)).getBytes(UTF_8));
    streamA.publish(
        batch.builder().contentType(Heartbeat.CONTENT_TYPE).build(), CONTENT.getBytes(UTF_8));
    awaitSettled();
    sink.refuse();
    streamA.publish(CONTENT + " refused");
    await().until(() -> sink.waiting() == 1);
    sink.refuseForGood("code 12");
    String deadLetters = Topology.deadLetterQueue(Topology.DEFAULT_QUEUE);
    await().until(() -> brokerA.depth(deadLetters) == 4);
    // Not before: it has another limit for messages, and might have had the long one.
    Bridge refused = startWith("two", Redis.PASSWORD, SECRET);
    await().until(() -> lines().stream().anyMatch(line -> line.contains("Redis")));
    one.stop(GRACE);
    refused.stop(GRACE);

    assertThat(lines())
        .hasSizeGreaterThan(5)
        .noneMatch(line -> line.contains(CONTENT))
        .noneMatch(line -> line.contains(SECRET));
  }

  @Test
  void redisAndABrokerThatGoAndComeBack_areOneLineEach_andOneMore_andNothingIsLost()
      throws Exception {
    start("one", "");
    streamA.publish("before");
    awaitSettled();
    redis.kill();
    brokerB.stop();
    for (int i = 0; i < 50; i++) {
      streamA.publish("while away " + i);
      awaitDepth();
    }
    redis.start();
    brokerB.start();
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              streamA.publish("back");
              return told("is well again").size() == 2;
            });
    awaitDepth();

    assertThat(sink.counts()).hasSize(52);
    assertThat(told("Redis"))
        .satisfiesExactlyInAnyOrder(
            line ->
                assertThat(line)
                    .contains("unavailable (")
                    .contains("pass through undeduplicated, up to twice the volume, asking again"),
            line ->
                assertThat(line)
                    .matches("Redis .* is well again .*: \\d+ messages went on without it"));
    assertThat(told("broker|queue"))
        .satisfiesExactlyInAnyOrder(
            line -> assertThat(line).contains("trying again every"),
            line -> assertThat(line).contains("is well again"));
  }

  @Test
  void reopening_isToldWithWhatIsOpenedAgain() throws Exception {
    start("one", "").reopenSink();

    assertThat(told("SIGHUP"))
        .containsExactly("SIGHUP: nothing to open again, the sink writes no file");
  }

  private void awaitDepth() {
    await().atMost(PATIENCE).until(() -> brokerA.depth(Topology.DEFAULT_QUEUE) == 0);
  }

  /** What an operator reads about it. */
  private List<String> told(String pattern) {
    Pattern about = Pattern.compile(pattern);
    return List.copyOf(log.list).stream()
        .filter(event -> event.getLevel().isGreaterOrEqual(Level.INFO))
        .map(ILoggingEvent::getFormattedMessage)
        .filter(line -> about.matcher(line).find())
        .toList();
  }

  private List<String> lines() {
    return List.copyOf(log.list).stream()
        .map(
            event ->
                event.getFormattedMessage()
                    + (event.getThrowableProxy() == null
                        ? ""
                        : ThrowableProxyUtil.asString(event.getThrowableProxy())))
        .toList();
  }
}
