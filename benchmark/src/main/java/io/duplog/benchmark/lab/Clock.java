package io.duplog.benchmark.lab;

import io.duplog.rig.LabException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A wrong clock for a server and what it starts, by Debian's {@code libfaketime}. */
public final class Clock {
  private static final String LIBRARY = "faketime/libfaketimeMT.so.1";

  private Clock() {}

  /** Whether libfaketime is installed. */
  public static boolean canBeShifted() {
    return library().isPresent();
  }

  private static Optional<Path> library() {
    return Stream.of("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib")
        .map(directory -> Path.of(directory, LIBRARY))
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
    Path library =
        library().orElseThrow(() -> new LabException("a wrong clock needs the package faketime"));
    return Map.of(
        "LD_PRELOAD",
        library.toString(),
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
