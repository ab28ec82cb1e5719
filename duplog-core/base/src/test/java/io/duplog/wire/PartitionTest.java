package io.duplog.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that all nodes choose the same queue for the same message, and that messages are spread
 * evenly.
 */
class PartitionTest {
  private static final int MESSAGES = 80_000;

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 8})
  void of_numberedMessages_areSpreadEvenly(int queues) {
    int[] counts = new int[queues];
    Partition partition = new Partition(MessageForm.SENDER_AND_TEXT, queues);
    for (int i = 0; i < MESSAGES; i++) {
      counts[of(partition, "10.0.0.1 <13>Nov 21 12:00:00 host app[12]: message " + i)]++;
    }
    Percentage tolerance = Percentage.withPercentage(5);
    assertThat(IntStream.of(counts).boxed())
        .allSatisfy(count -> assertThat(count).isCloseTo(MESSAGES / queues, tolerance));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 7, 64})
  void of_anyBytes_isAlwaysTheSameQueue(int queues) {
    Random random = new Random(1);
    Partition first = new Partition(MessageForm.TEXT, queues);
    Partition second = new Partition(MessageForm.TEXT, queues);
    for (int i = 0; i < 5_000; i++) {
      byte[] bytes = new byte[random.nextInt(50)];
      random.nextBytes(bytes);
      int queue = first.of(bytes, 0, bytes.length);
      assertThat(queue).isBetween(0, queues - 1);
      byte[] surrounded = new byte[bytes.length + 20];
      System.arraycopy(bytes, 0, surrounded, 13, bytes.length);
      assertThat(second.of(surrounded, 13, bytes.length)).isEqualTo(queue);
    }
  }

  @Test
  void of_senderPrefix_isIgnored() {
    Partition partition = new Partition(MessageForm.SENDER_AND_TEXT, 64);
    int queue = of(partition, "10.0.0.1 the message");
    assertThat(of(partition, "2001:db8::7 the message")).isEqualTo(queue);
    assertThat(of(new Partition(MessageForm.TEXT, 64), "the message")).isEqualTo(queue);
    assertThat(of(new Partition(MessageForm.TEXT, 64), "10.0.0.1 the message")).isNotEqualTo(queue);
  }

  /** Nodes of different versions run at the same time while one node is upgraded. */
  @Test
  void of_messages_isTheSameInEveryVersion() {
    Partition partition = new Partition(MessageForm.TEXT, 64);
    assertThat(IntStream.range(0, 8).map(i -> of(partition, "message " + i)))
        .containsExactly(48, 47, 35, 28, 58, 41, 15, 34);
    assertThat(of(partition, "")).isZero();
  }

  @Test
  void queues_severalQueues_beginWithTheSingleQueueAndMatchThePattern() {
    assertThat(Topology.queues("duplog", 1)).containsExactly("duplog");
    assertThat(Topology.queues("duplog", 3)).containsExactly("duplog", "duplog.1", "duplog.2");
    for (String queue : Topology.queues("duplog", 12)) {
      String pattern = Topology.queuesPattern(queue);
      assertThat(Topology.queues("duplog", 12)).allMatch(name -> name.matches(pattern));
      assertThat(Topology.deadLetterQueue(queue)).doesNotMatch(pattern);
    }
  }

  private static int of(Partition partition, String message) {
    byte[] bytes = message.getBytes(UTF_8);
    return partition.of(bytes, 0, bytes.length);
  }
}
