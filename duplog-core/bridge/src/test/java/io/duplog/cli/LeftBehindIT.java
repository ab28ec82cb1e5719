package io.duplog.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import io.duplog.bridge.Bridge;
import io.duplog.bridge.BridgeBetweenServers;
import io.duplog.observe.Level;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that messages in queues which the configuration no longer reads are reported with a remedy
 * that delivers them.
 */
class LeftBehindIT extends BridgeBetweenServers {
  private final List<String> declared = new ArrayList<>();

  private void leave(String queue, int batches) throws Exception {
    boolean dead = queue.endsWith(Topology.deadLetterQueue(""));
    Map<String, Object> arguments =
        dead ? Topology.deadLetterArguments() : Topology.queueArguments(Topology.QueueType.CLASSIC);
    streamA.channel().queueDeclare(queue, true, false, false, arguments);
    declared.add(queue);
    for (int i = 0; i < batches; i++) {
      streamA.channel().basicPublish("", queue, null, new byte[] {'x'});
    }
    streamA.channel().waitForConfirmsOrDie(10_000);
  }

  @AfterEach
  void delete() throws IOException {
    for (String queue : declared) {
      streamA.channel().queueDelete(queue);
    }
    streamA.channel().queueDelete("duplog.1");
    streamA.channel().queueDelete("duplog.1.dead-letter");
  }

  private static String twoQueues() {
    return yaml("one", "").replace("name: a,", "name: a, queue-count: 2,");
  }

  private static String told(int status, String yaml, String command, String... arguments)
      throws IOException {
    return Commands.configured(status, yaml, command, arguments).replaceAll("\\s+", " ");
  }

  /** Emptied queues were deleted, so there are gaps. */
  @Test
  void queueCount_loweredByMoreThanOne_isAProblemThatNamesAllLeftQueues() throws Exception {
    leave("duplog.2", 0);
    leave("duplog.3", 2);
    leave("duplog.63", 0);
    leave("duplog.63.dead-letter", 1);

    String problem =
        "PROBLEM 3 batches wait in duplog.3, duplog.63.dead-letter of broker a %s:%d, which this configuration does not read causes: No bridge with this configuration delivers them"
            .formatted(brokerA.host(), brokerA.port());
    assertThat(told(1, twoQueues(), "check"))
        .contains(problem, "change: Set queue-count of a under streams to 64 on every bridge")
        .containsOnlyOnce("which this configuration does not read");
    assertThat(told(1, twoQueues(), "doctor", "--no-canary")).contains(problem);
    assertThat(brokerA.ctl("list_queues", "--quiet", "name")).doesNotContain("duplog.4");
  }

  @Test
  void readOrEmptyQueues_areNoProblem() throws Exception {
    leave("duplog.1", 1);
    leave("duplog.2", 0);

    assertThat(told(0, twoQueues(), "check")).doesNotContain("does not read");
  }

  @Test
  void severalQueuesMergedIntoOne_degradeTheBridge_whileMessagesAreLeft() throws Exception {
    leave("duplog.1", 4);
    Bridge bridge = start("one", "");

    awaitPart(bridge, "stream a", Level.DEGRADED);
    assertThat(bridge.status().health().conditions())
        .filteredOn(part -> part.subject().equals("stream a"))
        .singleElement()
        .asString()
        .contains("4 batches wait in duplog.1 of broker a ", "under streams to 2 on every");
    bridges.remove(bridge);
    bridge.stop(GRACE);
    streamA.channel().queuePurge("duplog.1");
    awaitPart(start("one", ""), "stream a", Level.OK);
  }

  /** A bridge that is configured as the warning says delivers the waiting messages. */
  @Test
  void remedy_emptiesTheQueues() throws Exception {
    leave("duplog.1", 0);
    streamA
        .channel()
        .basicPublish(
            "",
            "duplog.1",
            new AMQP.BasicProperties.Builder().contentType("text/plain").build(),
            new byte[] {'x'});
    start(parsed(twoQueues()));
    await().until(() -> sink.count() == 1);
    await().until(() -> streamA.channel().messageCount("duplog.1") == 0);
  }
}
