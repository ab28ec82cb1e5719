package io.duplog.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
  void fileThatDoesNotExist_hasNoSizeAndNoTime() {
    lookAt(10);
    assertThat(growth.size()).isZero();
    assertThat(growth.lastNanos()).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void length_hasTheTimeOfTheFirstLookThatSawIt() throws IOException {
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
    assertThat(growth.nanosAt(1)).isEqualTo(10);
    assertThat(growth.nanosAt(5)).isEqualTo(10);
    assertThat(growth.nanosAt(6)).isEqualTo(30);
    assertThat(growth.nanosAt(8)).isEqualTo(30);
    assertThat(growth.nanosAt(9)).isEqualTo(50);
  }

  @Test
  void lengthThatWasNeverSeen_hasTheLastTime() throws IOException {
    grow(5);
    lookAt(10);
    assertThat(growth.nanosAt(6)).as("the end that a torn line lacks").isEqualTo(10);
  }

  @Test
  void manyLooks_areAllKept() throws IOException {
    for (int i = 1; i <= 5_000; i++) {
      grow(1);
      lookAt(i);
    }
    assertThat(growth.nanosAt(1)).isEqualTo(1);
    assertThat(growth.nanosAt(4_321)).isEqualTo(4_321);
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
