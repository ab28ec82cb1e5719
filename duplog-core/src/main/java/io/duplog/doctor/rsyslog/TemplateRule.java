package io.duplog.doctor.rsyslog;

import io.duplog.doctor.Findings;
import io.duplog.doctor.ShimSettings;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether the two nodes make the same line of the same message, byte for byte. */
final class TemplateRule implements ActionRule {
  private static final String REMEDY =
      "template(name=\"duplog\" type=\"string\" string=\"%fromhost-ip:F,37:1%"
          + " %rawmsg%\\n\") and"
          + " template=\"duplog\" in the action, on every node";

  private static final String DIFFERS =
      "every message differs between the nodes: nothing is recognised as a duplicate, and all of it"
          + " is delivered twice";

  /** Of the receiver: its clock, its name, its sockets, its chance. */
  private static final Set<String> RECEIVERS =
      Set.of(
          "timegenerated",
          "inputname",
          "fromhost-port",
          "myhostname",
          "$myhostname",
          "uuid",
          "$uptime",
          "$bom",
          "jsonmesg",
          "$!all-json",
          "$!all-json-plain");

  private static final Set<String> CLOCK =
      Set.of(
          "$now",
          "$year",
          "$month",
          "$day",
          "$wday",
          "$hour",
          "$hhour",
          "$qhour",
          "$minute",
          "$now-utc",
          "$year-utc",
          "$month-utc",
          "$day-utc",
          "$hour-utc",
          "$minute-utc",
          "$now-unixtimestamp");

  /** Filled in by the receiver where the sender left them out, or taken apart by its parsers. */
  private static final Set<String> PARSED =
      Set.of(
          "msg",
          "hostname",
          "source",
          "fromhost",
          "timereported",
          "timestamp",
          "syslogtag",
          "programname",
          "app-name",
          "procid",
          "msgid",
          "structured-data",
          "rawmsg-after-pri",
          "protocol-version");

  @Override
  public void judge(ShimAction action, Findings findings) {
    String name = action.text("template");
    if (name == null) {
      findings.problem(
          "the action names no template, so that rsyslog's own format goes to the shim"
              + action.place(),
          "times and host names by each node's reckoning are part of the message: " + DIFFERS,
          REMEDY);
      return;
    }
    Statement template = action.config().template(name);
    if (template == null) {
      findings.problem(
          name.startsWith("RSYSLOG_")
              ? "the template is rsyslog's own " + name + action.place()
              : "the template '" + name + "' is not in the configuration" + action.place(),
          name.startsWith("RSYSLOG_")
              ? "it makes a new line of what was parsed: " + DIFFERS
              : "rsyslog does not load the action, and this node's stream stays empty",
          REMEDY);
      return;
    }
    @Nullable Fields fields = Fields.of(template);
    if (fields == null) {
      findings.notChecked(
          "template '"
              + name
              + "' is of a type that names no properties ("
              + template.place()
              + ")",
          "see whether both nodes make the same line of the same message; better: " + REMEDY);
      return;
    }
    int before = findings.list().size();
    String place = " (" + template.place() + ")";
    judge(fields, name, place, findings);
    sender(action.shim(), fields, name + "'" + place, findings);
    if (findings.list().size() == before) {
      findings.ok("the template holds nothing that this receiver adds");
    }
  }

  private static void judge(Fields fields, String name, String place, Findings findings) {
    List<String> own =
        fields.properties().stream()
            .filter(p -> RECEIVERS.contains(p) || CLOCK.contains(p))
            .toList();
    if (!own.isEmpty()) {
      findings.problem(
          "template '%s' holds what this receiver adds: %s%s"
              .formatted(name, String.join(", ", own), place),
          DIFFERS,
          REMEDY);
    }
    List<String> parsed = fields.properties().stream().filter(PARSED::contains).toList();
    if (!parsed.isEmpty()) {
      findings.warning(
          "template '%s' holds what this receiver has parsed: %s%s"
              .formatted(name, String.join(", ", parsed), place),
          "where the sender left something out, each node fills in its own clock or its own name for"
              + " the sender; such messages are delivered twice",
          REMEDY);
    } else if (!fields.properties().contains("rawmsg")) {
      findings.problem(
          "template '" + name + "' does not hold rawmsg" + place,
          "what the sender wrote does not reach the shim",
          REMEDY);
    }
    if (!fields.endsLine()) {
      findings.problem(
          "template '" + name + "' does not end with a line feed" + place,
          "messages run into each other and into the marks, and rsyslog waits for answers in vain",
          "\\n at the template's end");
    }
  }

  private static void sender(
      @Nullable ShimSettings shim, Fields fields, String where, Findings findings) {
    if (shim == null) {
      return;
    }
    boolean expected = shim.omprog().senderPrefix();
    if (expected && !fields.beginsWithSender()) {
      findings.problem(
          "the shim has omprog.sender-prefix true, and no %fromhost-ip% begins template '" + where,
          "the first word of each message is taken for the sender's address",
          REMEDY);
    } else if (!expected && fields.beginsWithSender()) {
      findings.warning(
          "the shim has omprog.sender-prefix false, and %fromhost-ip% begins template '" + where,
          "the sender's address stands in the event's text",
          "omprog.sender-prefix: true in the shim's file");
    }
  }
}
