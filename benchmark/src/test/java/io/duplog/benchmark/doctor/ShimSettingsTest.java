package io.duplog.benchmark.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.config.ConfigLoader;
import io.duplog.doctor.ShimSettings;
import io.duplog.ingest.IngestConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the doctor reads a shim's configuration file with the same result as the shim itself.
 */
class ShimSettingsTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "stream: a\nbroker: {user: u, password: p}\n",
        "stream: a\n"
            + "broker: {user: u, password: p, host: h, port: 1, virtual-host: v, queue: q,"
            + " queue-type: quorum, queue-count: 4, tls: {ca: /ca.pem}}\n"
            + "omprog: {mode: lines, begin-mark: B, commit-mark: C, sender-prefix: false,"
            + " max-message: 2KiB, keep-alive: 2s}\n"
            + "batch: {max-messages: 7}\n"
      })
  void load_shimFile_hasSameSettingsAsShim(String text) throws Exception {
    Path file = Files.writeString(folder.resolve("ingest.yaml"), text);

    IngestConfig shim = ConfigLoader.ofSystem().load(file, IngestConfig.class);

    assertThat(ShimSettings.load(file))
        .usingRecursiveComparison()
        .withEnumStringComparison()
        .isEqualTo(shim);
  }
}
