package io.duplog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.config.ConfigLoader;
import io.duplog.deliver.route.SenderZone;
import io.duplog.doctor.Check;
import io.duplog.doctor.Told;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests what {@code duplog check} reports about a configuration file before it connects to any
 * server.
 */
class CheckCommandTest {
  private static final String FINE = "OK | every key and value can be used |  | ";

  @TempDir private Path folder;

  private static List<String> told(List<String> ignoredKeys, @Nullable SenderZone zone) {
    return Told.by(new CheckCommand.FileCheck(Path.of("duplog.yaml"), ignoredKeys, zone)::examine);
  }

  @Test
  void timeZone_isNamed_andADoubtfulOneIsAWarning() {
    assertThat(told(List.of(), new SenderZone(ZoneId.of("Europe/Berlin"), null)))
        .containsExactly(FINE, "OK | zone of times that name none: Europe/Berlin |  | ");
    assertThat(told(List.of(), new SenderZone(ZoneId.of("+01:00"), "no summer time")))
        .containsExactly(
            FINE,
            "OK | zone of times that name none: +01:00 |  | ",
            "WARNING | no summer time |  | ");
  }

  @Test
  void ignoredKey_isAWarning() {
    assertThat(told(List.of("line 7: sink.file is not read"), null))
        .containsExactly(
            FINE,
            "WARNING | line 7: sink.file is not read | what the key says has no effect"
                + " | take it out, or choose what it belongs to");
  }

  @Test
  void checkBeforeStart_includesTheSinkAndThePage() throws Exception {
    String hec =
        "{type: hec, hec: {urls: ['https://s:8088'], token: t, routing: {time-zone: UTC}}}";
    List<Check> all = beforeStart("sink: " + hec + "\nstatus: {listen: '127.0.0.1:1'}\n");
    assertThat(all)
        .extracting(Check::subject)
        .startsWith("configuration " + folder.resolve("duplog.yaml"), "compression")
        .endsWith("sink hec", "status.listen 127.0.0.1:1");
    assertThat(Told.by(all.get(0)::examine))
        .containsExactly(FINE, "OK | zone of times that name none: UTC |  | ");

    List<Check> fewer = beforeStart("sink: {type: stdout}\nstatus: {listen: ''}\n");
    assertThat(fewer).extracting(Check::subject).endsWith("sink stdout");
    assertThat(Told.by(fewer.get(0)::examine)).containsExactly(FINE);
  }

  private List<Check> beforeStart(String rest) throws Exception {
    Path file = folder.resolve("duplog.yaml");
    Files.writeString(
        file,
        "name: one\nstreams: [{name: a}, {name: b, port: 5673}]\ndedup: {store: memory}\n" + rest);
    BridgeConfig config = ConfigLoader.of(Map.of(), "host").load(file, BridgeConfig.class);
    return CheckCommand.checks(file, config);
  }
}
