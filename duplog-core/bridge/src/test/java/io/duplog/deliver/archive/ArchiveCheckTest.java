package io.duplog.deliver.archive;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.cli.Main;
import io.duplog.config.ByteSize;
import io.duplog.deliver.line.LineSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** Tests that a verified archive has every file, whole and unaltered. */
class ArchiveCheckTest {
  @TempDir private Path root;
  private ArchiveStage stage;

  @BeforeEach
  void writeFourHours() throws Exception {
    stage = new ArchiveStage(root);
    write();
  }

  private void write() throws IOException {
    LineSink sink = stage.sink();
    for (int hour = 0; hour < 4; hour++) {
      stage.deliver(sink, "user=alice action=login hour=" + hour, "user=bob action=logout");
      stage.now = stage.now.plusSeconds(3600);
    }
    sink.close();
  }

  private String verify(int exitCode, String... more) {
    List<String> arguments = new ArrayList<>(List.of("statement", "verify"));
    arguments.addAll(List.of("--archive", root.toString()));
    arguments.addAll(List.of(more));
    StringWriter out = new StringWriter();
    CommandLine command = Main.commandLine();
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
    assertThat(command.execute(arguments.toArray(String[]::new)))
        .as(out.toString())
        .isEqualTo(exitCode);
    return out.toString();
  }

  private Path file(int index) throws IOException {
    return root.resolve(stage.files().get(index));
  }

  @Test
  void wholeArchive_isRight() {
    assertThat(verify(0))
        .contains("4 files with 8 messages and ")
        .contains("nothing was altered, removed in between, moved or forged");
  }

  @Test
  void removedFile_isFound() throws Exception {
    Files.delete(file(1));
    assertThat(verify(1))
        .contains("WRONG: 2026/11/29/10/bridge-1-00000002.log.zst is missing; it had 2 messages");
  }

  @Test
  void truncatedFile_isFound() throws Exception {
    byte[] bytes = Files.readAllBytes(file(2));
    Files.write(file(2), Arrays.copyOf(bytes, bytes.length - 1));
    assertThat(verify(1))
        .contains(
            "WRONG: 2026/11/29/11/bridge-1-00000003.log.zst has %d bytes, and not %d: it was truncated"
                .formatted(bytes.length - 1, bytes.length));
  }

  /** The altered file has the same size, and can be decompressed. */
  @ParameterizedTest
  @EnumSource(Compression.class)
  void alteredLine_isFound(Compression compression) throws Exception {
    String text = stage.text(stage.files().get(0)).replace("alice", "mallo");
    ByteArrayOutputStream altered = new ByteArrayOutputStream();
    try (OutputStream lines = compression.compress(altered)) {
      lines.write(text.getBytes(US_ASCII));
    }
    byte[] bytes = Files.readAllBytes(file(0));
    byte[] same = Arrays.copyOf(altered.toByteArray(), bytes.length);
    Files.write(file(0), same);
    assertThat(verify(1)).contains("was altered: its SHA-256 is not that of the index");
  }

  @Test
  void everyFlippedByte_isFound() throws Exception {
    Path file = file(0);
    byte[] bytes = Files.readAllBytes(file);
    for (int i = 0; i < bytes.length; i++) {
      byte[] flipped = bytes.clone();
      flipped[i] ^= 1;
      Files.write(file, flipped);
      assertThat(ArchiveCheck.of(root, null, null).problems()).hasSize(1);
    }
  }

  @Test
  void alteredIndex_isFound() throws Exception {
    Path index = root.resolve(ArchiveIndex.name("bridge-1"));
    List<String> lines = Files.readAllLines(index);
    String text = Files.readString(index);
    Files.writeString(index, text.replaceFirst("\"messages\":2", "\"messages\":3"));
    assertThat(verify(1)).contains("has 2 messages, and not 3 as its index line says");

    Files.writeString(index, text.replace(lines.get(1) + "\n", ""));
    assertThat(verify(1))
        .contains("index-bridge-1.jsonl line 2 has the number 3 after 1: lines are missing")
        .contains("2026/11/29/10/bridge-1-00000002.log.zst is in no index");

    Files.writeString(index, text.replace("2026/11/29/10/", "../../"));
    assertThat(verify(1)).contains("is not the name of a file of this archive");

    Files.writeString(index, "no JSON\n" + text);
    assertThat(verify(1)).contains("line 1 is not an entry, or was changed");
  }

  @Test
  void period_limitsWhichFilesAreRead() throws Exception {
    Files.delete(file(0));
    assertThat(verify(0, "--from", "2026-11-29T10:00:00Z")).contains("3 files with 6 messages");
    assertThat(verify(1, "--until", "2026-11-29T10:00:00Z")).contains("is missing");
  }

  @Test
  void openFile_isANote() throws Exception {
    stage.maxSize = new ByteSize(1 << 20);
    LineSink sink = stage.sink();
    stage.deliver(sink, "more");
    assertThat(verify(0)).contains("note: bridge-1.5.").contains("is not closed yet");
    sink.close();
    assertThat(verify(0)).contains("5 files with 9 messages");
  }

  @Test
  void folderWithoutAnIndex_isNoArchive() throws Exception {
    root = Files.createDirectory(root.resolve("empty"));
    assertThat(verify(1)).contains("there is no index with a closed file");
    root = root.resolve("none");
    assertThat(verify(2)).contains("can't be read");
  }

  @Test
  void statements_needTheirKey() {
    assertThat(verify(2, root.toString())).contains("give FOLDER together with --key");
  }
}
