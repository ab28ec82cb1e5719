package io.duplog.statement;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads and writes the files of a folder with signed hourly statements. Not thread-safe. */
final class StatementFolder {
  private static final Pattern NAME = Pattern.compile("statement-\\d{9}\\.json");

  private final Path folder;

  StatementFolder(Path folder) {
    this.folder = folder;
  }

  /** Creates the folder if it does not exist. */
  void create() throws IOException {
    Files.createDirectories(folder);
  }

  /** Returns all files by name, except for those whose name begins with a dot. */
  SortedMap<String, Path> files() throws IOException {
    SortedMap<String, Path> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(folder)) {
      all.forEach(file -> files.put(file.getFileName().toString(), file));
    }
    files.keySet().removeIf(name -> name.startsWith("."));
    return files;
  }

  /**
   * Returns the readable statements of the folder in order, one for each number.
   *
   * @param most limit of files to read, counted from the last one
   */
  Stream<SignedStatement> statements(int most) throws IOException {
    SortedMap<String, Path> files = files();
    files.keySet().removeIf(name -> !NAME.matcher(name).matches());
    return files.values().stream()
        .skip(Math.max(0, files.size() - most))
        .map(StatementFolder::readable)
        .filter(Objects::nonNull);
  }

  private static @Nullable SignedStatement readable(Path file) {
    try {
      SignedStatement statement = read(file);
      return statement != null && file.endsWith(name(statement.number())) ? statement : null;
    } catch (IOException e) {
      return null;
    }
  }

  static String name(long number) {
    return String.format(Locale.ROOT, "statement-%09d.json", number);
  }

  /** Reads a file. Returns null if it does not contain exactly one statement. */
  static @Nullable SignedStatement read(Path file) throws IOException {
    try {
      String text = Files.readString(file);
      int end = text.length() - 1;
      return end > 0 && text.indexOf('\n') == end
          ? SignedStatement.parse(text.substring(0, end))
          : null;
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /**
   * Writes a statement to the disk. If there is a different one with this number, that one stays,
   * and this one gets a different name.
   *
   * @return whether there was a different one
   */
  boolean write(SignedStatement statement) throws IOException {
    String name = name(statement.number());
    Path file = folder.resolve(name);
    boolean other = false;
    if (Files.exists(file)) {
      SignedStatement there = read(file);
      if (there != null && there.line().equals(statement.line())) {
        return false;
      }
      other = true;
      file =
          folder.resolve(name.replace(".json", "-" + statement.hash().substring(0, 8) + ".json"));
    }
    Path written = folder.resolve(".next");
    try (FileChannel channel = FileChannel.open(written, CREATE, WRITE, TRUNCATE_EXISTING)) {
      ByteBuffer bytes = UTF_8.encode(statement.line() + "\n");
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(written, file, ATOMIC_MOVE);
    return other;
  }

  @Override
  public String toString() {
    return folder.toString();
  }
}
