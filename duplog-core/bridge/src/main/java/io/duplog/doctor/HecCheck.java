package io.duplog.doctor;

import io.duplog.deliver.SinkException;
import io.duplog.deliver.hec.HecProbe;
import io.duplog.deliver.hec.HecSinkConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * Checks whether Splunk would accept the bridge's events: URLs, token, indexes and acknowledgement.
 *
 * @param name the sink's name and a space, or nothing if it is the only sink
 * @param canary whether to send one event to each index
 * @param id text in those events, by which to find them
 */
public record HecCheck(
    String name, HecSinkConfig config, boolean canary, String id, ClockCheck clocks)
    implements Check {
  private static final Duration ACK_PATIENCE = Duration.ofSeconds(60);

  @Override
  public String subject() {
    return "sink " + name + "hec";
  }

  @Override
  public void examine(Findings findings) {
    try {
      examine(HecProbe.of(config), findings);
    } catch (SinkException e) {
      findings.problem(
          String.valueOf(e.getMessage()),
          "the bridge does not start, and messages wait in the brokers",
          "correct what this line names: a file, a key under sink.hec, or the environment");
    }
  }

  private void examine(HecProbe probe, Findings findings) {
    for (String url : probe.urls()) {
      HecProbe.Look look = probe.look(url);
      String clock = "Splunk, " + url;
      Instant date = look.date();
      clocks.expect(clock);
      if (date != null) {
        clocks.record(clock, Duration.between(Instant.now(), date));
      }
      if (look.trouble() != null) {
        findings.problem(
            probe.named(url) + " " + look.trouble(),
            "nothing is delivered there; if it is the only URL, messages wait in the brokers",
            look.remedy().isEmpty()
                ? "check Splunk's splunkd.log, and the network path to it"
                : look.remedy());
      } else {
        findings.ok(
            "%s accepts the token%s, and answers in %s"
                .formatted(
                    probe.named(url),
                    probe.acknowledges() ? " and gives acknowledgements" : "",
                    Times.millis(look.took())));
        indexes(probe, url, findings);
      }
    }
    if (!probe.acknowledges()) {
      findings.warning(
          "sink.hec.acknowledge is off",
          "a message counts as delivered when Splunk has received it; it is lost if the indexer dies"
              + " before writing it",
          "enable indexer acknowledgement for the token, and set sink.hec.acknowledge: true; if Splunk"
              + " does not offer it, compare delivered with indexed messages");
    }
  }

  private void indexes(HecProbe probe, String url, Findings findings) {
    Set<String> indexes = probe.indexes();
    if (!canary) {
      findings.notChecked(
          "whether the token may write to " + named(indexes) + ": only an event can show this",
          "run duplog doctor --canary, which sends one event to each, with sourcetype "
              + HecProbe.CANARY_SOURCETYPE);
      return;
    }
    for (String index : indexes) {
      HecProbe.Canary sent = probe.canary(url, index, "duplog canary " + id, ACK_PATIENCE);
      String what = "canary into " + named(Set.of(index)) + " by " + probe.named(url);
      if (sent.trouble() != null) {
        findings.problem(
            what + ": it " + sent.trouble(),
            "events for that index go to sink.hec.fallback-index, or to the dead-letter queue",
            sent.remedy().isEmpty() ? "check Splunk's splunkd.log" : sent.remedy());
      } else if (sent.acknowledged() != null) {
        findings.ok(
            "%s: received after %s, acknowledged by the indexer after %s"
                .formatted(what, Times.millis(sent.received()), Times.millis(sent.acknowledged())));
      } else if (probe.acknowledges()) {
        findings.problem(
            what + ": received, but not acknowledged within " + ACK_PATIENCE.toSeconds() + " s",
            "every event is sent again and again after each ack-timeout, which causes endless duplicates",
            "configure the load balancer for sticky sessions by cookie; or check the indexers' queues");
      } else {
        findings.ok("%s: received after %s".formatted(what, Times.millis(sent.received())));
      }
    }
  }

  private static String named(Set<String> indexes) {
    String names = String.join(", ", indexes).replaceFirst("^(?=,|$)", "the token's own index");
    return indexes.size() == 1 && !indexes.contains("") ? "index " + names : names;
  }
}
