package io.duplog.doctor.rsyslog;

import io.duplog.doctor.Findings;

/** What changes or drops messages before any action sees them. */
final class InputRule {
  private InputRule() {}

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
