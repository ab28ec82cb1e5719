package io.duplog.doctor.rsyslog;

import io.duplog.doctor.Findings;
import java.util.Set;

/** What changes or drops messages before any action sees them. */
final class InputRule {
  /** Where senders count octets: syslog-conn, and syslog by TLS. */
  private static final Set<String> COUNTED_PORTS = Set.of("601", "6514");

  private InputRule() {}

  private static void framing(Statement input, Findings findings) {
    String name = input.get("type", "");
    String port = input.get("port", "");
    if ((name.equals("imtcp") || name.equals("imptcp"))
        && !COUNTED_PORTS.contains(port)
        && !input.get("streamDriver.mode", "0").equals("1")
        && ShimAction.isOn(input.get("supportOctetCountedFraming", "on"))) {
      findings.warning(
          "%s on port %s takes digits at a line's start for a length (%s)"
              .formatted(name, port, input.place()),
          "a line of a sender that does not count octets, and begins with digits, swallows messages"
              + " behind it; the same by UDP stays whole",
          "supportOctetCountedFraming=\"off\", and port 601 for senders that count octets");
    }
  }

  static void judge(RsyslogConfig config, Findings findings) {
    Statement reduction = config.global("repeatedMsgReduction");
    if (reduction != null && ShimAction.isOn(reduction.get("repeatedMsgReduction", "off"))) {
      findings.problem(
          "$RepeatedMsgReduction is on (" + reduction.place() + ")",
          "rsyslog replaces repeats by 'message repeated n times', each node at other moments: they"
              + " are lost as messages, and the replacements differ between the nodes",
          "$RepeatedMsgReduction off");
    }
    for (Statement input : config.inputs()) {
      String interval = input.get("ratelimit.interval");
      String name = input.get("type", input.get("load", ""));
      boolean fromSenders = !name.equals("imuxsock") && !name.equals("imjournal");
      if (fromSenders && interval != null && !interval.equals("0")) {
        findings.problem(
            "%s has rateLimit.interval %s (%s)".formatted(name, interval, input.place()),
            "messages beyond the limit are dropped, without a trace in the stream",
            "rateLimit.interval=\"0\"");
      }
    }
    config.all("input").forEach(input -> framing(input, findings));
    Statement wide = config.global("parser.escape8BitCharactersOnReceive");
    if (wide != null && ShimAction.isOn(wide.get("parser.escape8BitCharactersOnReceive", "off"))) {
      findings.warning(
          "parser.escape8BitCharactersOnReceive is on (" + wide.place() + ")",
          "letters beyond ASCII arrive as #ooo, in rawmsg too; where the other node differs, such"
              + " messages are delivered twice",
          "leave it off, on every node");
    }
    Statement control = config.global("parser.escapeControlCharactersOnReceive");
    if (control != null) {
      findings.warning(
          "parser.escapeControlCharactersOnReceive is set (" + control.place() + ")",
          "it changes rawmsg too; where the other node differs, messages with tabs are delivered"
              + " twice",
          "the same on every node");
    }
  }
}
