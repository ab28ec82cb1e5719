package io.duplog.ingest.omprog;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.duplog.ingest.omprog.KilledShims.Outcome;
import io.duplog.ingest.omprog.KilledShims.Worker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * Tests shims that are killed at every step of small histories. The messages are few and equal,
 * because a new message must never be taken for one that rsyslog sends again.
 */
@Tag("slow")
class KilledShimsTest {
  private static final int ROOM = 8192;

  private static final Logger LOG = (Logger) LoggerFactory.getLogger("io.duplog.ingest");

  private @TempDir Path folder;
  private int killedOverAnswers;
  private int runs;
  private int doubled;

  /** Thousands of shims say what they do. */
  @BeforeAll
  static void beSilent() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void speak() {
    LOG.setLevel(null);
  }

  /**
   * Shims are killed over the first transaction; the last one follows it.
   *
   * @param outcomes what the broker does first
   */
  @ParameterizedTest
  @CsvSource({
    "1, a,   a,  ''",
    "1, aab, ba, ''",
    "2, abc, ab, ''",
    "1, ab,  a,  REFUSED",
    "1, ab,  b,  STORED REFUSED STORED"
  })
  void everyKill_andAnotherOfTheShimBehind_losesAndDoublesNothing(
      int queues, String first, String last, String outcomes) throws Exception {
    boolean killed = true;
    for (int kill = 0; killed; kill++) {
      int next = -1;
      do {
        killed = run(queues, kill, next, first, last, outcomes, ROOM, false);
        if (outcomes
            .isEmpty()) { // a failed COMMIT alone ends the expectation of a living shim, too
          run(queues, kill, next, first, last, outcomes, ROOM, true);
        }
        next++;
      } while (killed);
      killed = next > 0;
    }
    assertThat(killedOverAnswers).as("of %d", runs).isBetween(1, runs / 4);
  }

  /**
   * If there is no room for the batches nothing is lost either, and the test sees what comes twice.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 100})
  void shimWithoutRoom_losesNothing_andDoubles(int room) throws Exception {
    int kill = 0;
    while (run(1, kill, -1, "abcde", "e", "", room, false)) {
      kill++;
    }
    assertThat(doubled).as("of %d", runs).isGreaterThan(killedOverAnswers);
  }

  /** Returns whether all shims were killed that were to be. */
  private boolean run(
      int queues,
      int kill,
      int next,
      String first,
      String last,
      String outcomes,
      int room,
      boolean goingOn)
      throws Exception {
    empty();
    KilledShims shims = new KilledShims(folder, queues, room);
    for (String outcome : outcomes.split(" ", -1)) {
      if (!outcome.isEmpty()) {
        shims.outcomes.add(Outcome.valueOf(outcome));
      }
    }
    Worker worker = shims.new Worker();
    worker.stepsLeft = kill;
    worker.stepsLeftOfNext = next;
    worker.goingOn = goingOn;
    worker.handOver(words(first));
    worker.handOver(words(last));
    worker.handOver(words(last));

    runs++;
    killedOverAnswers += shims.killedOverItsAnswer ? 1 : 0;
    String history = "killed at %d, and %d; going on: %s".formatted(kill, next, goingOn);
    check(shims, words(first + last + last), history, room == ROOM && !shims.killedOverItsAnswer);
    return worker.kills == (next < 0 ? 1 : 2);
  }

  /**
   * rsyslog's disk queue has a program beside that of the memory queue. Both are killed, and both
   * successors have started before one gets its first message.
   */
  @ParameterizedTest
  @CsvSource({"ab, cd, a, c", "ab, ab, a, b", "a, a, a, a", "ab, ba, b, a", "abc, c, c, a"})
  void bothShimsOfADiskQueue_killedAtEveryStep_loseNothing_andDoubleNothingUnlessTheyAreEqual(
      String ofOne, String ofOther, String lastOfOne, String lastOfOther) throws Exception {
    boolean distinct = words(ofOne).stream().noneMatch(words(ofOther)::contains);
    int kill = 0;
    int other = 0;
    while (kill + other == 0 || other > 0) {
      other = 0;
      while (runBoth(kill, other, List.of(ofOne, ofOther, lastOfOne, lastOfOther), distinct)) {
        other++;
      }
      kill++;
    }
    assertThat(runs).isGreaterThan(50);
  }

  /** Returns whether both were killed. */
  private boolean runBoth(int kill, int other, List<String> letters, boolean distinct)
      throws Exception {
    for (int first = 0; first < 2; first++) {
      empty();
      KilledShims shims = new KilledShims(folder, 1, ROOM);
      List<Worker> workers = List.of(shims.new Worker(), shims.new Worker());
      workers.get(0).stepsLeft = kill;
      workers.get(1).stepsLeft = other;
      boolean[] over = new boolean[2];
      for (int i = 0; i < 2; i++) {
        over[i] = workers.get(i).handOverUntilKilled(words(letters.get(i)));
      }
      if (workers.get(0).kills + workers.get(1).kills < 2) {
        return false;
      }
      workers.get(0).start();
      workers.get(1).start();
      for (int i : new int[] {first, 1 - first}) {
        if (!over[i]) {
          workers.get(i).handOver(words(letters.get(i)));
        }
        workers.get(i).handOver(words(letters.get(i + 2)));
      }
      runs++;
      check(
          shims,
          words(String.join("", letters)),
          "killed at %d and %d".formatted(kill, other),
          distinct && !shims.killedOverItsAnswer);
    }
    return true;
  }

  private void check(KilledShims shims, List<String> sent, String history, boolean exactly) {
    List<String> lost = new ArrayList<>(sent);
    List<String> twice = new ArrayList<>(shims.messages());
    shims.messages().forEach(lost::remove);
    sent.forEach(twice::remove);
    assertThat(lost).as("lost; " + history).isEmpty();
    if (exactly) {
      assertThat(twice).as("doubled; " + history).isEmpty();
    }
    doubled += twice.isEmpty() ? 0 : 1;
  }

  private static List<String> words(String letters) {
    return letters.chars().mapToObj(each -> "10.0.0.1 " + (char) each).toList();
  }

  private void empty() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
  }
}
