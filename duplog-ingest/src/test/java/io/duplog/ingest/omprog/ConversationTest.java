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

/** Tests how lines are read from the pipe, and when a conversation ends. */
class ConversationTest {
  private static final String PIPE =
      "BEGIN TRANSACTION\n1.2.3.4 a\n\n1.2.3.4 b\u00ff\u00fe\u0000\tc\nCOMMIT TRANSACTION\n";
  private static final String ANSWERS = "OK\nOK\nDEFER_COMMIT\nDEFER_COMMIT\nDEFER_COMMIT\nOK\n";

  /** The pipe is torn into two pieces, or, torn at 0, a byte at a time. */
  @Test
  void pipe_tornAnywhere_meansTheSame() throws Exception {
    for (int at = 0; at < PIPE.length(); at++) {
      int first = at;
      Rsyslog rsyslog = new Rsyslog(Mode.CONFIRM);
      Torn pipe = new Torn(PIPE, given -> first == 0 ? 1 : given < first ? first - given : 4096);
      assertThat(rsyslog.run(pipe)).as("torn at %d", at).isEqualTo(ANSWERS);
      assertThat(rsyslog.publisher.messages())
          .containsExactly("1.2.3.4 a", "", "1.2.3.4 b\u00ff\u00fe\u0000\tc");
    }
  }

  @Test
  void pipe_endingInMidTransaction_leavesNoTrace() throws Exception {
    Rsyslog rsyslog = new Rsyslog(Mode.CONFIRM);
    assertThat(rsyslog.run("BEGIN TRANSACTION\n1\n2\n3\n4\n5\n6\nCOMMIT TRANS"))
        .isEqualTo("OK\nOK\n" + "DEFER_COMMIT\n".repeat(6));
    assertThat(rsyslog.publisher.submittedBatches).isEmpty();
  }

  @Test
  void pipe_endingWithoutLf_inModeLines_endsWithAMessage() throws Exception {
    Rsyslog rsyslog = new Rsyslog(Mode.LINES);
    rsyslog.run("a\nb");
    assertThat(rsyslog.publisher.messages()).containsExactly("a", "b");
  }

  @Test
  void emptyPipe_isReadyAndEnds() throws Exception {
    assertThat(new Rsyslog(Mode.CONFIRM).run("")).isEqualTo("OK\n");
    assertThat(new Rsyslog(Mode.LINES).run("")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"LINES, 256", "CONFIRM, 256", "LINES, 65536", "CONFIRM, 65536"})
  void longLines_areCutAtTheLimit_whichIsLogged_andTheNextOneIsWhole(Mode mode, int limit)
      throws Exception {
    for (int length : List.of(255, 256, 257, 300, 8_192, 65_536, 65_537, 70_000, 1_000_000)) {
      Rsyslog rsyslog = new Rsyslog(mode, 100, limit, 1);
      String lines = "before\n" + ("y".repeat(length) + "\n").repeat(2) + "after\n";
      String pipe = mode == Mode.LINES ? lines : BEGIN + "\n" + lines + COMMIT + "\n";
      List<String> logged = LogLines.of(Conversation.class, () -> rsyslog.run(pipe));
      String whole = "y".repeat(Math.min(length, limit));
      assertThat(rsyslog.publisher.messages())
          .as("%d", length)
          .containsExactly("before", whole, whole, "after");
      assertThat(logged)
          .as("%d", length)
          .filteredOn(line -> line.endsWith("(2 since the start)"))
          .hasSize(length > limit ? 1 : 0);
    }
  }

  @Test
  void closedAnswerPipe_endsTheRun() throws Exception {
    Rsyslog rsyslog = new Rsyslog(Mode.CONFIRM);
    OutputStream closed = new PipedOutputStream(); // with nobody at its other end
    assertThat(rsyslog.conversation(new Torn(PIPE, given -> 1), closed).run()).isZero();
    assertThat(rsyslog.publisher.submittedBatches).isEmpty();
  }

