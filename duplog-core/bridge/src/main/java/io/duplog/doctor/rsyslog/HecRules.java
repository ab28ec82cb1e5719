package io.duplog.doctor.rsyslog;

import com.google.common.base.Splitter;
import io.duplog.doctor.Findings;
import java.util.ArrayList;
import java.util.List;

/**
 * Judges whether rsyslog's omhttp sends events to a shim so that none is lost and none arrives
 * twice.
 *
 * @see "docs/hec-clients.md#rsyslog"
 */
final class HecRules {
  /** The shim's answers to a wrong token, a wrong path and a large body. */
  private static final List<String> REFUSALS = List.of("401", "403", "404", "413");

  /** Defaults of omhttp and of an action's queue. */
  private static final long MAX_SIZE = 100;

  private static final long MAX_BYTES = 10_485_760;
  private static final long TRANSACTION = 128;

  /** Default of hec.max-body in the shim's file. */
  private static final long MAX_BODY = 8 << 20;

  private HecRules() {}

  /** Whether an action sends to an HTTP Event Collector. */
  static boolean isHec(Statement action) {
    return action.get("type", "").equals("omhttp")
        && (action.get("profile", "").startsWith("hec:splunk")
            || action.get("restpath", "").contains("services/collector"));
  }

  static void judge(ShimAction action, Findings findings) {
    refusals(action, findings);
    host(action, findings);
    requests(action, findings);
  }

  private static void refusals(ShimAction action, Findings findings) {
    List<String> missing = new ArrayList<>(REFUSALS);
    missing.removeAll(Splitter.on(',').splitToList(action.action().get("httpretrycodes", "")));
    if (missing.isEmpty()) {
      findings.ok("httpretrycodes has the shim's refusals");
      return;
    }
    findings.problem(
        "httpretrycodes lacks " + String.join(", ", missing) + action.at(),
        "while the token or the path is wrong, or a request is too large, rsyslog discards the messages",
        "httpretrycodes=[\"401\",\"403\",\"404\",\"408\",\"413\"]");
  }

  private static void host(ShimAction action, Findings findings) {
    String name = action.text("template");
    Statement template = name == null ? null : action.config().template(name);
    boolean hasHost =
        template != null
            && (template.toString().contains("fromhost-ip")
                || template.toString().contains("hostname"));
    if (hasHost) {
      findings.ok("the events have the sender as host");
      return;
    }
    findings.problem(
        name == null
            ? "the action has no template, so its events have no host" + action.at()
            : "template '" + name + "' has no fromhost-ip" + action.at(),
        "Duplog can't distinguish equal messages of different senders: they may be delivered once",
        "a template with \"host\" from fromhost-ip, as in deploy/hec-clients/rsyslog.conf");
  }

  /** Checks whether a transaction is one request, which the shim accepts. */
  private static void requests(ShimAction action, Findings findings) {
    long transaction = action.number("queue.dequeueBatchSize", TRANSACTION);
    long messages = action.number("batch.maxsize", MAX_SIZE);
    long bytes = ShimAction.bytes(action.text("batch.maxbytes"), MAX_BYTES);
    if (bytes > MAX_BODY) {
      findings.warning(
          "batch.maxbytes is %d, but the shim's hec.max-body is %d by default%s"
              .formatted(bytes, MAX_BODY, action.at()),
          "the shim refuses a larger request with 413, and rsyslog repeats it forever",
          "batch.maxbytes=\"8000000\"");
    }
    if (transaction > messages) {
      findings.problem(
          "queue.dequeueBatchSize is %d, but batch.maxsize is %d%s"
              .formatted(transaction, messages, action.at()),
          "a transaction is several requests. If one of them fails, rsyslog loses messages and sends"
              + " others twice (3 and 50 of 200 with rsyslog 8.2610)",
          "batch.maxsize=\"%d\"".formatted(transaction));
    } else if (bytes <= MAX_BODY) {
      findings.ok("a transaction is one request, which the shim accepts");
    }
  }
}
