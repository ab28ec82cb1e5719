package io.duplog.deliver.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hashing;
import com.google.common.io.MoreFiles;
import io.duplog.config.ConfigException;
import io.duplog.observe.Printable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the closed files of an archive against its index, and reports those that are missing,
 * truncated or altered. Needs only the archive's folder.
 */
public final class ArchiveCheck {
  private final Path root;
  private final @Nullable Instant from;
  private final @Nullable Instant until;

  private final List<String> problems = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final Set<Path> indexed = new HashSet<>();
  private final List<ArchiveEntry> entries = new ArrayList<>();
  private int checkedFiles;
  private long checkedMessages;
  private long checkedBytes;

  private ArchiveCheck(Path root, @Nullable Instant from, @Nullable Instant until) {
    this.root = root;
    this.from = from;
    this.until = until;
  }

  /**
   * Checks an archive.
   *
   * @param from time before which no file is read, or null for all
   * @param until time after which no file is read, or null for all
   * @throws ConfigException that names the folder if it can't be read
   */
  public static ArchiveCheck of(Path root, @Nullable Instant from, @Nullable Instant until)
      throws ConfigException {
    ArchiveCheck check = new ArchiveCheck(root, from, until);
    try {
      for (Path index : indexes(root)) {
        check.addIndex(index);
      }
      check.findOthers();
    } catch (IOException e) {
      throw ConfigException.unreadable(root, e);
    }
    return check;
  }

  private static List<Path> indexes(Path root) throws IOException {
    try (Stream<Path> files = Files.list(root)) {
      return files
          .filter(file -> ArchiveIndex.isName(file.getFileName().toString()))
          .sorted()
          .toList();
    }
  }

  private void addIndex(Path index) throws IOException {
    String name = index.getFileName().toString();
    String text = Files.readString(index, UTF_8);
    long number = 0;
    int lines = 0;
    for (String line : text.lines().toList()) {
      lines++;
      ArchiveEntry entry;
      try {
        entry = ArchiveEntry.parse(line);
      } catch (IOException e) {
        problem(name, "line " + lines + " is not an entry, or was changed");
        continue;
      }
      if (entry.number() != number + 1) {
        problem(
            name,
            "line %d has the number %d after %d: lines are missing, or were moved"
                .formatted(lines, entry.number(), number));
      }
      number = entry.number();
      add(entry);
    }
    if (!text.isEmpty() && !text.endsWith("\n")) {
      notes.add(Printable.of(name) + " ends within a line; its bridge's next start repairs that");
    }
  }

  private void add(ArchiveEntry entry) throws IOException {
    Path file = root.resolve(entry.file()).normalize();
    if (!file.startsWith(root.normalize()) || Compression.ofName(entry.file()) == null) {
      problem(entry.file(), "is not the name of a file of this archive");
      return;
    }
    entries.add(entry);
    indexed.add(file);
    if ((from != null && entry.last().isBefore(from))
        || (until != null && !entry.first().isBefore(until))) {
      return;
    }
    if (!Files.isRegularFile(file)) {
      missing(entry);
      return;
    }
    String damage = damage(file, entry);
    if (damage != null) {
      problem(entry.file(), damage);
    }
    checkedFiles++;
    checkedMessages += entry.content().messages();
    checkedBytes += entry.content().bytes();
  }

  private void missing(ArchiveEntry entry) throws IOException {
    ArchiveFolder folder = new ArchiveFolder(root, ArchiveSinkConfig.wordOf(entry.bridge()));
    if (folder.parts().stream().anyMatch(part -> part.number() == entry.number())) {
      notes.add(entry.file() + " is not in its place yet; its bridge's next start moves it there");
    } else {
      problem(
          entry.file(), "is missing; it had %,d messages".formatted(entry.content().messages()));
    }
  }

  /** Returns how a file differs from its entry, or null if it does not. */
  private static @Nullable String damage(Path file, ArchiveEntry entry) {
    ArchiveEntry.Content content = entry.content();
    try {
      long size = Files.size(file);
      if (size != content.bytes()) {
        return "has %,d bytes, and not %,d: it was %s"
            .formatted(size, content.bytes(), size < content.bytes() ? "truncated" : "extended");
      }
      if (!MoreFiles.asByteSource(file)
          .hash(Hashing.sha256())
          .toString()
          .equals(content.sha256())) {
        return "was altered: its SHA-256 is not that of the index";
      }
      long messages = messages(file);
      return messages == content.messages()
          ? null
          : "has %,d messages, and not %,d as its index line says"
              .formatted(messages, content.messages());
    } catch (IOException e) {
      return "can't be read (" + e + ")";
    }
  }

  private static long messages(Path file) throws IOException {
    Compression compression = Compression.ofName(file.toString());
    if (compression == null) {
      throw new EOFException("it is not compressed");
    }
    long messages = 0;
    byte[] bytes = new byte[1 << 16];
    try (InputStream compressed = Files.newInputStream(file);
        InputStream lines = compression.decompress(compressed)) {
      for (int count = lines.read(bytes); count >= 0; count = lines.read(bytes)) {
        for (int i = 0; i < count; i++) {
          if (bytes[i] == '\n') {
            messages++;
          }
        }
      }
    }
    return messages;
  }

  /** Finds files that no index knows, and files that are not closed. */
  private void findOthers() throws IOException {
    if (entries.isEmpty() && problems.isEmpty()) {
      problems.add("there is no index with a closed file");
    }
    try (Stream<Path> all = Files.walk(root)) {
      all.filter(Files::isRegularFile)
          .sorted()
          .forEach(
              file -> {
                String name = root.relativize(file).toString();
                if (name.endsWith(ArchivePart.SUFFIX)) {
                  notes.add(
                      Printable.of(name) + " is not closed yet, and not checked: see its bridge");
                } else if (Compression.ofName(name) != null
                    && !indexed.contains(file.normalize())) {
                  problem(name, "is in no index");
                }
              });
    }
  }

  private void problem(String name, String what) {
    problems.add(Printable.of(name) + " " + what);
  }

  /** Returns the problems, one line each. */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  /** Returns what an auditor should know, one line each. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  /** Returns a summary of the check in one line. */
  public String summary() {
    return "%,d files with %,d messages and %,d bytes"
        .formatted(checkedFiles, checkedMessages, checkedBytes);
  }

  /**
   * Closed files that one bridge wrote.
   *
   * @param from when the first message of the first file was written
   * @param until when the last file was closed
   */
  public record Written(String bridge, Instant from, Instant until) {}

  /** Returns the bridges of the archive, each with the time that its closed files cover. */
  public List<Written> written() {
    List<Written> all = new ArrayList<>();
    for (ArchiveEntry entry : entries) {
      Written before = all.isEmpty() ? null : all.get(all.size() - 1);
      if (before != null && before.bridge().equals(entry.bridge())) {
        all.set(all.size() - 1, new Written(entry.bridge(), before.from(), entry.closed()));
      } else {
        all.add(new Written(entry.bridge(), entry.first(), entry.closed()));
      }
    }
    return all;
  }

  /**
   * Returns the number of messages in the files that a bridge wrote at least partly in a period.
   */
  public long messages(String bridge, Instant begin, Instant end) {
    return entries.stream()
        .filter(entry -> entry.bridge().equals(bridge))
        .filter(entry -> !entry.last().isBefore(begin) && !entry.first().isAfter(end))
        .mapToLong(entry -> entry.content().messages())
        .sum();
  }
}
