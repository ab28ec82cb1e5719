package io.duplog.benchmark.fuzz;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.google.common.primitives.Bytes;
import io.duplog.benchmark.part.CountingPublisher;
import io.duplog.config.ConfigLoader;
import io.duplog.ingest.IngestConfig;
import io.duplog.ingest.batch.Time;
import io.duplog.ingest.batch.TransactionMark;
import io.duplog.ingest.omprog.Conversation;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/**
 * Feeds random bytes to the shim as if they came from rsyslog's omprog, as one target of the fuzz
 * test.
 */
final class OmprogTarget implements Target {
  private static final String[] MODES = {"confirm", "transactions", "lines"};

  private final List<IngestConfig> configs = new ArrayList<>();

  OmprogTarget() throws Exception {
    // The shim would log a line for almost every input.
    ((Logger) LoggerFactory.getLogger("io.duplog.ingest")).setLevel(Level.OFF);
    for (String mode : MODES) {
      String yaml =
          """
          stream: syslog-a
          broker: {host: localhost, user: u, password: p}
          omprog: {mode: %s, begin-mark: B, commit-mark: C, max-message: 256B, sender-prefix: false}
          batch: {max-messages: 8, max-bytes: 512B, compress: false}
          """
              .formatted(mode);
      configs.add(ConfigLoader.of(Map.of(), "host").parse("fuzz.yaml", yaml, IngestConfig.class));
    }
  }

  @Override
  public List<byte[]> samples() {
    String transactions = "B\none\ntwo\nC\nB\nthree\n\nC\n";
    String marksAsMessages = "B\nB\nC\nC\nC\nB\n";
    String longLine = "B\n" + "x".repeat(700) + "\nC\n";
    String many = "B\n" + "message\n".repeat(30) + "C\n";
    String truncated = "B\nno end";
    return Stream.of(transactions, marksAsMessages, longLine, many, truncated)
        .flatMap(text -> Stream.of("0" + text, "1" + text, "2" + text))
        .map(text -> text.getBytes(StandardCharsets.US_ASCII))
        .toList();
  }

  /**
   * Reads an input. Its first byte selects the mode of omprog. The remaining bytes are the shim's
   * input.
   */
  @Override
  public boolean read(byte[] input) throws Exception {
    if (input.length == 0) {
      return false;
    }
    int mode = (input[0] & 0xff) % MODES.length;
    ByteArrayInputStream lines = new ByteArrayInputStream(input, 1, input.length - 1);
    ByteArrayOutputStream answers = new ByteArrayOutputStream();
    IngestConfig config = configs.get(mode);
    new Conversation(
            config.omprog(),
            config.batch(),
            config.stream(),
            lines,
            answers,
            new CountingPublisher(),
            TransactionMark.none(),
            Time.SYSTEM)
        .run();
    if (mode == 0) {
      requireOneAnswerPerLine(input, answers.toByteArray());
    }
    return true;
  }

  /**
   * Throws unless the shim answered OK at the start and gave one answer to each complete line.
   * Otherwise, rsyslog would assign an answer to a wrong line.
   */
  private static void requireOneAnswerPerLine(byte[] input, byte[] answers) {
    int lines = Collections.frequency(Bytes.asList(input).subList(1, input.length), (byte) '\n');
    int answerCount = Collections.frequency(Bytes.asList(answers), (byte) '\n');
    if (answerCount != 1 + lines) {
      throw new IllegalStateException(answerCount + " answers to " + lines + " lines");
    }
  }
}
