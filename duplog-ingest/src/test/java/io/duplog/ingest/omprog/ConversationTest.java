package io.duplog.ingest.omprog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

class ConversationTest {
  private static final String PIPE =
      "BEGIN TRANSACTION\n1.2.3.4 a\n\n1.2.3.4 b\u00ff\u00fe\u0000\tc\nCOMMIT TRANSACTION\n";
  private static final String ANSWERS = "OK\nOK\nDEFER_COMMIT\nDEFER_COMMIT\nDEFER_COMMIT\nOK\n";

  @Test
  void pipe_tornAnywhere_meansTheSame() throws Exception {
    for (int at = 1; at < PIPE.length(); at++) {
      int first = at;
      Rsyslog rsyslog = new Rsyslog(Mode.CONFIRM);
      String answers = rsyslog.run(new Torn(PIPE, given -> given < first ? first - given : 4096));
      assertThat(answers).as("torn at %d", at).isEqualTo(ANSWERS);
      assertThat(rsyslog.publisher.messages())
          .containsExactly("1.2.3.4 a", "", "1.2.3.4 b\u00ff\u00fe\u0000\tc");
    }
  }

  @Test
  void pipe_oneByteAtATime_meansTheSame() throws Exception {
    Rsyslog rsyslog = new Rsyslog(Mode.CONFIRM);
    assertThat(rsyslog.run(new Torn(PIPE, given -> 1))).isEqualTo(ANSWERS);
    assertThat(rsyslog.publisher.messages()).hasSize(3);
  }

  @Test
  void pipe_endingInMidTransaction_leavesNoTrace() throws Exception {
    Rsyslog rsyslog = new Rsyslog(Mode.CONFIRM);
    assertThat(rsyslog.run("BEGIN TRANSACTION\na\nb\nCOMMIT TRANS"))
        .isEqualTo("OK\nOK\nDEFER_COMMIT\nDEFER_COMMIT\n");
    assertThat(rsyslog.publisher.submitted).isEmpty();
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

  @Test
  void longLines_upToTheLimit_areWhole() throws Exception {
    Rsyslog rsyslog = new Rsyslog(Mode.LINES, 100, 65_536, 1);
    String longest = "x".repeat(65_536);
    rsyslog.run(longest + "\n" + longest + "\nshort\n");
    assertThat(rsyslog.publisher.messages()).containsExactly(longest, longest, "short");
  }

  @Test
  void lines_overTheLimit_areCutAndTheNextOneIsWhole() throws Exception {
    for (Mode mode : List.of(Mode.LINES, Mode.CONFIRM)) {
      for (int length : List.of(257, 300, 8_192, 70_000, 1_000_000)) {
        Rsyslog rsyslog = new Rsyslog(mode, 100, 256, 1);
        String pipe = "before\n" + "y".repeat(length) + "\nafter\n";
        rsyslog.run(
            mode == Mode.LINES ? pipe : "BEGIN TRANSACTION\n" + pipe + "COMMIT TRANSACTION\n");
        assertThat(rsyslog.publisher.messages())
            .as("%s %d", mode, length)
            .containsExactly("before", "y".repeat(256), "after");
      }
    }
  }

  @Test
  void closedAnswerPipe_endsTheRun() throws Exception {
    Rsyslog rsyslog = new Rsyslog(Mode.CONFIRM);
    assertThat(rsyslog.conversation(new Torn(PIPE, given -> 1), new ClosedPipe()).run()).isZero();
    assertThat(rsyslog.publisher.submitted).isEmpty();
  }

  @Test
  void stop_inModeLines_publishesWhatWasReadAndReadsNoMore() throws Exception {
    Rsyslog rsyslog = new Rsyslog(Mode.LINES);
    Conversation conversation =
        rsyslog.conversation(new Torn("a\nb\n", given -> 2), new ClosedPipe());
    assertThat(conversation.runOnce()).isTrue();
    assertThat(conversation.runOnce()).isTrue();
    assertThat(conversation.stop()).isZero();
    assertThat(rsyslog.publisher.messages()).containsExactly("a", "b");
    assertThat(conversation.runOnce()).isFalse();
  }

  @Test
  void randomBytes_inRandomPieces_arriveUnchanged() throws Exception {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      List<String> messages = new ArrayList<>();
      StringBuilder pipe = new StringBuilder();
      for (int i = 0; i < 50; i++) {
        byte[] bytes = new byte[random.nextInt(random.nextInt(20) == 0 ? 20_000 : 50)];
        random.nextBytes(bytes);
        String line = new String(bytes, StandardCharsets.ISO_8859_1).replace("\n", "");
        messages.add(line);
        pipe.append(line).append('\n');
      }
      Rsyslog rsyslog = new Rsyslog(Mode.LINES, 1 + random.nextInt(60), 65_536, 1);
      rsyslog.run(new Torn(pipe.toString(), given -> 1 + random.nextInt(5_000)));
      assertThat(rsyslog.publisher.messages()).as("seed %d", seed).isEqualTo(messages);
    }
  }

  /** A pipe that gives its bytes in pieces. */
  private static final class Torn extends FilterInputStream {
    private final IntUnaryOperator most;
    private int given;

    /**
     * @param most bytes of the next piece, by how many were given
     */
    Torn(String content, IntUnaryOperator most) {
      super(new ByteArrayInputStream(content.getBytes(StandardCharsets.ISO_8859_1)));
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

  /** rsyslog has closed its end. */
  private static final class ClosedPipe extends java.io.OutputStream {
    @Override
    public void write(int b) throws IOException {
      throw new IOException("Broken pipe");
    }
  }
}
