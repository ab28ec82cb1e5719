package io.duplog.benchmark.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SettingsTest {
  @Test
  void settings_ofSeveralSections_areNestedWhereTheFirstStands() {
    Settings settings =
        Settings.NONE
            .with("name", "bridge-1")
            .with("sink.type", "file")
            .with("receive.workers", "2")
            .with("sink.file.path", "\"/a b\"");

    assertThat(settings.toYaml())
        .isEqualTo(
            """
            name: bridge-1
            sink:
              type: file
              file:
                path: "/a b"
            receive:
              workers: 2
            """);
  }

  @Test
  void setting_givenTwice_hasTheLaterValue() {
    Settings settings = Settings.NONE.with("a.b", "1").with(Settings.NONE.with("a.b", "2"));

    assertThat(settings.toYaml()).isEqualTo("a:\n  b: 2\n");
  }

  @Test
  void tunings_saySortedWhatDiffers() {
    assertThat(
            BridgeTuning.NONE
                .withPrefetch(100)
                .acknowledgingEvery(Duration.ofSeconds(1))
                .withFsync(BridgeTuning.Fsync.NEVER)
                .settings())
        .hasToString(
            "receive.prefetch=100, settle.acknowledge=interval,"
                + " settle.acknowledge-interval=1000ms, sink.file.fsync=never");
    assertThat(ShimTuning.NONE.settings()).hasToString("");
  }

  @Test
  void rsyslogTuning_withSeveralThreads_letsThemStartBeforeTheQueueIsHalfFull() {
    assertThat(RsyslogTuning.NONE.parameters())
        .isEqualTo("queue.dequeueBatchSize=\"1024\" queue.workerThreads=\"1\"");
    assertThat(RsyslogTuning.NONE.withWorkerThreads(2).withDequeueBatchSize(64).parameters())
        .isEqualTo(
            "queue.dequeueBatchSize=\"64\" queue.workerThreads=\"2\""
                + " queue.workerThreadMinimumMessages=\"64\"");
  }
}
