package io.duplog.deliver.syslog;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.Allocations;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Tests that no bytes make the reader of syslog headers throw, read outside the message, or
 * allocate memory.
 */
class SyslogHeaderFuzzTest {
  private static final long RECEIVED = 1_697_090_400_000L;
  private static final int INPUTS = 100_000;

  private static final List<String> SAMPLES =
      List.of(
          "<34>1 2023-10-11T22:14:15.003Z web-1 su 12 ID47 [a b=\"c\"] \u00ef\u00bb\u00bffailed",
          "<34>1 - - - - - -",
          "<34>Oct 11 22:14:15 web-1 su[12]: failed",
          "<34>Oct  1 2023 22:14:15.123 +0200 web-1 su: failed",
          "<34>2023 Feb 29 22:14:15 UTC: su: failed",
          "<34>Feb 29 22:14:15 2024 [fe80::1] su: failed",
          "<34>2023-10-11 22:14:15,123+02:00 fe80::1: su: failed",
          "<189>29: rtr-1: *Oct 11 18:46:11.123 CEST: %SYS-5-CONFIG_I: Configured",
          "<166>Oct 11 2023 22:14:15 10.1.2.3 : %ASA-6-302013: Built",
          "<189>71: rtr-1 RP/0/RP0/CPU0:Oct 11 22:14:15.5 XYZ: bgp[9]: %ROUTING-5-ADJ : x",
          "<134>WLC-1: *spamApTask0: Oct 11 10:14:15 PM.123: #LWAPP-3-RX_ERR: x",
          "<189>Oct 11 22:14:15 XYZ web-1 45: *1w2d: %SYS-5-CONFIG_I: x",
          "<134>Oct 11 22:14:15 web-1 1 1697062455.774247467 MX_84 flows x",
          "<134> 10/11/2023:22:14:15 GMT ns1 0-PPE-0 : default TCP CONN",
          "<30>device=\"SFW\" date=2023-10-11 time=22:14:15 timezone=\"CEST\" a=\"b\"",
          "<30>device_name=\"SFW\" timestamp=\"2023-10-11T22:14:15+0000\" a=\"b\"",
          "<30>2023:10:11-22:14:15 web-1 a,b[12]: x",
          "\u00ef\u00bb\u00bf<34>Oct 11 22:14:15 Message forwarded from web-1: su[12]: x",
          "<34>Oct 11 22:14:15 last message repeated 3 times",
          "<34>Oct 11 22:14:15 web-1 last message repeated 3 times",
          "<189>Oct 11 22:14:15 29: rtr-1: Oct 11 22:14:14: %SYS-5-CONFIG_I: x",
          "Oct 29 02:30:00 ::ffff:10.1.2.3 su[12]: failed",
          "<13>Nov 24 10:15:00 web-1/relay-1 su[12]: failed",
          "<13>Nov 24 10:15:00 web/",
          "<13>Nov 24 10:15:00 src@web-1|relay-1/10.1.2.3 su[12]: failed",
          "<13>Nov 24 10:15:00 a|",
          "<134>2026-11-23T10:15:02Z 192.0.2.40,vip=203.0.113.40,http_uri=/",
          "<134>Nov 24 10:15:00 slot1/bigip-1 notice mcpd[12]: x",
          "<134>Nov 24 10:15:00 idrac-1@ABC1234, su[12]: x",
          "<134>Nov 24 10:15:00 [web-1]: su[12]: x",
          "<134>Nov 24 10:15:00 <web-1>/ su[12]: x",
          "<134>Nov 24 10:15:00 web-1(10.1.2.3) su[12]: x",
          "<134>Nov 24 10:15:00 (\"web-1\") web-1[10.1.2.3]:514: su[12]: x",
          "<134>Nov 24 10:15:00 web-1:514 CEF:0|a|b|c",
          "<134>Nov 24 10:15:00 10.1.2.3 Oct 11 22:14:15 web-1 web-1 su[12]: x",
          "<134>Nov 24 10:15:00 ns-1 [ns-1]: 0000001c.000b7609 00f10e98 Tue x",
          "<134>Nov 24 10:15:00 mgr-1 SymantecServer mgr-2: x",
          "<134>Nov 24 10:15:00 fw-1 NetScreen device_id=fw-1 [Root]x",
          "<134>Original Address=10.1.2.3 <34>Oct 11 22:14:15 web-1 LEEF:2.0|a",
          "<13>message only");

