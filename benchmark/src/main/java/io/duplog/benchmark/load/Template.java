package io.duplog.benchmark.load;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The text of a message with fields in braces, taken apart once. */
final class Template {
  private static final Pattern FIELD = Pattern.compile("\\{([a-z]+)}");

  private static final int FIRST_UNPRIVILEGED_PORT = 1024;
  private static final int PORTS = 64_512;

  private static final List<byte[]> USERS =
      Stream.of("root", "admin", "deploy", "backup", "jörg", "søren", "oracle", "lea")
          .map(user -> user.getBytes(StandardCharsets.UTF_8))
          .toList();

  /** What can stand in for a field. */
  private enum Field {
    /** Sixteen hexadecimal digits that no other message of the run has. */
    ID,
    /** A number that counts up with every message of the run. */
    SERIAL,
    USER,
    ADDRESS,
    PORT,
    /** Up to three digits. */
    NUMBER
  }

  /** The text before field i is literal i; the last literal follows the last field. */
  private final List<byte[]> literals = new ArrayList<>();

  private final List<Field> fields = new ArrayList<>();

  /**
   * Takes a text apart.
   *
   * @throws IllegalArgumentException if a field is unknown, or none makes the text unique
   */
  Template(String text) {
    Matcher matcher = FIELD.matcher(text);
    int end = 0;
    while (matcher.find()) {
      literals.add(text.substring(end, matcher.start()).getBytes(StandardCharsets.UTF_8));
      fields.add(Field.valueOf(matcher.group(1).toUpperCase(Locale.ROOT)));
      end = matcher.end();
    }
    literals.add(text.substring(end).getBytes(StandardCharsets.UTF_8));
    if (!fields.contains(Field.ID) && !fields.contains(Field.SERIAL)) {
      throw new IllegalArgumentException("no {id} and no {serial} in: " + text);
    }
  }

  void write(long serial, SplittableRandom random, TextBuffer into) {
    for (int i = 0; i < fields.size(); i++) {
      into.put(literals.get(i));
      fill(fields.get(i), serial, random, into);
    }
    into.put(literals.get(fields.size()));
  }

  private static void fill(Field field, long serial, SplittableRandom random, TextBuffer into) {
    switch (field) {
      case ID -> into.hex(scrambled(serial));
      case SERIAL -> into.decimal(serial);
      case USER -> into.put(USERS.get(random.nextInt(USERS.size())));
      case ADDRESS ->
          into.put("10.")
              .decimal(random.nextInt(256))
              .put('.')
              .decimal(random.nextInt(256))
              .put('.')
              .decimal(random.nextInt(1, 255));
      case PORT -> into.decimal(FIRST_UNPRIVILEGED_PORT + random.nextInt(PORTS));
      case NUMBER -> into.decimal(random.nextInt(1000));
    }
  }

  /** The finaliser of SplitMix64: looks random, and maps no two numbers to one. */
  static long scrambled(long serial) {
    long x = serial * 0x9e3779b97f4a7c15L;
    x = (x ^ (x >>> 30)) * 0xbf58476d1ce4e5b9L;
    x = (x ^ (x >>> 27)) * 0x94d049bb133111ebL;
    return x ^ (x >>> 31);
  }
}
