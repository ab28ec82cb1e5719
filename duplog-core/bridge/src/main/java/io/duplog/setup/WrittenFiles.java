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
 * The files that {@code duplog init} writes into a folder. The file {@code .written} there, whose
 * lines are those of sha256sum, remembers them: what somebody has edited since is not overwritten,
 * and what no longer belongs to the deployment is removed.
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

  /** Writes a file; as {@code FILE.new}, with a note, if somebody has edited it. */
  void write(String name, String text) throws IOException {
    write(name, text, false);
  }

  /** Writes a file that can be executed, as {@link #write(String, String)} does. */
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

  /** Returns the hosts that have a file of this name now, or had it when this ran before. */
  List<String> folders(String file) {
    return digests.keySet().stream()
        .filter(name -> name.endsWith(file))
        .map(name -> name.substring(0, name.length() - file.length()))
        .filter(host -> !host.contains("/"))
        .toList();
  }

  /** Adds what a user should know. */
  void note(String text) {
    notes.add(text);
  }

  private boolean isEdited(String name) throws IOException {
    Path file = folder.resolve(name);
    return Files.exists(file) && !digest(Files.readString(file)).equals(digests.get(name));
  }

  /**
   * Removes what was written earlier and not this time; renames what was edited to {@code FILE~}.
   *
   * @return what a user should know: about edited and removed files
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
            "%s no longer belongs here; it is %s now, since it was edited".formatted(name, kept));
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
