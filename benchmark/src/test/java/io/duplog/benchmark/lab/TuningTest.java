package io.duplog.benchmark.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tests that a lab's settings become nested YAML, and that a later value of a key replaces an
 * earlier one.
 */
class TuningTest {
  @Test
  void configuration_severalSections_isNestedYaml() {
    assertThat(
            Tuning.configuration(
                Map.of(
                    "name", "bridge-1",
                    "sink.type", "file",
                    "sink-name.of", "x",
                    "receive.workers", "2",
                    "sink.file.path", "\"/a b\"")))
        .isEqualTo(
            """
            name: bridge-1
            receive:
              workers: 2
            sink-name:
              of: x
            sink:
              file:
                path: "/a b"
              type: file
            """);
  }

  @Test
  void withBridge_sameKeyTwice_keepsLaterValue() {
    Tuning tuning =
        Tuning.NONE.withBridge("b.c", "1").withBridge("a.b", "1").withBridge("b.c", "2");

    assertThat(tuning.bridge()).hasToString("{a.b=1, b.c=2}");
    assertThat(tuning.shim()).isEmpty();
  }
}
