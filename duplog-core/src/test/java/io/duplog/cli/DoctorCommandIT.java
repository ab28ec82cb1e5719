package io.duplog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.bridge.BridgeBetweenServers;
import io.duplog.parts.RabbitMq;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the doctor sees of real brokers and a real Redis. */
class DoctorCommandIT extends BridgeBetweenServers {
  @Test
  void healthy_hasNoProblem_andCanaryArrivesOnce() throws Exception {
    start("one", "");
    start("two", "");
    awaitConsumers(2);

    String said = doctor(0, "--canary");

    // How long Redis takes is this machine's affair; nothing else is to be said of a healthy one.
    int slow = said.contains("  WARNING      a round trip takes ") ? 1 : 0;
    assertThat(said)
        .contains("2 bridges read the queue", "the dead-letter queue is there, and empty")
        .contains("each stream has a queue of its own", "bridges at Redis " + redis.host())
        .contains("maxmemory-policy is volatile-ttl", "it doesn't show its configuration")
        .contains("canary by a queue of its own: confirmed after")
        .contains("a: judged by a bridge after", "b: judged by a bridge after")
        .contains("the clock of Redis is within 3 s")
        .contains("a round trip takes ")
        .contains("problems=0 warnings=" + slow + " ");
    assertThat(sink.count()).isEqualTo(1);
    assertThat(sink.counts().keySet()).singleElement().asString().contains("duplog canary ");
  }

  @Test
  void withoutCanary_brokersAndSinkAreUntouched() throws Exception {
    start("one", "");
    awaitConsumers(1);

    String said = doctor(0, "--no-canary");

    assertThat(said).contains("only one bridge reads the queue").doesNotContain("canary");
    assertThat(doctor(1, "--strict", "--no-canary", "--rate", "1000000"))
        .contains("1000000 messages/s over 600 s with one stream dead take 105286");
    assertThat(sink.count()).isZero();
  }

  @Test
  void queueThatIsMissing_isSaid_andNotDeclared_andOneThatDropsItsOldestIsAProblem()
      throws Exception {
    streamA.channel().queueDelete(Topology.DEFAULT_QUEUE);
    assertThat(doctor(1)).contains("there is no queue duplog");
    assertThat(brokerA.ctl("list_queues", "name")).doesNotContain(Topology.DEFAULT_QUEUE + "\n");
    streamA
        .channel()
        .queueDeclare(
            Topology.DEFAULT_QUEUE, true, false, false, Map.of("x-queue-type", "classic"));

    assertThat(doctor(1))
        .contains("the queue has other arguments")
        .contains("x-overflow")
        .contains("no bridge reads the queue");
  }

  @Test
  void refusedMessages_thatWaitForRoom_areNamed() throws Exception {
    String waiting = Topology.waitingLettersQueue(Topology.DEFAULT_QUEUE);
    streamB.channel().queueDeclare(waiting, true, false, false, Topology.deadLetterArguments());
    assertThat(doctor(1)).doesNotContain(waiting);
    streamB.channel().basicPublish("", waiting, null, new byte[] {'x'});
    streamB.channel().waitForConfirmsOrDie(10_000);

    assertThat(doctor(1).replaceAll("\\s+", " "))
        .containsOnlyOnce("WARNING 1 refused messages wait in " + waiting)
        .contains("a bridge moves them by itself when there is room")
        .contains("purge the dead-letter queue on every node (rabbitmqctl purge_queue)");
  }

  @Test
  void redisThatIsAway_isAProblem() throws Exception {
    redis.pause();
    try {
      assertThat(doctor(1)).contains(" unavailable (", "passes through undeduplicated");
    } finally {
      redis.unpause();
    }
  }

  @Test
  void brokerWithAnAlarm_takesNoCanary() throws Exception {
    start("one", "");
    awaitConsumers(1);
    brokerA.raiseAlarm();
    try {
      assertThat(doctor(1)).contains("takes nothing from publishers");
    } finally {
      brokerA.clearAlarm();
    }
  }

  @Test
  void wrongPassword_isAProblem() throws Exception {
    String wrong = yaml("doctor", "").replaceFirst(RabbitMq.BRIDGE_PASSWORD, "wrong");

    assertThat(Commands.configured(1, wrong, "doctor")).contains("refused user 'duplog-bridge'");
  }

  @Test
  void nothingToLookAt_isSaid() {
    assertThat(Commands.run(2, null, "doctor").err()).contains("give --config");
  }

  private void awaitConsumers(int wanted) {
    awaitReaders(streamA, wanted);
    awaitReaders(streamB, wanted);
  }

  private static String doctor(int status, String... arguments) throws IOException {
    return Commands.configured(status, yaml("doctor", ""), "doctor", arguments);
  }
}
