package io.duplog.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.observe.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a changed file is read again only when its writer has finished, and a bad one is
 * ignored.
 */
class RereadFileTest {
  private static final String KEPT =
      ": what was read before stays in use, the file is tried again every 5 s";

  @TempDir private Path folder;
  private long nanos;

  private String[] afterEach(RereadFile<String> file, int looks) {
    String[] seen = new String[looks];
    for (int i = 0; i < looks; i++) {
      nanos += TimeUnit.SECONDS.toNanos(RereadFile.LOOK_SECONDS);
      seen[i] = file.current();
    }
    return seen;
  }

  private static String parse(Path file) throws ConfigException {
    try {
      String text = Files.readString(file);
      if (text.startsWith("bad")) {
        throw ConfigException.at(file.toString(), 7, "rules[3]", "is bad");
      }
      return text;
    } catch (IOException e) {
      throw ConfigException.at(file.toString(), 0, "", "can't be read");
    }
  }

  @Test
  void file_isReadAgainWhenItIsLeftAlone_andWhatIsBadChangesNothing() throws Exception {
    Path path = folder.resolve("rules");
    assertThatThrownBy(() -> new RereadFile<>(path, RereadFileTest::parse, () -> nanos))
        .hasMessage(path + ": can't be read");
    Files.writeString(path, "one");
    RereadFile<String> file = new RereadFile<>(path, RereadFileTest::parse, () -> nanos);
    Files.writeString(path, "second");
    assertThat(file.current()).isEqualTo("one"); // it was looked at a moment ago
    assertThat(afterEach(file, 1)).containsExactly("one"); // it may be being written
    Files.writeString(path, "the third");
    assertThat(afterEach(file, 2)).containsExactly("one", "the third");

    assertThat(
            LogLines.of(
                RereadFile.class,
                () -> {
                  Files.writeString(path, "bad one");
                  assertThat(afterEach(file, 4)).containsOnly("the third");
                  Files.delete(path);
                  assertThat(afterEach(file, 3)).containsOnly("the third");
                  Files.writeString(path, "at last");
                  assertThat(afterEach(file, 2)).containsExactly("the third", "at last");
                }))
        .containsExactly(
            "WARN " + path + ":7: rules[3] is bad" + KEPT,
            "WARN " + path + ": can't be read" + KEPT,
            "INFO " + path + " recovered after 35 s (3 repeated failures)",
            "INFO " + path + " was read again and is in use");
  }
}
