package io.duplog.parts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The files that an operator installs, as they are in the folder {@code deploy} of the checkout.
 */
public final class Deployed {
  private Deployed() {}

  /** Where a file is, such as {@code redis/duplog.conf}. Tests run in a module's folder. */
  public static Path path(String file) {
    for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      Path found = folder.resolve("deploy").resolve(file);
      if (Files.exists(found)) {
        return found;
      }
    }
    throw new IllegalStateException("no deploy/" + file + " above " + Path.of("").toAbsolutePath());
  }

  /** What a file says. */
  public static String text(String file) {
    try {
      return Files.readString(path(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
