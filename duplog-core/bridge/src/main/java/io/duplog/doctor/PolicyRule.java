package io.duplog.doctor;

import io.duplog.receive.QueueSettings;
import io.duplog.wire.Topology;
import java.util.List;
import java.util.Map;

/**
 * Judges the settings of a queue that only policies show.
 *
 * @param major first number of the broker's version
 */
record PolicyRule(QueueSettings settings, int major) {
  private static final String LIMIT =
      "rabbitmqctl set_policy -p %s --priority %s --apply-to queues %s '%s'"
          + " '{\"max-length-bytes\":10737418240,\"overflow\":\"reject-publish\"%s}'";

  private boolean quorum() {
    return settings.queueType() == Topology.QueueType.QUORUM;
  }

  /**
   * Whether the queue drops a message after 20 deliveries, as quorum queues do since RabbitMQ 4.0.
   */
  private boolean limitsDeliveries() {
    return quorum() && major >= 4;
  }

  private String remedy() {
    return LIMIT.formatted(
        settings.login().virtualHost(),
        quorum() ? "2" : "0",
        quorum() ? "duplog-quorum" : "duplog",
        Topology.queuesPattern(settings.queue()),
        quorum() ? ",\"delivery-limit\":1000000" : "");
  }

  void isUnknown(Findings findings) {
    findings.notChecked(
        "policies (the queue's length limit"
            + (quorum() ? ", its delivery limit" : "")
            + ", anything that expires messages) are not shown by AMQP",
        "'rabbitmqctl list_policies -p %s' on the node: one with max-length or max-length-bytes%s, none with message-ttl or expires; or give --management"
            .formatted(settings.login().virtualHost(), quorum() ? " and delivery-limit" : ""));
  }

  void judge(Management.Queue queue, Findings findings) {
    Map<String, String> limits = queue.limits();
    String by = queue.policy().isEmpty() ? "" : " (policy " + queue.policy() + ")";
    for (String expiry : List.of("message-ttl", "expires")) {
      if (limits.containsKey(expiry)) {
        findings.problem(
            "the queue has " + expiry + " " + limits.get(expiry) + by,
            expiry.equals("expires")
                ? "RabbitMQ deletes the queue, with all that is in it, when no bridge reads it"
                : "RabbitMQ drops messages in silence that bridges have not taken in time",
            "a policy without it");
      }
    }
    String overflow = limits.getOrDefault("overflow", "drop-head");
    if (!overflow.equals("reject-publish")) {
      findings.problem(
          "the queue's overflow is " + overflow + by,
          "when it is full RabbitMQ drops messages in silence that it had confirmed",
          "overflow reject-publish; drain and delete the queue, and the shim declares it so");
    }
    if (limits.containsKey("max-length") || limits.containsKey("max-length-bytes")) {
      findings.ok("the queue has a length limit" + by);
    } else {
      findings.warning(
          "the queue has no length limit" + by,
          "while no bridge reads it grows until RabbitMQ's disk alarm stops every publisher of the"
              + " broker, or until the disk is full",
          remedy());
    }
    deliveries(limits, by, findings);
  }

  private void deliveries(Map<String, String> limits, String by, Findings findings) {
    if (!quorum()) {
      return;
    }
    String limit = limits.get("delivery-limit");
    if (limit == null && !limitsDeliveries()) {
      findings.ok("the quorum queue has no delivery limit");
    } else if (limit == null) {
      findings.problem(
          "the quorum queue has RabbitMQ 4's default delivery limit of 20" + by,
          "a batch that bridges gave back 20 times, because the sink was away, is dropped",
          remedy());
    } else if (!limitsDeliveries() && limit.startsWith("-")) {
      findings.problem(
          "the quorum queue's delivery limit is " + limit + by,
          "RabbitMQ before 4.0 takes what is below 0 for 0: a batch that is given back is dropped",
          remedy());
    } else if (limit.matches("\\d{1,3}")) {
      findings.problem(
          "the quorum queue's delivery limit is " + limit + by,
          "a batch that bridges gave back so often, because the sink was away, is dropped",
          remedy());
    } else {
      findings.ok("the quorum queue's delivery limit is " + limit + by);
    }
  }
}
