package io.duplog.benchmark.lab;

import com.google.common.io.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A file of this program, which the build put beside the lab's classes. */
final class LabFile {
  private LabFile() {}

  /**
   * All that it says.
   *
   * @throws IllegalArgumentException if this build has none of that name
   */
  static String text(String name) {
    try {
      return Resources.toString(Resources.getResource(LabFile.class, name), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