  /** Bytes that part the words of headers. */
  private static final String SIGNS = " :-[]<>.%+*0129TZ/|@(),=\"";

  /** A word that an address may be. */
  private static final String ADDRESS =
      "(?s).*[ >\\[][0-9a-fA-F.]*[:.][0-9a-fA-F:.]*[0-9a-fA-F][\\]: ].*";

  private final Random random = new Random(20231011);

  private byte[] input() {
    byte[] bytes =
        SAMPLES.get(random.nextInt(SAMPLES.size())).getBytes(StandardCharsets.ISO_8859_1);
    for (int changes = random.nextInt(5); changes > 0; changes--) {
      bytes = changed(bytes);
    }
    return bytes;
  }

  private byte[] changed(byte[] bytes) {
    if (bytes.length == 0) {
      return bytes;
    }
    int at = random.nextInt(bytes.length);
    int until = at + random.nextInt(bytes.length - at + 1);
    switch (random.nextInt(5)) {
      case 0 -> bytes[at] = (byte) random.nextInt(256);
      case 1 -> bytes[at] = (byte) SIGNS.charAt(random.nextInt(SIGNS.length()));
      case 2 -> {
        return Arrays.copyOf(bytes, at);
      }
      case 3 -> {
        return joined(Arrays.copyOf(bytes, at), Arrays.copyOfRange(bytes, until, bytes.length));
      }
      default -> {
        return joined(Arrays.copyOf(bytes, until), Arrays.copyOfRange(bytes, at, bytes.length));
      }
    }
    return bytes;
  }

  private static byte[] joined(byte[] head, byte[] tail) {
    byte[] whole = Arrays.copyOf(head, head.length + tail.length);
    System.arraycopy(tail, 0, whole, head.length, tail.length);
    return whole;
  }

  @Test
  void anyBytes_sayTheSameWhateverStandsAroundThem_andWasReadBefore() {
    SyslogHeader among = new SyslogHeader(ZoneId.of("Europe/Berlin"));
    int withTime = 0;
    for (int i = 0; i < INPUTS; i++) {
      byte[] bytes = input();
      SyslogHeader alone = new SyslogHeader(ZoneId.of("Europe/Berlin"));
      alone.parse(bytes, 0, bytes.length, RECEIVED);
      byte[] before = SAMPLES.get(i % SAMPLES.size()).getBytes(StandardCharsets.ISO_8859_1);
      byte[] whole = joined(joined(before, bytes), before);
      among.parse(whole, 0, before.length, RECEIVED);
      among.parse(whole, before.length, before.length + bytes.length, RECEIVED);

      assertThat(Header.of(among, whole))
          .as(() -> new String(bytes, StandardCharsets.ISO_8859_1))
          .isEqualTo(Header.of(alone, bytes));
      assertThat(among.facility()).isEqualTo(alone.facility());
      assertThat(among.severity()).isEqualTo(alone.severity());
      assertThat(alone.hostStart()).isBetween(0, alone.hostEnd());
      assertThat(alone.programStart()).isBetween(0, alone.programEnd());
      assertThat(alone.programEnd()).isLessThanOrEqualTo(bytes.length);
      assertThat(alone.hostEnd()).isLessThanOrEqualTo(bytes.length);
      withTime += alone.hasTime() ? 1 : 0;
    }
    assertThat(withTime).isBetween(INPUTS / 10, INPUTS * 9 / 10);
  }

  @Test
  void parse_withoutAnAddress_allocatesNothing() {
    byte[][] inputs = new byte[1000][];
    for (int i = 0; i < inputs.length; i++) {
      do {
        inputs[i] = input();
      } while (new String(inputs[i], StandardCharsets.ISO_8859_1).matches(ADDRESS));
    }
    SyslogHeader header = new SyslogHeader(ZoneId.of("Europe/Berlin"));
    Allocations.assertNone(
        () -> {
          for (byte[] input : inputs) {
            header.parse(input, 0, input.length, RECEIVED);
          }
        });
  }
}
