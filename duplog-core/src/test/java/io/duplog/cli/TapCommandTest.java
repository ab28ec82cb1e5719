package io.duplog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.line.LineFormat;
import io.duplog.deliver.tap.TappedMessage;
import io.duplog.deliver.tap.Taps;
import io.duplog.observe.LineFeed;
import io.duplog.status.Health;
import io.duplog.status.StateDocument;
import io.duplog.status.StatusConfig;
import io.duplog.status.StatusServer;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command, a page and what a bridge delivers, in one process. */
class TapCommandTest {
  private static final String ODD =
      "10.1.2.3 <13>a\tb\u001b[2J\u0007 \u00c2\u009b \u00e2\u0080\u00ae";

  private final Taps taps =
      new Taps(() -> new TappedMessage(null, LineFormat.MESSAGE.payload()), System::nanoTime);
  private final ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor();
  private @Nullable StatusServer page;

  @AfterEach
  void close() {
    sender.shutdownNow();
    if (page != null) {
      page.close();
    }
  }

  /** What a command says to a bridge that sends the same message again and again. */
  private Commands.Said tap(
      int status, @Nullable Function<Map<String, String>, LineFeed> tap, String... words)
      throws Exception {
    StatusServer.Views views =
        new StatusServer.Views(
            new StateDocument(), new Health(), () -> "", "text/plain", () -> true, tap);
    page = StatusServer.open(new StatusConfig("127.0.0.1:0", null, tap != null), views);
    DeliveryRequests requests = new DeliveryRequests();
    sender.scheduleWithFixedDelay(
        () -> taps.offer(requests.ofSenders("p", ODD)), 0, 1, TimeUnit.MILLISECONDS);
    String[] line = new String[words.length + 3];
    line[0] = "tap";
    line[1] = "--url";
    line[2] = page.url();
    System.arraycopy(words, 0, line, 3, words.length);
    return Commands.run(status, null, line);
  }

  @Test
  void messages_areShown_andDoNotSteerTheTerminal() throws Exception {
    String out = tap(0, taps::open, "--number", "3", "--sender", "10.0.0.0/8").out();
    assertThat(out.lines().filter(line -> !line.startsWith("#")))
        .hasSize(3)
        .containsOnly("<13>a\tb\\u001b[2J\\u0007 \\u009b \\u202e");
    assertThat(out)
        .contains("Z sender=10.1.2.3 stream=syslog-a passage=kept host=10.1.2.3\n<13>")
        .doesNotContainPattern("[\\p{Cc}\\p{Cf}&&[^\\n\\t]]");
  }

  @Test
  void json_isAnObjectALine_thatDoesNotSteerTheTerminalEither() throws Exception {
    assertThat(tap(0, taps::open, "--number", "1", "--json").out())
        .contains("\"payload\":\"<13>a\\tb\\u001B[2J\\u0007 \\u009b \\u202e\"}\n")
        .hasLineCount(1);
  }

  @Test
  void end_isTold_withWhatWasNotShown() throws Exception {
    assertThat(tap(0, taps::open, "--seconds", "1").out())
        .containsPattern("# \\.\\.\\. [0-9,]+ not shown\n# end=the tap has ended after 1 s\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          false | --number 1         | There is no tap: its key status.tap is not true.
          true  | --sender 10.1.2.3/8 | sender must be zero behind the bits that /n counts
          true  | --sourcetype x     | sourcetype is for bridges whose sink.type is hec: this one's gives messages none
          """)
  void refusal_isTheBridgesOwnWord(boolean on, String words, String reason) throws Exception {
    assertThat(tap(1, on ? taps::open : null, words.split(" ", -1)).err())
        .matches("duplog: http://127[^ ]+ refuses: \\Q" + reason + "\\E\n");
  }

  @Test
  void tapThatBreaksOff_isALine() throws Exception {
    Iterator<String> lines = List.of("{\"notShown\":1234}\n").iterator();
    LineFeed feed =
        new LineFeed() {
          @Override
          public String next() {
            return lines.next();
          }

          @Override
          public void close() {}
        };
    Commands.Said said = tap(1, words -> feed);
    assertThat(said.out()).isEqualTo("# ... 1,234 not shown\n");
    assertThat(said.err()).startsWith("duplog: the tap has ended, since the bridge has");
  }
}
