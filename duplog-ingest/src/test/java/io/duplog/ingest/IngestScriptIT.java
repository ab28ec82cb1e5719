package io.duplog.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.parts.Deployed;
import io.duplog.parts.StartScript;
import io.duplog.rig.Ports;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the shim's start script survives SIGHUP and SIGUSR1, which Debian sends to all
 * processes of rsyslog's unit.
 */
class IngestScriptIT {
  private @TempDir Path folder;

  private StartScript start(String... extraArguments) throws Exception {
    return start(0, extraArguments);
  }

  private StartScript start(int listenPort, String... extraArguments) throws Exception {
    Ports ports = new Ports();
    Path configuration =
        Files.writeString(
            folder.resolve("duplog-ingest.yaml"),
            """
            stream: syslog-a
            broker: {host: 127.0.0.1, port: %d, user: u, password: p}
            omprog: {mode: confirm}
            listen: {port: %d, password: secret}
            """
                .formatted(ports.next(), listenPort));
    String[] arguments = {"--config", configuration.toString()};
    if (extraArguments.length > 0) {
      arguments = new String[] {"--config", configuration.toString(), extraArguments[0]};
    }
    return new StartScript(
        folder,
        "debian/ingest/files/duplog-ingest",
        "/usr/share/duplog-ingest/duplog-ingest.jar",
        IngestMain.class.getName(),
        arguments);
  }

  @Test
  void hangUpAndUsr1_omprogShim_keepsRunning() throws Exception {
    try (StartScript shim = start()) {
      Process bombardment = shim.bombard();
      shim.awaitSaid("\nOK\n");
      bombardment.destroyForcibly().waitFor();

      assertThat(shim.process().isAlive()).isTrue();
      shim.process().getOutputStream().close();
      assertThat(shim.awaitEnd()).isZero();
    }
  }

  @Test
  void hangUpAndUsr1_listeningShim_keepsRunning() throws Exception {
    try (StartScript shim = start("--listen")) {
      Process bombardment = shim.bombard();
      shim.awaitSaid("takes transactions from rsyslog's omelasticsearch");
      bombardment.destroyForcibly().waitFor();

      assertThat(shim.process().isAlive()).isTrue();
      shim.process().destroy();
      assertThat(shim.awaitEnd()).isZero();
    }
  }

  @Test
  void occupiedPort_listeningShim_endsWithFailure() throws Exception {
    try (ServerSocket occupant = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        StartScript shim = start(occupant.getLocalPort(), "--listen")) {
      shim.awaitSaid("can't be opened");

      assertThat(shim.awaitEnd()).isPositive().isNotEqualTo(143);
    }
  }

  /** Java's second compiler is worth its memory only for the shim that reads HEC. */
  @ParameterizedTest
  @CsvSource({
    "debian/ingest/files/duplog-ingest, listen, --listen, true",
    "debian/ingest/files/duplog-ingest, hec, --check, true",
    "debian/ingest/files/duplog-ingest, hec, --listen, false",
    "container/ingest/duplog-ingest, listen, --listen, true",
    "container/ingest/duplog-ingest, hec, --check, true",
    "container/ingest/duplog-ingest, hec, --listen, false",
  })
  void compiler_byConfiguration_isFirstOrBoth(
      String script, String section, String option, boolean isFirstOnly) throws Exception {
    Path configuration =
        Files.writeString(folder.resolve("duplog-ingest.yaml"), "stream: a\n" + section + ": {}\n");
    String text =
        Deployed.text(script)
            .replace("\nJAVA=java\n", "\nJAVA=echo\n")
            .replace("exec java ", "exec echo ")
            .replace("$(id -u)", "$(echo nobody)");
    Process process =
        new ProcessBuilder(
                "/bin/sh",
                Files.writeString(folder.resolve("script"), text).toString(),
                "--config",
                configuration.toString(),
                option)
            .start();
    String command = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(command).contains("-XX:+UseSerialGC", "-Xmx256m", option);
    assertThat(command.contains("-XX:TieredStopAtLevel=1")).isEqualTo(isFirstOnly);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--listen"})
  void sigterm_startingShim_ends(String option) throws Exception {
    try (StartScript shim = option.isEmpty() ? start() : start(option)) {
      shim.process().destroy();

      // Java exits with 143 before the program starts; the unit accepts this status as success.
      assertThat(shim.awaitEnd()).isIn(0, 143);
    }
  }
}
