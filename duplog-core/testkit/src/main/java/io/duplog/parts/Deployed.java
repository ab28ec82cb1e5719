package io.duplog.parts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Finds the files in {@code deploy} and the pages in {@code docs} that an operator uses, so that
 * tests run them unchanged.
 */
public final class Deployed {
  private Deployed() {}

  /** Returns the checkout's folder. Tests run in a module's folder. */
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
    Path deployedFile = checkout().resolve("deploy").resolve(file);
    if (!Files.exists(deployedFile)) {
      throw new IllegalStateException("no " + deployedFile);
    }
    return deployedFile;
  }

  /**
   * Returns the commands of a page, such as {@code tls.md}, in the fence that names this place
   * after {@code sh}.
   */
  public static String commands(String page, String place) {
    String fence = "```sh " + place + "\n";
    String text = page(page);
    int fenceStart = text.indexOf(fence);
    int end = text.indexOf("\n```\n", fenceStart);
    if (fenceStart < 0 || end < 0) {
      throw new IllegalStateException(page + " has no commands for " + place);
    }
    return text.substring(fenceStart + fence.length(), end + 1);
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
