package io.duplog.benchmark.measure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import io.duplog.benchmark.load.LoadPlan;
import io.duplog.benchmark.load.Messages;
import io.duplog.benchmark.load.RedundantSender;
import io.duplog.benchmark.load.Sent;
import io.duplog.benchmark.load.Tally;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that a measurement reads every delivered line once, with its time of arrival, while bridges
 * write, rotate or truncate their files.
 */
class MergedStreamTest {
  private static final String LONG = "x".repeat(1_000_000);
  private static final List<String> WORDS = List.of("one", "two", "three", "old", "new", "next");

  /**
   * Messages whose number is their index in {@link #WORDS}. The number of the long line is its
   * length.
   */
  private static final Messages MESSAGES =
      (bytes, offset, length) ->
          length == LONG.length()
              ? length
              : WORDS.indexOf(new String(bytes, offset, length, UTF_8));

  private static final List<byte[]> SENT = new ArrayList<>();
  private static Messages sentMessages;

  private @TempDir Path directory;
  private Path firstFile;
  private Path secondFile;
  private MergedStream merged;
  private long now;

  /** Sends a hundred thousand messages, as in a chaos run. */
  @BeforeAll
  static void send() throws Exception {
    RedundantSender sender =
        new RedundantSender(
            new LoadPlan(1_000_000, Duration.ofMillis(100), 1, 0, 0, 1),
            (stream, message) -> SENT.add(message));
    sender.start();
    Awaitility.await().until(sender::isOver);
    sender.stop();
    sentMessages = sender.messages();
  }

  @BeforeEach
  void createStreamOfTwoBridges() throws IOException {
    firstFile = directory.resolve("first");
    secondFile = directory.resolve("second");
    merged = new MergedStream(List.of(firstFile, secondFile), MESSAGES, () -> now);
  }

  @Test
  void read_lineWrittenInTwoParts_isCountedOnceWhenComplete() throws IOException {
    assertThat(merged.read()).as("no file exists yet").isZero();
    append(firstFile, "one\ntw");
    assertThat(merged.read()).isEqualTo(1);
    append(firstFile, "o\n");
    append(secondFile, "three\n");
    assertThat(merged.read()).isEqualTo(3);

    assertContains("one", "two", "three");
    assertThat(merged.linesOfEach()).containsExactly(2L, 1L);
  }

  @Test
  void finish_lastLineWithoutLineFeed_isCounted() throws IOException {
    append(firstFile, "one\ntwo");
    merged.finish();

    assertContains("one", "two");
  }

  @Test
  void read_fileRenamed_continuesWithOldAndNewFile() throws IOException {
    append(firstFile, "one\n");
    merged.read();
    Path renamed = Files.move(firstFile, directory.resolve("first.1"));
    append(renamed, "two\n");
    append(firstFile, "three\n");
    merged.finish();

    assertContains("one", "two", "three");
  }

  @Test
  void read_truncatedLineCutOff_isNotCounted() throws IOException {
    append(firstFile, "one\ntorn");
    merged.read();
    try (FileChannel file = FileChannel.open(firstFile, StandardOpenOption.WRITE)) {
      file.truncate("one\n".length());
    }
    append(firstFile, "two\n");
    merged.finish();

    assertContains("one", "two");
  }

  @Test
  void read_fileHasLinesAtStart_skipsThem() throws IOException {
    append(firstFile, "old\n");
    merged = new MergedStream(List.of(firstFile, secondFile), MESSAGES, () -> now);
    assertThat(merged.size()).isZero();
    append(firstFile, "new\n");
    merged.finish();

    assertContains("new");
  }

  /** The time does not depend on the time of reading. */
  @Test
  void arrived_lineReadLater_hasTimeOfFirstLookWithWholeLine() throws IOException {
    List<String> seen = new ArrayList<>();
    merged.onArrival((serial, isFirst, nanos) -> seen.add(serial + " " + isFirst + " " + nanos));
    lookAtTime(5);
    for (String text : List.of("one\nt", "wo\none\n", "thr")) {
      append(firstFile, text);
      lookAtTime(now + 5);
      lookAtTime(now + 1);
    }
    now = 90;
    merged.read();
    assertThat(seen).containsExactly("0 true 10", "1 true 16", "0 false 16");
    merged.finish();
    assertThat(seen).last().isEqualTo("-1 false 22");
    assertThat(merged.size()).isEqualTo("one\ntwo\none\nthr".length());
  }

