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
 * Tests that no message is lost or stored twice if shims are killed at any step of a short run.
 * There are few messages, and some are equal, because a new message must never be mistaken for a
 * resent one.
 */
@Tag("slow")
class KilledShimsTest {
  private static final int JOURNAL_BYTES = 8192;

  private static final Logger LOG = (Logger) LoggerFactory.getLogger("io.duplog.ingest");

  private @TempDir Path folder;
  private int killsBeforeAnswer;
  private int runCount;
  private int runsWithDuplicates;

  /** Turns logging off, because thousands of shims would log. */
  @BeforeAll
  static void turnLoggingOff() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void turnLoggingOn() {
    LOG.setLevel(null);
  }

  /**
   * Shims are killed during the first transaction. The last transaction follows twice.
   *
   * @param outcomes outcomes of the broker's first publications
   */
  @ParameterizedTest
  @CsvSource({
    "1, a,   a,  ''",
    "1, aab, ba, ''",
    "2, abc, ab, ''",
    "1, ab,  a,  REFUSED",
    "1, ab,  b,  STORED REFUSED STORED"
  })
  void shimAndSuccessor_killedAtEveryStep_storeEachMessageOnce(
      int queues, String first, String last, String outcomes) throws Exception {
    boolean allKilled = true;
    for (int killStep = 0; allKilled; killStep++) {
      int nextKillStep = -1;
      do {
        allKilled =
            run(queues, killStep, nextKillStep, first, last, outcomes, JOURNAL_BYTES, false);
        if (outcomes.isEmpty()) { // a failed COMMIT also ends the expectation of a running shim
          run(queues, killStep, nextKillStep, first, last, outcomes, JOURNAL_BYTES, true);
        }
        nextKillStep++;
      } while (allKilled);
      allKilled = nextKillStep > 0;
    }
    assertThat(killsBeforeAnswer).as("of %d", runCount).isBetween(1, runCount / 4);
  }

  /** Without space for batches in the journal, no message is lost, but some are stored twice. */
  @ParameterizedTest
  @ValueSource(ints = {0, 100})
  void shim_noSpaceForJournal_storesAllMessages(int journalBytes) throws Exception {
    int killStep = 0;
    while (run(1, killStep, -1, "abcde", "e", "", journalBytes, false)) {
      killStep++;
    }
    assertThat(runsWithDuplicates).as("of %d", runCount).isGreaterThan(killsBeforeAnswer);
  }

  /** Runs a history, and returns whether all intended kills happened. */
  private boolean run(
      int queues,
      int killStep,
      int nextKillStep,
      String first,
      String last,
      String outcomes,
      int journalBytes,
      boolean continuesAfterFailure)
      throws Exception {
    deleteFiles();
    KilledShims shims = new KilledShims(folder, queues, journalBytes);
    for (String outcome : outcomes.split(" ", -1)) {
      if (!outcome.isEmpty()) {
        shims.outcomes.add(Outcome.valueOf(outcome));
      }
    }
    Worker worker = shims.new Worker();
    worker.remainingSteps = killStep;
    worker.remainingStepsOfNext = nextKillStep;
    worker.continuesAfterFailure = continuesAfterFailure;
    worker.sendUntilConfirmed(messages(first));
    worker.sendUntilConfirmed(messages(last));
    worker.sendUntilConfirmed(messages(last));

    runCount++;
    killsBeforeAnswer += shims.killedBeforeAnswer ? 1 : 0;
    String history =
        "killed at %d, and %d; going on: %s"
            .formatted(killStep, nextKillStep, continuesAfterFailure);
    check(
        shims,
        messages(first + last + last),
        history,
        journalBytes == JOURNAL_BYTES && !shims.killedBeforeAnswer);
    return worker.killCount == (nextKillStep < 0 ? 1 : 2);
  }

  /**
   * rsyslog's disk queue has a program in addition to the memory queue's. Both programs are killed,
   * and both successors start before either gets its first message.
   */
  @ParameterizedTest
  @CsvSource({"ab, cd, a, c", "ab, ab, a, b", "a, a, a, a", "ab, ba, b, a", "abc, c, c, a"})
  void twoShims_killedAtEveryStep_storeDistinctMessagesOnce(
      String ofOne, String ofOther, String lastOfOne, String lastOfOther) throws Exception {
    boolean distinct = messages(ofOne).stream().noneMatch(messages(ofOther)::contains);
    int killStep = 0;
    int otherKillStep = 0;
    while (killStep + otherKillStep == 0 || otherKillStep > 0) {
      otherKillStep = 0;
      while (runBoth(
          killStep, otherKillStep, List.of(ofOne, ofOther, lastOfOne, lastOfOther), distinct)) {
        otherKillStep++;
      }
      killStep++;
    }
    assertThat(runCount).isGreaterThan(50);
  }

  /** Runs a history with two workers, and returns whether both programs were killed. */
  private boolean runBoth(int killStep, int otherKillStep, List<String> letters, boolean distinct)
      throws Exception {
    for (int first = 0; first < 2; first++) {
      deleteFiles();
      KilledShims shims = new KilledShims(folder, 1, JOURNAL_BYTES);
      List<Worker> workers = List.of(shims.new Worker(), shims.new Worker());
      workers.get(0).remainingSteps = killStep;
      workers.get(1).remainingSteps = otherKillStep;
      boolean[] confirmed = new boolean[2];
      for (int i = 0; i < 2; i++) {
        confirmed[i] = workers.get(i).sendToNewProgram(messages(letters.get(i)));
      }
      if (workers.get(0).killCount + workers.get(1).killCount < 2) {
        return false;
      }
      workers.get(0).start();
      workers.get(1).start();
      for (int i : new int[] {first, 1 - first}) {
        if (!confirmed[i]) {
          workers.get(i).sendUntilConfirmed(messages(letters.get(i)));
        }
        workers.get(i).sendUntilConfirmed(messages(letters.get(i + 2)));
      }
      runCount++;
      check(
          shims,
          messages(String.join("", letters)),
          "killed at %d and %d".formatted(killStep, otherKillStep),
          distinct && !shims.killedBeforeAnswer);
    }
    return true;
  }

  private void check(
      KilledShims shims, List<String> sent, String history, boolean expectNoDuplicates) {
    List<String> lost = new ArrayList<>(sent);
    List<String> duplicates = new ArrayList<>(shims.messages());
    shims.messages().forEach(lost::remove);
    sent.forEach(duplicates::remove);
    assertThat(lost).as("lost; " + history).isEmpty();
    if (expectNoDuplicates) {
      assertThat(duplicates).as("doubled; " + history).isEmpty();
    }
    runsWithDuplicates += duplicates.isEmpty() ? 0 : 1;
  }

  private static List<String> messages(String letters) {
    return letters.chars().mapToObj(each -> "10.0.0.1 " + (char) each).toList();
  }

  private void deleteFiles() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
  }
}
