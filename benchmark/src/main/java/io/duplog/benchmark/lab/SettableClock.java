package io.duplog.benchmark.lab;

import io.duplog.rig.LabException;
import io.duplog.rig.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The clock of a server, which is right at first and can be set while it runs. Needs gcc. */
public final class SettableClock {
  private static final String SOURCE = "settable-clock.c";
  private static final String COMPILER = "gcc";

  private final Path library;
  private final Path offsetFile;
  private Duration offset = Duration.ZERO;

  /**
   * @param home the server's folder
   * @throws LabException if there is no compiler
   */
  SettableClock(Path home) throws LabException {
    library = home.resolve("settable-clock.so");
    offsetFile = home.resolve("clock");
    Path source = home.resolve(SOURCE);
    try (InputStream text = SettableClock.class.getResourceAsStream(SOURCE)) {
      Files.copy(Objects.requireNonNull(text, SOURCE), source);
      write();
      compile(source);
    } catch (IOException | InterruptedException e) {
      throw new LabException("can't make a clock in " + home + ": " + e.getMessage(), e);
    }
  }

  /** Whether there is a compiler. */
  public static boolean isPossible() {
    try {
      Programs.find(COMPILER);
      return true;
    } catch (LabException e) {
      return false;
    }
  }

  private void compile(Path source) throws LabException, IOException, InterruptedException {
    List<String> command =
        List.of(
            Programs.find(COMPILER).toString(),
            "-shared",
            "-fPIC",
            "-o",
            library.toString(),
            source.toString());
    if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
      throw new LabException(COMPILER + " does not compile " + source);
    }
  }

  /** Has a process go by this clock. */
  Map<String, String> environment() {
    return Map.of("LD_PRELOAD", library.toString(), "DUPLOG_CLOCK", offsetFile.toString());
  }

  /** Sets it forward, or back, at one instant. */
  public void set(Duration by) throws IOException {
    offset = offset.plus(by);
    write();
  }

  private void write() throws IOException {
    byte[] seconds =
        ByteBuffer.allocate(Long.BYTES)
            .order(ByteOrder.nativeOrder())
            .putLong(offset.toSeconds())
            .array();
    Files.write(offsetFile, seconds, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }
}
