package io.duplog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.parts.StartScript;
import io.duplog.rig.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the bridge's start script obeys signals at any time, even while the bridge is still
 * starting.
 */
class StartScriptIT {
  private @TempDir Path folder;
  private Path configuration;

  @BeforeEach
  void configure() throws Exception {
    Ports ports = new Ports();
    configuration =
        Files.writeString(
            folder.resolve("duplog.yaml"),
            """
            streams:
              - {name: syslog-a, host: 127.0.0.1, port: %d, user: u, password: p}
              - {name: syslog-b, host: 127.0.0.1, port: %d, user: u, password: p}
            dedup: {window: 10m, redis: {host: 127.0.0.1, port: %d}}
            sink: {type: file, file: {path: %s}}
            status: {listen: "127.0.0.1:%d"}
            """
                .formatted(
                    ports.next(),
                    ports.next(),
                    ports.next(),
                    folder.resolve("merged.log"),
                    ports.next()));
  }

  private StartScript start() throws IOException {
    return new StartScript(
        folder,
        "debian/bridge/files/duplog",
        "/usr/share/duplog-bridge/duplog.jar",
        Main.class.getName(),
        "bridge",
        "--config",
        configuration.toString());
  }

  @Test
  void hangUpAndUsr1_endNoBridge_andUsr1Reloads() throws Exception {
    try (StartScript bridge = start()) {
      Process bombardment = bridge.bombard();
      bridge.awaitSaid("health at http");
      bridge.awaitSaid("reload: nothing in " + configuration + " has changed");
      bombardment.destroyForcibly().waitFor();

      assertThat(bridge.process().isAlive()).isTrue();
      bridge.process().destroy();
      assertThat(bridge.awaitEnd()).isZero();
    }
  }

  @Test
  void sigterm_duringTheStart_endsTheBridge() throws Exception {
    try (StartScript bridge = start()) {
      bridge.process().destroy();

      // 143 is Java's before the program begins, which the unit takes for success.
      assertThat(bridge.awaitEnd()).isIn(0, 143);
    }
  }
}
