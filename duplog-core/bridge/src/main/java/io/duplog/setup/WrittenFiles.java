package io.duplog.setup;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hashing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Remembers which files {@code duplog init} has written, so that files edited since are kept and
 * obsolete ones are removed. The file {@code .written} there lists them in the format of sha256sum.
 */
final class WrittenFiles {
  private static final int DIGEST_LETTERS = 64;

  private final Path folder;
  private final Path record;
  private final Map<String, String> digests = new TreeMap<>();
  private final Set<String> ownNames = new HashSet<>();
  private final List<String> notes = new ArrayList<>();

  WrittenFiles(Path folder) throws IOException {
    this.folder = folder;
    this.record = folder.resolve(".written");
    if (Files.exists(record)) {
      for (String line : Files.readAllLines(record)) {
        digests.put(line.substring(DIGEST_LETTERS + 2), line.substring(0, DIGEST_LETTERS));
      }
    }
  }

  /**
   * Writes a file. If the existing one was edited, writes {@code FILE.new} instead and adds a note.
   */
  void write(String name, String text) throws IOException {
    write(name, text, false);
  }

  /** Writes an executable file in the same way as {@link #write(String, String)}. */
  void writeProgram(String name, String text) throws IOException {
    write(name, text, true);
  }

  private void write(String name, String text, boolean isExecutable) throws IOException {
    ownNames.add(name);
    Path file = folder.resolve(name);
    String digest = digest(text);
    if (isEdited(name) && !digest(Files.readString(file)).equals(digest)) {
      notes.add("kept %1$s, which was edited; compare it with %1$s.new".formatted(name));
      OwnFiles.write(folder.resolve(name + ".new"), text, isExecutable);
      return;
    }
    OwnFiles.write(file, text, isExecutable);
    digests.put(name, digest);
    save();
  }

  /** Returns the hosts that have a file of this name now, or had it in the previous run. */
  List<String> folders(String file) {
    return digests.keySet().stream()
        .filter(name -> name.endsWith(file))
        .map(name -> name.substring(0, name.length() - file.length()))
        .filter(host -> !host.contains("/"))
        .toList();
  }

  /** Adds a note for the user. */
  void note(String text) {
    notes.add(text);
  }

  private boolean isEdited(String name) throws IOException {
    Path file = folder.resolve(name);
    return Files.exists(file) && !digest(Files.readString(file)).equals(digests.get(name));
  }

  /**
   * Removes files that were written earlier but not in this run. Renames edited ones to {@code
   * FILE~}.
   *
   * @return notes for the user, about edited and removed files
   */
  List<String> finish() throws IOException {
    for (String name : List.copyOf(digests.keySet())) {
      if (ownNames.contains(name)) {
        continue;
      }
      if (isEdited(name)) {
        String kept = name + "~";
        Files.move(folder.resolve(name), folder.resolve(kept), StandardCopyOption.REPLACE_EXISTING);
        notes.add(
            "renamed %s, which no longer belongs here but was edited, to %s".formatted(name, kept));
      } else if (Files.deleteIfExists(folder.resolve(name))) {
        notes.add("removed %s, which no longer belongs here".formatted(name));
      }
      digests.remove(name);
    }
    save();
    return notes;
  }

  private void save() throws IOException {
    StringBuilder lines = new StringBuilder();
    digests.forEach((name, digest) -> lines.append(digest).append("  ").append(name).append('\n'));
    OwnFiles.write(record, lines.toString(), false);
  }

  private static String digest(String text) {
    return Hashing.sha256().hashString(text, UTF_8).toString();
  }
}
