package io.duplog.deliver.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.config.ByteSize;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.line.LineFormat;
import io.duplog.observe.Boards;
import io.duplog.observe.Conditions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how an archive is configured, checked and opened. */
class ArchiveSinkTest {
  @TempDir private Path folder;

  private ArchiveSinkConfig config(Path root, String name, long minFree) {
    return new ArchiveSinkConfig(
        root.toString(),
        name,
        Compression.ZSTD,
        LineFormat.SENDER_AND_MESSAGE,
        Duration.ofHours(1),
        new ByteSize(1 << 20),
        new ByteSize(minFree));
  }

  private ArchiveSinkConfig config(long minFree) {
    return config(folder, "{bridge}-{n}.log", minFree);
  }

  @Test
  void name_hasTheTimeInUtc_theBridgeAndTheNumber() {
    ArchivePart part =
        new ArchivePart("b-1", 42, Instant.parse("2026-03-04T05:06:07Z"), Compression.GZIP);
    assertThat(config(folder, "%Y/%m/%d/%H%M/{bridge}-{n}.log", 0).file(part))
        .isEqualTo("2026/03/04/0506/b-1-00000042.log.gz");
    assertThat(ArchivePart.of("b-1", part.fileName()))
        .isEqualTo(
            new ArchivePart("b-1", 42, Instant.parse("2026-03-04T05:06:07Z"), Compression.GZIP));
    assertThat(ArchivePart.of("b", part.fileName())).isNull();
    assertThat(ArchivePart.of("b-1", part.copyName())).isNull();
  }

  @Test
  void bridgeWord_neverLeavesTheFolder() {
    assertThat(ArchiveSinkConfig.wordOf("..")).isEqualTo("_.");
    assertThat(ArchiveSinkConfig.wordOf("a/../b c")).isEqualTo("a_.._b_c");
    assertThat(ArchiveSinkConfig.wordOf("bridge-1.example.net")).isEqualTo("bridge-1.example.net");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{bridge}.log",
        "{n}.log",
        "/{bridge}-{n}",
        "../{bridge}-{n}",
        "a/../{bridge}-{n}",
        "a//{bridge}-{n}",
        "{bridge}-{n}/",
        "%y/{bridge}-{n}",
        "{host}/{bridge}-{n}",
        ".hidden-{bridge}-{n}"
      })
  void name_thatMayLeaveTheFolderOrClash_isRefused(String name) {
    assertThatThrownBy(() -> config(folder, name, 0)).hasMessageContaining("name must ");
  }

  @Test
  void check_leavesNothing_andFindsAMissingFolder_orTooLittleSpace() throws Exception {
    ArchiveSink.check(config(0));
    assertThat(folder).isEmptyDirectory();
    assertThatThrownBy(() -> ArchiveSink.check(config(1L << 60)))
        .hasMessageStartingWith(
            "sink archive " + folder + " can't be opened: its file system has ");
    Path missing = folder.resolve("missing");
    assertThatThrownBy(() -> ArchiveSink.check(config(missing, "{bridge}-{n}", 0)))
        .hasMessageEndingWith("there is no such folder; create it, or mount its disk");
    assertThatThrownBy(
            () ->
                ArchiveSink.open(
                    config(missing, "{bridge}-{n}", 0),
                    SinkContext.ofOnly(line -> {}, Conditions.ofSystem())))
        .hasMessageContaining("no such folder");
  }

  @Test
  void lowSpace_isSaidInThreeParts_onTheBoard() throws Exception {
    Conditions board = Conditions.ofSystem();
    DeliveryRequests deliveries = new DeliveryRequests();
    SinkContext context = new SinkContext("b", "sink", true, line -> {}, board);
    try (Sink sink = ArchiveSink.open(config(1L << 60), context)) {
      sink.deliver(deliveries.ofPlainBody("p", "message"));
      Awaitility.await().until(() -> !sink.isAvailable());
      assertThat(Boards.trouble(board, "sink"))
          .matches(
              "(?s)sink archive .* can't be written \\(its file system has \\d+ MiB free, which is"
                  + " less than min-free .*\\)\\. Nothing is settled until it can\\. Check the disk's"
                  + " free space.*");
      assertThat(deliveries.accepted()).isEmpty();
    }
    assertThat(folder.toFile().list()).containsExactly("index-b.jsonl");
  }
}
