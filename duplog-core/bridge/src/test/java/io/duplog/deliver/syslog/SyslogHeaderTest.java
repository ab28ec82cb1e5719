package io.duplog.deliver.syslog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that priority, time, host and program are read from all common forms of syslog headers. */
class SyslogHeaderTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final Instant RECEIVED = Instant.parse("2023-10-12T06:00:00Z");

  private static void assertHeader(String message, String time, String host, String program) {
    assertThat(Header.of(message, BERLIN, RECEIVED)).isEqualTo(new Header(time, host, program));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # message                                                           | time                     | host     | program
          # RFC 5424
          <34>1 2023-10-11T22:14:15Z web-1 su 12 ID47 - 'su' failed           | 2023-10-11T22:14:15Z     | web-1    | su
          <34>1 2023-10-11T22:14:15.003Z web-1 su - - - x                     | 2023-10-11T22:14:15.003Z | web-1    | su
          <34>1 2023-10-11T22:14:15.1Z web-1 su - - - x                       | 2023-10-11T22:14:15.100Z | web-1    | su
          <34>1 2023-10-11T22:14:15.123456Z web-1 su - - - x                  | 2023-10-11T22:14:15.123Z | web-1    | su
          <34>1 2023-10-11T22:14:15.999999999Z web-1 su - - - x               | 2023-10-11T22:14:15.999Z | web-1    | su
          <34>1 2023-10-11T22:14:15+02:00 web-1 su - - - x                    | 2023-10-11T20:14:15Z     | web-1    | su
          <34>1 2023-10-11T22:14:15.5-07:30 web-1 su - - - x                  | 2023-10-12T05:44:15.500Z | web-1    | su
          <34>1 2023-10-11T22:14:15 web-1 su - - - x                          | 2023-10-11T20:14:15Z     | web-1    | su
          <34>1 - web-1 su - - - x                                            | receipt                  | web-1    | su
          <34>1 2023-10-11T22:14:15Z - su - - - x                             | 2023-10-11T22:14:15Z     | -        | su
          <34>1 2023-10-11T22:14:15Z web-1 - - - - x                          | 2023-10-11T22:14:15Z     | web-1    | -
          <34>1 2023-10-11T22:14:15Z 2001:db8::1 evntslog - - [a b="c"] x     | 2023-10-11T22:14:15Z     | 2001:db8::1 | evntslog
          <34>1 - - - - - -                                                   | receipt                  | -        | -
          <34>1 - - - - -                                                     | receipt                  | -        | -
          <34>1 2023-10-11T22:14:15Z web-1                                    | 2023-10-11T22:14:15Z     | web-1    | -
          <34>1 2023-13-11T22:14:15Z web-1 su - - - x                         | receipt                  | web-1    | su
          <34>1 2023-02-29T22:14:15Z web-1 su - - - x                         | receipt                  | web-1    | su
          <34>1 2023-10-11T24:14:15Z web-1 su - - - x                         | receipt                  | web-1    | su
          <34>1 2023-10-11T22:14:15+99:00 web-1 su - - - x                    | receipt                  | web-1    | su
          <34>1 1970-01-01T00:00:00Z web-1 su - - - x                         | 1970-01-01T00:00:00Z     | web-1    | su
          <34>1 2099-01-01T00:00:00Z web-1 su - - - x                         | 2099-01-01T00:00:00Z     | web-1    | su
          # RFC 3164 and its dialects
          <34>Oct 11 22:14:15 web-1 su: failed                                | 2023-10-11T20:14:15Z     | web-1    | su
          <34>Oct 11 22:14:15 web-1 su[12]: failed                            | 2023-10-11T20:14:15Z     | web-1    | su
          <34>Oct 11 22:14:15 web-1 postfix/smtpd[12]: from                   | 2023-10-11T20:14:15Z     | web-1    | postfix/smtpd
          <34>Oct 11 22:14:15 web-1 su failed                                 | 2023-10-11T20:14:15Z     | web-1    | su
          <34>Oct  1 22:14:15 web-1 su: failed                                | 2023-10-01T20:14:15Z     | web-1    | su
          <34>Oct 01 22:14:15 web-1 su: failed                                | 2023-10-01T20:14:15Z     | web-1    | su
          <34>Oct 1 22:14:15 web-1 su: failed                                 | 2023-10-01T20:14:15Z     | web-1    | su
          <34>Oct 11 22:14:15.123 web-1 su: failed                            | 2023-10-11T20:14:15.123Z | web-1    | su
          <34>Oct 11 22:14:15 10.1.2.3 su: failed                             | 2023-10-11T20:14:15Z     | 10.1.2.3 | su
          <34>Oct 11 22:14:15 fe80::1 su: failed                              | 2023-10-11T20:14:15Z     | fe80::1  | su
          <34>Oct 11 22:14:15 [10.1.2.3] su: failed                           | 2023-10-11T20:14:15Z     | 10.1.2.3 | su
          <34>Oct 11 22:14:15 10.1.2.3: su: failed                            | 2023-10-11T20:14:15Z     | 10.1.2.3 | su
          Oct 11 22:14:15 web-1 su: no priority                               | 2023-10-11T20:14:15Z     | web-1    | su
          <34>Oct 11 22:14:15 su[12]: no host                                 | 2023-10-11T20:14:15Z     | -        | su
          <34>Oct 11 22:14:15 su: no host                                     | 2023-10-11T20:14:15Z     | -        | su
          <34>Oct 11 22:14:15 su:no host                                      | 2023-10-11T20:14:15Z     | -        | su
          <34>Oct 11 22:14:15 word                                            | 2023-10-11T20:14:15Z     | -        | -
          <34>Oct 11 22:14:15 {"a": 1}                                        | 2023-10-11T20:14:15Z     | -        | -
          <34>Oct 11 22:14:15 web-1 date=2023-10-11 a=b                       | 2023-10-11T20:14:15Z     | web-1    | -
          <34>Oct 11 22:14:15                                                 | 2023-10-11T20:14:15Z     | -        | -
          <34>Oct 11 2023 22:14:15 web-1 su: failed                           | 2023-10-11T20:14:15Z     | web-1    | su
          <34>Oct 11 2019 22:14:15.5 web-1 su: failed                         | 2019-10-11T20:14:15.500Z | web-1    | su
          <34>2019 Oct 11 22:14:15 web-1 su: failed                           | 2019-10-11T20:14:15Z     | web-1    | su
          <34>Oct 11 22:14:15 2019 web-1 su: failed                           | 2019-10-11T20:14:15Z     | web-1    | su
          <34>Oct 11 22:14:15 UTC web-1 su: failed                            | 2023-10-11T22:14:15Z     | web-1    | su
          <34>Oct 11 22:14:15Z web-1 su: failed                               | 2023-10-11T22:14:15Z     | web-1    | su
          <34>Oct 11 2019 22:14:15 GMT web-1 su: failed                       | 2019-10-11T22:14:15Z     | web-1    | su
          <34>Oct 11 22:14:15 -0730 web-1 su: failed                          | 2023-10-12T05:44:15Z     | web-1    | su
          <34>Oct 11 22:14:15+02:00 web-1 su: failed                          | 2023-10-11T20:14:15Z     | web-1    | su
          <34>Oct 11 22:14:15 CEST web-1 su: failed                           | 2023-10-11T20:14:15Z     | web-1    | su
          <34>Oct 11 22:14:15 -5 degrees                                      | 2023-10-11T20:14:15Z     | -5       | degrees
          <34>2023-10-11T22:14:15.123456+02:00 web-1 su[1]: x                 | 2023-10-11T20:14:15.123Z | web-1    | su
          <34>2023-10-11T22:14:15Z web-1 su[1]: x                             | 2023-10-11T22:14:15Z     | web-1    | su
          <34>2023-10-11 22:14:15,123 web-1 su[1]: x                          | 2023-10-11T20:14:15.123Z | web-1    | su
          2023-10-11T22:14:15z su[1]: x                                       | 2023-10-11T22:14:15Z     | -        | su
          # Cisco
          <189>123: *Oct 11 18:46:11.123: %SYS-5-CONFIG_I: Configured         | receipt                  | -        | %SYS-5-CONFIG_I
          <189>123: .Oct 11 18:46:11: %SYS-5-CONFIG_I: Configured             | receipt                  | -        | %SYS-5-CONFIG_I
          <189>123: Oct 11 18:46:11 UTC: %SYS-5-CONFIG_I: Configured          | 2023-10-11T18:46:11Z     | -        | %SYS-5-CONFIG_I
          <189>123: Oct 11 2019 18:46:11.1 UTC: %SYS-5-CONFIG_I: Configured   | 2019-10-11T18:46:11.100Z | -        | %SYS-5-CONFIG_I
          <189>123: Oct 11 18:46:11.123 XYZ: %SYS-5-CONFIG_I: Configured      | 2023-10-11T16:46:11.123Z | -        | %SYS-5-CONFIG_I
          <189>29: rtr-1: *Oct 11 18:46:11.123: %SYS-5-CONFIG_I: Configured   | receipt                  | rtr-1    | %SYS-5-CONFIG_I
          <189>000029: 000030: Oct 11 18:46:11.123: %SYS-5-CONFIG_I: C        | 2023-10-11T16:46:11.123Z | -        | %SYS-5-CONFIG_I
          <189>: 2023 Oct 11 18:46:11 UTC: %ETHPORT-5-IF_UP: Interface        | 2023-10-11T18:46:11Z     | -        | %ETHPORT-5-IF_UP
          *Oct 11 18:46:11.123: %SYS-5-CONFIG_I: Configured                   | receipt                  | -        | %SYS-5-CONFIG_I
          <166>Oct 11 2023 22:14:15: %ASA-6-302013: Built                     | 2023-10-11T20:14:15Z     | -        | %ASA-6-302013
          <166>Oct 11 2023 22:14:15 fw-1 : %ASA-6-302013: Built               | 2023-10-11T20:14:15Z     | fw-1     | %ASA-6-302013
          <166>:Oct 11 22:14:15 UTC: %ASA-session-6-302013: Built             | 2023-10-11T22:14:15Z     | -        | %ASA-session-6-302013
          <166>%ASA-6-302013: Built                                           | receipt                  | -        | %ASA-6-302013
          <189>45: 00:01:23: %SYS-5-CONFIG_I: never had a clock               | receipt                  | -        | %SYS-5-CONFIG_I
          <189>45: 1w2d: %SYS-5-CONFIG_I: never had a clock                   | receipt                  | -        | %SYS-5-CONFIG_I
          <189>29: rtr-1: Oct 11 18:46:11.123: %SYS-5-CONFIG_I: Configured    | 2023-10-11T16:46:11.123Z | rtr-1    | %SYS-5-CONFIG_I
          <189>: sw-1: Oct 11 2023 22:14:15 UTC: %SYS-5-CONFIG_I: Configured  | 2023-10-11T22:14:15Z     | sw-1     | %SYS-5-CONFIG_I
          <189>45: *Mar  1 00:00:46: %SYS-5-CONFIG_I: not set yet             | receipt                  | -        | %SYS-5-CONFIG_I
          *Mar  1 00:00:46.123 UTC: %SYS-5-CONFIG_I: not set yet              | receipt                  | -        | %SYS-5-CONFIG_I
          <189>45: *Oct 07 03:10:04: rtr-1 %SYS-5-CONFIG_I: Configured        | receipt                  | rtr-1    | %SYS-5-CONFIG_I
          <189>*Oct 07 03:10:04: rtr-1 %SYS-5-CONFIG_I: Configured            | receipt                  | rtr-1    | %SYS-5-CONFIG_I
          <189>45: Oct 11 22:14:15: rtr-1: %SYS-5-CONFIG_I: Configured        | 2023-10-11T20:14:15Z     | rtr-1    | %SYS-5-CONFIG_I
          <189>45: %SYS-5-CONFIG_I: without a time                            | receipt                  | -        | %SYS-5-CONFIG_I
          <189>45: rtr-1: 2y10w: %SYS-5-CONFIG_I: without a clock             | receipt                  | rtr-1    | %SYS-5-CONFIG_I
          <189>45: rtr-1: 000046: 3d04h: %SYS-5-CONFIG_I: without a clock     | receipt                  | rtr-1    | %SYS-5-CONFIG_I
          <189>45: *00:01:23.456: %SYS-5-CONFIG_I: without a clock            | receipt                  | -        | %SYS-5-CONFIG_I
          <189>rtr-1: %SYS-5-CONFIG_I: without a time                         | receipt                  | rtr-1    | %SYS-5-CONFIG_I
          <189>45: rtr-1: 101 21: %SYS-5-CONFIG_I: without a clock            | receipt                  | rtr-1    | %SYS-5-CONFIG_I
          <189>1 2: %SYS-5-CONFIG_I: without a clock                          | receipt                  | -        | %SYS-5-CONFIG_I
          <189>101 21: no mnemonic                                            | receipt                  | -        | -
          <189>45: 1w2d: no mnemonic                                          | receipt                  | -        | -
          <189>2023 Oct 11 22:14:15 sw-1 %ETHPORT-5-IF_UP: Interface          | 2023-10-11T20:14:15Z     | sw-1     | %ETHPORT-5-IF_UP
          <166>Oct 11 2023 22:14:15 fw01: %ASA-6-302013: Built                | 2023-10-11T20:14:15Z     | fw01     | %ASA-6-302013
          <166>Oct 11 22:14:15 10.1.2.3: %FTD-6-302013: Built                 | 2023-10-11T20:14:15Z     | 10.1.2.3 | %FTD-6-302013
          <166>Oct 11 22:14:15 su: 90%-5-done: text                           | 2023-10-11T20:14:15Z     | -        | su
          # Cisco IOS XR
          <189>RP/0/RP0/CPU0:Oct 11 22:14:15.5 EST: ifmgr[9]: %PKT-3-UPDOWN : x| 2023-10-12T03:14:15.500Z | -        | %PKT-3-UPDOWN
          <189>71: RP/0/RP0/CPU0:Oct 11 22:14:15 UTC: ifmgr[9]: %PKT-3-UPDOWN : x| 2023-10-11T22:14:15Z     | -        | %PKT-3-UPDOWN
          <189>71: rtr-1 RP/0/RP0/CPU0:Oct 11 22:14:15 UTC: bgp[9]: %R-5-ADJ : x| 2023-10-11T22:14:15Z     | rtr-1    | %R-5-ADJ
          <189>71: rtr-1: LC/0/1/CPU0:Oct 11 22:14:15 : l2fib[9]: %L2-5-MAC : x| 2023-10-11T20:14:15Z     | rtr-1    | %L2-5-MAC
          <189>71: 0/RP0/ADMIN0:Oct 11 22:14:15 XYZ: vm[9]: %INFRA-5-UP : x   | 2023-10-11T20:14:15Z     | -        | %INFRA-5-UP
          <189>RP/0/RP0/CPU0:Oct 11 22:14:15 -07: statsd[9]: %MGBL-6-CLEAR : x| 2023-10-12T05:14:15Z     | -        | %MGBL-6-CLEAR
          <189>RP/0/RP0/CPU0: *Oct 11 22:14:15: ifmgr[9]: %PKT-3-UPDOWN : x   | receipt                  | -        | %PKT-3-UPDOWN
          <22>postfix/smtpd: Oct 11 22:14:15 is only in the text              | receipt                  | -        | postfix/smtpd
          <189>RP/0/RP0/CPU0:Oct 11 22:14:15 mdt: ifmgr[9]: no mnemonic       | 2023-10-11T20:14:15Z     | -        | ifmgr
          # zones by name, whatever the configured one is
          <34>Oct 11 22:14:15 EDT web-1 su: failed                            | 2023-10-12T02:14:15Z     | web-1    | su
          <34>Oct 11 22:14:15 AEST web-1 su: failed                           | 2023-10-11T12:14:15Z     | web-1    | su
          <34>Oct 11 22:14:15 ACDT web-1 su: failed                           | 2023-10-11T11:44:15Z     | web-1    | su
          <34>Oct 11 22:14:15 CET web-1 su: failed                            | 2023-10-11T21:14:15Z     | web-1    | su
          <34>Oct 11 22:14:15 CST web-1 su: failed                            | 2023-10-11T20:14:15Z     | web-1    | su
          <34>Oct 11 22:14:15 edt su: failed                                  | 2023-10-11T20:14:15Z     | edt      | su
          <189>123: Oct 11 18:46:11.123 mdt: %SYS-5-CONFIG_I: Configured      | 2023-10-12T00:46:11.123Z | -        | %SYS-5-CONFIG_I
          <189>Oct 11 18:46:11 mdt: %SYS-5-CONFIG_I: Configured               | 2023-10-12T00:46:11Z     | -        | %SYS-5-CONFIG_I
          <189>Oct 11 18:46:11 Zulu1: %SYS-5-CONFIG_I: Configured             | 2023-10-11T16:46:11Z     | Zulu1    | %SYS-5-CONFIG_I
          <189>45: rtr-1 : Oct 11 18:46:11 EDT: %SYS-5-CONFIG_I: Configured   | 2023-10-11T22:46:11Z     | rtr-1    | %SYS-5-CONFIG_I
          <30>device="SFW" date=2023-10-11 time=22:14:15 timezone="EDT" a="b" | 2023-10-12T02:14:15Z     | -        | -
          # products that name themselves behind any program, or the device
          <34>1 2023-10-11T22:14:15Z web-1 su: - - - x                        | 2023-10-11T22:14:15Z     | web-1    | su
          <34>1 2023-10-11T22:14:15Z web-1 : - - - x                          | 2023-10-11T22:14:15Z     | web-1    | :
          <34>1 2023-10-11T22:14:15Z web-1 su -                               | 2023-10-11T22:14:15Z     | web-1    | su
          <133>fw-1: NetScreen device_id=fw-1 x                               | receipt                  | fw-1     | NetScreen
          <133>Oct 11 22:14:15 10.1.2.3 fw-1: NetScreen device_id=fw-1 x      | 2023-10-11T20:14:15Z     | 10.1.2.3 | NetScreen
          <133>Oct 11 22:14:15 fw-1: NetScreen device_id=fw-1 x               | 2023-10-11T20:14:15Z     | fw-1     | NetScreen
          # AireOS
          <134>WLC-1: *spamApTask0: Oct 11 22:14:15.123: #LWAPP-3-RX_ERR: x   | 2023-10-11T20:14:15.123Z | WLC-1    | #LWAPP-3-RX_ERR
          <134>*apfRcv_2: Oct 11 22:14:15: %APF-4-NOT_FOUND: x                | 2023-10-11T20:14:15Z     | -        | %APF-4-NOT_FOUND
          <134>WLC-1: *dtlArpTask: %DTL-3-OSARP_DEL: x                        | receipt                  | WLC-1    | %DTL-3-OSARP_DEL
          # CUCM
          <189>71: cm-1.lan: Oct 11 2023 22:14:15.5 UTC : %UC_ALARM-2-Failed: x| 2023-10-11T22:14:15.500Z | cm-1.lan | %UC_ALARM-2-Failed
          <189>Oct 11 2023 10:14:15 PM UTC : %UC_ALARM-2-Failed: x            | 2023-10-11T22:14:15Z     | -        | %UC_ALARM-2-Failed
          <189>Oct 11 2023 12:14:15 AM.781 UTC : %UC_ALARM-2-Failed: x        | 2023-10-11T00:14:15.781Z | -        | %UC_ALARM-2-Failed
          <189>Oct 11 12:14:15 PM UTC : %UC_ALARM-2-Failed: x                 | 2023-10-11T12:14:15Z     | -        | %UC_ALARM-2-Failed
          <189>Oct 11 10:14:15 AM UTC cm-1 su: x                              | 2023-10-11T10:14:15Z     | cm-1     | su
          <189>Oct 11 22:14:15 PM                                             | 2023-10-11T20:14:15Z     | -        | -
          <189>Oct 11 10:14:15 PM UTC: %UC_ALARM-2-Failed: x                  | 2023-10-11T22:14:15Z     | -        | %UC_ALARM-2-Failed
          <189>Oct 11 10:14:15 PM sshd[12]: x                                 | 2023-10-11T08:14:15Z     | PM       | sshd
          <189>Oct 11 10:14:15 AM su: x                                       | 2023-10-11T08:14:15Z     | AM       | su
          <189>Oct 11 22:14:15 PMX su: x                                      | 2023-10-11T20:14:15Z     | PMX      | su
          # Meraki
          <134>1 1697062455.774247467 MX_84 flows src=10.1.2.3                | 2023-10-11T22:14:15.774Z | MX_84    | flows
          <134>1 1697062455.7 MX_84 urls src=10.1.2.3:80                      | 2023-10-11T22:14:15.700Z | MX_84    | urls
          <134>1 1697062455 apples                                            | receipt                  | -        | -
          <134>2 1697062455.7 apples were sold                                | receipt                  | -        | -
          # NetScaler
          <134> 07/22/2023:13:26:58 GMT ns1 0-PPE-0 : default TCP CONN        | 2023-07-22T13:26:58Z     | ns1      | 0-PPE-0
          <134> 22/07/2023:13:26:58 GMT ns1 0-PPE-0 : default TCP CONN        | 2023-07-22T13:26:58Z     | ns1      | 0-PPE-0
          <134> 2023/07/22:13:26:58 GMT ns1 0-PPE-0 : default TCP CONN        | 2023-07-22T13:26:58Z     | ns1      | 0-PPE-0
          <134> 10/11/2023:22:14:15 GMT ns1 0-PPE-0 : default TCP CONN        | 2023-10-11T22:14:15Z     | ns1      | 0-PPE-0
          <134> 11/10/2023:22:14:15 GMT ns1 0-PPE-0 : default TCP CONN        | 2023-10-11T22:14:15Z     | ns1      | 0-PPE-0
          <134> 10/11/2023:22:14:15  ns1 0-PPE-0 : default TCP CONN           | 2023-10-11T20:14:15Z     | ns1      | 0-PPE-0
          <134> 10/11/2023:22:14:15 GMT  0-PPE-0 : default TCP CONN           | 2023-10-11T22:14:15Z     | -        | 0-PPE-0
          <134> 13/13/2023:22:14:15 GMT ns1 0-PPE-0 : default TCP CONN        | receipt                  | -        | -
          # Sophos
          <30>device="SFW" date=2023-10-11 time=22:14:15 timezone="CEST" a="b"| 2023-10-11T20:14:15Z     | -        | -
          <30>device="SFW" date=2023-10-11 time=22:14:15 timezone="-03" a="b" | 2023-10-12T01:14:15Z     | -        | -
          <30>device="SFW" date=2023-10-11 time=22:14:15 timezone="UTC" a="b" | 2023-10-11T22:14:15Z     | -        | -
          <30>device="SFW" date=2023-10-11 time=22:14:15 a="b"                | 2023-10-11T20:14:15Z     | -        | -
          <30>device="SFW" date=2023-13-11 time=22:14:15 a="b"                | receipt                  | -        | -
          <30>device_name="SFW" timestamp="2023-10-11T22:14:15+0000" a="b"    | 2023-10-11T22:14:15Z     | -        | -
          <30>device_name="SFW" timestamp="2023-10-11 to be" a="b"            | receipt                  | -        | -
          <30>2023:10:11-22:14:15 utm-1 ulogd[12]: id="2001"                  | 2023-10-11T20:14:15Z     | utm-1    | ulogd
          <30>2023:13:11-22:14:15 utm-1 ulogd[12]: x                          | receipt                  | -        | -
          # a relay's header before the device's, which knows its time and name better
          <189>Oct 11 22:14:16 10.1.2.3 29: rtr-1: Oct 11 22:14:15: %SYS-5-C: x| 2023-10-11T20:14:15Z     | rtr-1    | %SYS-5-C
          <189>Oct 11 22:14:16 10.1.2.3 29: *Mar  1 00:00:46: %SYS-5-C: x     | 2023-10-11T20:14:16Z     | 10.1.2.3 | %SYS-5-C
          <189>Oct 11 22:14:16 10.1.2.3 29: 1w2d: %SYS-5-C: x                 | 2023-10-11T20:14:16Z     | 10.1.2.3 | %SYS-5-C
          <189>Oct 11 22:14:16 sw-1 : 2023 Oct 11 22:14:15 UTC: %SYS-5-C: x   | 2023-10-11T22:14:15Z     | sw-1     | %SYS-5-C
          <189>Oct 11 22:14:16 sw-1 RP/0/RP0/CPU0: *Oct 11 22:14:15: a[9]: %B-3-C : x| 2023-10-11T20:14:16Z     | sw-1     | %B-3-C
          <189>Oct 11 22:14:16 sw-1 9: RP/0/RP0/CPU0:Oct 11 22:14:15 UTC: a[9]: x| 2023-10-11T22:14:15Z     | sw-1     | a
          <134>Oct 11 22:14:16 10.1.2.3 1 1697062455.7 MX_84 flows src=10.1.2.3| 2023-10-11T22:14:15.700Z | MX_84    | flows
          <134>Oct 11 22:14:16 10.1.2.3 10/11/2023:22:14:15 GMT  0-PPE-0 : x  | 2023-10-11T22:14:15Z     | 10.1.2.3 | 0-PPE-0
          <30>Oct 11 22:14:16 fw-1 device="SFW" date=2023-10-11 time=22:14:15 | 2023-10-11T20:14:15Z     | fw-1     | -
          <30>Oct 11 22:14:16 fw-1 2023:10:11-22:14:15 utm-1 ulogd[12]: x     | 2023-10-11T20:14:15Z     | utm-1    | ulogd
          <34>Oct 11 22:14:16 web-1 2023-10-11 22:14:15,123 INFO main: x      | 2023-10-11T20:14:16Z     | web-1    | -
          <166>Oct 11 22:14:16 relay Oct 11 2023 22:14:15 fw-1 : %ASA-6-1: x  | 2023-10-11T20:14:15Z     | fw-1     | %ASA-6-1
          <166>Oct 11 22:14:16 relay Oct 11 2023 22:14:15: %ASA-6-1: x        | 2023-10-11T20:14:15Z     | relay    | %ASA-6-1
          <166>Oct 11 22:14:16 Oct 11 2023 22:14:15 fw-1 : %ASA-6-1: x        | 2023-10-11T20:14:15Z     | fw-1     | %ASA-6-1
          <189>Oct 11 22:14:16 relay fw-1: Oct 11 22:14:15 UTC: %SYS-5-C-D: x | 2023-10-11T22:14:15Z     | fw-1     | %SYS-5-C-D
          <189>Oct 11 22:14:16 relay fw-1: 2023 Oct 11 22:14:15: %SYS-5-C-D: x| 2023-10-11T20:14:15Z     | fw-1     | %SYS-5-C-D
          <189>Oct 11 22:14:16 relay fw-1: *Mar  1 00:00:46: %SYS-5-C-D: x    | 2023-10-11T20:14:16Z     | fw-1     | %SYS-5-C-D
          <134>Oct 11 22:14:16 relay *apfRcv_2: Oct 11 22:14:15: #APF-4-B: x  | 2023-10-11T20:14:15Z     | relay    | #APF-4-B
          <13>Oct 11 22:14:16 Oct  9 10:15:02 h2 sshd[1]: x                   | 2023-10-11T20:14:16Z     | h2       | sshd
          <13>Oct 11 22:14:16 Oct 09 10:15:02 nothing happened                | 2023-10-11T20:14:16Z     | -        | -
          <13>Oct 11 22:14:16 web 22 is down                                  | 2023-10-11T20:14:16Z     | web      | -
          # but not a date that the text has
          <13>Oct 11 22:14:16 web-1 2019-01-01 00:00:00: restored a backup    | 2023-10-11T20:14:16Z     | web-1    | -
          <13>Oct 11 22:14:16 h1 2023-10-11 09:15:02,123: ERROR foo           | 2023-10-11T20:14:16Z     | h1       | -
          <13>Oct 11 22:14:16 h1 3proxy: Oct 10 00:00:00: x                   | 2023-10-11T20:14:16Z     | h1       | 3proxy
          <13>Oct 11 22:14:16 h1 cron: 7: Oct 10 00:00:00: x                  | 2023-10-11T20:14:16Z     | h1       | cron
          <13>Oct 11 22:14:16 h1 cron: Oct 10 00:00:00 is a date              | 2023-10-11T20:14:16Z     | h1       | cron
          <34>Oct 11 22:14:16 web-1 1: x                                      | 2023-10-11T20:14:16Z     | web-1    | -
          # IPv6 that looks like a year
          <189>45: 2001:db8::1: Oct 11 22:14:15: %SYS-5-CONFIG_I: x           | 2023-10-11T20:14:15Z     | 2001:db8::1| %SYS-5-CONFIG_I
          <34>Oct 11 22:14:15 2001:db8::1 su: failed                          | 2023-10-11T20:14:15Z     | 2001:db8::1| su
          <34>Oct 11 22:14:15 2001: su: failed                                | 2001-10-11T20:14:15Z     | -        | su
          <34>Oct 11 22:14:15 ::1 su: failed                                  | 2023-10-11T20:14:15Z     | ::1      | su
          <13>2001:db8::1 prog: x                                             | receipt                  | 2001:db8::1| prog
          <13> 2001:db8::1 prog[1]: x                                         | receipt                  | 2001:db8::1| prog
          <13>2001:db8::1 is down                                             | receipt                  | -        | -
          <13>10.1.2.3 prog: x                                                | receipt                  | 10.1.2.3 | prog
          <13>10.1.2.3 is down                                                | receipt                  | -        | -
          # no host
          <34>Oct 11 22:14:15 last message repeated 3 times                   | 2023-10-11T20:14:15Z     | -        | -
          <34>Oct 11 22:14:15 web-1 last message repeated 3 times             | 2023-10-11T20:14:15Z     | web-1    | -
          <34>Oct 11 22:14:15 last su: failed                                 | 2023-10-11T20:14:15Z     | last     | su
          <34>Oct 11 22:14:15 Message forwarded from aix-1: su[12]: failed    | 2023-10-11T20:14:15Z     | aix-1    | su
          <34>Oct 11 22:14:15 Message forwarded from 10.1.2.3: su failed      | 2023-10-11T20:14:15Z     | 10.1.2.3 | su
          <34>Oct 11 22:14:15 - su: failed                                    | 2023-10-11T20:14:15Z     | -        | su
          <34>Oct 11 22:14:15 - su failed                                     | 2023-10-11T20:14:15Z     | -        | su
          <34>Oct 11 22:14:15 -- MARK --                                      | 2023-10-11T20:14:15Z     | -        | -
          <34>Oct 11 22:14:15 BRT web-1 su: failed                            | 2023-10-11T20:14:15Z     | web-1    | su
          <34>Oct 11 22:14:15 WITA web-1 su: failed                           | 2023-10-11T14:14:15Z     | web-1    | su
          <34>Oct 11 22:14:15 XYZ fw-1 : %ASA-6-302013: Built                 | 2023-10-11T20:14:15Z     | fw-1     | %ASA-6-302013
          <34>Oct 11 2023 22:14:15.5 WIB web-1 su[12]: failed                 | 2023-10-11T15:14:15.500Z | web-1    | su
          <34>Oct 11 22:14:15 DMZ switch port3: link down                     | 2023-10-11T20:14:15Z     | DMZ      | switch
          <34>Oct 11 22:14:15 PROXY squid error: x                            | 2023-10-11T20:14:15Z     | PROXY    | squid
          <34>Oct 11 22:14:15 XYZ su: failed                                  | 2023-10-11T20:14:15Z     | XYZ      | su
          <34>Oct 11 22:14:15 XYZ su failed                                   | 2023-10-11T20:14:15Z     | XYZ      | su
          # tags with commas
          <30>Oct 11 22:14:15 web-1 18e829,UAP-6.0+1: hostapd: x              | 2023-10-11T20:14:15Z     | web-1    | 18e829,UAP-6.0+1
          <30>Oct 11 22:14:15 web-1 a,b[12]: x                                | 2023-10-11T20:14:15Z     | web-1    | a,b
          <30>a,b: x                                                          | receipt                  | -        | a,b
          <30>Oct 11 22:14:15 web-1 error, reason: x                          | 2023-10-11T20:14:15Z     | web-1    | -
          <14>Oct 11 22:14:15 web-1 1,2023/10/11 22:14:15,TRAFFIC             | 2023-10-11T20:14:15Z     | web-1    | -
          # UTF-8's mark
          \u00ef\u00bb\u00bf<34>Oct 11 22:14:15 web-1 su: failed              | 2023-10-11T20:14:15Z     | web-1    | su
          \u00ef\u00bb\u00bf<34>1 2023-10-11T22:14:15Z web-1 su - - - x       | 2023-10-11T22:14:15Z     | web-1    | su
          \u00ef\u00bb                                                        | receipt                  | -        | -
          # without a time that can be used
          <13>message only                                                    | receipt                  | -        | -
          <13>su: failed                                                      | receipt                  | -        | su
          <13>su[12]: failed                                                  | receipt                  | -        | su
          <13>date=2023-10-11 time=22:14:15 devname=f                         | receipt                  | -        | -
          <13>Oct 32 22:14:15 web-1 su: x                                     | receipt                  | -        | -
          <13>Oct 11 25:14:15 web-1 su: x                                     | receipt                  | -        | -
          <13>Okt 11 22:14:15 web-1 su: x                                     | receipt                  | -        | -
          <13>Feb 30 22:14:15 web-1 su: x                                     | receipt                  | -        | -
          <13>Oct 11 22:14                                                    | receipt                  | -        | -
          <13>                                                                | receipt                  | -        | -
          <13                                                                 | receipt                  | -        | -
          <                                                                   | receipt                  | -        | -
          ''                                                                  | receipt                  | -        | -
          <13>1                                                               | receipt                  | -        | -
          '<13>1 '                                                            | receipt                  | -        | -
          <13>1 message only                                                  | receipt                  | -        | -
          <13>2 2023-10-11T22:14:15Z                                          | receipt                  | -        | -
          """)
  void header_ofAnyForm_isRead(String message, String time, String host, String program) {
    assertHeader(message, time, host, program);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          <34>1 2023-10-11T22:14:15Z web-1 su 12 - - CEF:0|V|P; 2023-10-11T22:14:15Z; web-1; CEF
          <34>1 2023-10-11T22:14:15Z web-1 - - - - LEEF:1.0|V|P; 2023-10-11T22:14:15Z; web-1; LEEF
          <34>1 2023-10-11T22:14:15Z web-1 su - - CEF:0|V|P; 2023-10-11T22:14:15Z; web-1; CEF
          <34>Oct 11 22:14:15 web-1 su[12]: CEF:0|V|P; 2023-10-11T20:14:15Z; web-1; CEF
          <34>Oct 11 22:14:15 web-1 su CEF:1|V|P; 2023-10-11T20:14:15Z; web-1; CEF
          <34>Oct 11 22:14:15 web-1 su: LEEF:2.0|V|P; 2023-10-11T20:14:15Z; web-1; LEEF
          <34>Oct 11 22:14:15 web-1 su: CEF: nothing; 2023-10-11T20:14:15Z; web-1; su
          """)
  void program_isTheFormatThatNamesItsProduct_whateverWroteIt(
      String message, String time, String host, String program) {
    assertHeader(message, time, host, program);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # zone        | time as sent    | received             | time
          UTC           | Dec 31 23:59:59 | 2024-01-01T00:00:01Z | 2023-12-31T23:59:59Z
          UTC           | Dec 31 23:59:59 | 2023-12-31T23:59:58Z | 2023-12-31T23:59:59Z
          UTC           | Jan  1 00:00:00 | 2023-12-31T23:59:59Z | 2024-01-01T00:00:00Z
          UTC           | Jan  1 00:00:00 | 2024-01-01T00:00:01Z | 2024-01-01T00:00:00Z
          UTC           | Mar  1 00:00:46 | 2023-10-11T00:00:00Z | 2023-03-01T00:00:46Z
          UTC           | Oct 18 06:00:00 | 2023-10-11T06:00:00Z | 2023-10-18T06:00:00Z
          UTC           | Oct 18 06:00:00 | 2023-10-11T05:59:59Z | 2022-10-18T06:00:00Z
          UTC           | Oct 11 06:00:01 | 2023-10-11T06:00:00Z | 2023-10-11T06:00:01Z
          UTC           | Jan  7 00:00:00 | 2023-12-31T00:00:00Z | 2024-01-07T00:00:00Z
          UTC           | Jan  7 00:00:01 | 2023-12-31T00:00:00Z | 2023-01-07T00:00:01Z
          UTC           | Dec 31 23:59:59 | 2023-12-24T00:00:00Z | 2022-12-31T23:59:59Z
          UTC           | Nov 30 12:00:00 | 2024-01-15T00:00:00Z | 2023-11-30T12:00:00Z
          UTC           | Jul  1 12:00:00 | 2024-01-01T00:00:00Z | 2023-07-01T12:00:00Z
          UTC           | Jul  2 12:00:00 | 2024-01-01T00:00:00Z | 2023-07-02T12:00:00Z
          UTC           | Feb 29 12:00:00 | 2024-03-01T00:00:00Z | 2024-02-29T12:00:00Z
          UTC           | Feb 29 12:00:00 | 2023-12-31T00:00:00Z | 2020-02-29T12:00:00Z
          UTC           | Feb 29 12:00:00 | 2024-02-22T12:00:00Z | 2024-02-29T12:00:00Z
          UTC           | Feb 29 12:00:00 | 2024-02-22T11:59:59Z | 2020-02-29T12:00:00Z
          UTC           | Feb 29 12:00:00 | 2025-03-01T00:00:00Z | 2024-02-29T12:00:00Z
          UTC           | Feb 29 12:00:00 | 2026-04-01T00:00:00Z | 2024-02-29T12:00:00Z
          UTC           | Feb 29 12:00:00 | 2026-10-11T00:00:00Z | 2024-02-29T12:00:00Z
          UTC           | Feb 29 12:00:00 | 2101-01-01T00:00:00Z | 2096-02-29T12:00:00Z
          Asia/Tokyo    | Jan  1 00:00:00 | 2023-12-24T15:00:00Z | 2023-12-31T15:00:00Z
          Asia/Tokyo    | Jan  1 00:00:00 | 2023-12-24T14:59:59Z | 2022-12-31T15:00:00Z
          Europe/Berlin | Mar 26 01:59:59 | 2023-03-26T01:00:00Z | 2023-03-26T00:59:59Z
          Europe/Berlin | Mar 26 02:30:00 | 2023-03-26T01:00:00Z | 2023-03-26T01:30:00Z
          Europe/Berlin | Mar 26 03:00:00 | 2023-03-26T01:00:00Z | 2023-03-26T01:00:00Z
          Europe/Berlin | Oct 29 02:30:00 | 2023-10-29T00:30:01Z | 2023-10-29T00:30:00Z
          Europe/Berlin | Oct 29 02:30:00 | 2023-10-29T01:30:01Z | 2023-10-29T01:30:00Z
          Europe/Berlin | Oct 29 03:00:00 | 2023-10-29T01:30:01Z | 2023-10-29T02:00:00Z
          Europe/Berlin | Dec 31 23:59:59 | 2023-12-31T23:30:00Z | 2023-12-31T22:59:59Z
          Europe/Berlin | Jan  1 00:10:00 | 2023-12-31T23:30:00Z | 2023-12-31T23:10:00Z
          """)
  void timeWithoutYearOrZone_isOfTheConfiguredZone_andAtMostAWeekAheadOfTheReceipt(
      ZoneId zone, String sent, Instant received, Instant time) {
    Header header = Header.of("<13>" + sent + " h p: x", zone, received);
    assertThat(header.time()).isEqualTo(time.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "<0>x, 0, 0", "<165>x, 20, 5", "<191>x, 23, 7",
    "<192>x, -1, -1", "<1234>x, -1, -1", "<>x, -1, -1",
    "<-1>x, -1, -1", "<13, -1, -1", "x, -1, -1"
  })
  void priority_isReadOrAbsent(String message, int facility, int severity) {
    SyslogHeader header = new SyslogHeader(BERLIN);
    byte[] data = message.getBytes(StandardCharsets.US_ASCII);
    header.parse(data, 0, data.length, 0);
    assertThat(header.facility()).isEqualTo(facility);
    assertThat(header.severity()).isEqualTo(severity);
  }

  @Test
  void names_longerThanSane_areAbsent() {
    String longest = "h".repeat(255);
    assertHeader(
        "<13>Oct 11 22:14:15 " + longest + " su: x", "2023-10-11T20:14:15Z", longest, "su");
    assertHeader("<13>Oct 11 22:14:15 h" + longest + " su: x", "2023-10-11T20:14:15Z", "-", "-");
    assertHeader(
        "<13>Oct 11 22:14:15 web-1 " + "p".repeat(129) + ": x",
        "2023-10-11T20:14:15Z",
        "web-1",
        "-");
    assertHeader("<13>1 - h" + longest + " " + "p".repeat(129) + " - - - x", "receipt", "-", "-");
  }
}
