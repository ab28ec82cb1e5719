package io.duplog.doctor.rsyslog;

import io.duplog.doctor.Findings;
import io.duplog.doctor.ShimSettings;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** Judges whether rsyslog's inputs change, cut or drop messages before the shim gets them. */
final class InputRules {
  /** Ports on which senders count octets to frame messages: syslog-conn, and syslog over TLS. */
  private static final Set<String> COUNTED_PORTS = Set.of("601", "6514");

  private static final long MESSAGE_BYTES = 8 << 10;

  /** Length in bytes of the longest sender's address with its zone, and of the space after it. */
  private static final int SENDER_BYTES = 48;

  private InputRules() {}

  /** Checks settings that affect all actions. */
  static void judge(RsyslogConfig config, Findings findings) {
    Statement reduction = config.global("repeatedMsgReduction");
    if (reduction != null && reduction.isOn("repeatedMsgReduction", "off")) {
      findings.problem(
          "$RepeatedMsgReduction is on" + reduction.at(),
          "rsyslog replaces repeats with 'message repeated n times', at different times on each node: the"
              + " repeats are lost, and the replacements differ between the nodes",
          "$RepeatedMsgReduction off");
    }
    for (Statement input : config.inputs()) {
      String interval = input.get("ratelimit.interval", "0");
      String name = input.get("type", input.get("load", ""));
      boolean fromSenders = !name.equals("imuxsock") && !name.equals("imjournal");
      if (fromSenders && !interval.equals("0")) {
        findings.problem(
            "%s has rateLimit.interval %s%s".formatted(name, interval, input.at()),
            "messages beyond the limit are silently dropped",
            "rateLimit.interval=\"0\"");
      }
    }
    for (Statement input : config.all("input")) {
      if (List.of("imtcp", "imptcp").contains(input.get("type", ""))) {
        framing(input, findings);
        delimiter(config, input, findings);
      }
    }
    Statement wide = config.global("parser.escape8BitCharactersOnReceive");
    if (wide != null && wide.isOn("parser.escape8BitCharactersOnReceive", "off")) {
      findings.warning(
          "parser.escape8BitCharactersOnReceive is on" + wide.at(),
          "non-ASCII letters arrive as #ooo, even in rawmsg; if the other node differs, such messages"
              + " are delivered twice",
          "leave it off, on every node");
    }
    Statement control = config.global("parser.escapeControlCharactersOnReceive");
    if (control != null) {
      findings.warning(
          "parser.escapeControlCharactersOnReceive is set" + control.at(),
          "it changes even rawmsg; if the other node differs, messages with tabs are delivered twice",
          "set it to the same value on every node");
    }
  }

  private static void framing(Statement input, Findings findings) {
    String name = input.get("type", "");
    String port = input.get("port", "");
    if (!COUNTED_PORTS.contains(port)
        && !input.get("streamDriver.mode", "0").equals("1")
        && input.isOn("supportOctetCountedFraming", "on")) {
      findings.warning(
          "%s on port %s reads digits at a line's start as a length%s"
              .formatted(name, port, input.at()),
          "a line that begins with digits, from a sender that does not count octets, swallows the"
              + " messages after it; by UDP it stays intact",
          "supportOctetCountedFraming=\"off\", and port 601 for senders that count octets");
    }
  }

  /** Checks whether NUL ends a message, which the input, its module or the old style may say. */
  private static void delimiter(RsyslogConfig config, Statement input, Findings findings) {
    String name = input.get("type", "");
    Statement old = config.global("inputTCPServerAddtlFrameDelimiter");
    String general =
        Stream.concat(
                config.all("module").stream()
                    .filter(module -> module.get("load", "").equals(name))
                    .map(module -> module.get("addtlFrameDelimiter")),
                Stream.ofNullable(name.equals("imtcp") ? old : null)
                    .map(each -> each.get("inputTCPServerAddtlFrameDelimiter")))
            .filter(Objects::nonNull)
            .findFirst()
            .orElse("-1");
    if (!input.get("addtlFrameDelimiter", general).equals("0")) {
      findings.warning(
          "%s on port %s does not treat NUL as the end of a message%s"
              .formatted(name, input.get("port", ""), input.at()),
          "messages that end with NUL are joined: each node splits them at different places, and delivers"
              + " them as one",
          "addtlFrameDelimiter=\"0\"");
    }
  }

  /** Checks whether rsyslog or the shim cuts long messages. */
  static void messageSize(ShimAction action, Findings findings) {
    Statement global = action.config().global("maxMessageSize");
    String said = global == null ? null : global.get("maxMessageSize");
    long size = ShimAction.bytes(said, MESSAGE_BYTES);
    ShimSettings shim = action.shim();
    if (shim != null && shim.omprog().maxMessage().bytes() < size + SENDER_BYTES) {
      findings.problem(
          "maxMessageSize is %d bytes, but the shim cuts lines at %s%s"
              .formatted(size, shim.omprog().maxMessage(), global == null ? "" : global.at()),
          "long messages are truncated",
          "set omprog.max-message to at least maxMessageSize plus " + SENDER_BYTES + " bytes");
    } else if (said == null) {
      findings.warning(
          "maxMessageSize is not set, and 8 KiB is rsyslog's default",
          "longer messages are cut or split; if the other node has a different value, their copies"
              + " differ and are delivered twice",
          "global(maxMessageSize=\"64k\") before all modules, the same on every node");
    } else {
      findings.ok("maxMessageSize is " + said + "; it must be the same on every node");
    }
  }

  /** Checks whether any input leads to the action. */
  static void reach(ShimAction action, Findings findings) {
    RsyslogConfig config = action.config();
    Statement ruleset = config.rulesetOf(action.action());
    if (ruleset == null) {
      return; // inputs without a ruleset of their own lead to the default one
    }
    String name = ruleset.get("name", "");
    boolean reached =
        Stream.of(
                config.inputs().stream()
                    .filter(input -> !input.get("load", "").equalsIgnoreCase("immark"))
                    .map(input -> input.get("ruleset", "")),
                config.inputs().stream().map(module -> module.get("defaultruleset", "")),
                config.all("global").stream().map(global -> global.get("defaultruleset", "")),
                config.all("call").stream().map(call -> call.get("name", "")))
            .flatMap(names -> names)
            .anyMatch(name::equals);
    if (!reached) {
      findings.problem(
          "no input has ruleset \"" + name + "\", which contains the action" + action.at(),
          "this node's stream stays empty",
          "ruleset=\"" + name + "\" on the inputs that senders use");
    }
  }
}
