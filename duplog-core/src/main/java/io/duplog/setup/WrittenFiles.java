package io.duplog.setup;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hashing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Remembers, in the file {@code .written} of a folder, what was written there, so that a file that
 * somebody has edited since is not overwritten. Its lines are those of sha256sum.
 */
final class WrittenFiles {
  private static final int DIGEST_LETTERS = 64;

  private final Path folder;
  private final Path record;
  private final Map<String, String> digests = new TreeMap<>();
  private final List<String> edited = new ArrayList<>();

  WrittenFiles(Path folder) throws IOException {
    this.folder = folder;
    this.record = folder.resolve(".written");
    if (Files.exists(record)) {
      for (String line : Files.readAllLines(record)) {
        digests.put(line.substring(DIGEST_LETTERS + 2), line.substring(0, DIGEST_LETTERS));
      }
    }
  }

  /** Returns where to write a file's text: to another name, if the file was edited. */
  Path target(Path file, String text) throws IOException {
    String name = folder.relativize(file).toString();
    String digest = digest(text);
    if (Files.exists(file)) {
      String present = digest(Files.readString(file));
      if (!present.equals(digest) && !present.equals(digests.get(name))) {
        edited.add(name);
        return file.resolveSibling(file.getFileName() + ".new");
      }
    }
    digests.put(name, digest);
    return file;
  }

  /** Saves what is remembered, and returns the names of the files that were edited. */
  List<String> save() throws IOException {
    StringBuilder lines = new StringBuilder();
    digests.forEach((name, digest) -> lines.append(digest).append("  ").append(name).append('\n'));
    Files.writeString(record, lines);
    return edited;
  }

  private static String digest(String text) {
    return Hashing.sha256().hashString(text, UTF_8).toString();
  }
}
