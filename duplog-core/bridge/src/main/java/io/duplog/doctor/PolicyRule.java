package io.duplog.doctor;

import io.duplog.receive.QueueSettings;
import io.duplog.wire.Topology;
import java.util.List;
import java.util.Map;

/**
 * Judges the limits that RabbitMQ's policies set for a queue, such as its maximum length.
 *
 * @param major major version of the broker
 */
record PolicyRule(QueueSettings settings, int major) {
  private static final String SET_POLICY =
      "rabbitmqctl set_policy -p %s --priority %s --apply-to queues %s '%s'"
          + " '{\"max-length-bytes\":10737418240,\"overflow\":\"reject-publish\"%s}'";

  private boolean isQuorum() {
    return settings.queueType() == Topology.QueueType.QUORUM;
  }

  /**
   * Whether the queue drops a message after 20 deliveries, as quorum queues do since RabbitMQ 4.0.
   */
  private boolean limitsDeliveries() {
    return isQuorum() && major >= 4;
  }

  private String remedy() {
    return SET_POLICY.formatted(
        settings.login().virtualHost(),
        isQuorum() ? "2" : "0",
        isQuorum() ? "duplog-quorum" : "duplog",
        Topology.queuesPattern(settings.queue()),
        isQuorum() ? ",\"delivery-limit\":1000000" : "");
  }

  void reportUnknown(Findings findings) {
    findings.notChecked(
        "the policies (the queue's length limit"
            + (isQuorum() ? ", its delivery limit" : "")
            + ", any expiry of messages) are not visible by AMQP",
        "run 'rabbitmqctl list_policies -p %s' on the node: a policy must have max-length or max-length-bytes%s, and no policy may have message-ttl or expires; or give --management"
            .formatted(settings.login().virtualHost(), isQuorum() ? " and delivery-limit" : ""));
  }

  void judge(Management.Queue queue, Findings findings) {
    Map<String, String> limits = queue.limits();
    String by = queue.policy().isEmpty() ? "" : " (policy " + queue.policy() + ")";
    for (String expiry : List.of("message-ttl", "expires")) {
      if (limits.containsKey(expiry)) {
        findings.problem(
            "the queue has " + expiry + " " + limits.get(expiry) + by,
            expiry.equals("expires")
                ? "RabbitMQ deletes the queue with all its messages when no bridge reads it"
                : "RabbitMQ silently drops messages that bridges have not read in time",
            "remove it from the policy");
      }
    }
    String overflow = limits.getOrDefault("overflow", "drop-head");
    if (!overflow.equals("reject-publish")) {
      findings.problem(
          "the queue's overflow is " + overflow + by,
          "when it is full, RabbitMQ silently drops messages that it had confirmed",
          "set overflow reject-publish: drain and delete the queue, and the shim declares it so");
    }
    if (limits.containsKey("max-length") || limits.containsKey("max-length-bytes")) {
      findings.ok("the queue has a length limit" + by);
    } else {
      findings.warning(
          "the queue has no length limit" + by,
          "while no bridge reads it, it grows until RabbitMQ's disk alarm stops every publisher of"
              + " the broker, or until the disk is full",
          remedy());
    }
    judgeDeliveryLimit(limits, by, findings);
  }

  private void judgeDeliveryLimit(Map<String, String> limits, String by, Findings findings) {
    if (!isQuorum()) {
      return;
    }
    String limit = limits.get("delivery-limit");
    if (limit == null && !limitsDeliveries()) {
      findings.ok("the quorum queue has no delivery limit");
    } else if (limit == null) {
      findings.problem(
          "the quorum queue has RabbitMQ 4's default delivery limit of 20" + by,
          "a batch that bridges returned 20 times, because the sink was unavailable, is dropped",
          remedy());
    } else if (!limitsDeliveries() && limit.startsWith("-")) {
      findings.problem(
          "the quorum queue's delivery limit is " + limit + by,
          "RabbitMQ before 4.0 treats a negative limit as 0: a batch that is returned is dropped",
          remedy());
    } else if (limit.matches("\\d{1,3}")) {
      findings.problem(
          "the quorum queue's delivery limit is " + limit + by,
          "a batch that bridges returned so often, because the sink was unavailable, is dropped",
          remedy());
    } else {
      findings.ok("the quorum queue's delivery limit is " + limit + by);
    }
  }
}
