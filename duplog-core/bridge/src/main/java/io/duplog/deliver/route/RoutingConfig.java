package io.duplog.deliver.route;

import io.duplog.config.Checks;
import io.duplog.config.Key;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The configuration section {@code routing}, whose rules decide the sourcetype, index and host of
 * each message, and which messages are dropped, sampled or masked.
 */
public record RoutingConfig(
    @Key(
            doc =
                "Time zone of timestamps that name none: the senders' zone. system is the"
                    + " bridge's; others are Europe/Berlin, UTC or +02:00, for example.",
            defaultValue = "system",
            unit = "zone")
        SenderZone timeZone,
    @Key(doc = "Metadata of a message, unless a rule sets others.") Defaults defaults,
    @Key(
            doc =
                "Rules in order. Of the rules with set whose conditions all hold, the first"
                    + " decides; the defaults fill in what it leaves out. Of those with drop or"
                    + " sample, too, the first decides. Of those with mask, all apply. `duplog"
                    + " route` tries rules on a sample.",
            defaultValue = "")
        List<Rule> rules,
    @Key(
            doc =
                "Absolute paths of files with further rules: YAML with the key rules, as"
                    + " here. Their rules follow those above, file by file. A running bridge"
                    + " reads a changed file within 10 s. A file with an error is not used, and"
                    + " the log says why. The package has rules for more than 200"
                    + " products and formats.",
            defaultValue = "",
            example = "/usr/share/duplog-bridge/rules/products.yaml",
            unit = "files")
        List<String> include,
    @Key(
            doc =
                "Absolute path of a file with names for addresses. Each line is an address"
                    + " or a network, a comma, and a name; # begins a comment. If a host is an"
                    + " address, it gets the name of the smallest network that contains it. A"
                    + " running bridge reads a changed file within 10 s. A file with an error is"
                    + " not used, and the log says why.",
            example = "/etc/duplog/hosts.csv")
        @Nullable String hostTable) {

  public RoutingConfig {
    Checks.absolutePath("host-table", hostTable);
    include.forEach(file -> Checks.absolutePath("include", file));
  }

  /** Returns the configuration for a sink that gives its messages no metadata. */
  public static RoutingConfig empty() {
    Defaults none = new Defaults(null, "none", null, HostChoice.parse("from-message"), Map.of());
    return new RoutingConfig(SenderZone.parse("system"), none, List.of(), List.of(), null);
  }

  /** Names of the indexed fields that the sink itself adds to events. */
  private static final Set<String> RESERVED =
      Set.of("dedup", "stream", "digest", "resent", "escaped");

  /** The section {@code defaults}: the metadata of messages unless a rule sets others. */
  public record Defaults(
      @Key(doc = "Index. Without it, Splunk uses the token's index.", example = "main")
          @Nullable String index,
      @Key(doc = "Sourcetype.", defaultValue = "syslog") String sourcetype,
      @Key(doc = "Source. Without it, Splunk uses the token's source.", example = "duplog")
          @Nullable String source,
      @Key(
              doc =
                  "Host. from-message: the host that the message names, or else the sender's"
                      + " address. from-address: always the sender's address. Anything else is a"
                      + " fixed name. You may append short, which removes the domain, and lower, as"
                      + " in from-message short lower.",
              defaultValue = "from-message",
              unit = "host")
          HostChoice host,
      @Key(doc = "Indexed fields, such as {env: prod}.", defaultValue = "")
          Map<String, String> fields) {

    public Defaults {
      check(index, sourcetype, source, fields);
    }
  }

  /** The content of a file with further rules, as {@code include} names it. */
  public record RuleFile(
      @Key(doc = "The same as routing.rules; may be an empty list.") List<Rule> rules) {}

  /** One rule: its conditions, and what becomes of a matching message. */
  public record Rule(
      @Key(doc = "Conditions, at least one. All must hold.") Match match,
      @Key(
              doc =
                  "Metadata of a message that the rule matches. A rule with drop, sample or mask"
                      + " may leave it out; then other rules decide about the metadata.")
          @Nullable Metadata set,
      @Key(
              doc =
                  "true: a message that the rule matches is not delivered. observe: it is"
                      + " delivered, and counted as one that the rule would drop. false: it is"
                      + " delivered, even if a later rule drops it.",
              example = "true")
          @Nullable Drop drop,
      @Key(
              doc =
                  "Delivers one of so many messages that the rule matches, and drops the others."
                      + " All bridges choose the same ones. With drop: observe, only counts the"
                      + " others.",
              defaultValue = "1",
              unit = "messages")
          int sample,
      @Key(
              doc =
                  "Replaces texts in a message that the rule matches before it is delivered."
                      + " Metadata such as the host keep the unmasked text.",
              defaultValue = "")
          List<Mask> mask) {

    public Rule {
      Checks.within("sample", sample, 1, 1_000_000_000);
      if (sample > 1 && drop != null && drop != Drop.OBSERVE) {
        throw Checks.refuse("drop", "must be observe or left out in a rule with sample");
      }
    }

    /** Whether the rule decides about messages' metadata. */
    boolean isForMetadata() {
      return set != null || !(isForDrops() || isForMasks());
    }

    /** Whether the rule decides which messages are dropped. */
    boolean isForDrops() {
      return drop != null || sample > 1;
    }

    boolean isForMasks() {
      return !mask.isEmpty();
    }
  }

  /** Whether a rule drops its messages, or only observes what it would drop. */
  public enum Drop {
    FALSE,
    TRUE,
    OBSERVE
  }

  /** A text that is replaced before a message is delivered. */
  public record Mask(
      @Key(
              doc = "Regular expression (RE2). Every place where it matches is replaced.",
              example = "password=[^ ]+",
              unit = "expression")
          MessagePattern pattern,
      @Key(
              doc = "Replacement. $1 is the text of the expression's first group.",
              example = "password=***")
          String replacement) {

    private static final Pattern GROUP = Pattern.compile("\\$([0-9])");

    public Mask {
      if (pattern.pattern().matches("")) {
        throw Checks.refuse("pattern", "must not match an empty text");
      }
      Matcher group = GROUP.matcher(replacement);
      while (group.find()) {
        if (Integer.parseInt(group.group(1)) > pattern.pattern().groupCount()) {
          throw Checks.refuse(
              "replacement", "must not have " + group.group() + ": the pattern has no such group");
        }
      }
    }

    /** Returns the text with all replacements. */
    String applied(String text) {
      // To RE2/J, a backslash escapes the next character, and each dollar begins a group.
      String escaped = replacement.replace("\\", "\\\\").replaceAll("\\$(?![0-9])", "\\\\\\$");
      return pattern.pattern().matcher(text).replaceAll(escaped);
    }
  }

  /** The section {@code match} of a rule, with its conditions. */
  public record Match(
      @Key(
              doc =
                  "The sender's address is in one of these addresses or networks, such as"
                      + " 10.1.0.0/16.",
              defaultValue = "",
              unit = "networks")
          List<Network> sender,
      @Key(
              doc =
                  "The host in the message matches one of these patterns, in upper or lower"
                      + " case. * matches any characters, ? one character.",
              defaultValue = "",
              unit = "patterns")
          List<Glob> host,
      @Key(
              doc =
                  "The program in the message matches one of these patterns. - matches a"
                      + " message without a program.",
              defaultValue = "",
              unit = "patterns")
          List<Glob> program,
      @Key(doc = "The facility is one of these.", defaultValue = "") List<Facility> facility,
      @Key(
              doc =
                  "The severity is this one, such as err, or in this range, such as"
                      + " emerg..warning.",
              example = "emerg..warning",
              unit = "severities")
          @Nullable Severities severity,
      @Key(
              doc =
                  "Regular expression (RE2) that occurs anywhere in the message, including"
                      + " the priority.",
              example = "%ASA-[0-7]-",
              unit = "expression")
          @Nullable MessagePattern message,
      @Key(
              doc = "Metadata that the client of HEC gave the event. A syslog message has none.",
              whereWanted = true)
          @Nullable EventMatch event) {

    public Match {
      if (sender.isEmpty()
          && host.isEmpty()
          && program.isEmpty()
          && facility.isEmpty()
          && severity == null
          && message == null
          && event == null) {
        throw new IllegalArgumentException(
            "a rule needs a condition; put what every message gets into the defaults");
      }
    }
  }

  /** The section {@code event} of a rule's conditions: metadata that an event already has. */
  public record EventMatch(
      @Key(
              doc = "Source: like one of these; - matches an event without one.",
              defaultValue = "",
              unit = "patterns")
          List<Glob> source,
      @Key(doc = "Sourcetype: as with source.", defaultValue = "", unit = "patterns")
          List<Glob> sourcetype,
      @Key(doc = "Index: as with source.", defaultValue = "", unit = "patterns") List<Glob> index,
      @Key(doc = "Indexed fields that the event has, each with this value.", defaultValue = "")
          Map<String, String> fields) {

    public EventMatch {
      if (source.isEmpty() && sourcetype.isEmpty() && index.isEmpty() && fields.isEmpty()) {
        throw new IllegalArgumentException("event needs a condition");
      }
    }
  }

  /** The section {@code set} of a rule, with the metadata that a matching message gets. */
  public record Metadata(
      @Key(doc = "The same as in the defaults.", example = "network") @Nullable String index,
      @Key(doc = "The same as in the defaults.", example = "cisco:asa") @Nullable String sourcetype,
      @Key(doc = "The same as in the defaults.", example = "firewall") @Nullable String source,
      @Key(doc = "The same as in the defaults.", example = "from-address", unit = "host")
          @Nullable HostChoice host,
      @Key(doc = "Indexed fields in addition to those of the defaults.", defaultValue = "")
          Map<String, String> fields,
      @Key(
              doc =
                  "Topic of Kafka, instead of the sink's. Only a sink of type: kafka has topics."
                      + " Create the topic first.",
              example = "firewall")
          @Nullable String topic) {

    public Metadata {
      check(index, sourcetype, source, fields);
      if (topic != null) {
        Checks.topic("topic", topic);
      }
    }
  }

  private static void check(
      @Nullable String index,
      @Nullable String sourcetype,
      @Nullable String source,
      Map<String, String> fields) {
    notBlank("index", index);
    notBlank("sourcetype", sourcetype);
    notBlank("source", source);
    for (String name : fields.keySet()) {
      if (!name.matches("[A-Za-z_][A-Za-z0-9_.:-]*")) {
        throw Checks.refuse(
            "fields", "must have names of letters, digits and _, not '" + name + "'");
      }
      if (RESERVED.contains(name)) {
        throw Checks.refuse("fields", "must not have '" + name + "', which is Duplog's own");
      }
    }
  }

  private static void notBlank(String key, @Nullable String value) {
    if (value != null) {
      Checks.notBlank(key, value);
    }
  }
}
