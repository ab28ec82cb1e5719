package io.duplog.rig;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Reads the last lines of a server's log, to show them in error messages. */
public final class LogTail {
  private static final int MAX_BYTES = 8192;
  private static final int MAX_LINES = 12;

  private LogTail() {}

  /**
   * Returns at most a dozen lines, indented. Returns an empty text if the log is empty or missing.
   */
  public static String of(Path log) {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      file.seek(Math.max(0, file.length() - MAX_BYTES));
      byte[] bytes = new byte[MAX_BYTES];
      int length = Math.max(0, file.read(bytes));
      List<String> lines = new String(bytes, 0, length, StandardCharsets.UTF_8).lines().toList();
      return lines.stream()
          .skip(Math.max(0, lines.size() - MAX_LINES))
          .map(line -> "    " + line)
          .collect(Collectors.joining("\n"));
    } catch (IOException e) {
      return "";
    }
  }
}
