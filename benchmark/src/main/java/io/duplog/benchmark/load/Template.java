package io.duplog.benchmark.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.io.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/**
 * Fills the fields of a message template, such as {@code {user}}, to generate realistic test
 * messages.
 */
final class Template {
  private static final Pattern FIELD = Pattern.compile("\\{([a-z]+)}");
  private static final int FIRST_UNPRIVILEGED_PORT = 1024;
  private static final int PORT_COUNT = 64_512;
  private static final List<String> USERS =
      List.of("root", "admin", "deploy", "backup", "jörg", "søren", "oracle", "lea");

  private Template() {}

  /** Reads all lines of a resource file of this package. */
  static List<String> readResource(String name) {
    try {
      return Resources.readLines(Resources.getResource(Template.class, name), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Fills the fields: {@code id} with sixteen hexadecimal digits that no other message of the run
   * has, {@code serial} with the message's number, and all others at random.
   *
   * @throws IllegalArgumentException if a field is unknown
   */
  static String fill(String text, long serial, SplittableRandom random) {
    return FIELD
        .matcher(text)
        .replaceAll(
            field ->
                switch (field.group(1)) {
                  case "id" -> "%016x".formatted(scramble(serial));
                  case "serial" -> Long.toString(serial);
                  case "user" -> USERS.get(random.nextInt(USERS.size()));
                  case "address" ->
                      "10.%d.%d.%d"
                          .formatted(
                              random.nextInt(256), random.nextInt(256), random.nextInt(1, 255));
                  case "port" ->
                      Integer.toString(FIRST_UNPRIVILEGED_PORT + random.nextInt(PORT_COUNT));
                  case "number" -> Integer.toString(random.nextInt(1000));
                  default -> throw new IllegalArgumentException("no field " + field.group());
                });
  }

  /**
   * Returns a number that looks random and is different for each argument (the finaliser of
   * SplitMix64).
   */
  static long scramble(long serial) {
    long x = serial * 0x9e3779b97f4a7c15L;
    x = (x ^ (x >>> 30)) * 0xbf58476d1ce4e5b9L;
    x = (x ^ (x >>> 27)) * 0x94d049bb133111ebL;
    return x ^ (x >>> 31);
  }

  /** Reverses {@link #scramble}. */
  static long unscramble(long id) {
    long x = (id ^ (id >>> 31) ^ (id >>> 62)) * 0x319642b2d24d8ec3L;
    x = (x ^ (x >>> 27) ^ (x >>> 54)) * 0x96de1b173f119089L;
    return (x ^ (x >>> 30) ^ (x >>> 60)) * 0xf1de83e19937733dL;
  }
}
