package io.duplog.ingest.omprog;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.config.ByteSize;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BatcherTest {
  private static final int MOST = 256 * 1024;
  private static final int MESSAGE = 2000;

  /** The heap of a shim is made for what one queue gathers. */
  @Test
  void severalQueues_gatherNoMoreThanOneWould() throws Exception {
    gather(1);
    gather(4);
  }

  private static void gather(int queues) throws Exception {
    int[] ended = new int[1];
    BatchSettings settings =
        new BatchSettings(
            16_384, new ByteSize(MOST), Duration.ofMillis(10), false, new ByteSize(16 << 20));
    Batcher batcher =
        new Batcher(settings, false, queues, (batch, queue) -> ended[0] += batch.count());
    for (int i = 1; i <= 1000; i++) {
      byte[] message =
          ("message " + i + " ".repeat(MESSAGE)).substring(0, MESSAGE).getBytes(US_ASCII);
      batcher.add(message, 0, message.length);
      assertThat((i - ended[0]) * MESSAGE).isLessThanOrEqualTo(MOST);
    }
    assertThat(ended[0]).isPositive();
  }
}
