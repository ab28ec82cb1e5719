package io.duplog.parts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Finds the files that an operator installs, as they are in the folder {@code deploy} of the
 * checkout, and the pages in its folder {@code docs} that say how.
 */
public final class Deployed {
  private Deployed() {}

  /** Returns where the checkout is. Tests run in a module's folder. */
  public static Path checkout() {
    for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      if (Files.exists(folder.resolve("deploy")) && Files.exists(folder.resolve("docs"))) {
        return folder;
      }
    }
    throw new IllegalStateException("no checkout above " + Path.of("").toAbsolutePath());
  }

  /** Returns the path of a file such as {@code redis/duplog.conf}. */
  public static Path path(String file) {
    Path found = checkout().resolve("deploy").resolve(file);
    if (!Files.exists(found)) {
      throw new IllegalStateException("no " + found);
    }
    return found;
  }

  /**
   * Returns the commands of a page, such as {@code tls.md}, in the fence that says, after {@code
   * sh}, where they are to be run.
   */
  public static String commands(String page, String place) {
    String fence = "```sh " + place + "\n";
    String text = page(page);
    int before = text.indexOf(fence);
    int end = text.indexOf("\n```\n", before);
    if (before < 0 || end < 0) {
      throw new IllegalStateException(page + " has no commands for " + place);
    }
    return text.substring(before + fence.length(), end + 1);
  }

  /** Returns the text of a page such as {@code install.md}. */
  public static String page(String page) {
    return read(checkout().resolve("docs").resolve(page));
  }

  /** Returns the text of a file in {@code deploy}. */
  public static String text(String file) {
    return read(path(file));
  }

  /** Returns the text of any file. */
  public static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
