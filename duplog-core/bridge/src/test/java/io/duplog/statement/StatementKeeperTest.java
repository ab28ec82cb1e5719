package io.duplog.statement;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import io.duplog.config.ConfigException;
import io.duplog.dedup.SharedTexts;
import io.duplog.observe.EventCounts.Source;
import io.duplog.observe.JsonValue;
import io.duplog.observe.LogLines;
import io.duplog.parts.Deployed;
import io.duplog.statement.StatementStage.Bridge;
import io.duplog.testkit.Script;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that several bridges write exactly one complete statement for each hour, even after
 * restarts and outages.
 */
@Tag("slow")
class StatementKeeperTest {
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir private Path root;
  private StatementStage stage;
  private Bridge one;
  private Bridge two;
  private final Map<String, Bridge> bridges = new HashMap<>();
  private String[] turns = {"one", "two"};

  @BeforeEach
  void makeBridges() throws Exception {
    stage = new StatementStage(root);
    one = stage.new Bridge("one");
    two = stage.new Bridge("two");
    bridges.putAll(Map.of("one", one, "two", two));
  }

  private static List<SignedStatement> statements(Bridge bridge) throws Exception {
    SortedMap<String, Path> files = new StatementFolder(bridge.folder).files();
    List<SignedStatement> statements = new ArrayList<>();
    for (Path file : files.values()) {
      statements.add(StatementFolder.read(file));
    }
    return statements;
  }

  /** Returns the number of copies from a stream, according to all statements. */
  private static long received(Bridge bridge, String stream) throws Exception {
    return statements(bridge).stream()
        .flatMap(each -> each.streams().stream())
        .filter(each -> each.stream().equals(stream))
        .mapToLong(StreamPart::received)
        .sum();
  }

  private static void assertSound(Bridge bridge) throws Exception {
    assertThat(bridge.check().problems()).isEmpty();
  }

  @Test
  void hour_isStatedOnce_withWhatAllBridgesDid_andIsInEachFolder() throws Exception {
    one.brings("a", 100, 60);
    two.brings("b", 90, 40);
    one.accepts("syslog", "web-1", 40);
    one.accepts("cisco:asa", "fw-1", 20);
    two.accepts("syslog", "web-1", 40);
    stage.pass(Duration.ofMinutes(39), one, two);
    assertThat(statements(one)).as("not over").isEmpty();
    stage.pass(Duration.ofMinutes(2), one, two);

    assertThat(statements(one)).hasSize(1).isEqualTo(statements(two));
    SignedStatement statement = statements(one).get(0);
    assertThat(statement.hour()).isEqualTo(Instant.parse("2026-11-26T10:00:00Z"));
    assertThat(statement.parts()).extracting(BridgePart::ended).containsExactly(true, true);
    assertThat(StatementTable.of(one.folder, null, null))
        .isEqualTo(
            """
            10 messages were compared, 1 were not; 1 statements

            stream               received     delivered      bypassed       dropped      repeated      filtered       refused dead-lettered    given back     missed
            a                         100            60             0            40             0             0             0             0             0          2
            b                          90            40             0            50             0             0             0             0             0          0

            sourcetype                         accepted
            cisco:asa                                20
            syslog                                   80
            """);
    assertThat(one.keeper.lastUntil()).isEqualTo(Instant.parse("2026-11-26T11:00:00Z"));
    assertThat(one.check().notes()).isEmpty();
    assertSound(one);
  }

  /** The app's searches look for these parts of a statement. */
  @ParameterizedTest
  @ValueSource(strings = {"duplog_stated", "duplog_accepted"})
  void statement_hasWhatTheMacroLooksFor(String macro) throws Exception {
    one.brings("a", 10, 10);
    one.accepts("syslog", "web-1", 10);
    stage.pass(HOUR, one);
    String definition =
        Files.readString(Deployed.checkout().resolve("deploy/splunk/duplog/default/macros.conf"))
            .replaceAll("(?s).*\\[" + macro + "]\ndefinition = ", "")
            .replaceAll("(?s)\n.*", "");

    Map<String, JsonValue> fields = new HashMap<>();
    fields.put("", JsonValue.parse(statements(one).get(0).line()));
    Matcher spath =
        Pattern.compile("\\| spath (?:input=)?(\\w*) ?output=(\\w+) path=(\\S+)")
            .matcher(definition);
    while (spath.find()) {
      JsonValue value = Objects.requireNonNull(fields.get(spath.group(1)), spath.group());
      for (String member : Splitter.on('.').split(spath.group(3))) {
        value = value.at(member.replace("{}", ""));
        value = member.endsWith("{}") ? value.list().get(0) : value;
      }
      assertThat(value.exists()).as(spath.group()).isTrue();
      fields.put(spath.group(2), value);
    }
    assertThat(fields)
        .hasSize((int) Pattern.compile("spath").matcher(definition).results().count() + 1);
  }

