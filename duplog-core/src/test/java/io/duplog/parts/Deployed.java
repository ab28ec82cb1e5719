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

  /**
   * The commands of a page behind the fence that says, after {@code sh}, where they are to be run.
   */
  public static String commands(String page, String place) {
    String fence = "```sh " + place + "\n";
    String text = text(page);
    int before = text.indexOf(fence);
    int end = text.indexOf("\n```\n", before);
    if (before < 0 || end < 0) {
      throw new IllegalStateException(page + " has no commands for " + place);
    }
    return text.substring(before + fence.length(), end + 1);
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
