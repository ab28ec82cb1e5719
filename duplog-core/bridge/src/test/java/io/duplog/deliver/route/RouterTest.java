package io.duplog.deliver.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.config.ConfigException;
import io.duplog.deliver.Allocations;
import io.duplog.deliver.syslog.SyslogHeader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which routing rule a message matches, and which sourcetype, index and host it gets. */
class RouterTest {
  private static final String ASA =
      "10.1.2.3 <163>Oct 11 2023 22:14:15 FW-1 : %ASA-3-302013: Built inbound";

  private final SyslogHeader header = new SyslogHeader(ZoneId.of("UTC"));

  private static Router router(String yaml) throws ConfigException {
    return new Router(new Routing(RoutingConfigTest.parse(yaml)).index());
  }

  private static Router routerOf(String match) throws ConfigException {
    return router("rules: [{match: {" + match + "}, set: {index: yes}}]");
  }

  /**
   * @param line the sender's address, a space, and the message
   */
  private Route route(Router router, String line) {
    byte[] data = line.getBytes(StandardCharsets.ISO_8859_1);
    int textStart = line.indexOf(' ') + 1;
    header.parse(data, textStart, data.length, 0);
    return router.route(data, 0, textStart, data.length, header, null);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          # match                                               | holds
          sender: [10.1.0.0/16]                                 | true
          sender: [10.2.0.0/16]                                 | false
          sender: [10.2.0.0/16, 10.1.2.3]                       | true
          sender: ['::ffff:10.1.0.0/112']                       | true
          host: [fw-1]                                          | true
          host: ['FW-?']                                        | true
          host: [fw-2, '*1']                                    | true
          host: [fw]                                            | false
          program: ['%ASA*']                                    | true
          program: ['*']                                        | true
          program: ['%ASA-?-302013']                            | true
          program: ['%asa*']                                    | false
          program: ['-']                                        | false
          program: ['-', '?ASA-3-302013']                       | true
          program: ['%ASA-*3-*0*3']                             | true
          program: ['%ASA-*4*']                                 | false
          facility: [local4]                                    | true
          facility: [kern, local4]                              | true
          facility: [kern, local5]                              | false
          severity: err                                         | true
          severity: warning                                     | false
          severity: emerg..err                                  | true
          severity: err..emerg                                  | true
          severity: emerg..crit                                 | false
          severity: err..debug                                  | true
          message: 'Built [io].*bound$'                         | true
          message: '^<163>'                                     | true
          message: '^Built'                                     | false
          message: '10\\.1\\.2\\.3'                             | false
          host: [fw-1], program: ['%ASA*'], facility: [local4]  | true
          host: [fw-1], program: ['%ASA*'], facility: [kern]    | false
          host: [fw-1], message: nowhere                        | false
          """)
  void rule_ofConditions_holdsOnlyIfAllDo(String match, boolean holds) throws ConfigException {
    assertThat(route(routerOf(match), ASA).rule()).isEqualTo(holds ? 1 : 0);
  }

  @ParameterizedTest
  @CsvSource({"host: ['*']", "program: ['*']", "severity: emerg..debug", "facility: [kern]"})
  void condition_onWhatTheMessageLacks_doesNotHold(String match) throws ConfigException {
    assertThat(route(routerOf(match), "10.1.2.3 text").rule()).isZero();
    assertThat(route(routerOf("sender: ['::/0']"), "<13>text").rule()).isZero();
    assertThat(route(routerOf("program: ['-'], host: ['-']"), "10.1.2.3 text").rule()).isOne();
    assertThat(route(routerOf("sender: ['::/0']"), "unknown text").rule()).isZero();
  }

  @Test
  void firstRuleThatMatches_wins() throws ConfigException {
    Router router =
        router(
            """
            rules:
              - {match: {program: [nobody]}, set: {index: a}}
              - {match: {message: 'ASA'}, set: {index: b}}
              - {match: {program: ['%ASA*']}, set: {index: c}}
            """);
    assertThat(route(router, ASA).rule()).isEqualTo(2);
    assertThat(route(router, ASA).index()).isEqualTo("b");
    assertThat(route(router, ASA)).isSameAs(route(router, ASA));
  }

  @Test
  void whatARuleDoesNotSet_comesFromTheDefaults() throws ConfigException {
    Router router =
        router(
            """
            defaults: {index: main, source: duplog, host: h0, fields: {env: prod, site: north}}
            rules:
              - match: {program: ['%ASA*']}
                set: {sourcetype: cisco:asa, fields: {site: south, kind: fw}}
              - match: {facility: [kern]}
                set: {index: os, source: kernel, host: h1}
            """);
    assertThat(
            Stream.of(ASA, "10.1.2.3 <1>Oct 11 22:14:15 a kernel: x", "10.1.2.3 other")
                .map(line -> route(router, line).toString())
                .map(route -> route.replaceAll("HostChoice\\[fixed=(\\w+)[^]]*]", "$1")))
        .containsExactly(
            "Route[rule=1, index=main, sourcetype=cisco:asa, source=duplog, host=h0,"
                + " fields={env=prod, site=south, kind=fw}, topic=null]",
            "Route[rule=2, index=os, sourcetype=syslog, source=kernel, host=h1,"
                + " fields={env=prod, site=north}, topic=null]",
            "Route[rule=0, index=main, sourcetype=syslog, source=duplog, host=h0,"
                + " fields={env=prod, site=north}, topic=null]");
  }

  @Test
  void withoutConfiguration_onlyTheSourcetypeIsSet() throws ConfigException {
    assertThat(route(router(""), ASA))
        .isEqualTo(
            new Route(0, null, "syslog", null, HostChoice.parse("from-message"), Map.of(), null));
  }

  @Test
  void bytesThatAreNotUtf8_hideNothingFromAPattern() throws ConfigException {
    Router router = routerOf("message: 'secret \u00e4'");
    for (String before :
        new String[] {"\u00fc", "\u00fcx", "\u00e4\u00fc", "\u00f0\u0090", "\u00ff"}) {
      // "\u00c3\u00a4" is ä in UTF-8
      assertThat(route(router, "10.1.2.3 <13>" + before + "secret \u00c3\u00a4").rule())
          .as(before)
          .isEqualTo(1);
    }
  }

  /** A search that tries the ways to read it one after another has no end, or no stack left. */
  @Test
  void pattern_withCountlessWaysToRead_isNoMoreThanAnother() throws ConfigException {
    String message = "10.1.2.3 <13>" + "a".repeat(64 << 10);

    assertThat(route(routerOf("message: '(a|aa)+$'"), message + "b").rule()).isZero();
    assertThat(route(routerOf("message: '(a|aa)+$'"), message).rule()).isOne();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # host                   | line                                          | is               | by
          from-message             | 10.1.2.3 <13>Oct 11 22:14:15 WEB-1.Lan su: x  | WEB-1.Lan        | MESSAGE
          from-message short       | 10.1.2.3 <13>Oct 11 22:14:15 WEB-1.Lan su: x  | WEB-1            | MESSAGE
          from-message lower       | 10.1.2.3 <13>Oct 11 22:14:15 WEB-1.Lan su: x  | web-1.lan        | MESSAGE
          from-message lower short | 10.1.2.3 <13>Oct 11 22:14:15 WEB-1.Lan su: x  | web-1            | MESSAGE
          from-message short       | 10.1.2.3 <13>Oct 11 22:14:15 WEB-1 su: x      | WEB-1            | MESSAGE
          from-message short       | 10.1.2.3 <13>Oct 11 22:14:15 192.0.2.1 su: x  | 192.0.2.1        | MESSAGE
          from-message short       | 192.0.2.2 <13>text                            | 192.0.2.2        | SENDER
          from-message             | 10.1.2.3 <13>text                             | fw-1.example.com | TABLE
          from-message             | 192.0.2.2 <13>Oct 11 22:14:15 10.1.2.4 su: x  | lab              | TABLE
          from-message             | 192.0.2.2 <13>Oct 11 22:14:15 10.1.3.4 su: x  | site-1           | TABLE
          from-message             | ::ffff:10.1.3.4 <13>text                      | site-1           | TABLE
          from-message             | 2001:DB8::7 <13>text                          | six              | TABLE
          from-address             | 10.1.2.3 <13>Oct 11 22:14:15 WEB-1.Lan su: x  | fw-1.example.com | TABLE
          from-address short       | 10.1.2.3 <13>Oct 11 22:14:15 WEB-1.Lan su: x  | fw-1.example.com | TABLE
          from-address             | 192.0.2.2 <13>Oct 11 22:14:15 WEB-1.Lan su: x | 192.0.2.2        | SENDER
          from-address lower       | <13>Oct 11 22:14:15 WEB-1.Lan su: x           | web-1.lan        | MESSAGE
          from-message             | <13>text                                      | ''               | SENDER
          web-9                    | 10.1.2.3 <13>Oct 11 22:14:15 WEB-1.Lan su: x  | ''               | MESSAGE
          """)
  void host_isAsTheRuleSays_andAnAddressGetsItsNameOfTheTable(
      String host, String line, String is, EventMetadata.HostOrigin by, @TempDir Path folder)
      throws ConfigException, IOException {
    Path table = folder.resolve("hosts.csv");
    Files.writeString(
        table,
        """
        # address, name
        10.1.0.0/16, site-1
        10.1.2.3,fw-1.example.com
        10.1.2.0/24,lab

        2001:db8::/32,six
        """);
    String yaml =
        "{host-table: %s, rules: [{match: {severity: debug..emerg}, set: {host: %s}}]}"
            .formatted(table, host);
    EventMetadata metadata = new EventMetadata(new Routing(RoutingConfigTest.parse(yaml)).open());
    byte[] data = line.getBytes(StandardCharsets.ISO_8859_1);
    int textStart = line.startsWith("<") ? 0 : line.indexOf(' ') + 1;
    metadata.read(data, 0, textStart, data.length, 0);
    byte[] found = Arrays.copyOfRange(metadata.host(), metadata.hostStart(), metadata.hostEnd());
    assertThat(new String(found, StandardCharsets.ISO_8859_1)).isEqualTo(is);
    assertThat(metadata.hostOrigin()).isEqualTo(by);
  }

  @Test
  void route_withoutSendersAndRegularExpressions_allocatesNothing() throws ConfigException {
    Router router =
        router(
            """
            rules:
              - {match: {host: ['web-*'], severity: emerg..err}, set: {index: b}}
              - {match: {program: ['%ASA*4'], facility: [local4]}, set: {index: c}}
            """);
    byte[] data = ASA.getBytes(StandardCharsets.US_ASCII);
    Allocations.assertNone(
        () -> {
          for (int i = 0; i < 1000; i++) {
            header.parse(data, 9, data.length, i);
            router.route(data, 0, 9, data.length, header, null);
          }
        });
  }
}
