package io.duplog.deliver.syslog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that the number which a sender gave a message is read from Cisco's header or RFC 5424's
 * sequenceId.
 */
class MessageNumberTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          <189>000123: *Mar  1 00:01:02.123: %SYS-5-CONFIG_I: Configured  | 123
          <189>42: router: 000007: Mar 1 00:01:02 UTC: %LINK-3-UPDOWN: up | 42
          000123: %SYS-5-CONFIG_I: text                                   | 123
          <189>404: not found, 100% of A-5-B                              | -1
          <189>404: not found                                             | -1
          <191>000124: *Mar  1 00:01:03.000: ICMP: echo reply sent        | 124
          <191>000125: Mar  1 00:01:03 UTC: ICMP: echo reply sent         | 125
          <187>000126: -Traceback= 1 2 3                                  | 126
          <189>1234567890123456: %SYS-5-CONFIG_I: text                    | -1
          <189>123:%SYS-5-CONFIG_I: text                                  | -1
          <13>1 2026-11-26T10:00:00Z h app 1 - [meta sequenceId="29"] m   | 29
          <13>1 - h app - - [a b="c"][meta x="1" sequenceId="7" y="2"] m  | 7
          <13>1 - h app - - [a b="] c \\"" d="e"][meta sequenceId="8"] m   | 8
          <13>1 - h app - - [x@1 sequenceId="7"] m                        | -1
          <13>1 - h app - - [a b="c"] said [meta sequenceId="77"]         | -1
          <13>1 - h app - - [metal sequenceId="7"] m                      | -1
          <13>1 - h app - - [meta sequenceId=""] m                        | -1
          <13>1 - h app - - [meta                                         | -1
          <13>1 - h app - - - sequenceId="7"                              | -1
          <13>1 - h app                                                   | -1
          <13>Nov 26 10:00:00 h app: m                                    | -1
          <13>                                                            | -1
          <13                                                             | -1
          12                                                              | -1
          ''                                                              | -1
          """)
  void number_isCiscos_orTheSequenceId(String message, long number) {
    byte[] data = ("10.1.2.7 " + message + " sequenceId=\"99\"] ").getBytes(StandardCharsets.UTF_8);
    int start = "10.1.2.7 ".length();

    assertThat(new MessageNumber().find(data, start, start + message.length())).isEqualTo(number);
  }
}
