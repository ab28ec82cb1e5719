package io.duplog.benchmark.fault;

import io.duplog.rig.LabException;
import io.duplog.rig.RabbitMqProcess;
import java.time.Duration;
import java.util.List;

/** A broker that runs, and refuses. */
final class BrokerFaults {
  private static final int ALARM_SECONDS = 10;

  /** Less than the bridges' lease, so that nobody takes them for dead. */
  private static final Duration FULL = Duration.ofSeconds(6);

  private static final int LENGTH_LIMIT = 20;

  /** In bytes. */
  private static final String NO_DISK_HAS = "900000000000000";

  /** Acknowledges in each client's name what was never delivered: a channel error by AMQP. */
  private static final String CLOSE_CHANNELS =
      "[rabbit_channel:do(C, {'basic.ack', 999999999999, false}) || C <-"
          + " rabbit_channel:list_local()].";

  private BrokerFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.of(
            "broker-memory",
            "memory alarm of one broker for " + ALARM_SECONDS + " s",
            scene -> {
              RabbitMqProcess broker = scene.node().broker();
              broker.control("set_vm_memory_high_watermark", "absolute", "1");
              scene.hold(ALARM_SECONDS);
              broker.control("set_vm_memory_high_watermark", "absolute", "600MiB");
            }),
        Fault.of(
            "broker-disk",
            "disk alarm of one broker for " + ALARM_SECONDS + " s",
            scene -> {
              RabbitMqProcess broker = scene.node().broker();
              broker.control("set_disk_free_limit", NO_DISK_HAS);
              scene.hold(ALARM_SECONDS);
              broker.control("set_disk_free_limit", "50MB");
            }),
        Fault.of(
                "broker-queue-full",
                "one queue at a length limit of %d, while both bridges stand still for %d s"
                    .formatted(LENGTH_LIMIT, FULL.toSeconds()),
                BrokerFaults::queueFull)
            .pausingAtMost(FULL.plus(Fault.SERVER_LOST)),
        Fault.of(
                "broker-queue-deleted",
                "one queue deleted with all that it holds, three times",
                scene -> scene.repeat(3, 2, again -> again.node().queue().delete()))
            .strikingTheNode(),
        Fault.of(
            "broker-closes-channels",
            "one broker closes all its channels and leaves the connections, twice",
            scene ->
                scene.repeat(2, 2, again -> again.node().broker().control("eval", CLOSE_CHANNELS))),
        Fault.of(
            "broker-closes",
            "one broker closes all its connections, twice",
            scene ->
                scene.repeat(
                    2,
                    2,
                    again -> again.node().broker().control("close_all_connections", "chaos"))));
  }

  private static void queueFull(Scene scene) throws LabException, InterruptedException {
    RabbitMqProcess broker = scene.node().broker();
    broker.control(
        "set_policy",
        "chaos",
        ".*",
        "{\"max-length\":%d,\"overflow\":\"reject-publish\"}".formatted(LENGTH_LIMIT),
        "--apply-to",
        "queues");
    scene.freeze(scene.bridges(), FULL);
    scene.hold(3);
    broker.control("clear_policy", "chaos");
  }
}