  /**
   * Each word is a step. A bridge brings copies of a stream ({@code one:a10}). Time passes, in
   * which all bridges take turns, or only those that were named ({@code turns:one}). The store is
   * unavailable or forgets, clocks are set, bridges stop and start again. Words with {@code =}
   * assert the number of statements of bridge one, whether bridge two has the same, and a stream's
   * copies in them. Other such words assert the number of hours without a statement, and of parts
   * that wait in the store. In the end the statements are sound, and have the notes of the last
   * column.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          statements are a chain, whichever bridge writes | one:a10 two:a5 +1h 2*(turns:two,one one:a10 two:a5 +1h turns:one,two one:a10 two:a5 +1h) number=5 same=true a=75 |
          hour that is not settled is waited for, and then stated without comparison | unsettled +60m number=0 +10m number=1 | 2026-11-26T10:00:00Z: the streams' missed messages are unknown
          bridge that is killed is stated as far as it is known, and the next hour waits for nobody | one:a10 two:a7 +5m two:a3 +5m turns:one +60m a=20 +1h number=2 | 2026-11-26T10:00:00Z: 1 bridges were lost; about 7 copies are not accounted for
          bridge that stops in good order is waited for by nobody | one:a10 two:a7 +5m two:a2 stop:two turns:one +36m a=19 |
          store that forgets is given the chain again, and nothing is stated twice | one:a10 +2h one:a5 +1m forget +2h number=4 same=true a=15 |
          new bridge goes on with the chain of its folder | turns:one one:a10 +2h forget start:one one:a1 +2h number=4 a=11 |
          bridge that was away copies what the others stated | turns:one +30h turns:one,two +10s number=30 same=true |
          store that is away delays the statement, and loses nothing | one:a10 away +2h two:b4 back +1h same=true a=10 b=4 |
          clock that was ahead hides no counts | clock:3d start:early early:a5 clock:-3d turns:one,early +2h a=5 |
          clock that was ahead for hours, and then set right, holds up no statement | one:a10 +2h clock:3d one:a5 +2h age=0 clock:-3d age=1 stop:one start:one age=1 one:a7 +2h number=7 same=true a=22 age=0 waiting=2 | statement 6 goes back from 2026-11-29T13:00:00Z to 2026-11-26T14:00:00Z, because the clock of Redis was set; the counts of statements 4 to 5 are correct, but their hours do not count as stated; no bridge stated anything from 2026-11-26T13:00:00Z to 2026-11-26T14:00:00Z
          clock that was ahead from the start | clock:3d turns:one one:a5 +2h clock:-3d one:a7 +2h number=5 a=12 age=0 | statement 4 goes back from 2026-11-29T11:00:00Z to 2026-11-26T12:00:00Z, because the clock of Redis was set; the counts of statements 2 to 3 are correct, but their hours do not count as stated; no bridge stated anything from 2026-11-26T11:00:00Z to 2026-11-26T12:00:00Z
          clock that was ahead, lost with its store, holds up no statement | turns:one one:a10 +1h clock:3d one:a5 +2h clock:-3d forget one:a7 +2h number=6 a=22 | statement 5 goes back from 2026-11-29T12:00:00Z to 2026-11-26T13:00:00Z, because the clock of Redis was set; the counts of statements 3 to 4 are correct, but their hours do not count as stated; no bridge stated anything from 2026-11-26T12:00:00Z to 2026-11-26T13:00:00Z
          clock that was behind for hours goes on where it is set | one:a10 +2h clock:-1d one:a5 +2h clock:1d one:a7 +2h number=7 a=22 | statement 3 goes back from 2026-11-26T11:00:00Z to 2026-11-25T12:00:00Z, because the clock of Redis was set; the counts of statements 1 to 2 are correct, but their hours do not count as stated; no bridge stated anything from 2026-11-25T15:00:00Z to 2026-11-26T14:00:00Z
          clock that jumps takes no bridge for lost | one:a10 two:a7 +5m clock:3h +10s two:a2 +2h a=19 | no bridge stated anything from 2026-11-26T11:00:00Z to 2026-11-26T13:00:00Z
          clock that jumps past a killed bridge waits for it by a clock of its own | one:a10 two:a7 +5m turns:one clock:3h +10m number=0 +10m number=1 a=17 | 2026-11-26T10:00:00Z: 1 bridges were lost; about 7 copies are not accounted for
          clock that jumps back by minutes repeats no hour | one:a10 +80m clock:-50m one:a5 +3h number=3 a=15 |
          clock that was behind after a long chain leaves its hours stated | turns:one one:a10 +30h clock:-1d one:a5 +2h clock:1d one:a7 +2h a=22 | statement 31 goes back from 2026-11-27T15:00:00Z to 2026-11-26T16:00:00Z, because the clock of Redis was set; its counts are correct, but they may belong to a later hour; no bridge stated anything from 2026-11-27T16:00:00Z to 2026-11-27T18:00:00Z
          """)
  void statements_follow(String what, String script, @Nullable String notes) throws Exception {
    Script.run(what, script, this::take, this::said);
    Bridge first = bridges.get("one");
    assertSound(first);
    assertThat(String.join("; ", first.check().notes())).isEqualTo(notes == null ? "" : notes);
  }

  private void take(String step) throws Exception {
    if (step.startsWith("+")) {
      stage.pass(Script.time(step.substring(1)), taking(turns));
      return;
    }
    String verb = step.replaceFirst(":.*", "");
    String value = step.replaceFirst(".*:", "");
    switch (verb) {
      case "turns" -> turns = value.split(",", -1);
      case "start" -> bridges.put(value, stage.new Bridge(value));
      case "stop" -> {
        bridges.get(value).keeper.start();
        bridges.get(value).keeper.stop();
      }
      case "clock" -> stage.now = stage.now.plus(Script.time(value));
      case "forget" -> stage.texts.store = SharedTexts.ofOneBridge();
      case "away", "back" -> stage.texts.failsBefore = verb.equals("away");
      case "unsettled" -> stage.settled = false;
      default -> {
        long copies = Long.parseLong(value.substring(1));
        bridges.get(verb).brings(value.substring(0, 1), copies, copies);
      }
    }
  }

  private Bridge[] taking(String... turns) {
    return Stream.of(turns).map(bridges::get).toArray(Bridge[]::new);
  }

  private Object said(String about) throws Exception {
    List<SignedStatement> first = statements(bridges.get("one"));
    return switch (about) {
      case "number" -> first.size();
      case "age" -> Duration.between(bridges.get("one").keeper.lastUntil(), stage.now).toHours();
      case "waiting" ->
          stage.texts.all().keySet().stream().filter(name -> name.startsWith("part ")).count();
      case "same" -> first.equals(statements(bridges.get("two")));
      default -> received(bridges.get("one"), about);
    };
  }

  /** The store's unstated parts outlive the bridge that counted them. */
  @Test
  void bridgeThatStartsAgain_beforeItsFirstStatement_isLateAllTheSame() throws Exception {
    one.brings("a", 1, 1);
    stage.pass(Duration.ofSeconds(10), one);
    stage.now = stage.now.plus(Duration.ofHours(4));
    one = stage.new Bridge("one");
    stage.pass(Duration.ofSeconds(10), one);

    assertThat(statements(one)).isEmpty();
    assertThat(one.keeper.lastUntil()).isEqualTo(StatementStage.BEGIN);
  }

