package io.duplog.ingest.omprog;

import static io.duplog.ingest.omprog.Rsyslog.BEGIN;
import static io.duplog.ingest.omprog.Rsyslog.COMMIT;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.observe.LogLines;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that the shim splits the bytes from rsyslog's pipe into messages, and when its run ends.
 */
class ConversationTest {
  private static final String PIPE =
      "BEGIN TRANSACTION\n1.2.3.4 a\n\n1.2.3.4 b\u00ff\u00fe\u0000\tc\nCOMMIT TRANSACTION\n";
  private static final String ANSWERS = "OK\nOK\nDEFER_COMMIT\nDEFER_COMMIT\nDEFER_COMMIT\nOK\n";

  /** The pipe's bytes arrive in two reads, or, with offset 0, one byte per read. */
  @Test
  void run_pipeSplitAnywhere_hasTheSameResult() throws Exception {
    for (int offset = 0; offset < PIPE.length(); offset++) {
      int firstReadBytes = offset;
      Rsyslog rsyslog = new Rsyslog(Mode.CONFIRM);
      SplitPipe pipe =
          new SplitPipe(
              PIPE,
              returnedBytes ->
                  firstReadBytes == 0
                      ? 1
                      : returnedBytes < firstReadBytes ? firstReadBytes - returnedBytes : 4096);
      assertThat(rsyslog.run(pipe)).as("split at %d", offset).isEqualTo(ANSWERS);
      assertThat(rsyslog.publisher.messages())
          .containsExactly("1.2.3.4 a", "", "1.2.3.4 b\u00ff\u00fe\u0000\tc");
    }
  }

  @Test
  void run_pipeEndsWithinTransaction_publishesNothing() throws Exception {
    Rsyslog rsyslog = new Rsyslog(Mode.CONFIRM);
    assertThat(rsyslog.run("BEGIN TRANSACTION\n1\n2\n3\n4\n5\n6\nCOMMIT TRANS"))
        .isEqualTo("OK\nOK\n" + "DEFER_COMMIT\n".repeat(6));
    assertThat(rsyslog.publisher.submittedBatches).isEmpty();
  }

  @Test
  void run_modeLinesWithoutLastLf_publishesTheLastLine() throws Exception {
    Rsyslog rsyslog = new Rsyslog(Mode.LINES);
    rsyslog.run("a\nb");
    assertThat(rsyslog.publisher.messages()).containsExactly("a", "b");
  }

  @Test
  void run_emptyPipe_ends() throws Exception {
    assertThat(new Rsyslog(Mode.CONFIRM).run("")).isEqualTo("OK\n");
    assertThat(new Rsyslog(Mode.LINES).run("")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"LINES, 256", "CONFIRM, 256", "LINES, 65536", "CONFIRM, 65536"})
  void run_longLines_areCutAndLogged(Mode mode, int limit) throws Exception {
    for (int length : List.of(255, 256, 257, 300, 8_192, 65_536, 65_537, 70_000, 1_000_000)) {
      Rsyslog rsyslog = new Rsyslog(mode, 100, limit, 1);
      String lines = "before\n" + ("y".repeat(length) + "\n").repeat(2) + "after\n";
      String pipe = mode == Mode.LINES ? lines : BEGIN + "\n" + lines + COMMIT + "\n";
      List<String> logged = LogLines.of(Conversation.class, () -> rsyslog.run(pipe));
      String cutLine = "y".repeat(Math.min(length, limit));
      assertThat(rsyslog.publisher.messages())
          .as("%d", length)
          .containsExactly("before", cutLine, cutLine, "after");
      assertThat(logged)
          .as("%d", length)
          .filteredOn(line -> line.endsWith("(2 since the start)"))
          .hasSize(length > limit ? 1 : 0);
    }
  }

  @Test
  void run_closedAnswerPipe_ends() throws Exception {
    Rsyslog rsyslog = new Rsyslog(Mode.CONFIRM);
    OutputStream closed = new PipedOutputStream(); // the other end is not connected
    assertThat(rsyslog.conversation(new SplitPipe(PIPE, returnedBytes -> 1), closed).run())
        .isZero();
    assertThat(rsyslog.publisher.submittedBatches).isEmpty();
  }

