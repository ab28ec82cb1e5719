package io.duplog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Lists;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.line.LineFormat;
import io.duplog.deliver.tap.TappedMessage;
import io.duplog.deliver.tap.Taps;
import io.duplog.observe.Conditions;
import io.duplog.observe.LineFeed;
import io.duplog.status.Health;
import io.duplog.status.StateDocument;
import io.duplog.status.StatusConfig;
import io.duplog.status.StatusServer;
import io.duplog.status.page.Trends;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that {@code duplog tap} prints the messages that a bridge delivers, without control
 * characters, and reports omitted ones.
 */
class TapCommandTest {
  private static final String ODD =
      "10.1.2.3 <13>a\tb\u001b[2J\u0007 \u00c2\u009b \u00e2\u0080\u00ae";
  private static final int DELIVERIES = 100;

  private final Taps taps =
      new Taps(
          sinkName -> new TappedMessage(null, null, LineFormat.MESSAGE.payload()),
          System::nanoTime);

  /** Begins to tap, and delivers more than is held for a tap. */
  private LineFeed opened(Map<String, String> words) {
    LineFeed feed = taps.open(words);
    for (int i = 0; i < DELIVERIES; i++) {
      taps.offer(new DeliveryRequests().ofSenders("p", ODD));
    }
    return feed;
  }

  private static Commands.Said tap(
      int status, @Nullable Function<Map<String, String>, LineFeed> tap, String... words)
      throws Exception {
    StatusServer.Views views =
        new StatusServer.Views(
            new StateDocument(),
            new Health(Conditions.ofSystem()),
            () -> "",
            () -> true,
            new Trends(),
            tap);
    try (StatusServer page =
        StatusServer.open(new StatusConfig("127.0.0.1:0", null, tap != null), views)) {
      List<String> line =
          Lists.asList("tap", "--url", Lists.asList(page.url(), words).toArray(String[]::new));
      return Commands.run(status, null, line.toArray(String[]::new));
    }
  }

  @Test
  void messages_areShown_withoutControlCharacters() throws Exception {
    String out = tap(0, this::opened, "--number", "3", "--sender", "10.0.0.0/8").out();
    assertThat(out.lines().filter(line -> !line.startsWith("#")))
        .hasSize(3)
        .containsOnly("<13>a\tb\\u001b[2J\\u0007 \\u009b \\u202e");
    assertThat(out).contains("Z sender=10.1.2.3 stream=syslog-a passage=kept host=10.1.2.3\n<13>");
    assertThat(tap(0, this::opened, "--number", "1", "--json").out())
        .contains("\"payload\":\"<13>a\\tb\\u001B[2J\\u0007 \\u009b \\u202e\"}\n")
        .hasLineCount(1);
  }

  @Test
  void omittedMessages_theEnd_andABrokenConnection_areReported() throws Exception {
    String end = "{\"notShown\":1234}\n{\"end\":\"it is late\"}\n";
    assertThat(tap(0, words -> List.of("", end).iterator()::next).out())
        .isEqualTo("# ... 1,234 not shown\n# end=it is late\n");
    Iterator<String> broken = List.of("", "{\"notShown\":1}\n").iterator();
    assertThat(tap(1, words -> broken::next).err())
        .startsWith("duplog: the tap has ended, since the bridge has");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          false | --number=1          | There is no tap: its key status.tap is not true.
          true  | --sender=10.1.2.3/8 | sender must have no host bits set: write 10.1.0.0/16, not 10.1.2.3/16
          true  | --sourcetype=x      | sourcetype is for sinks of type hec: this one gives messages none
          """)
  void rejection_hasTheBridgesMessage(boolean on, String option, String reason) throws Exception {
    assertThat(tap(1, on ? this::opened : null, option).err())
        .matches("duplog: http://127[^ ]+ refuses: \\Q" + reason + "\\E\n");
  }
}
