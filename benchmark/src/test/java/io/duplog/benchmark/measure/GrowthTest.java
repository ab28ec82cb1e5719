package io.duplog.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrowthTest {
  private @TempDir Path folder;
  private Path file;
  private long now;
  private Growth growth;

  @BeforeEach
  void file_notThereYet() {
    file = folder.resolve("merged");
    growth = new Growth(file, () -> now);
  }

  @Test
  void length_hasTheTimeOfTheFirstLookThatSawIt_orTheLastTime() throws IOException {
    lookAt(5);
    assertThat(growth.size()).isZero();
    assertThat(growth.lastNanos()).isEqualTo(Long.MIN_VALUE);
    grow(5);
    lookAt(10);
    lookAt(20);
    grow(3);
    lookAt(30);
    lookAt(40);
    grow(1);
    lookAt(50);

    assertThat(growth.size()).isEqualTo(9);
    assertThat(growth.lastNanos()).isEqualTo(50);
    assertThat(LongStream.of(1, 5, 6, 8, 9).map(growth::nanosAt))
        .containsExactly(10L, 10L, 30L, 30L, 50L);
    assertThat(growth.nanosAt(10)).as("the end that a torn line lacks").isEqualTo(50);
  }

  @Test
  void ownThread_looksUntilItIsClosed_andOnceMore() throws IOException {
    Growth looking = new Growth(file);
    grow(3);
    Awaitility.await().until(() -> looking.size() == 3);
    grow(4);
    looking.close();
    assertThat(looking.size()).isEqualTo(7);
    assertThat(looking.nanosAt(7)).isEqualTo(looking.lastNanos());
  }

  private void lookAt(long nanos) {
    now = nanos;
    growth.look();
  }

  private void grow(int bytes) throws IOException {
    Files.writeString(
        file, "x".repeat(bytes), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
