package io.duplog.benchmark.soak;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.common.hash.Hashing;
import com.google.common.io.MoreFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A build of the bridge and the shim that {@code soak} compares with another.
 *
 * @param givenName name of the build on the command line
 * @param origin commit id, or folder of the jars
 * @param fingerprint first digits of a SHA-256 of both jars; distinguishes builds independently of
 *     their names
 */
record Build(
    @JsonProperty("given") String givenName, String origin, Path folder, String fingerprint) {
  static final String SHIM = "duplog-ingest.jar";
  static final String BRIDGE = "duplog.jar";

  private static final int FINGERPRINT_DIGITS = 12;

  /** Returns the build whose jars are in a folder for which {@link #isIn} is true. */
  static Build in(Path folder, String givenName, String origin) throws IOException {
    Path absolute = folder.toAbsolutePath().normalize();
    StringBuilder hashes = new StringBuilder();
    for (String jar : List.of(SHIM, BRIDGE)) {
      hashes.append(MoreFiles.asByteSource(absolute.resolve(jar)).hash(Hashing.sha256()));
    }
    String digits = Hashing.sha256().hashUnencodedChars(hashes).toString();
    return new Build(givenName, origin, absolute, digits.substring(0, FINGERPRINT_DIGITS));
  }

  static boolean isIn(Path folder) {
    return Files.isReadable(folder.resolve(SHIM)) && Files.isReadable(folder.resolve(BRIDGE));
  }

  Path shim() {
    return folder.resolve(SHIM);
  }

  Path bridge() {
    return folder.resolve(BRIDGE);
  }

  /** Formats the build, for example as {@code main (3a53b85…), jars 0123456789ab}. */
  @Override
  public String toString() {
    return "%s (%s), jars %s".formatted(givenName, origin, fingerprint);
  }
}
