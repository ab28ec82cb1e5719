package io.duplog.benchmark.drive;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Generates messages with all byte values that syslog can carry, to test whether a collector stores
 * them unaltered.
 */
final class OddMessages {
  private static final String[] ODD_TEXTS = {
    "\"quoted\" \\back\\slash\\ /",
    "tab\there",
    "caf\u00e9 \u65e5\u672c \ud83d\ude00",
    "{\"event\":1}"
  };

  private OddMessages() {}

  static List<byte[]> of(String run, int count, long seed) {
    Random random = new Random(seed);
    List<byte[]> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ByteArrayOutputStream message = new ByteArrayOutputStream();
      message.writeBytes(
          "<13>Mar 14 15:09:26 web app: %s %d %s "
              .formatted(run, i, ODD_TEXTS[i % ODD_TEXTS.length])
              .getBytes(UTF_8));
      for (int n = random.nextInt(200); n > 0; n--) {
        int value = random.nextInt(256);
        message.write(
            value == '\n' || value == '\r'
                ? ' '
                : value); // Line feed and carriage return end a message.
      }
      message.write('.');
      messages.add(message.toByteArray());
    }
    return messages;
  }
}