  @Test
  void chainThatStandsStill_fillsNoStore_andStatesAllOnceItGoesOn() throws Exception {
    StatementStage other = new StatementStage(Files.createDirectory(root.resolve("other")));
    Bridge stranger = other.new Bridge("stranger");
    other.pass(HOUR, stranger);
    String foreign = other.texts.all().get("statement 1");
    stage.texts.replace(List.of(new SharedTexts.Change("statement 1", "", foreign)));
    for (int hour = 0; hour < OwnParts.MAX_FINISHED_PARTS + 50; hour++) {
      one.brings("a", 10, 10);
      stage.now = stage.now.plus(HOUR);
      one.keeper.runOnce();
    }

    assertThat(stage.texts.all()).hasSizeLessThan(OwnParts.MAX_FINISHED_PARTS + 3);
    stage.texts.replace(List.of(new SharedTexts.Change("statement 1", foreign, "")));
    stage.pass(Duration.ofHours(2), one);
    assertThat(received(one, "a")).isEqualTo(10 * (OwnParts.MAX_FINISHED_PARTS + 50));
    assertSound(one);
  }

  @Test
  void siteThatWasApart_andStartsAgain_takesUpTheOthersChain() throws Exception {
    SharedTexts apart = stage.texts.store;
    stage.pass(HOUR, one);
    stage.texts.store = SharedTexts.ofOneBridge();
    stage.pass(Duration.ofHours(4), two);
    stage.texts.store = apart;
    stage.pass(Duration.ofSeconds(10), one, two);
    two = stage.new Bridge("two");
    stage.pass(Duration.ofHours(6), one, two);

    assertThat(statements(one)).hasSizeGreaterThan(5);
    assertSound(one);
  }

