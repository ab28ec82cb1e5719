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

/** Tests the merged stream as it is read, and as it is compared with what was sent. */
class MergedStreamTest {
  private static final String LONG = "x".repeat(1_000_000);
  private static final List<String> WORDS = List.of("one", "two", "three", "old", "new", "next");

  /** Words, of which each has the number of its place in the list; the long one has its length. */
  private static final Messages MESSAGES =
      (bytes, offset, length) ->
          length == LONG.length()
              ? length
              : WORDS.indexOf(new String(bytes, offset, length, UTF_8));

  private static final List<byte[]> SENT = new ArrayList<>();
  private static Messages texts;

  private @TempDir Path directory;
  private Path first;
  private Path second;
  private MergedStream merged;
  private long now;

  /** A hundred thousand messages, as they are sent in a trial. */
  @BeforeAll
  static void send() throws Exception {
    RedundantSender sender =
        new RedundantSender(
            new LoadPlan(1_000_000, Duration.ofMillis(100), 1, 0, 0, 1),
            (stream, message) -> SENT.add(message));
    sender.start();
    Awaitility.await().until(sender::isOver);
    sender.stop();
    texts = sender.messages();
  }

  @BeforeEach
  void twoBridges() throws IOException {
    first = directory.resolve("first");
    second = directory.resolve("second");
    merged = new MergedStream(List.of(first, second), MESSAGES, () -> now);
  }

  @Test
  void lineInTwoWrites_isCountedOnceWhenWhole() throws IOException {
    assertThat(merged.read()).as("no file is there yet").isZero();
    append(first, "one\ntw");
    assertThat(merged.read()).isEqualTo(1);
    append(first, "o\n");
    append(second, "three\n");
    assertThat(merged.read()).isEqualTo(3);

    assertHolds("one", "two", "three");
    assertThat(merged.linesOfEach()).containsExactly(2L, 1L);
  }

  @Test
  void tornLastLine_isCountedInTheEnd() throws IOException {
    append(first, "one\ntwo");
    merged.finish();

    assertHolds("one", "two");
  }

  @Test
  void renamedFile_isReadOn_besideTheNewOne() throws IOException {
    append(first, "one\n");
    merged.read();
    Path renamed = Files.move(first, directory.resolve("first.1"));
    append(renamed, "two\n");
    append(first, "three\n");
    merged.finish();

    assertHolds("one", "two", "three");
  }

  @Test
  void tornLineThatWasCut_isForgotten() throws IOException {
    append(first, "one\ntorn");
    merged.read();
    try (FileChannel file = FileChannel.open(first, StandardOpenOption.WRITE)) {
      file.truncate("one\n".length());
    }
    append(first, "two\n");
    merged.finish();

    assertHolds("one", "two");
  }

  @Test
  void existingLines_areSkipped() throws IOException {
    append(first, "old\n");
    merged = new MergedStream(List.of(first, second), MESSAGES, () -> now);
    assertThat(merged.size()).isZero();
    append(first, "new\n");
    merged.finish();

    assertHolds("new");
  }

  /** However late it is read. */
  @Test
  void line_hasTheTimeOfTheFirstLookThatSawItWhole() throws IOException {
    List<String> seen = new ArrayList<>();
    merged.onArrival((serial, isFirst, nanos) -> seen.add(serial + " " + isFirst + " " + nanos));
    lookAt(5);
    for (String text : List.of("one\nt", "wo\none\n", "thr")) {
      append(first, text);
      lookAt(now + 5);
      lookAt(now + 1);
    }
    now = 90;
    merged.read();
    assertThat(seen).containsExactly("0 true 10", "1 true 16", "0 false 16");
    merged.finish();
    assertThat(seen).last().isEqualTo("-1 false 22");
    assertThat(merged.size()).isEqualTo("one\ntwo\none\nthr".length());
  }

  /** A writer whose disk is full cuts it off, and writes when there is room again. */
  @Test
  void lineInPlaceOfATornOne_hasItsOwnTime() throws IOException {
    List<Long> times = new ArrayList<>();
    merged.onArrival((serial, isFirst, nanos) -> times.add(nanos));
    append(first, "one\nthree and more");
    lookAt(10);
    try (FileChannel file = FileChannel.open(first, StandardOpenOption.WRITE)) {
      file.truncate("one\n".length());
    }
    lookAt(20);
    append(first, "two\n");
    lookAt(30);
    merged.read();
    assertThat(times).containsExactly(10L, 30L);
  }

  @Test
  void ownThread_looksByItself() throws IOException {
    try (MergedStream looking = new MergedStream(List.of(first), MESSAGES)) {
      append(first, "one\n");
      Awaitility.await().until(() -> looking.size() == 4);
    }
  }

  private void lookAt(long nanos) throws IOException {
    now = nanos;
    merged.look();
  }

  @Test
  void lineLongerThanTheBuffer_isOneLine() throws IOException {
    append(first, LONG + "\nnext\n");
    merged.finish();

    assertHolds(LONG, "next");
  }

  private void assertHolds(String... lines) {
    Tally expected = new Tally();
    for (String line : lines) {
      expected.add(MESSAGES.serialOf(line.getBytes(UTF_8), 0, line.length()));
    }
    assertThat(Reconciliation.of(Sent.of(List.of(expected)), merged.tally()).isExact()).isTrue();
  }

  /** The judge must notice one fault in many messages. */
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
  void oneFault_inManyMessages_isCounted(String instead, String figures) {
    List<byte[]> delivered = new ArrayList<>(SENT);
    byte[] victim = delivered.remove(65_432);
    byte[] altered = victim.clone();
    altered[altered.length - 1]++;
    Splitter.on(' ')
        .omitEmptyStrings()
        .split(instead)
        .forEach(word -> delivered.add(word.equals("same") ? victim : altered));
    Tally found = new Tally();
    delivered.forEach(message -> found.add(texts.serialOf(message, 0, message.length)));

    Tally sent = Tally.ofFirst(SENT.size());
    Reconciliation result = Reconciliation.of(Sent.of(List.of(sent, sent)), found);

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
  void delivered_isComparedWithTheFullerStream_andWhatWasOnlyPossibleOrHasBurned(
      ArgumentsAccessor row) {
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
