package io.duplog.bridge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What is logged is read by more people than the messages are. */
class LogContentIT extends BridgeBetweenServers {
  private static final String CONTENT = "content-7c1d9b";
  private static final String SECRET = "secret-2f60ea";

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
    streamA.publish(CONTENT + " fine");
    streamB.publish(CONTENT + " fine");
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
    await().atMost(Duration.ofSeconds(30)).until(() -> brokerA.depth(deadLetters) == 4);
    // Not before: it has another limit for messages, and might have had the long one.
    Bridge refused = startWith("two", Redis.PASSWORD, SECRET);
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> lines().stream().anyMatch(line -> line.contains("Redis")));
    one.stop(GRACE);
    refused.stop(GRACE);

    assertThat(lines())
        .hasSizeGreaterThan(5)
        .noneMatch(line -> line.contains(CONTENT))
        .noneMatch(line -> line.contains(SECRET));
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
