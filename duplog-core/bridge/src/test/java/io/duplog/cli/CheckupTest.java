package io.duplog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.config.ConfigLoader;
import io.duplog.doctor.ClockCheck;
import io.duplog.doctor.PathCanary;
import io.duplog.receive.QueueSettings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tests that the doctor selects the right checks for a configuration, such as one test message for
 * a stream with several queues.
 */
class CheckupTest {
  @Test
  void streamWithSeveralQueues_getsOneCanary() throws Exception {
    BridgeConfig config =
        ConfigLoader.of(Map.of(), "host")
            .parse(
                "test.yaml",
                """
                name: one
                streams:
                  - {name: a, host: a.example, queues: [duplog, duplog.2]}
                  - {name: b, host: b.example, queue-count: 2}
                dedup: {store: memory}
                sink: {type: stdout}
                """,
                BridgeConfig.class);
    Checkup checkup =
        new Checkup(Map.of(), 0, Checkup.Canaries.REAL, List.of(), "id", new ClockCheck());

    assertThat(checkup.of(config))
        .filteredOn(PathCanary.class::isInstance)
        .flatExtracting(check -> ((PathCanary) check).queues())
        .extracting(QueueSettings::stream)
        .containsExactly("a", "b");
  }
}
