package io.duplog.deliver.syslog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that the original device's host and time are found behind a header that a relay has added.
 */
class RelayedHeaderTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final Instant RECEIVED = Instant.parse("2023-10-12T06:00:00Z");

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          # RFC 3164's own examples in 5.4
          <165>Aug 24 05:34:00 CST 1987 mymachine myproc[10]: %% It's time            ; 1987-08-24T03:34:00Z ; mymachine ; myproc
          <0>1990 Oct 22 10:52:01 TZ-6 scapegoat.example.org 10.1.2.3 sched[0]: x     ; 1990-10-22T09:52:01Z ; scapegoat.example.org ; sched
          <0>Oct 22 10:52:12 scapegoat 1990 Oct 22 10:52:01 TZ-6 s.example.org 10.1.2.3 sched[0]: x ; 1990-10-22T09:52:01Z ; s.example.org ; sched
          <34>Oct 11 22:14:15 UTC+3 web-1 su: x                                       ; 2023-10-11T19:14:15Z ; web-1 ; su
          <34>Oct 11 22:14:15 GMT-05:30 web-1 su: x                                   ; 2023-10-12T03:44:15Z ; web-1 ; su
          # lone colons, doubled signs and numbers that are too large
          <166>2023-10-11T22:14:15Z: %FTD-1-735002 IPMI: x                            ; 2023-10-11T22:14:15Z ; - ; %FTD-1-735002
          <196>Oct 11 22:14:15 : %%ASA-4-106023: x                                    ; 2023-10-11T20:14:15Z ; - ; %ASA-4-106023
          <3>23: AP:001b.54d1.e640: *Oct 11 22:14:15.308: %CAPWAP-3-ERRORLOG: x       ; receipt ; 001b.54d1.e640 ; %CAPWAP-3-ERRORLOG
          # a level behind the program, RouterOS' topics, an address in brackets
          <22>Oct 11 22:14:15 mail_logs: Info: x                                      ; 2023-10-11T20:14:15Z ; - ; mail_logs
          <22>Oct 11 22:14:15 web-1: Info: x                                          ; 2023-10-11T20:14:15Z ; web-1 ; Info
          <30>Oct 11 22:14:15 mt-1 system,info,account user x logged in               ; 2023-10-11T20:14:15Z ; mt-1 ; system,info,account
          <30>Oct 11 22:14:15 mt-1 a,informal,B text                                  ; 2023-10-11T20:14:15Z ; mt-1 ; -
          <30>Oct 11 22:14:15 md-1 [10.1.2.3] sapd[156]: x                            ; 2023-10-11T20:14:15Z ; md-1 ; sapd
          <30>Oct 11 22:14:15 web-1 [10.1.2.3] logged in                              ; 2023-10-11T20:14:15Z ; web-1 ; -
          # a device's header behind that of a relay of RFC 5424, or behind a tag
          <173>1 2023-10-11T22:14:15Z Oct 11 22:14:10 web-1 nginx: x                  ; 2023-10-11T20:14:10Z ; web-1 ; nginx
          <13>1 2023-10-11T22:14:15Z relay-1 relayd 5 - - <38>Oct 11 22:14:10 web-1 sshd[4]: x ; 2023-10-11T20:14:10Z ; web-1 ; sshd
          <13>1 2023-10-11T22:14:15Z web-1 app 5 - - <38>plain text                   ; 2023-10-11T22:14:15Z ; web-1 ; app
          <190>1 2023-10-11T22:14:15Z relay-1 Kiwi_SyslogNet_Server 33 MSGOUT rtr-1: Oct 11 22:14:10.538: %SYS-6-LOGOUT: x ; 2023-10-11T20:14:10.538Z ; rtr-1 ; %SYS-6-LOGOUT
          <14>Oct 11 22:14:15 relay-1 srx: 2023-10-11T22:14:10Z srx-1 RT_IDS - RT_SCREEN_IP [junos@2636 a="b"] ; 2023-10-11T22:14:10Z ; srx-1 ; RT_IDS
          <14>Oct 11 22:14:15 web-1 app: 2023-10-11T22:14:10Z job started for 5 users ; 2023-10-11T20:14:15Z ; web-1 ; app
          # no time, no priority
          win-1 MSWinEventLog 1 Security                                              ; receipt ; win-1 ; MSWinEventLog
          <134> #ILO 4: 10/11/2023 22:14 x                                            ; receipt ; - ; #ILO
          filterlog[123]: 1,,,9                                                       ; receipt ; - ; filterlog
          # hosts that are not written plainly
          <86>Oct 11 22:14:15 web-1/relay-1 sshd[12]: x                               ; 2023-10-11T20:14:15Z ; web-1 ; sshd
          <86>2023-10-11T22:14:15Z web-1/10.1.2.3/relay-2 sshd[12]: x                 ; 2023-10-11T22:14:15Z ; web-1 ; sshd
          <86>Oct 11 22:14:15 s_net@web-1/relay-1 sshd[12]: x                         ; 2023-10-11T20:14:15Z ; web-1 ; sshd
          <86>Oct 11 22:14:15 root@web-1 sshd[12]: x                                  ; 2023-10-11T20:14:15Z ; web-1 ; sshd
          <86>Oct 11 22:14:15 unity_1@APM0123456789 Mnsvc[12]: x                      ; 2023-10-11T20:14:15Z ; unity_1 ; Mnsvc
          <86>Oct 11 22:14:15 web-1(10.1.2.3) sshd[12]: x                             ; 2023-10-11T20:14:15Z ; web-1 ; sshd
          <86>Oct 11 22:14:15 web-1[10.1.2.3] sshd[12]: x                             ; 2023-10-11T20:14:15Z ; web-1 ; sshd
          <86>Oct 11 22:14:15 web-1(10.1.2.3): sshd: x                                ; 2023-10-11T20:14:15Z ; web-1 ; sshd
          <86>Oct 11 22:14:15 web-1|relay-1 sshd: x                                   ; 2023-10-11T20:14:15Z ; web-1 ; sshd
          <86>Oct 11 22:14:15 web-1:514 sshd: x                                       ; 2023-10-11T20:14:15Z ; web-1 ; sshd
          <86>Oct 11 22:14:15 10.1.2.3:50514 sshd: x                                  ; 2023-10-11T20:14:15Z ; 10.1.2.3 ; sshd
          <86>Oct 11 22:14:15 [10.1.2.3]:514 sshd: x                                  ; 2023-10-11T20:14:15Z ; 10.1.2.3 ; sshd
          <86>Oct 11 22:14:15 [2001:db8::1]:514 sshd: x                               ; 2023-10-11T20:14:15Z ; 2001:db8::1 ; sshd
          <30>Oct 11 22:14:15 [localhost] systemd: x                                  ; 2023-10-11T20:14:15Z ; localhost ; systemd
          <30>Oct 11 22:14:15 <web-1> systemd[1]: x                                   ; 2023-10-11T20:14:15Z ; web-1 ; systemd
          <30>Oct 11 22:14:15 (web-1) systemd[1]: x                                   ; 2023-10-11T20:14:15Z ; web-1 ; systemd
          <30>Oct 11 22:14:15 "web-1" systemd[1]: x                                   ; 2023-10-11T20:14:15Z ; web-1 ; systemd
          <131>Oct 11 22:14:15 slot1/lb-2 tmm3[9]: x                                  ; 2023-10-11T20:14:15Z ; lb-2 ; tmm3
          <30>Oct 11 22:14:15 [error] it did not start                                ; 2023-10-11T20:14:15Z ; - ; -
          <30>Oct 11 22:14:15 a/b is no host                                          ; 2023-10-11T20:14:15Z ; - ; -
          <30>Oct 11 22:14:15 <web-1 sshd: x                                          ; 2023-10-11T20:14:15Z ; - ; -
          # a second host, and names that are written twice
          <86>Oct 11 22:14:15 web-1 web-1 sshd[1]: x                                  ; 2023-10-11T20:14:15Z ; web-1 ; sshd
          <86>Oct 11 22:14:15 WEB-1 web-1: sshd: x                                    ; 2023-10-11T20:14:15Z ; WEB-1 ; sshd
          <86>Oct 11 22:14:15 web-1: web-1: sshd: x                                   ; 2023-10-11T20:14:15Z ; web-1 ; sshd
          <86>Oct 11 22:14:15 web-1.example.com web-1 sshd: x                         ; 2023-10-11T20:14:15Z ; web-1.example.com ; sshd
          <86>Oct 11 22:14:15 relay-1 web-1 sshd[1]: x                                ; 2023-10-11T20:14:15Z ; web-1 ; sshd
          <86>Oct 11 22:14:15 relay-1 relay-2 web-1 sshd[1]: x                        ; 2023-10-11T20:14:15Z ; web-1 ; sshd
          <86>Oct 11 22:14:15 10.1.1.1 web-1 sshd: x                                  ; 2023-10-11T20:14:15Z ; web-1 ; sshd
          <86>Oct 11 22:14:15 10.1.1.1 10.1.1.2 sshd: x                               ; 2023-10-11T20:14:15Z ; 10.1.1.2 ; sshd
          <86>Oct 11 22:14:15 web-1 10.1.1.2 sshd: x                                  ; 2023-10-11T20:14:15Z ; web-1 ; sshd
          <166>Oct 11 22:14:15 10.1.1.1 fw-2 %ASA-6-1: x                              ; 2023-10-11T20:14:15Z ; fw-2 ; %ASA-6-1
          <132>Oct 11 22:14:15 10.1.1.1 slb-1 : %ACE-5-441003: x                      ; 2023-10-11T20:14:15Z ; slb-1 ; %ACE-5-441003
          Oct 11 22:14:15 10.1.1.1 pc-1	MSWinEventLog	1                             ; 2023-10-11T20:14:15Z ; pc-1 ; MSWinEventLog
          <14>Oct 11 22:14:15 10.1.1.1 fw-1 1,2023/10/11 22:14:15,0                   ; 2023-10-11T20:14:15Z ; fw-1 ; -
          <14>Oct 11 22:14:15 gw-3 gw-3 [WAN_IN-D-1] DESCR="x" IN=eth8                ; 2023-10-11T20:14:15Z ; gw-3 ; -
          <54>Oct 11 22:14:15 SymantecServer sepm-1: Site: S1                         ; 2023-10-11T20:14:15Z ; sepm-1 ; SymantecServer
          <13>Oct 11 22:14:15 n-1: n-1: 0000001c.000b7609 00f10e98 [kern_audit        ; 2023-10-11T20:14:15Z ; n-1 ; -
          <13>Oct 11 22:14:15 n-1: [n-1:wafl.vol.full:error]: x                       ; 2023-10-11T20:14:15Z ; n-1 ; -
          # a relay's header before the device's
          <86>Oct 11 22:14:16 relay-1 Oct 11 22:14:15 web-1 sshd[1]: x                ; 2023-10-11T20:14:15Z ; web-1 ; sshd
          <86>Oct 11 22:14:16 relay-1 Oct 11 2023 22:14:15 web-1 sshd: x              ; 2023-10-11T20:14:15Z ; web-1 ; sshd
          <86>Oct 11 22:14:16 relay-1 2023 Oct 11 22:14:15 web-1 sshd: x              ; 2023-10-11T20:14:15Z ; web-1 ; sshd
          <86>Oct 11 22:14:16 relay-1 Wed Oct 11 22:14:15 2023 web-1 sshd: x          ; 2023-10-11T20:14:15Z ; web-1 ; sshd
          <86>Oct 11 22:14:16 relay-1 2023-10-11T22:14:15.5Z web-1 sshd: x            ; 2023-10-11T22:14:15.500Z ; web-1 ; sshd
          <86>2023-10-11 22:14:16 relay-1 2023-10-11 22:14:15 web-1 sshd[1]: x        ; 2023-10-11T20:14:15Z ; web-1 ; sshd
          <86>Oct 11 22:14:16 relay-1 Oct 11 22:14:15 sshd[1]: x                      ; 2023-10-11T20:14:15Z ; relay-1 ; sshd
          <86>Oct 11 22:14:17 r-1 Oct 11 22:14:16 r-2 Oct 11 22:14:15 web-1 sshd: x   ; 2023-10-11T20:14:15Z ; web-1 ; sshd
          <86>Oct 11 22:14:16 relay-1 <34>Oct 11 22:14:15 web-1 sshd: x               ; 2023-10-11T20:14:15Z ; web-1 ; sshd
          <86>Oct 11 22:14:16 relay-1 <34>1 2023-10-11T22:14:15Z web-1 sshd - - - x   ; 2023-10-11T22:14:15Z ; web-1 ; sshd
          <86>Oct 11 22:14:16 relay-1 1 2023-10-11T22:14:15Z web-1 sshd - - - x       ; 2023-10-11T22:14:15Z ; web-1 ; sshd
          <86>1 2023-10-11T22:14:16Z relay-1 - - - - <34>Oct 11 22:14:15 web-1 su: x  ; 2023-10-11T20:14:15Z ; web-1 ; su
          <86>Original Address=10.1.1.1 1 2023-10-11T22:14:15Z web-1 su - - - x       ; 2023-10-11T22:14:15Z ; web-1 ; su
          <181>Oct 11 22:14:16 10.1.1.1 Oct 11 22:14:15 ise-1 CISE_Failed 0001 1 0    ; 2023-10-11T20:14:15Z ; ise-1 ; CISE_Failed
          <134>Oct 11 22:14:16 10.1.1.1 1697062455.7 MX_84 flows src=10.1.2.3         ; 2023-10-11T22:14:15.700Z ; MX_84 ; flows
          <86>Oct 11 22:14:16 web-1 Oct 10 22:14:15 the backup was finished           ; 2023-10-11T20:14:16Z ; web-1 ; -
          <86>Oct 11 22:14:16 web-1 2023-10-10T22:14:15Z restored                     ; 2023-10-11T20:14:16Z ; web-1 ; -
          <86>Oct 11 22:14:16 web-1 <34>                                              ; 2023-10-11T20:14:16Z ; web-1 ; -
          <86>Wed Oct 11 22:14:15 2023 web-1 sshd[1]: x                               ; 2023-10-11T20:14:15Z ; web-1 ; sshd
          # words that are no program
          <30>Oct 11 22:14:15 web-1 Oct: x                                            ; 2023-10-11T20:14:15Z ; web-1 ; -
          <30>Oct 11 22:14:15 web-1 Mon came                                          ; 2023-10-11T20:14:15Z ; web-1 ; -
          <30>Oct 11 22:14:15 web-1 20231011 came                                     ; 2023-10-11T20:14:15Z ; web-1 ; -
          <30>Oct 11 22:14:15 web-1 10/Oct/2023:22:14:15 came                         ; 2023-10-11T20:14:15Z ; web-1 ; -
          <30>Oct 11 22:14:15 web-1 10.1.2.4 is down                                  ; 2023-10-11T20:14:15Z ; web-1 ; -
          <30>Oct 11 22:14:15 web-1 10.1.2.4: down                                    ; 2023-10-11T20:14:15Z ; web-1 ; -
          <30>Oct 11 22:14:15 web-1 fe80::1 is down                                   ; 2023-10-11T20:14:15Z ; web-1 ; -
          <30>Oct 11 22:14:15 web-1 -1 is negative                                    ; 2023-10-11T20:14:15Z ; web-1 ; -
          <30>Oct 11 22:14:15 web-1 web-1 is up                                       ; 2023-10-11T20:14:15Z ; web-1 ; -
          <14>Oct 11 22:14:15 10.1.1.1 00076 ports: port 1 is up                      ; 2023-10-11T20:14:15Z ; 10.1.1.1 ; ports
          # Cisco's mnemonic behind a program, and EOS's agents
          <189>Oct 11 22:14:15 web-1 OMPD_0[7]: %Viptela-web-1-OMPD_0-5-NTCE-1: x     ; 2023-10-11T20:14:15Z ; web-1 ; %Viptela-web-1-OMPD_0-5-NTCE-1
          <189>Oct 11 22:14:15 web-1 AEST: %SEC_LOGIN-SW2-5-OK: x                     ; 2023-10-11T20:14:15Z ; web-1 ; %SEC_LOGIN-SW2-5-OK
          <189>Oct 11 22:14:15 sw-1 Isis: %ISIS-4-ISIS_ADJCHG: x                      ; 2023-10-11T20:14:15Z ; sw-1 ; Isis
          # CEF and LEEF behind a byte order mark, structured data or a message id
          <34>1 2023-10-11T22:14:15Z web-1 su 1 ID7 - \u00ef\u00bb\u00bfCEF:0|V|P          ; 2023-10-11T22:14:15Z ; web-1 ; CEF
          <34>1 2023-10-11T22:14:15Z web-1 su - - [a@1 b="]\\"c"][d@2] CEF:0|V|P            ; 2023-10-11T22:14:15Z ; web-1 ; CEF
          <34>1 2023-10-11T22:14:15Z web-1 - - - [a@1] \u00ef\u00bb\u00bfLEEF:1.0|V|P       ; 2023-10-11T22:14:15Z ; web-1 ; LEEF
          <34>1  2023-10-11T22:14:15Z web-1 su - - - CEF:0|V|P                        ; 2023-10-11T22:14:15Z ; web-1 ; CEF
          <34>Oct 11 22:14:15 web-1 \u00ef\u00bb\u00bfCEF:0|V|P                           ; 2023-10-11T20:14:15Z ; web-1 ; CEF
          <34>Oct 11 22:14:15 web-1 su[1]: \u00ef\u00bb\u00bfCEF: 1|V|P                   ; 2023-10-11T20:14:15Z ; web-1 ; CEF
          <34>\u00ef\u00bb\u00bfOct 11 22:14:15 web-1 su: x                              ; 2023-10-11T20:14:15Z ; web-1 ; su
          <34>\u00ef\u00bb\u00bfLEEF:2.0|V|P                                            ; receipt ; - ; LEEF
          \u00ef\u00bb\u00bfCEF:0|V|P                                                   ; receipt ; - ; CEF
          <34>1 2023-10-11T22:14:15Z web-1 su - - [a@1 b="c CEF:0|V|P                 ; 2023-10-11T22:14:15Z ; web-1 ; su
          # Junos' severity behind a program; mnemonics in texts without a program
          <38>Oct 11 22:14:15 mx-1 sshd[5]: %AUTH-6: x                                ; 2023-10-11T20:14:15Z ; mx-1 ; %AUTH-6
          <28>Oct 11 22:14:15 mx-1 rpd[5]: %DAEMON-4-RPD_X: x                         ; 2023-10-11T20:14:15Z ; mx-1 ; %DAEMON-4-RPD_X
          <166>device-id=fw-1, up: %ASA-6-113004: x                                   ; receipt ; - ; %ASA-6-113004
          <189>Oct 11 22:14:15 sw-1 %$ VDC-1 %$ %ETHPORT-5-IF_UP: x                   ; 2023-10-11T20:14:15Z ; sw-1 ; %ETHPORT-5-IF_UP
          <189>1 2023-10-11T22:14:15Z sw-1 - - - - BOM%SYS-5-CONFIG_I: x              ; 2023-10-11T22:14:15Z ; sw-1 ; %SYS-5-CONFIG_I
          <30>Oct 11 22:14:15 [x] 100%DONE-5-ok or a=%2FABC-1-2                       ; 2023-10-11T20:14:15Z ; - ; -
          # keys with which a firewall's lines begin leave no program
          <189>Oct 11 22:14:15 fg-1 fortigate: date=2023-10-11 time=22:14:15          ; 2023-10-11T20:14:15Z ; fg-1 ; -
          <14>1 2023-10-11T22:14:15Z fw-1 panos - - - 1,2023/10/11 22:14:15,0011      ; 2023-10-11T22:14:15Z ; fw-1 ; -
          <134>Oct 11 22:14:15 fw-1 sonic: id=firewall sn=0006 fw=10.1.2.3            ; 2023-10-11T20:14:15Z ; fw-1 ; -
          <134>Oct 11 22:14:15 web-1 app: date=yesterday id=firewall                  ; 2023-10-11T20:14:15Z ; web-1 ; app
          # Barracuda's header behind a relay's, perhaps in the place of RFC 5424's program
          <134>Oct 11 22:14:16 lb-1 2023-10-11 22:14:15.329 +0200  lb-2 TR 10.1.2.3   ; 2023-10-11T20:14:15.329Z ; lb-2 ; TR
          <129>1 2023-10-11T22:14:16Z r-1 2023-10-11 - 22:14:15.985 +0200 waf-1 SYS x ; 2023-10-11T20:14:15.985Z ; waf-1 ; SYS
          <129>1 2023-10-11T22:14:16Z r-1 2023-10-11 22:14:15.985 +0200 job done      ; 2023-10-11T22:14:16Z ; r-1 ; -
          <134>Oct 11 22:14:16 web-1 2023-10-11 22:14:15.329 +0200 main TRACE x       ; 2023-10-11T20:14:16Z ; web-1 ; -
          # a device's header in the text of RFC 5424 without a program
          <86>1 2023-10-11T22:14:16Z r-1 - - - - Oct 11 22:14:15 web-1 sshd[4]: x     ; 2023-10-11T20:14:15Z ; web-1 ; sshd
          <86>1 2023-10-11T22:14:16Z r-1 - - - - Oct 10 22:14:15 the backup was made  ; 2023-10-11T22:14:16Z ; r-1 ; -
          <134>1 2023-10-11T22:14:16Z r-1 - - - - 1 1697062455.7 MX_84 flows src=x    ; 2023-10-11T22:14:15.700Z ; MX_84 ; flows
          <86>1 2023-10-11T22:14:16Z web-1 - - - - sshd[4]: x                         ; 2023-10-11T22:14:16Z ; web-1 ; sshd
          <86>1 2023-10-11T22:14:16Z web-1 - - - - Error: x                           ; 2023-10-11T22:14:16Z ; web-1 ; -
          <189>1 2023-10-11T22:14:16Z sw-1 3041: - - - Oct 11 22:14:15: %SYS-5-X: x   ; 2023-10-11T20:14:15Z ; sw-1 ; %SYS-5-X
          # no host: a process id, an event's name or the kernel follows the time
          <28>Oct 11 22:14:15 mib2d[19]: SNMP_TRAP_LINK_DOWN: x                       ; 2023-10-11T20:14:15Z ; - ; mib2d
          <30>Oct 11 22:14:15 named[81]: queries: info: x                             ; 2023-10-11T20:14:15Z ; - ; named
          <54>Oct 11 22:14:15 SymantecServer: Site: Main,Server: x                    ; 2023-10-11T20:14:15Z ; - ; SymantecServer
          <4>Oct 11 22:14:15 kernel: eth0: link is up                                 ; 2023-10-11T20:14:15Z ; - ; kernel
          <181>Oct 11 22:14:15 CISE_Failed_Attempts 0001 1 0                          ; 2023-10-11T20:14:15Z ; - ; CISE_Failed_Attempts
          <181>CISE_Failed_Attempts 0001 1 0                                          ; receipt ; - ; CISE_Failed_Attempts
          <29>mx-1 rpd[5]: x                                                          ; receipt ; mx-1 ; rpd
          # a relay's address, then the device's name and what only a device writes
          <133>Oct 11 22:14:15 10.1.1.1 lb-1 notice mcpd[10]: 01070638:5: x           ; 2023-10-11T20:14:15Z ; lb-1 ; notice
          <133>Oct 11 22:14:16 10.1.1.1 Oct 11 22:14:15 lb-1 notice mcpd[10]: x       ; 2023-10-11T20:14:15Z ; lb-1 ; notice
          <133>Oct 11 22:14:15 lb-1: notice mcpd[10]: 01070638:5: x                   ; 2023-10-11T20:14:15Z ; lb-1 ; notice
          <159>Oct 11 22:14:15 10.1.1.1 wcg-1 vendor=Websense product=Security        ; 2023-10-11T20:14:15Z ; wcg-1 ; -
          <30>Oct 11 22:14:15 10.1.1.1 mt-1 system,info,account user x logged in      ; 2023-10-11T20:14:15Z ; mt-1 ; system,info,account
          <14>Oct 11 22:14:15 10.1.1.1 sw-1 00076 ports: port 1 is up                 ; 2023-10-11T20:14:15Z ; sw-1 ; ports
          <86>Oct 11 22:14:15 10.1.1.1 gateway sshd[1]: x                             ; 2023-10-11T20:14:15Z ; gateway ; sshd
          # the message's length is left before it
          83 <86>Oct 11 22:14:15 web-1 sshd[1]: x                                     ; 2023-10-11T20:14:15Z ; web-1 ; sshd
          83 <8a>Oct 11 22:14:15 web-1 sshd[1]: x                                     ; receipt ; - ; -
          # BSD's syslogd, verbose; Comware's fraction of a second
          <134>Oct 11 22:14:15 <local0.info> 10.1.2.3 10/11/2023:22:14:14 GMT ns-1 0-PPE-0 : x ; 2023-10-11T22:14:14Z ; ns-1 ; 0-PPE-0
          <187>Oct 11 22:14:15:123 2023 sw-1 SHELL/4/LOGIN: x                         ; 2023-10-11T20:14:15.123Z ; sw-1 ; SHELL/4/LOGIN
          """)
  void header_ofTheDevice_isFound(String message, String time, String host, String program) {
    assertThat(Header.of(message, BERLIN, RECEIVED)).isEqualTo(new Header(time, host, program));
  }

  @Test
  void priority_ofTheDevice_replacesTheRelays() {
    SyslogHeader header = new SyslogHeader(BERLIN);
    byte[] data =
        "<13>Oct 11 22:14:16 relay-1 <187>Oct 11 22:14:15 web-1 su: x"
            .getBytes(StandardCharsets.US_ASCII);
    header.parse(data, 0, data.length, 0);
    assertThat(header.facility()).isEqualTo(23);
    assertThat(header.severity()).isEqualTo(3);
  }
}
