package io.duplog.deliver.file;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.SinkException;
import io.duplog.deliver.file.FileSinkConfig.Fsync;
import io.duplog.deliver.line.LineFormat;
import io.duplog.observe.Conditions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests where the file sink writes if its file is a link, is renamed or is removed, and with which
 * permissions.
 */
@Timeout(60)
class FileSinkTest {
  @TempDir private Path folder;

  private final DeliveryRequests deliveries = new DeliveryRequests();
  private int delivered;

  static FileSinkConfig config(Path file, String rights) {
    FileMode mode = FileMode.parse(rights);
    return new FileSinkConfig(
        file.toString(), LineFormat.MESSAGE, Fsync.ALWAYS, Duration.ofSeconds(1), mode);
  }

  private Path file() {
    return folder.resolve("merged.log");
  }

  private Sink open() throws SinkException {
    return FileSink.open(
        config(file(), "0640"), SinkContext.ofOnly(line -> {}, Conditions.ofSystem()));
  }

  private void deliver(Sink sink, String message) {
    sink.deliver(deliveries.ofPlainBody(message, message));
    delivered++;
    Awaitility.await().until(() -> deliveries.accepted().size() == delivered);
  }

  /** The second of two links leads to a file that does not exist yet. */
  @Test
  void linkWithoutItsFile_leadsToANewOne() throws Exception {
    Path target = Files.createDirectory(folder.resolve("disk")).resolve("real.log");
    Files.createSymbolicLink(folder.resolve("second"), Path.of("disk/real.log"));
    Files.createSymbolicLink(file(), Path.of("second"));

    FileSink.check(config(file(), "0640"));
    assertThat(Files.exists(target)).isFalse();
    assertThat(Files.isSymbolicLink(file())).isTrue();

    try (Sink sink = open()) {
      deliver(sink, "a");
      assertThat(target).hasContent("a\n");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)))
          .isEqualTo("rw-r-----");
      Files.move(target, folder.resolve("old"));
      sink.reopen();
      deliver(sink, "b");
      assertThat(target).hasContent("b\n");
    }
  }

  @Test
  void linkWhoseFolderIsNotThere_isNamed() throws Exception {
    Path target = folder.resolve("unmounted/real.log");
    Files.createSymbolicLink(file(), target);

    assertThatThrownBy(this::open)
        .hasMessage(
            "sink file %s can't be opened: it is a link to %s, which can't be created: its folder does not exist",
            file(), target);
    assertThatThrownBy(() -> FileSink.check(config(file(), "0640")))
        .hasMessageContaining("it is a link to " + target);
    Files.delete(file());
    Files.createSymbolicLink(file(), Path.of(file().getFileName().toString()));
    assertThatThrownBy(this::open).hasMessageContaining("Too many levels of symbolic links");
  }

  @ParameterizedTest
  @CsvSource({
    "0640, rw-r-----",
    "600, rw-------",
    "0666, rw-rw-rw-",
    "0664, rw-rw-r--",
    "0124, --x-w-r--"
  })
  void newFile_hasTheConfiguredRights(String rights, String expected) throws Exception {
    FileSink.open(config(file(), rights), SinkContext.ofOnly(line -> {}, Conditions.ofSystem()))
        .close();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "64", "0800", "4755", "rw-r-----", "06400"})
  void rightsInAnyOtherForm_areRefused(String rights) {
    assertThatThrownBy(() -> FileMode.parse(rights))
        .hasMessage("must be octal rights such as 0640");
  }

  @ParameterizedTest
  @ValueSource(strings = {"before\n", "before\ntorn"})
  void existingFile_isAppendedTo_fromANewLineOn_andKeepsItsRights(String before) throws Exception {
    Files.writeString(file(), before);
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-rw-rw-"));
    try (Sink sink = open()) {
      deliver(sink, "one");
      deliver(sink, "two");
    }
    assertThat(file()).hasContent(before.strip() + "\none\ntwo\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-rw-rw-");
  }

  @Test
  void renamedFile_andReopen_goesOnInANewOne() throws Exception {
    Path rotated = folder.resolve("merged.log.1");
    try (Sink sink = open()) {
      deliver(sink, "one");
      Files.move(file(), rotated, StandardCopyOption.ATOMIC_MOVE);
      sink.reopen();
      Awaitility.await().until(() -> Files.exists(file()));
      deliver(sink, "two");
    }
    assertThat(rotated).hasContent("one\n");
    assertThat(file()).hasContent("two\n");
  }

  @Test
  void removedFile_isNoticedWithoutReopen() throws Exception {
    try (Sink sink = open()) {
      deliver(sink, "one");
      Files.delete(file());
      Awaitility.await()
          .pollInterval(Duration.ofMillis(50))
          .until(
              () -> {
                deliver(sink, "more");
                return Files.exists(file()) && Files.size(file()) > 0;
              });
    }
    assertThat(Files.readAllLines(file())).containsOnly("more");
  }

  @Test
  void fileTruncatedInPlace_isContinuedWithoutAHole() throws Exception {
    try (Sink sink = open()) {
      deliver(sink, "one");
      Files.writeString(file(), ""); // logrotate's copytruncate
      deliver(sink, "two");
    }
    assertThat(file()).hasContent("two\n");
  }

  @ParameterizedTest
  @CsvSource({
    "no/such.log, its folder does not exist",
    ".,           it is not a regular file",
    "f/m.log,     Not a directory",
    "/proc/m.log, its folder does not exist",
  })
  void whatCannotBeOpened_isOneLineWithPathAndCause(String path, String cause) throws Exception {
    Files.writeString(folder.resolve("f"), "");
    Path file = folder.resolve(path).normalize();
    assertThatThrownBy(
            () ->
                FileSink.open(
                    config(file, "0640"), SinkContext.ofOnly(line -> {}, Conditions.ofSystem())))
        .isInstanceOf(SinkException.class)
        .hasMessage("sink file " + file + " can't be opened: " + cause);
  }

  @Test
  void fileThatAnotherSinkWrites_isRefused() throws Exception {
    try (Sink sink = open()) {
      assertThatThrownBy(this::open)
          .hasMessage("sink file " + file() + " can't be opened: another bridge is writing to it");
      deliver(sink, "one");
    }
    open().close();
    assertThat(file()).hasContent("one\n");
  }

  @Test
  void check_passesBesideARunningSink_andLeavesNoFile() throws Exception {
    FileSink.check(config(file(), "0640"));
    assertThat(file()).doesNotExist();
    try (Sink sink = open()) {
      deliver(sink, "one");
      FileSink.check(config(file(), "0640"));
      deliver(sink, "two");
    }
    assertThat(file()).hasContent("one\ntwo\n");
    assertThatThrownBy(() -> FileSink.check(config(folder, "0640")))
        .hasMessage("sink file " + folder + " can't be opened: it is not a regular file");
  }

  /**
   * A bridge may create the file in the same moment, and would lose it with what it had written.
   */
  @ParameterizedTest
  @CsvSource({"merged.log", "disk/real.log"})
  void check_neverCreatesTheFile(String end) throws Exception {
    Path target = folder.resolve("watched/" + end);
    Files.createDirectories(target.getParent());
    Files.createSymbolicLink(file(), target);
    try (WatchService watch = folder.getFileSystem().newWatchService()) {
      target.getParent().register(watch, ENTRY_CREATE, ENTRY_DELETE);
      FileSink.check(config(file(), "0640"));
      FileSink.check(config(target, "0640"));
      Path last = Files.createFile(target.resolveSibling("last"));

      List<String> seen = new ArrayList<>();
      while (!seen.contains(last.getFileName().toString())) {
        WatchKey key = watch.take();
        key.pollEvents().forEach(event -> seen.add(String.valueOf(event.context())));
        key.reset();
      }
      assertThat(seen).doesNotContain(target.getFileName().toString());
      assertThat(target.getParent()).isDirectoryNotContaining("glob:**/.duplog-check-*");
    }
  }

  @Test
  void check_ofAFolderThatTakesNoFile_says_so() throws Exception {
    assertThatThrownBy(() -> FileSink.check(config(folder.resolve("none/merged.log"), "0640")))
        .hasMessageEndingWith("can't be opened: its folder does not exist");
    assertThatThrownBy(() -> FileSink.check(config(folder.resolve("x".repeat(300)), "0640")))
        .hasMessageEndingWith("can't be opened: File name too long");
    assertThatThrownBy(() -> FileSink.check(config(Path.of("/proc/merged.log"), "0640")))
        .hasMessageContaining("can't be opened: ");
  }
}
