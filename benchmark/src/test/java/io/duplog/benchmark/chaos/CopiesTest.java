package io.duplog.benchmark.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.benchmark.load.LoadPlan;
import io.duplog.benchmark.load.RedundantSender;
import io.duplog.benchmark.measure.Reconciliation;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a chaos run notices a message that is missing from the second required sink, or is
 * there twice, whichever bridge wrote it.
 */
class CopiesTest {
  private static final String EARLIER_ROW = "of an earlier row\n";

  private @TempDir Path folder;

  @Test
  void counts_oneMessageMissingAndOneInBothFiles_areOneLostAndOneDuplicated() throws Exception {
    List<byte[]> sent = new ArrayList<>();
    Path first = Files.writeString(folder.resolve("first"), EARLIER_ROW);
    Path second = folder.resolve("second");
    try (RedundantSender sender =
            new RedundantSender(
                new LoadPlan(1_000, Duration.ofMillis(100), 1, 0, 0, 1),
                (stream, message) -> sent.add(message));
        Copies copies = new Copies(List.of(first, second), sender)) {
      sender.start();
      Awaitility.await().until(sender::isOver);
      sender.stop();
      int half = sent.size() / 2;
      Files.write(first, lines(sent.subList(0, half)), StandardOpenOption.APPEND);
      Files.write(second, lines(sent.subList(half - 1, sent.size() - 1)));

      long lines = copies.read();

      assertThat(lines).isEqualTo(sent.size());
      assertThat(copies.counts())
          .extracting(Reconciliation::lost, Reconciliation::duplicated, Reconciliation::corrupted)
          .containsExactly(1L, 1L, 0L);
    }
  }

  @Test
  void arePresent_noSecondSink_isFalse() throws Exception {
    try (RedundantSender sender =
            new RedundantSender(
                new LoadPlan(1_000, Duration.ofMillis(100), 1, 0, 0, 1), (stream, message) -> {});
        Copies copies = new Copies(List.of(), sender)) {
      assertThat(copies.arePresent()).isFalse();
      assertThat(copies.read()).isZero();
    }
  }

  private static byte[] lines(List<byte[]> messages) {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    for (byte[] message : messages) {
      lines.writeBytes(message);
      lines.write('\n');
    }
    return lines.toByteArray();
  }
}
