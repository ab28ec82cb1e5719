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
 * Tests that a changed file is read again only after its writer has finished, and that invalid
 * content is ignored.
 */
class RereadFileTest {
  private static final String CONSEQUENCE =
      ": what was read before stays in use, the file is tried again every 5 s";

  @TempDir private Path folder;
  private long nanos;

  private String[] contentAfterChecks(RereadFile<String> file, int checks) {
    String[] contents = new String[checks];
    for (int i = 0; i < checks; i++) {
      nanos += TimeUnit.SECONDS.toNanos(RereadFile.LOOK_SECONDS);
      contents[i] = file.current();
    }
    return contents;
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
  void current_changedFile_isReadOnceUnchangedAndInvalidContentIsIgnored() throws Exception {
    Path path = folder.resolve("rules");
    assertThatThrownBy(() -> new RereadFile<>(path, RereadFileTest::parse, () -> nanos))
        .hasMessage(path + ": can't be read");
    Files.writeString(path, "one");
    RereadFile<String> file = new RereadFile<>(path, RereadFileTest::parse, () -> nanos);
    Files.writeString(path, "second");
    assertThat(file.current()).isEqualTo("one"); // the next check is not due yet
    assertThat(contentAfterChecks(file, 1))
        .containsExactly("one"); // the writer may not have finished
    Files.writeString(path, "the third");
    assertThat(contentAfterChecks(file, 2)).containsExactly("one", "the third");

    assertThat(
            LogLines.of(
                RereadFile.class,
                () -> {
                  Files.writeString(path, "bad one");
                  assertThat(contentAfterChecks(file, 4)).containsOnly("the third");
                  Files.delete(path);
                  assertThat(contentAfterChecks(file, 3)).containsOnly("the third");
                  Files.writeString(path, "at last");
                  assertThat(contentAfterChecks(file, 2)).containsExactly("the third", "at last");
                }))
        .containsExactly(
            "WARN " + path + ":7: rules[3] is bad" + CONSEQUENCE,
            "WARN " + path + ": can't be read" + CONSEQUENCE,
            "INFO " + path + " recovered after 35 s (3 repeated failures)",
            "INFO " + path + " was read again and is in use");
  }
}
