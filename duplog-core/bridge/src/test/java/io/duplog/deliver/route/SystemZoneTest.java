package io.duplog.deliver.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests which time zone a bridge takes from the system's settings, and which settings it reports as
 * doubtful.
 */
class SystemZoneTest {
  private static final Instant WINTER = Instant.parse("2026-01-15T12:00:00Z");
  private static final Instant SUMMER = Instant.parse("2026-07-15T12:00:00Z");

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # TZ                                          | winter    | summer
          Europe/Berlin                                 | +01:00    | +02:00
          :Europe/Berlin                                | +01:00    | +02:00
          posix/Europe/Berlin                           | +01:00    | +02:00
          :right/Europe/Berlin                          | +01:00    | +02:00
          right/UTC                                     | Z         | Z
          posix/EST                                     | -05:00    | -05:00
          Factory                                       | Z         | Z
          :                                             | Z         | Z
          ''                                            | Z         | Z
          CET                                           | +01:00    | +02:00
          EST5EDT                                       | -05:00    | -04:00
          UTC                                           | Z         | Z
          UTC0                                          | Z         | Z
          GMT0                                          | Z         | Z
          Z                                             | Z         | Z
          Etc/GMT-3                                     | +03:00    | +03:00
          EST                                           | -05:00    | -05:00
          EST5                                          | -05:00    | -05:00
          UTC+2                                         | -02:00    | -02:00
          UTC-2                                         | +02:00    | +02:00
          <+03>-3                                       | +03:00    | +03:00
          <+0545>-5:45                                  | +05:45    | +05:45
          CET-1CEST,M3.5.0,M10.5.0/3                    | +01:00    | +02:00
          :CET-1CEST,M3.5.0/2,M10.5.0/3                 | +01:00    | +02:00
          CET-1CEST-2,M3.5.0/02:00:00,M10.5.0/03:00:00  | +01:00    | +02:00
          EST5EDT,M3.2.0,M11.1.0                        | -05:00    | -04:00
          AEST-10AEDT,M10.1.0,M4.1.0/3                  | +11:00    | +10:00
          <-02>2<-01>,M3.5.0/-1,M10.5.0/0               | -02:00    | -01:00
          IST-1GMT0,M10.5.0,M3.5.0/1                    | Z         | +01:00
          """)
  void tz_meansWhatTheCLibraryReads(String tz, ZoneOffset winter, ZoneOffset summer) {
    ZoneId zone = SystemZone.of(tz).orElseThrow();
    assertThat(zone.getRules().getOffset(WINTER)).isEqualTo(winter);
    assertThat(zone.getRules().getOffset(SUMMER)).isEqualTo(summer);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Mars/Base",
        "Europe/Berlim",
        "::",
        "posix/",
        "posix/Mars/Base",
        "right/CET-1CEST,M3.5.0,M10.5.0/3",
        ":/no/such/file",
        "/etc",
        "CET-1CEST",
        "CET-99",
        "CET-1CEST,M3.5.0",
        "CET-1CEST,M13.5.0,M10.5.0",
        "CET-1CEST,J0,J300",
        "CET-1CEST,100,400",
        "X",
        "+02:00",
        "CET-1CEST,M3.5.0,M10.5.1/3",
        "\u00e9"
      })
  void tz_thatNobodyKnows_isNothing(String tz) {
    assertThat(SystemZone.of(tz)).isEmpty();
  }

  @Test
  void file_isKnownByItsName_orByTheRulesAtItsEnd() throws Exception {
    Path zones = Files.createDirectories(folder.resolve("zoneinfo/Europe"));
    Path berlin = Files.writeString(zones.resolve("Berlin"), "TZif2");
    Path link = Files.createSymbolicLink(folder.resolve("localtime"), berlin);
    assertThat(SystemZone.of(":" + link)).contains(ZoneId.of("Europe/Berlin"));
    assertThat(SystemZone.of(berlin.toString())).contains(ZoneId.of("Europe/Berlin"));
    Path copy =
        Files.writeString(
            folder.resolve("copy"),
            "TZif2\u0000\u00ff\nCET-1CEST,M3.5.0,M10.5.0/3\n",
            StandardCharsets.ISO_8859_1);
    ZoneId zone = SystemZone.of(copy.toString()).orElseThrow();
    assertThat(zone.getRules().getOffset(SUMMER)).isEqualTo(ZoneOffset.ofHours(2));
    Path text = Files.writeString(folder.resolve("text"), "Europe/Berlin\n");
    assertThat(SystemZone.of(text.toString())).isEmpty();
  }

  @Test
  void system_saysWhatIsDoubtful() {
    Optional<ZoneId> berlin = Optional.of(ZoneId.of("Europe/Berlin"));
    assertThat(SenderZone.ofSystem(null, berlin).hazard()).isNull();
    for (String utc : List.of("", ":")) {
      assertThat(SenderZone.ofSystem(utc, Optional.empty()))
          .isEqualTo(new SenderZone(ZoneOffset.UTC, null));
      assertThat(SenderZone.ofSystem(utc, berlin).hazard())
          .startsWith(
              "TZ=" + utc + ", which means UTC, has no daylight saving time, but the host's zone");
    }
    assertThat(SenderZone.ofSystem(":Europe/Paris", berlin))
        .isEqualTo(new SenderZone(ZoneId.of("Europe/Paris"), null));
    assertThat(SenderZone.ofSystem("UTC", Optional.of(ZoneId.of("Asia/Tokyo"))).hazard()).isNull();
    assertThat(SenderZone.ofSystem("UTC", Optional.empty()).hazard()).isNull();
    assertThat(SenderZone.ofSystem("CET-1", berlin))
        .isEqualTo(
            new SenderZone(
                ZoneOffset.ofHours(1),
                "TZ=CET-1 has no daylight saving time, but the host's zone Europe/Berlin has: in summer, times without a zone may be wrong by an hour; set"
                    + " sink.hec.routing.time-zone to the senders' zone, such as Europe/Berlin"));
    SenderZone unknown = SenderZone.ofSystem("Mars/Base", berlin);
    assertThat(unknown.id()).isEqualTo(berlin.get());
    assertThat(unknown.hazard()).startsWith("TZ=Mars/Base of the environment is not a known zone");
  }

  @Test
  void zoneOfTheConfiguration_isDoubtfulIfItHasNoSummerTime_butUtcIsMeant() {
    Optional<ZoneId> london = Optional.of(ZoneId.of("Europe/London"));
    for (String utc : List.of("UTC", "Etc/UTC", "Z")) {
      assertThat(SenderZone.ofText(utc, london)).isEqualTo(new SenderZone(ZoneId.of(utc), null));
    }
    assertThat(SenderZone.ofText("GMT", london).hazard())
        .startsWith(
            "time-zone GMT has no daylight saving time, but the host's zone Europe/London has");
    assertThat(SenderZone.ofText("+01:00", london).hazard()).contains("may be wrong by an hour");
    assertThat(SenderZone.ofText("Europe/Paris", london).hazard()).isNull();
  }
}
