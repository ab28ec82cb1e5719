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
 * Sets the clock that one server of a lab sees, to test Duplog with wrong clocks. An instance has
 * no offset at first, and can be set while the server runs; its library is compiled with gcc.
 * {@link #shifted} shifts a clock from the start with Debian's {@code libfaketime}, which child
 * processes inherit.
 */
public final class Clock {
  private static final String SOURCE = "settable-clock.c";
  private static final String COMPILER = "gcc";

  private static final String FAKETIME = "faketime/libfaketimeMT.so.1";

  private final Path library;
  private final Path offsetFile;
  private Duration offset = Duration.ZERO;

  /**
   * Compiles the library.
   *
   * @param home the server's folder
   * @throws LabException if gcc is missing or fails
   */
  Clock(Path home) throws LabException {
    library = home.resolve("settable-clock.so");
    offsetFile = home.resolve("clock");
    Path source = home.resolve(SOURCE);
    try {
      Files.writeString(source, LabJars.text(SOURCE));
      writeOffset();
    } catch (IOException e) {
      throw new LabException("can't make a clock in " + home + ": " + e.getMessage(), e);
    }
    String compiler = Programs.find(COMPILER).toString();
    ChildProcess.run(
        home, List.of(compiler, "-shared", "-fPIC", "-o", library.toString(), source.toString()));
  }

  /** Whether clocks can be set on this machine. That needs gcc. */
  public static boolean canBeSet() {
    try {
      Programs.find(COMPILER);
      return true;
    } catch (LabException e) {
      return false;
    }
  }

  /** Returns the environment variables that make a process use this clock. */
  Map<String, String> environment() {
    return Map.of("LD_PRELOAD", library.toString(), "DUPLOG_CLOCK", offsetFile.toString());
  }

  /** Moves the clock forward by whole seconds, or back if the duration is negative. */
  public void set(Duration change) throws IOException {
    offset = offset.plus(change);
    writeOffset();
  }

  private void writeOffset() throws IOException {
    byte[] seconds =
        ByteBuffer.allocate(Long.BYTES)
            .order(ByteOrder.nativeOrder())
            .putLong(offset.toSeconds())
            .array();
    Files.write(offsetFile, seconds, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  /** Whether clocks can be shifted on this machine. That needs libfaketime. */
  public static boolean canBeShifted() {
    return findFaketime().isPresent();
  }

  private static Optional<Path> findFaketime() {
    return Stream.of("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib")
        .map(directory -> Path.of(directory, FAKETIME))
        .filter(Files::isReadable)
        .findFirst();
  }

  /**
   * Returns the environment variables that shift a process's clock by an offset, in whole seconds.
   * Empty for an offset of zero.
   *
   * @throws LabException if libfaketime is needed and not installed
   */
  static Map<String, String> shifted(Duration offset) throws LabException {
    if (offset.isZero()) {
      return Map.of();
    }
    Path faketime =
        findFaketime()
            .orElseThrow(() -> new LabException("a wrong clock needs the package faketime"));
    return Map.of(
        "LD_PRELOAD",
        faketime.toString(),
        "FAKETIME",
        "%+ds".formatted(offset.toSeconds()),
        // Time-outs and measurements use the monotonic clock, which a wrong date does not change.
        "FAKETIME_DONT_FAKE_MONOTONIC",
        "1",
        "DONT_FAKE_MONOTONIC",
        "1",
        // With 1, libfaketime would treat Java's waits as waits by the wall clock. If that clock is
        // ahead, they end at once, and every waiting thread spins.
        "FAKETIME_FORCE_MONOTONIC_FIX",
        "0");
  }
}
