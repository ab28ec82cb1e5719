package io.duplog.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.rig.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a listening shim exits before it opens its port if it can't load the compression
 * library. The shim runs in a separate process, because a JVM loads the library only once.
 */
class IngestCommandTest {
  @Test
  void listen_zstdNotLoadable_endsBeforeOpeningThePort(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("duplog-ingest.yaml");
    Files.writeString(
        file, "{stream: a, broker: {user: u, password: p}, listen: {port: 0, password: secret}}");
    Path output = folder.resolve("output");
    Process listener =
        new ProcessBuilder(
                Programs.java().toString(),
                "-DZstdTempFolder=" + folder.resolve("missing"),
                "-cp",
                System.getProperty("java.class.path"),
                IngestMain.class.getName(),
                "--listen",
                "--config=" + file)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(listener.waitFor(2, TimeUnit.MINUTES)).isTrue();
    } finally {
      listener.destroyForcibly();
    }
    assertThat(listener.exitValue()).isEqualTo(1);
    assertThat(output).content().contains("duplog-ingest: compression: zstd's library can't be");
  }
}
