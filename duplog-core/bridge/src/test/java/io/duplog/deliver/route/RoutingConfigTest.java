package io.duplog.deliver.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.config.Reference;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that routing rules in the configuration are read, and that mistakes in them are named. */
class RoutingConfigTest {
  private static final RoutingConfig DEFAULTS =
      new RoutingConfig(
          SenderZone.parse("system"),
          new RoutingConfig.Defaults(
              null, "syslog", null, HostChoice.parse("from-message"), Map.of()),
          List.of(),
          List.of(),
          null);

  static RoutingConfig parse(String yaml) throws ConfigException {
    return ConfigLoader.of(Map.of(), "h").parse("routing.yaml", yaml, RoutingConfig.class);
  }

  @Test
  void emptySection_hasTheDefaults() throws ConfigException {
    assertThat(parse("")).isEqualTo(DEFAULTS);
    assertThat(parse(Reference.of(RoutingConfig.class, ""))).isEqualTo(DEFAULTS);
  }

  @Test
  void everyKey_isRead() throws ConfigException {
    RoutingConfig read =
        parse(
            """
            time-zone: Europe/Berlin
            defaults: {index: main, sourcetype: a, source: b, host: from-address short lower, fields: {env: prod}}
            rules:
              - match:
                  sender: [10.1.0.0/16, '2001:db8::/32']
                  host: ['fw-*']
                  program: ['%ASA*']
                  facility: [local4]
                  severity: warning..emerg
                  message: 'a+'
                set: {index: netfw, sourcetype: cisco:asa, host: fw-1, fields: {kind: fw}, topic: firewall}
                drop: observe
                sample: 10
                mask: [{pattern: 'pin=(.)', replacement: 'pin=$1-'}]
            include: [/etc/duplog/rules.yaml]
            host-table: /etc/duplog/hosts.csv
            """);
    assertThat(read)
        .isEqualTo(
            new RoutingConfig(
                SenderZone.parse("Europe/Berlin"),
                new RoutingConfig.Defaults(
                    "main",
                    "a",
                    "b",
                    new HostChoice(null, true, true, true),
                    Map.of("env", "prod")),
                List.of(
                    new RoutingConfig.Rule(
                        new RoutingConfig.Match(
                            List.of(Network.parse("10.1.0.0/16"), Network.parse("2001:db8::/32")),
                            List.of(new Glob("fw-*")),
                            List.of(new Glob("%ASA*")),
                            List.of(Facility.LOCAL4),
                            new Severities(0, 4),
                            MessagePattern.parse("a+"),
                            null),
                        new RoutingConfig.Metadata(
                            "netfw",
                            "cisco:asa",
                            null,
                            new HostChoice("fw-1", false, false, false),
                            Map.of("kind", "fw"),
                            "firewall"),
                        RoutingConfig.Drop.OBSERVE,
                        10,
                        List.of(
                            new RoutingConfig.Mask(MessagePattern.parse("pin=(.)"), "pin=$1-")))),
                List.of("/etc/duplog/rules.yaml"),
                "/etc/duplog/hosts.csv"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          sender: [10.1.2.0/16]   | sender[0] must have no host bits set: write 10.1.0.0/16, not 10.1.2.3/16, not '10.1.2.0/16'
          sender: [10.1.2]        | sender[0] must be an address or a network
          sender: 10.1.2.3        | sender must be a list
          host: ['a b']           | host[0] must be a name without spaces
          program: ['']           | program[0] must be a name without spaces
          facility: [local8]      | facility[0] must be one of kern, user
          severity: warn          | severity must be one of emerg, alert, crit, err, warning, notice, info, debug, or a range
          severity: err..         | severity must be one of
          message: '(a'           | message must be a regular expression of RE2's syntax (missing closing ))
          message: '(a)\\1'       | message must be a regular expression of RE2's syntax (invalid escape sequence)
          message: ''             | message must not be empty
          colour: red             | colour is not a known key
          """)
  void conditionThatIsNotRight_isNamed(String match, String problem) {
    valueThatIsNotRight_isNamed(
        "rules: [{match: {" + match + "}, set: {index: a}}]", "rules[0].match." + problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          time-zone: Mars                   | time-zone must be system, or a zone such as Europe/Berlin
          rules: [{set: {index: a}}]        | rules[0].match is refused: a rule needs a condition
          rules: [{match: {severity: err}, drop: yes}]              | rules[0].drop must be one of false, true, observe, not 'yes'
          rules: [{match: {severity: err}, sample: 0}]              | rules[0].sample must be
          rules: [{match: {severity: err}, sample: 2, drop: true}]  | rules[0].drop must be observe or left out in a rule with sample
          rules: [{match: {severity: err}, sample: 2, drop: false}] | rules[0].drop must be observe or left out in a rule with sample
          rules: [{match: {severity: err}, mask: [{pattern: 'a(b)', replacement: '$2'}]}] | rules[0].mask[0].replacement must not have $2: the pattern has no such group
          rules: [{match: {severity: err}, mask: [{pattern: 'a*', replacement: b}]}] | rules[0].mask[0].pattern must not match an empty text
          rules: [{match: {severity: err}, mask: [{pattern: a}]}]   | rules[0].mask[0].replacement is missing
          rules: [{match: {severity: err}, set: {topic: 'a b'}}]    | rules[0].set.topic must be 1 to 249 letters, digits, '.', '_' and '-', not 'a b'
          rules: [{match: {severity: err}, set: {topic: ..}}]       | rules[0].set.topic must not be '..', which Kafka allows for no topic
          rules: [{match: {severity: err}, set: {topic: ''}}]       | rules[0].set.topic must be 1 to 249
          include: [rules.yaml]             | include must begin with a '/', not 'rules.yaml'
          host-table: hosts.csv             | host-table must begin with a '/', not 'hosts.csv'
          defaults: {host: ''}              | defaults.host must be a name without spaces
          defaults: {host: web-1 short}     | defaults.host must be a name without spaces
          defaults: {host: from-message up} | defaults.host must be a name without spaces, or from-message or from-address
          defaults: {host: from_message} | defaults.host must be a name without spaces, or from-message or from-address
          defaults: {host: From-Message short} | defaults.host must be a name without spaces, or from-message or from-address
          defaults: {host: lower} | defaults.host must be a name without spaces, or from-message or from-address
          defaults: {fields: {escaped: c}}  | defaults.fields must not have 'escaped', which is Duplog's own
          defaults: {index: ''}             | defaults.index must not be empty
          defaults: {sourcetype: ' '}       | defaults.sourcetype must not be empty
          defaults: {fields: {'a b': c}}    | defaults.fields must have names of letters, digits and _, not 'a b'
          defaults: {fields: {digest: c}}   | defaults.fields must not have 'digest', which is Duplog's own
          defaults: {fields: {a: [b]}}      | defaults.fields.a must be a single value
          """)
  void valueThatIsNotRight_isNamed(String yaml, String problem) {
    assertThatThrownBy(() -> parse(yaml))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(problem);
  }
}