  /** Another bridge states what is known of the absent one, in a statement that it never sees. */
  @ParameterizedTest
  @CsvSource({"one two, 0", "two one, 0", "two one, 2"})
  void bridgeThatComesBackAfterTwoDays_statesTheRest_andNothingTwice(String turns, long before)
      throws Exception {
    stage.pass(Duration.ofHours(before), one, two);
    two.brings("a", 7, 7);
    stage.pass(Duration.ofMinutes(5), one, two);
    two.brings("a", 100, 100);
    stage.pass(Duration.ofHours(60), one);
    two.brings("a", 10, 10);
    stage.pass(Duration.ofHours(2), taking(turns.split(" ", -1)));

    assertThat(received(one, "a")).isEqualTo(117);
    assertSound(one);
  }

  /** The store has the bridge's last part, and the bridge can't know that. */
  @Test
  void bridgeThatIsCutOffInMidCall_forTwoDays_isNotStatedTwice() throws Exception {
    two.brings("a", 7, 7);
    stage.pass(Duration.ofMinutes(5), one, two);
    two.brings("a", 100, 100);
    stage.texts.failsAfter = true;
    stage.pass(Duration.ofSeconds(10), two);
    stage.texts.failsAfter = false;
    stage.pass(Duration.ofHours(60), one);
    two.brings("a", 10, 10);
    stage.pass(Duration.ofHours(2), one, two);

    assertThat(received(one, "a")).isEqualTo(117);
    assertSound(one);
  }

  @Test
  void hostInAnyAlphabet_isStatedAsItIs_inAscii() throws Exception {
    Source host = new Source("syslog", "fw-東京-ü");
    one.accepts(host.sourcetype(), host.host(), 3);
    stage.pass(HOUR, one);

    SignedStatement statement = statements(one).get(0);
    assertThat(statement.parts().get(0).counts().accepted()).containsOnly(entry(host, 3L));
    assertThat(stage.texts.all().values()).allMatch(text -> CharMatcher.ascii().matchesAllOf(text));
    assertSound(one);
  }

  @Test
  void bridgeThatWasTakenForLost_statesTheRestLater_andNothingTwice() throws Exception {
    one.brings("a", 10, 10);
    two.brings("a", 7, 7);
    stage.pass(Duration.ofMinutes(5), one, two);
    two.accepts("syslog", "web-1", 7);
    stage.pass(Duration.ofSeconds(10), one, two);
    two.brings("a", 3, 2); // the process is suspended from here on
    two.accepts("syslog", "web-1", 2);
    stage.pass(Duration.ofMinutes(65), one);
    assertThat(received(one, "a")).isEqualTo(17);
    two.brings("a", 100, 100);
    two.accepts("syslog", "web-2", 100);
    stage.pass(Duration.ofHours(2), one, two);

    assertThat(received(one, "a")).isEqualTo(120);
    assertSound(one);
    assertThat(
            statements(one).stream()
                .flatMap(each -> each.parts().stream())
                .flatMap(part -> part.counts().accepted().entrySet().stream())
                .collect(toMap(Map.Entry::getKey, Map.Entry::getValue, Long::sum)))
        .containsOnly(
            entry(new Source("syslog", "web-1"), 9L), entry(new Source("syslog", "web-2"), 100L));
    assertThat(statements(one)).isEqualTo(statements(two));
  }

