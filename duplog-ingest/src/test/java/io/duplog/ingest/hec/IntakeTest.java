package io.duplog.ingest.hec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.config.ConfigLoader;
import io.duplog.ingest.IngestConfig;
import io.duplog.ingest.batch.FakePublisher;
import io.duplog.ingest.batch.FakeTime;
import io.duplog.ingest.batch.TransactionMark;
import io.duplog.wire.EventHead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that requests which failed and are sent again are published once. */
class IntakeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(8);
  private static final String YAML =
      """
      stream: a
      broker: {host: h, user: u, password: p}
      batch: {max-unconfirmed: 1MiB, compress: false}
      """;

  private final FakeTime time = new FakeTime();
  private final List<Answer> answers = new ArrayList<>();
  private FakePublisher publisher = new FakePublisher(time, 1);
  private Intake intake;

  @BeforeEach
  void createIntake() throws Exception {
    IngestConfig config =
        ConfigLoader.of(Map.of(), "host").parse("test.yaml", YAML, IngestConfig.class);
    intake =
        new Intake(
            config.batch(), config.stream(), publisher, PATIENCE, TransactionMark.none(), time);
  }

  /** Submits a request whose events have these texts. */
  private Submission submit(String... events) {
    IdentitySettings settings = new IdentitySettings(Product.OTHER, null, false, List.of());
    EventHead head = new EventHead(null, "h", null, null, null, null, EventHead.Content.TEXT);
    Submission submission =
        new Submission(
            time.nanos() + PATIENCE.toNanos(),
            1 << 20,
            new RequestMemory(new AtomicLong(), 1 << 30),
            answers::add);
    BodyReader reader =
        new BodyReader(new EventReader(head), new EventIdentity(settings, "a"), 1 << 20);
    reader.read(String.join("\n", events).getBytes(UTF_8), true, submission);
    intake.submit(submission);
    return submission;
  }

  private static String large(String name, int number) {
    return name + number + "x".repeat(100_000);
  }

  /** Returns the first characters of each event that a bridge would read. */
  private List<String> published() {
    return publisher.messages().stream()
        .map(message -> message.replaceFirst("(?s).*h ([a-z]+[0-9]).*", "$1"))
        .toList();
  }

  private static String[] largeEvents(String name) {
    return IntStream.range(0, 7).mapToObj(i -> large(name, i)).toArray(String[]::new);
  }

  /** A transaction that is larger than its limit would be published in parts, with new ids. */
  @Test
  void requests_largerThanATransactionTogether_areNotPublishedInParts() throws Exception {
    int[] waits = {0};
    publisher.beforeConfirm = () -> publisher.confirming = ++waits[0] != 2;
    submit(largeEvents("a"));
    submit(largeEvents("b"));
    intake.runOnce();
    if (answers.size() < 2) {
      intake.runOnce();
    }
    assertThat(answers).containsExactly(Answer.SUCCESS, Answer.SERVER_BUSY);
    submit(largeEvents("b"));
    intake.runOnce();

    assertThat(answers).hasSize(3).last().isEqualTo(Answer.SUCCESS);
    assertThat(published()).doesNotHaveDuplicates().hasSize(14);
  }

  /** The queues with even numbers are full, so that RabbitMQ has a part of each request. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void requests_whoseQueuesAreFull_arePublishedOnceLater(int queues) throws Exception {
    publisher = new FakePublisher(time, queues);
    createIntake();
    publisher.fullQueues = new HashSet<>(List.of(0, 2));
    String[] first = IntStream.range(0, 9).mapToObj(i -> "f" + i).toArray(String[]::new);
    String[] second = IntStream.range(0, 9).mapToObj(i -> "s" + i).toArray(String[]::new);
    submit(first);
    submit(second);
    intake.runOnce();
    assertThat(answers).containsExactly(Answer.SERVER_BUSY, Answer.SERVER_BUSY);

    publisher.fullQueues = Set.of();
    submit(second);
    submit(first);
    intake.runOnce();

    assertThat(answers).hasSize(4).endsWith(Answer.SUCCESS, Answer.SUCCESS);
    List<String> sent = new ArrayList<>(Arrays.asList(first));
    sent.addAll(List.of(second));
    assertThat(published()).containsExactlyInAnyOrderElementsOf(sent);
  }

  /** The client has its answer, so the events must not be published: it sends them again. */
  @Test
  void request_thatExpiredInTheQueue_isNotPublished() throws Exception {
    submit("e1").expire();
    submit("e2");
    intake.runOnce();

    assertThat(answers).containsExactly(Answer.SERVER_BUSY, Answer.SUCCESS);
    assertThat(published()).containsExactly("e2");
  }

  @Test
  void request_afterTheStop_isRefused() {
    intake.close();
    submit("e1");

    assertThat(answers).containsExactly(Answer.SERVER_BUSY);
    assertThat(publisher.submittedBatches).isEmpty();
  }

  /**
   * An equal event of another client takes the place of the one that failed, and of no other event.
   */
  @Test
  void events_ofTwoClients_thatAreEqual_areBothPublished() throws Exception {
    publisher.confirming = false;
    submit("e1");
    intake.runOnce();
    publisher.confirming = true;
    submit("e1");
    intake.runOnce();
    submit("e1");
    intake.runOnce();

    assertThat(published()).containsExactly("e1", "e1");
  }
}