  @Test
  void stop_afterReaderFailed_returns() throws Exception {
    Rsyslog rsyslog = new Rsyslog(1, "patience: 10m, keep-alive: 10s", 4);
    rsyslog.publisher.beforeConfirm =
        () -> {
          throw new IllegalStateException("of the test");
        };
    Conversation conversation =
        rsyslog.conversation(
            new SplitPipe(PIPE, returnedBytes -> 4096), OutputStream.nullOutputStream());
    assertThatThrownBy(conversation::run).hasMessage("of the test");

    FutureTask<Long> stop = new FutureTask<>(conversation::stop);
    new Thread(stop, "stopping").start();
    assertThat(stop.get(1, TimeUnit.MINUTES)).isZero();
  }

  @Test
  void run_linesOfEveryLengthAtEveryOffset_areUnchanged() throws Exception {
    List<String> lines = new ArrayList<>();
    for (int before = 0; before <= 17; before++) {
      for (int length = 0; length <= 17; length++) {
        lines.addAll(List.of("x".repeat(before), "y".repeat(length), "", "z"));
      }
    }
    assertLinesUnchanged(lines, 4096);
  }

  /** 0x0B and 0x8A differ from LF in bits that a search of eight bytes at once might confuse. */
  @Test
  void run_bytesSimilarToLf_endNoLine() throws Exception {
    List<String> lines = new ArrayList<>();
    for (int similarByte : new int[] {0x00, 0x09, 0x0B, 0x0D, 0x0E, 0x1A, 0x8A, 0x8B, 0xF5, 0xFF}) {
      for (int offset = 0; offset < 9; offset++) {
        String line =
            "a".repeat(offset) + (char) similarByte + "\u000b\u000b" + "b".repeat(8 - offset);
        lines.addAll(List.of(line, line + line));
      }
    }
    assertLinesUnchanged(lines, 4096);
  }

  /** The data is larger than the reader's buffer, so the reader must move bytes. */
  @Test
  void run_randomBytesInRandomReads_areUnchanged() throws Exception {
    for (int seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        byte[] bytes = new byte[random.nextInt(random.nextInt(5) == 0 ? 20_000 : 50)];
        random.nextBytes(bytes);
        lines.add(new String(bytes, ISO_8859_1).replace("\n", ""));
      }
      assertLinesUnchanged(lines, 1 + random.nextInt(5_000));
    }
  }

  @Test
  void stop_afterRsyslogClosedThePipe_returns() throws Exception {
    Rsyslog rsyslog = new Rsyslog(Mode.CONFIRM);
    InputStream closed = InputStream.nullInputStream();
    Conversation conversation = rsyslog.conversation(closed, OutputStream.nullOutputStream());
    conversation.run();
    assertThat(LogLines.of(ConfirmedDialogue.class, conversation::stop)).isEmpty();
  }

  private static void assertLinesUnchanged(List<String> lines, int maxReadBytes) throws Exception {
    Random random = new Random(maxReadBytes);
    Rsyslog rsyslog = new Rsyslog(Mode.LINES, 1 + random.nextInt(60), 65_536, 1);
    rsyslog.run(
        new SplitPipe(
            String.join("\n", lines) + "\n", returnedBytes -> 1 + random.nextInt(maxReadBytes)));
    assertThat(rsyslog.publisher.messages()).as("at most %d", maxReadBytes).isEqualTo(lines);
  }

  /** Returns the bytes of a pipe in several reads. */
  private static final class SplitPipe extends FilterInputStream {
    private final IntUnaryOperator maxReadBytes;
    private int returnedBytes;

    /**
     * @param maxReadBytes maximum size of the next read, by the number of bytes returned so far
     */
    SplitPipe(String content, IntUnaryOperator maxReadBytes) {
      super(new ByteArrayInputStream(content.getBytes(ISO_8859_1)));
      this.maxReadBytes = maxReadBytes;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int read =
          super.read(target, offset, Math.min(length, maxReadBytes.applyAsInt(returnedBytes)));
      returnedBytes += Math.max(0, read);
      return read;
    }

    @Override
    public int available() {
      return 0;
    }
  }
}
