package io.duplog.benchmark.fuzz;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.duplog.benchmark.part.CountingPublisher;
import io.duplog.config.ConfigLoader;
import io.duplog.config.Key;
import io.duplog.ingest.omprog.BatchSettings;
import io.duplog.ingest.omprog.Conversation;
import io.duplog.ingest.omprog.OmprogSettings;
import io.duplog.ingest.omprog.Time;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.slf4j.LoggerFactory;

/** The shim's side of rsyslog's omprog, in each of its modes, with a broker that confirms. */
final class OmprogTarget implements Target {
  private static final String[] MODES = {"confirm", "transactions", "lines"};

  /** The two sections of the shim's configuration that the conversation depends on. */
  record Settings(
      @Key(doc = "As in the shim's file.") OmprogSettings omprog,
      @Key(doc = "As in the shim's file.") BatchSettings batch) {}

  private final Settings[] settings = new Settings[MODES.length];

  OmprogTarget() throws Exception {
    // It has a line to say about almost every input.
    ((Logger) LoggerFactory.getLogger("io.duplog.ingest")).setLevel(Level.OFF);
    for (int i = 0; i < MODES.length; i++) {
      settings[i] =
          ConfigLoader.of(Map.of(), "host")
              .parse(
                  "fuzz.yaml",
                  "omprog: {mode: "
                      + MODES[i]
                      + ", begin-mark: B, commit-mark: C, max-message: 256B, sender-prefix:"
                      + " false}\n"
                      + "batch: {max-messages: 8, max-bytes: 512B, compress: false}\n",
                  Settings.class);
    }
  }

  @Override
  public String name() {
    return "omprog reader";
  }

  @Override
  public List<byte[]> samples() {
    String transactions = "B\none\ntwo\nC\nB\nthree\n\nC\n";
    String marksAsMessages = "B\nB\nC\nC\nC\nB\n";
    String longLine = "B\n" + "x".repeat(700) + "\nC\n";
    String many = "B\n" + "message\n".repeat(30) + "C\n";
    String torn = "B\nno end";
    return List.of(transactions, marksAsMessages, longLine, many, torn).stream()
        .flatMap(text -> List.of("0" + text, "1" + text, "2" + text).stream())
        .map(text -> text.getBytes(StandardCharsets.US_ASCII))
        .toList();
  }

  /** The first byte of an input chooses the mode. */
  @Override
  public boolean read(byte[] input) throws Exception {
    if (input.length == 0) {
      return false;
    }
    int mode = (input[0] & 0xff) % MODES.length;
    ByteArrayInputStream lines = new ByteArrayInputStream(input, 1, input.length - 1);
    ByteArrayOutputStream answers = new ByteArrayOutputStream();
    Settings chosen = settings[mode];
    new Conversation(
            chosen.omprog(),
            chosen.batch(),
            "syslog-a",
            lines,
            answers,
            new CountingPublisher(),
            Time.SYSTEM)
        .run();
    if (mode == 0) {
      requireOneAnswerALine(input, answers.toByteArray());
    }
    return true;
  }

  /** OK at the start, then one line for each whole line, or rsyslog and the shim part company. */
  private static void requireOneAnswerALine(byte[] input, byte[] answers) {
    int expected = 1 + count(input, 1);
    int found = count(answers, 0);
    if (found != expected) {
      throw new IllegalStateException(found + " answers to " + (expected - 1) + " lines");
    }
  }

  private static int count(byte[] bytes, int from) {
    int lines = 0;
    for (int i = from; i < bytes.length; i++) {
      lines += bytes[i] == '\n' ? 1 : 0;
    }
    return lines;
  }
}
