package io.duplog.benchmark.load;

import com.google.common.base.Splitter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Generates realistic syslog messages of a mixed site: RFC 3164 and RFC 5424, several hosts and
 * programs, short and long lines. RFC 3164 and RFC 5424, several hosts and programs, short and long
 * lines. Each contains sixteen hexadecimal digits that no other message has. The message's number
 * follows from them. Thread-safe.
 */
final class SyslogText implements Messages {
  private static final int PID_COUNT = 30_000;
  private static final int ID_DIGITS = 16;
  private static final int MILLIS_PER_SECOND = 1000;

  /**
   * A program that logs.
   *
   * @param priority facility × 8 + severity
   * @param isStructured whether the program writes RFC 5424; otherwise RFC 3164
   * @param text template of its messages
   */
  private record Program(int priority, boolean isStructured, String name, String text) {}

  /** Programs that log, from a resource with one line each: priority, format, name and text. */
  private static final List<Program> PROGRAMS =
      Template.readResource("programs.txt").stream().map(SyslogText::parseProgram).toList();

  private static final List<String> HOSTS = createHosts();

  private static final DateTimeFormatter RFC5424_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /**
   * Format of a time stamp in the sender's local time. The day of the month is padded with a space.
   */
  private final DateTimeFormatter rfc3164Time;

  private final int rate;
  private final long seed;
  private final long startMillis;

  /**
   * Prepares the messages of one run.
   *
   * @param rate messages per second; determines the time stamps
   * @param startMillis time stamp of the first message, in milliseconds since 1970
   */
  SyslogText(ZoneId zone, int rate, long seed, long startMillis) {
    this.rfc3164Time =
        DateTimeFormatter.ofPattern("MMM ppd HH:mm:ss", Locale.ENGLISH).withZone(zone);
    this.rate = rate;
    this.seed = seed;
    this.startMillis = startMillis;
  }

  /** Creates one message in UTF-8, of a random program and host. */
  byte[] message(long serial) {
    SplittableRandom random = new SplittableRandom(Template.scramble(serial ^ seed));
    Instant time = Instant.ofEpochMilli(startMillis + serial * MILLIS_PER_SECOND / rate);
    Program program = PROGRAMS.get(random.nextInt(PROGRAMS.size()));
    String host = HOSTS.get(random.nextInt(HOSTS.size()));
    int pid = 1 + random.nextInt(PID_COUNT);
    String header =
        program.isStructured
            ? "<%d>1 %s %s %s %d - [origin@32473 site=\"fra1\" tier=\"web\"] "
            : "<%d>%s %s %s[%d]: ";
    String stamp = (program.isStructured ? RFC5424_TIME : rfc3164Time).format(time);
    return (header.formatted(program.priority, stamp, host, program.name, pid)
            + Template.fill(program.text, serial, random))
        .getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public long serialOf(byte[] bytes, int offset, int length) {
    long serial = Template.unscramble(readId(bytes, offset, length));
    if (serial < 0 || serial > Integer.MAX_VALUE) {
      return -1;
    }
    byte[] expected = message(serial);
    return Arrays.equals(expected, 0, expected.length, bytes, offset, offset + length)
        ? serial
        : -1;
  }

  /** Returns the first sixteen consecutive hexadecimal digits as a number; 0 if there are none. */
  private static long readId(byte[] bytes, int offset, int length) {
    long id = 0;
    int digits = 0;
    for (int i = offset; i < offset + length; i++) {
      int digit = Character.digit(bytes[i], ID_DIGITS);
      if (digit >= 0) {
        id = id << 4 | digit;
        digits++;
      } else if (digits == ID_DIGITS) {
        return id;
      } else {
        digits = 0;
      }
    }
    return digits == ID_DIGITS ? id : 0;
  }

  private static Program parseProgram(String line) {
    List<String> parts = Splitter.on(' ').limit(4).splitToList(line);
    return new Program(
        Integer.parseInt(parts.get(0)), parts.get(1).equals("rfc5424"), parts.get(2), parts.get(3));
  }

  private static List<String> createHosts() {
    return Stream.of("web", "db", "mail", "fw", "app", "cache")
        .flatMap(role -> IntStream.rangeClosed(1, 8).mapToObj(i -> role + "0" + i + ".fra1"))
        .toList();
  }
}