  @Test
  void readerThatFailed_isNotWaitedForByStop() throws Exception {
    Rsyslog rsyslog = new Rsyslog(1, "patience: 10m, keep-alive: 10s", 4);
    rsyslog.publisher.beforeConfirm =
        () -> {
          throw new IllegalStateException("of the test");
        };
    Conversation conversation =
        rsyslog.conversation(new Torn(PIPE, given -> 4096), OutputStream.nullOutputStream());
    assertThatThrownBy(conversation::run).hasMessage("of the test");

    FutureTask<Long> stop = new FutureTask<>(conversation::stop);
    new Thread(stop, "stopping").start();
    assertThat(stop.get(1, TimeUnit.MINUTES)).isZero();
  }

  @Test
  void lines_ofEveryLengthAtEveryPlace_arriveUnchanged() throws Exception {
    List<String> lines = new ArrayList<>();
    for (int before = 0; before <= 17; before++) {
      for (int length = 0; length <= 17; length++) {
        lines.addAll(List.of("x".repeat(before), "y".repeat(length), "", "z"));
      }
    }
    assertArrive(lines, 4096);
  }

  /**
   * 0x0B and 0x8A differ from LF by the bits that a search of eight bytes at once might mistake.
   */
  @Test
  void bytesAlmostLf_endNoLine() throws Exception {
    List<String> lines = new ArrayList<>();
    for (int alike : new int[] {0x00, 0x09, 0x0B, 0x0D, 0x0E, 0x1A, 0x8A, 0x8B, 0xF5, 0xFF}) {
      for (int at = 0; at < 9; at++) {
        String line = "a".repeat(at) + (char) alike + "\u000b\u000b" + "b".repeat(8 - at);
        lines.addAll(List.of(line, line + line));
      }
    }
    assertArrive(lines, 4096);
  }

  /** There are more bytes than the reader's buffer holds, so it has to move them. */
  @Test
  void randomBytes_inRandomPieces_arriveUnchanged() throws Exception {
    for (int seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        byte[] bytes = new byte[random.nextInt(random.nextInt(5) == 0 ? 20_000 : 50)];
        random.nextBytes(bytes);
        lines.add(new String(bytes, ISO_8859_1).replace("\n", ""));
      }
      assertArrive(lines, 1 + random.nextInt(5_000));
    }
  }

  @Test
  void stop_afterRsyslogHasLeft_waitsForNothing() throws Exception {
    Rsyslog rsyslog = new Rsyslog(Mode.CONFIRM);
    InputStream closed = InputStream.nullInputStream();
    Conversation conversation = rsyslog.conversation(closed, OutputStream.nullOutputStream());
    conversation.run();
    assertThat(LogLines.of(ConfirmedDialogue.class, conversation::stop)).isEmpty();
  }

  private static void assertArrive(List<String> lines, int most) throws Exception {
    Random random = new Random(most);
    Rsyslog rsyslog = new Rsyslog(Mode.LINES, 1 + random.nextInt(60), 65_536, 1);
    rsyslog.run(new Torn(String.join("\n", lines) + "\n", given -> 1 + random.nextInt(most)));
    assertThat(rsyslog.publisher.messages()).as("at most %d", most).isEqualTo(lines);
  }

  /** Gives a pipe's bytes in pieces. */
  private static final class Torn extends FilterInputStream {
    private final IntUnaryOperator most;
    private int given;

    /**
     * @param most bytes of the next piece, by how many were given
     */
    Torn(String content, IntUnaryOperator most) {
      super(new ByteArrayInputStream(content.getBytes(ISO_8859_1)));
      this.most = most;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int read = super.read(target, offset, Math.min(length, most.applyAsInt(given)));
      given += Math.max(0, read);
      return read;
    }

    @Override
    public int available() {
      return 0;
    }
  }
}
