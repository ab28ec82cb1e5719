package io.duplog.doctor.rsyslog;

import io.duplog.doctor.Findings;
import io.duplog.doctor.ShimSettings;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Judges whether rsyslog's template writes the same line for the same message on every node, so
 * that copies are recognised.
 */
final class TemplateRule {
  private static final String REMEDY =
      "template(name=\"duplog\" type=\"string\" string=\"%fromhost-ip:F,37:1% %rawmsg%\\n\") and"
          + " template=\"duplog\" in the action, on every node";

  private static final String DIFFERS =
      "every message differs between the nodes: no duplicate is recognised, and every message"
          + " is delivered twice";

  /**
   * Properties that the receiver adds, such as its clock, its name, its sockets or random values.
   */
  private static final Pattern RECEIVERS =
      Pattern.compile(
          "timegenerated|inputname|fromhost-port|\\$?myhostname|uuid|\\$uptime|\\$bom|jsonmesg"
              + "|\\$!all-json(-plain)?|\\$(now|year|month|day|wday|hour|hhour|qhour|minute)(-utc)?"
              + "|\\$now-unixtimestamp");

  /**
   * Properties that the receiver's parsers cut out, and that it fills in if the sender left them
   * out.
   */
  private static final Set<String> PARSED =
      Set.of(
          ("msg hostname source fromhost timereported timestamp syslogtag programname app-name"
                  + " procid msgid structured-data rawmsg-after-pri protocol-version")
              .split(" "));

  private TemplateRule() {}

  static void judge(ShimAction action, Findings findings) {
    String name = action.text("template");
    if (name == null) {
      findings.problem(
          "the action names no template, so the shim gets rsyslog's own format" + action.at(),
          "each node's own times and host names become part of the message: " + DIFFERS,
          REMEDY);
      return;
    }
    Statement template = action.config().template(name);
    if (template == null) {
      boolean own = name.startsWith("RSYSLOG_");
      findings.problem(
          own
              ? "the template is rsyslog's own " + name + action.at()
              : "the template '" + name + "' is not in the configuration" + action.at(),
          own
              ? "it builds a new line from the parsed message: " + DIFFERS
              : "rsyslog does not load the action, and this node's stream stays empty",
          REMEDY);
      return;
    }
    Fields fields = Fields.of(template);
    if (fields == null) {
      findings.notChecked(
          "template '%s' is of a type that names no properties%s".formatted(name, template.at()),
          "check whether both nodes create the same line from the same message; or better, use: "
              + REMEDY);
      return;
    }
    int before = findings.list().size();
    fields("template '" + name + "'", fields, template.at(), findings);
    lineFeed(action, fields, "template '" + name + "'" + template.at(), findings);
    sender(action.shim(), fields, "template '" + name + "'" + template.at(), findings);
    if (findings.list().size() == before) {
      findings.ok("the template contains nothing that this receiver adds");
    }
  }

  private static void fields(String template, Fields fields, String at, Findings findings) {
    List<String> own = fields.properties().stream().filter(RECEIVERS.asMatchPredicate()).toList();
    if (!own.isEmpty()) {
      findings.problem(
          "%s contains properties that this receiver adds: %s%s"
              .formatted(template, String.join(", ", own), at),
          DIFFERS,
          REMEDY);
    }
    List<String> parsed = fields.properties().stream().filter(PARSED::contains).toList();
    if (!parsed.isEmpty()) {
      findings.warning(
          "%s contains properties that this receiver has parsed: %s%s"
              .formatted(template, String.join(", ", parsed), at),
          "if the sender left something out, each node fills in its own time or its own name for the"
              + " sender; such messages are delivered twice",
          REMEDY);
    } else if (!fields.properties().contains("rawmsg")) {
      findings.problem(
          template + " does not contain rawmsg" + at,
          "the sender's original message does not reach the shim",
          REMEDY);
    }
  }

  private static void lineFeed(
      ShimAction action, Fields fields, String template, Findings findings) {
    if (fields.endsLine() && action.isBulk()) {
      findings.problem(
          template + " ends with a line feed, which omelasticsearch adds itself",
          "an empty message follows each message, on this node only",
          "the template without \\n at its end");
    } else if (!fields.endsLine() && !action.isBulk()) {
      findings.problem(
          template + " does not end with a line feed",
          "messages are joined with each other and with the marks, and rsyslog waits for answers in vain",
          "\\n at the template's end");
    }
  }

  private static void sender(
      @Nullable ShimSettings shim, Fields fields, String template, Findings findings) {
    if (shim == null || shim.omprog().senderPrefix() == fields.beginsWithSender()) {
      return;
    }
    if (shim.omprog().senderPrefix()) {
      findings.problem(
          "the shim has omprog.sender-prefix true, but %fromhost-ip% is not at the beginning of "
              + template,
          "the first word of each message is treated as the sender's address",
          REMEDY);
    } else {
      findings.warning(
          "the shim has omprog.sender-prefix false, but %fromhost-ip% is at the beginning of "
              + template,
          "the sender's address is part of the event's text",
          "omprog.sender-prefix: true in the shim's file");
    }
  }
}