  /** A writer whose disk is full cuts the line off, and writes when there is room again. */
  @Test
  void arrived_lineReplacesTruncatedLine_hasOwnTime() throws IOException {
    List<Long> times = new ArrayList<>();
    merged.onArrival((serial, isFirst, nanos) -> times.add(nanos));
    append(firstFile, "one\nthree and more");
    lookAtTime(10);
    try (FileChannel file = FileChannel.open(firstFile, StandardOpenOption.WRITE)) {
      file.truncate("one\n".length());
    }
    lookAtTime(20);
    append(firstFile, "two\n");
    lookAtTime(30);
    merged.read();
    assertThat(times).containsExactly(10L, 30L);
  }

  @Test
  void size_ownThread_growsWithoutReading() throws IOException {
    try (MergedStream ownStream = new MergedStream(List.of(firstFile), MESSAGES)) {
      append(firstFile, "one\n");
      Awaitility.await().until(() -> ownStream.size() == 4);
    }
  }

  private void lookAtTime(long nanos) throws IOException {
    now = nanos;
    merged.look();
  }

  @Test
  void read_lineLongerThanBuffer_isOneLine() throws IOException {
    append(firstFile, LONG + "\nnext\n");
    merged.finish();

    assertContains(LONG, "next");
  }

  private void assertContains(String... lines) {
    Tally expected = new Tally();
    for (String line : lines) {
      expected.add(MESSAGES.serialOf(line.getBytes(UTF_8), 0, line.length()));
    }
    assertThat(Reconciliation.of(Sent.of(List.of(expected)), merged.tally()).isExact()).isTrue();
  }

  /** The comparison must detect one fault in many messages. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # in place of one message | sent, copies, delivered, lost, duplicated, corrupted, burned
          same                      | 100000 200000 100000 0 0 0 0
          ''                        | 100000 200000 99999 1 0 0 0
          same same                 | 100000 200000 100001 0 1 0 0
          altered                   | 100000 200000 100000 1 0 1 0
          """)
  void of_oneFaultInManyMessages_countsIt(String replacement, String figures) {
    List<byte[]> delivered = new ArrayList<>(SENT);
    byte[] victim = delivered.remove(65_432);
    byte[] altered = victim.clone();
    altered[altered.length - 1]++;
    Splitter.on(' ')
        .omitEmptyStrings()
        .split(replacement)
        .forEach(word -> delivered.add(word.equals("same") ? victim : altered));
    Tally deliveredTally = new Tally();
    delivered.forEach(
        message -> deliveredTally.add(sentMessages.serialOf(message, 0, message.length)));

    Tally sent = Tally.oneOfEach(SENT.size());
    Reconciliation result = Reconciliation.of(Sent.of(List.of(sent, sent)), deliveredTally);

    assertThat(figures(result)).isEqualTo(figures);
    assertThat(result.isExact()).isEqualTo(figures.endsWith(" 0 0 0 0"));
  }

  /** Each letter is a message. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # first, second, possible of the first, exposed at the first, delivered
          # || sent, copies, delivered, lost, duplicated, corrupted, burned
          aaaaa   | aaa    | ''       | ''      | aaaa      || 5 8 4 1 0 0 0
          a       | ab     | ''       | ''      | a         || 2 3 1 1 0 0 0
          ab      | ab     | ''       | ''      | aa        || 2 4 2 1 1 0 0
          aa      | ''     | abc      | ''      | aaab      || 2 5 4 0 0 0 0
          aa      | ''     | abc      | ''      | aaababx   || 2 5 7 0 2 1 0
          aa      | ''     | a        | ''      | a         || 2 3 1 1 0 0 0
          a       | a      | ''       | bc      | ab        || 3 4 2 0 0 0 1
          ab      | a      | ''       | c       | c         || 3 4 1 2 0 0 0
          b       | ''     | ''       | bb      | b         || 3 3 1 0 0 0 2
          b       | ''     | b        | b       | bbbb      || 2 3 4 0 1 0 0
          """)
  void of_possibleAndExposedMessages_comparesWithMoreCompleteStream(ArgumentsAccessor row) {
    List<Tally> tallies = IntStream.range(0, 5).mapToObj(i -> letters(row.getString(i))).toList();
    assertThat(
            figures(
                Reconciliation.of(
                    new Sent(
                        tallies.subList(0, 2),
                        List.of(tallies.get(2), new Tally()),
                        List.of(tallies.get(3))),
                    tallies.get(4))))
        .isEqualTo(row.getString(6));
  }

  private static String figures(Reconciliation result) {
    return result.toString().replaceAll("[^0-9]+", " ").strip();
  }

  private static Tally letters(String messages) {
    Tally tally = new Tally();
    messages.chars().forEach(letter -> tally.add(letter - 'a'));
    return tally;
  }

  private static void append(Path file, String text) throws IOException {
    Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
