package io.duplog.doctor.rsyslog;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads a configuration with all that it includes, in rsyslog's order. */
final class RsyslogReader {
  /** Files that include each other would never end. */
  private static final int DEEPEST = 16;

  private final List<String> troubles = new ArrayList<>();

  private RsyslogReader() {}

  /**
   * @throws IOException where the file itself can't be read; what it includes is a trouble instead
   */
  static RsyslogConfig read(Path file) throws IOException {
    RsyslogReader reader = new RsyslogReader();
    List<Statement> statements = reader.statements(file, 0);
    return new RsyslogConfig(file, statements, reader.troubles);
  }

  private List<Statement> statements(Path file, int depth) throws IOException {
    // Strange bytes are no reason to give up: hardly anything that matters is not ASCII.
    String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    return new RainerScript(
            text,
            file,
            new RainerScript.Surroundings() {
              @Override
              public List<Statement> include(String pattern, Place place) {
                return included(pattern, place, depth + 1);
              }

              @Override
              public void trouble(String line) {
                troubles.add(line);
              }
            })
        .read();
  }

  private List<Statement> included(String pattern, Place place, int depth) {
    List<Statement> statements = new ArrayList<>();
    if (depth > DEEPEST) {
      troubles.add(place + ": includes go deeper than " + DEEPEST + " files");
      return statements;
    }
    try {
      for (Path file : files(pattern, place.file())) {
        statements.addAll(statements(file, depth));
      }
    } catch (IOException e) {
      String cause = e instanceof NoSuchFileException ? "no such file" : e.getMessage();
      troubles.add(place + ": " + pattern + " can't be read (" + cause + ")");
    }
    return statements;
  }

  /** Sorted by name, as rsyslog does. A folder stands for all that it holds. */
  private static List<Path> files(String pattern, Path from) throws IOException {
    Path folder = from.toAbsolutePath().getParent();
    Path path = folder == null ? Path.of(pattern) : folder.resolve(pattern);
    if (Files.isDirectory(path)) {
      return list(path, "*");
    }
    Path parent = path.getParent();
    if (parent == null || !pattern.matches(".*[*?\\[].*")) {
      return List.of(path);
    }
    return Files.isDirectory(parent) ? list(parent, String.valueOf(path.getFileName())) : List.of();
  }

  private static List<Path> list(Path folder, String glob) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, glob)) {
      for (Path file : found) {
        if (Files.isRegularFile(file) && !String.valueOf(file.getFileName()).startsWith(".")) {
          files.add(file);
        }
      }
    }
    files.sort(null);
    return files;
  }
}
