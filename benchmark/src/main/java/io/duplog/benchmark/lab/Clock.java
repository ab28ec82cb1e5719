package io.duplog.benchmark.lab;

import io.duplog.rig.LabException;
import io.duplog.rig.Programs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The clock of a server. One is right at first and can be set while the server runs, for which gcc
 * has to be installed. One is wrong from the start by Debian's {@code libfaketime}, which the
 * server's children inherit.
 */
public final class Clock {
  private static final String SOURCE = "settable-clock.c";
  private static final String COMPILER = "gcc";

  private static final String FAKETIME = "faketime/libfaketimeMT.so.1";

  private final Path library;
  private final Path offsetFile;
  private Duration offset = Duration.ZERO;

  /**
   * @param home the server's folder
   * @throws LabException if there is no compiler
   */
  Clock(Path home) throws LabException {
    library = home.resolve("settable-clock.so");
    offsetFile = home.resolve("clock");
    Path source = home.resolve(SOURCE);
    try {
      Files.writeString(source, LabJars.text(SOURCE));
      write();
    } catch (IOException e) {
      throw new LabException("can't make a clock in " + home + ": " + e.getMessage(), e);
    }
    String compiler = Programs.find(COMPILER).toString();
    ChildProcess.run(
        home, List.of(compiler, "-shared", "-fPIC", "-o", library.toString(), source.toString()));
  }

  /** Whether there is a compiler. */
  public static boolean canBeSet() {
    try {
      Programs.find(COMPILER);
      return true;
    } catch (LabException e) {
      return false;
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

  /** Whether libfaketime is installed. */
  public static boolean canBeShifted() {
    return faketime().isPresent();
  }

  private static Optional<Path> faketime() {
    return Stream.of("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib")
        .map(directory -> Path.of(directory, FAKETIME))
        .filter(Files::isReadable)
        .findFirst();
  }

  /**
   * The environment that gives a process this clock.
   *
   * @throws LabException if libfaketime is needed and not installed
   */
  static Map<String, String> shifted(Duration offset) throws LabException {
    if (offset.isZero()) {
      return Map.of();
    }
    Path faketime =
        faketime().orElseThrow(() -> new LabException("a wrong clock needs the package faketime"));
    return Map.of(
        "LD_PRELOAD",
        faketime.toString(),
        "FAKETIME",
        "%+ds".formatted(offset.toSeconds()),
        // Waiting and measuring go by the monotonic clock, which no wrong date moves.
        "FAKETIME_DONT_FAKE_MONOTONIC",
        "1",
        "DONT_FAKE_MONOTONIC",
        "1",
        // Else it takes Java's waits for waits by the wall clock: with a clock that is ahead they
        // end at once, and every waiting thread spins.
        "FAKETIME_FORCE_MONOTONIC_FIX",
        "0");
  }
}