  @Test
  void strangeEntriesOfTheFolder_keepNoBridgeFromStarting() throws Exception {
    stage.pass(HOUR, one);
    Files.createDirectory(one.folder.resolve("statements-old"));
    Files.createDirectory(one.folder.resolve("statement-000000002.json"));
    Files.write(one.folder.resolve("statement-000000003.json"), new byte[] {(byte) 0xff});
    one = stage.new Bridge("one");

    assertThat(one.keeper.lastUntil()).isEqualTo(Instant.parse("2026-11-26T11:00:00Z"));
    assertThat(one.check().problems()).hasSize(3);
  }

  @Test
  void bridgeWithoutFiles_andWithAnotherKey_leavesTheChainAlone() throws Exception {
    stage.pass(HOUR, one);
    StatementStage other = new StatementStage(Files.createDirectory(root.resolve("other")));
    other.texts.store = stage.texts.store;
    other.now = stage.now;
    Bridge stranger = other.new Bridge("stranger");
    List<String> lines =
        LogLines.of(StatementKeeper.class, () -> other.pass(Duration.ofHours(2), stranger));

    assertThat(lines)
        .singleElement(as(STRING))
        .startsWith("WARN The store has statements that are signed with another key");
    assertThat(statements(stranger)).isEmpty();
    assertThat(stage.texts.all()).containsKey("statement 1");
  }

  @Test
  void whatNoBridgeHasSaid_isNotTakenOver_andHoldsUpNothing() throws Exception {
    stage.pass(HOUR, one);
    StatementStage other = new StatementStage(Files.createDirectory(root.resolve("other")));
    Bridge theirs = other.new Bridge("theirs");
    other.pass(Duration.ofHours(4), theirs);
    String forged = statements(theirs).get(0).line();
    stage.texts.replace(
        List.of(
            new SharedTexts.Change("statement 1", stage.texts.all().get("statement 1"), forged),
            new SharedTexts.Change("statement 2", "", statements(theirs).get(1).line()),
            new SharedTexts.Change("statement 3", "", "gibberish"),
            new SharedTexts.Change("part x", "", "gibberish")));
    stage.pass(HOUR, one);

    assertThat(statements(one)).hasSize(2);
    assertSound(one);
  }

  @Test
  void folderThatCantBeWritten_isTold_andFilledLater() throws Exception {
    Files.delete(two.folder);
    Files.createFile(two.folder);
    List<String> lines =
        LogLines.of(StatementKeeper.class, () -> stage.pass(Duration.ofHours(2), one, two));
    assertThat(lines).hasSize(1);
    assertThat(lines.get(0)).startsWith("WARN Statements can't be written to the disk (");
    assertThat(two.keeper.lastUntil()).isEqualTo(StatementStage.BEGIN);
    Files.delete(two.folder);
    Files.createDirectory(two.folder);
    stage.pass(Duration.ofSeconds(10), two);

    assertThat(statements(two)).hasSize(2).isEqualTo(statements(one));
  }

  @Test
  void chainsThatGrewApart_areBothKept_andTold() throws Exception {
    SharedTexts apart = stage.texts.store;
    stage.pass(HOUR, one);
    stage.texts.store = SharedTexts.ofOneBridge();
    two.brings("a", 1, 1);
    stage.pass(HOUR, two);
    stage.texts.store = apart;
    List<String> lines =
        LogLines.of(StatementKeeper.class, () -> stage.pass(Duration.ofSeconds(10), one, two));

    assertThat(lines).anySatisfy(line -> assertThat(line).contains("The chain has a fork at"));
    assertThat(two.check().problems()).isNotEmpty();
    assertSound(one);
  }

  @Test
  void keyThatCantBeUsed_isRefused() throws Exception {
    Files.writeString(stage.privateKey, "no key");
    assertThatThrownBy(() -> stage.new Bridge("three"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("statements.key: holds no PEM key that begins with BEGIN PRIVATE KEY")
        .hasMessageContaining("openssl genpkey -algorithm ed25519");
    Files.delete(stage.privateKey);
    assertThatThrownBy(() -> stage.new Bridge("three")).hasMessageContaining("is missing");
  }
}
