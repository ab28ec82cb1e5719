package io.duplog.deliver.route;

import io.duplog.config.Checks;
import io.duplog.config.Key;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The configuration section {@code routing}, whose rules decide the sourcetype, index and host of
 * each message.
 */
public record RoutingConfig(
    @Key(
            doc =
                "Time zone of timestamps that name none: system, or such as Europe/Berlin, UTC or"
                    + " +02:00. It is the senders'.",
            defaultValue = "system",
            unit = "zone")
        SenderZone timeZone,
    @Key(doc = "What a message gets where no rule says otherwise.") Defaults defaults,
    @Key(
            doc =
                "The first rule of which every condition holds is the message's; what it does not"
                    + " set comes from the defaults. Try them with duplog route.",
            defaultValue = "")
        List<Rule> rules,
    @Key(
            doc =
                "Files of further rules, by their full paths: YAML with the key rules, as here."
                    + " Their rules follow the ones above, file by file. A running bridge reads a"
                    + " changed file within 10 s; one with an error changes nothing but for a"
                    + " warning. The package brings rules for more than 80 products.",
            defaultValue = "",
            example = "/usr/share/duplog-bridge/rules/products.yaml",
            unit = "files")
        List<String> include,
    @Key(
            doc =
                "File with names for addresses, by its full path: a line is an address or a"
                    + " network, a comma and a name; # begins a comment. A host that is an address"
                    + " gets the name of the smallest network that it is in. A running bridge reads"
                    + " a changed file within 10 s; one with an error changes nothing but for a"
                    + " warning.",
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
      @Key(doc = "Index; without it the one that the token has in Splunk.", example = "main")
          @Nullable String index,
      @Key(doc = "Sourcetype.", defaultValue = "syslog") String sourcetype,
      @Key(doc = "Source; without it the one that the token has.", example = "duplog")
          @Nullable String source,
      @Key(
              doc =
                  "Host: a name; or from-message, which is the host that the message names, or else"
                      + " the sender's address; or from-address, which is always that. Behind these"
                      + " two short leaves out the domain and lower makes capitals small:"
                      + " from-message short lower.",
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
      @Key(doc = "As in the configuration, which may be an empty list.") List<Rule> rules) {}

  /** One rule: its conditions, and the metadata that a matching message gets. */
  public record Rule(
      @Key(doc = "Conditions, at least one. All must hold.") Match match,
      @Key(doc = "What the message gets.") Metadata set) {}

  /** The section {@code match} of a rule, with its conditions. */
  public record Match(
      @Key(
              doc = "Sender's address: one of these addresses or networks, such as 10.1.0.0/16.",
              defaultValue = "",
              unit = "networks")
          List<Network> sender,
      @Key(
              doc =
                  "Host name in the message: like one of these, in capitals or not; * and ? stand"
                      + " for any characters and for one.",
              defaultValue = "",
              unit = "patterns")
          List<Glob> host,
      @Key(
              doc =
                  "Program in the message: like one of these; - stands for a message without one.",
              defaultValue = "",
              unit = "patterns")
          List<Glob> program,
      @Key(doc = "Facility: one of these.", defaultValue = "") List<Facility> facility,
      @Key(
              doc = "Severity: a name such as err, or a range such as emerg..warning.",
              example = "emerg..warning",
              unit = "severities")
          @Nullable Severities severity,
      @Key(
              doc =
                  "Found somewhere in the message as it was sent, priority included: a regular"
                      + " expression of RE2's syntax.",
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
              doc = "Source: like one of these; - stands for an event without one.",
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
      @Key(doc = "As in the defaults.", example = "network") @Nullable String index,
      @Key(doc = "As in the defaults.", example = "cisco:asa") @Nullable String sourcetype,
      @Key(doc = "As in the defaults.", example = "firewall") @Nullable String source,
      @Key(doc = "As in the defaults.", example = "from-address", unit = "host")
          @Nullable HostChoice host,
      @Key(doc = "Added to those of the defaults.", defaultValue = "") Map<String, String> fields) {

    public Metadata {
      check(index, sourcetype, source, fields);
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
