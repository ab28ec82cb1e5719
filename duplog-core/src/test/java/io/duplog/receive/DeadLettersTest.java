package io.duplog.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.Parcels;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.ContentEncoding;
import io.duplog.wire.MalformedBatchException;
import io.duplog.wire.MessageBatch;
import io.duplog.wire.Topology.QueueType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Refused messages are moved in few letters, each told safe after its letter is confirmed. */
class DeadLettersTest {
  private static final Duration SHORT = Duration.ofNanos(1);

  private final List<String> published = new ArrayList<>();
  private final List<Integer> kept = new ArrayList<>();
  private boolean full;
  private final DeadLetters letters =
      new DeadLetters(
          new QueueSettings(
              "syslog-a",
              "h",
              1,
              "/",
              "u",
              "p",
              "q",
              QueueType.CLASSIC,
              Share.WHOLE,
              1,
              SHORT,
              SHORT,
              SHORT,
              SHORT,
              null),
          (properties, body, reason) -> {
            if (full) {
              throw new IOException("full");
            }
            published.add(reason + texts(body));
          },
          () -> {},
          System::nanoTime);

  private static List<String> texts(byte[] body) {
    try {
      MessageBatch batch =
          new BatchDecoder(BatchLimits.DEFAULT).decode(body, ContentEncoding.IDENTITY);
      List<String> texts = new ArrayList<>();
      for (int i = 0; i < batch.count(); i++) {
        int start = batch.start(i);
        texts.add(new String(batch.data(), start, batch.end(i) - start, StandardCharsets.UTF_8));
      }
      return texts;
    } catch (MalformedBatchException e) {
      throw new AssertionError(e);
    }
  }

  private void refuse(int message, String reason) {
    letters.add(Parcels.batch(true, "h a", "h b", "h c"), message, reason, () -> kept.add(message));
  }

  @Test
  void refusedForTheSameReason_travelTogether_inTheirOrder() {
    refuse(0, "blank");
    refuse(2, "blank");
    refuse(1, "poison");
    letters.publishRefused();
    assertThat(published).containsExactly("blank[h a, h c]");
    assertThat(kept).containsExactly(0, 2);
    letters.publishRefused();
    letters.publishRefused();
    assertThat(published).containsExactly("blank[h a, h c]", "poison[h b]");
    assertThat(kept).containsExactly(0, 2, 1);
  }

  @Test
  void notConfirmed_isNotKept_andPublishedAgain() {
    full = true;
    refuse(0, "blank");
    letters.publishRefused();
    assertThat(kept).isEmpty();
    full = false;
    refuse(1, "blank");
    letters.publishRefused();
    letters.publishRefused();
    assertThat(published).containsExactly("blank[h a]", "blank[h b]");
    assertThat(kept).containsExactly(0, 1);
  }

  @Test
  void floodOfRefusedMessages_isSpreadOverCalls() {
    for (int i = 0; i < 2500; i++) {
      refuse(0, "blank");
    }
    letters.publishRefused();
    assertThat(kept).hasSize(1000);
    letters.publishRefused();
    letters.publishRefused();
    assertThat(kept).hasSize(2500);
    assertThat(published).hasSize(3);
  }
}
