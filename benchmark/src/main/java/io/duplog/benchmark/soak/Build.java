package io.duplog.benchmark.soak;

import com.google.common.hash.Hashing;
import com.google.common.io.MoreFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The two programs of one build.
 *
 * @param given as the command line names it
 * @param origin the commit, or the folder
 */
record Build(String given, String origin, Path shim, Path bridge) {
  static final String SHIM = "duplog-ingest.jar";
  static final String BRIDGE = "duplog.jar";

  private static final int SHOWN_DIGITS = 12;

  /** The jars in a folder, which {@link #isIn} has to be true of. */
  static Build in(Path folder, String given, String origin) {
    Path absolute = folder.toAbsolutePath().normalize();
    return new Build(given, origin, absolute.resolve(SHIM), absolute.resolve(BRIDGE));
  }

  static boolean isIn(Path folder) {
    return Files.isReadable(folder.resolve(SHIM)) && Files.isReadable(folder.resolve(BRIDGE));
  }

  /** What tells two builds apart, whatever they are called: the first digits of a SHA-256. */
  String fingerprint() throws IOException {
    StringBuilder both = new StringBuilder();
    for (Path jar : List.of(shim, bridge)) {
      both.append(MoreFiles.asByteSource(jar).hash(Hashing.sha256()));
    }
    return Hashing.sha256().hashUnencodedChars(both).toString().substring(0, SHOWN_DIGITS);
  }
}
