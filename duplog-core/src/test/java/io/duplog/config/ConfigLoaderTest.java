package io.duplog.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigLoaderTest {
  enum Shape {
    ROUND,
    SIX_SIDED
  }

  record Mode(int bits) {
    public static Mode parse(String text) {
      if (!text.matches("[0-7]{4}")) {
        throw new IllegalArgumentException("must be four octal digits");
      }
      return new Mode(Integer.parseInt(text, 8));
    }
  }

  record Box(
      @Key(doc = "Its name.", example = "a") String name,
      @Key(doc = "Its size.", defaultValue = "64KiB") ByteSize size) {}

  record Lock(
      @Key(doc = "Opens it.", defaultValue = "open") Secret code,
      @Key(doc = "Tries.", defaultValue = "3", unit = "tries") int maxTries) {
    Lock {
      Checks.within("max-tries", maxTries, 1, 9);
      if (maxTries == 7) {
        throw new IllegalArgumentException("seven is not liked");
      }
    }
  }

  record Shed(
      @Key(doc = "Its name.", defaultValue = "${hostname}") String name,
      @Key(doc = "What it is like.", defaultValue = "six-sided") Shape shape,
      @Key(doc = "How long it stands.", defaultValue = "10m") Duration standingTime,
      @Key(doc = "Rights.", defaultValue = "0640") Mode mode,
      @Key(doc = "Nails.", defaultValue = "5000000000") long nails,
      @Key(doc = "Painted.", defaultValue = "false") boolean painted,
      @Key(doc = "Words.", defaultValue = "one, two") List<String> words,
      @Key(doc = "Boxes.", defaultValue = "") List<Box> boxes,
      @Key(doc = "The lock.") Lock lock,
      @Key(doc = "Who owns it.") @Nullable String owner,
      @Key(doc = "Another lock.") @Nullable Lock spare) {}

  record Strict(@Key(doc = "Needed.", example = "x") String needed) {}

  record Nest(@Key(doc = "Inside.") Strict inside) {}

  private final ConfigLoader loader =
      ConfigLoader.of(Map.of("CODE", "s3cret", "SITE", "north"), "host-1");

  private Shed shed(String text) throws ConfigException {
    return loader.parse("shed.yaml", text, Shed.class);
  }

  private AbstractThrowableAssert<?, ? extends Throwable> failure(String text) {
    return assertThatThrownBy(() -> shed(text)).isInstanceOf(ConfigException.class);
  }

  @Test
  void emptyFile_hasAllDefaults() throws ConfigException {
    Shed expected =
        new Shed(
            "host-1",
            Shape.SIX_SIDED,
            Duration.ofMinutes(10),
            new Mode(0640),
            5_000_000_000L,
            false,
            List.of("one", "two"),
            List.of(),
            new Lock(Secret.of("open"), 3),
            null,
            null);
    assertThat(shed("")).isEqualTo(expected);
    assertThat(shed("# nothing but a comment\n")).isEqualTo(expected);
    assertThat(shed("---\n")).isEqualTo(expected);
  }

  @Test
  void everyKey_isReadAsWritten() throws ConfigException {
    Shed read =
        shed(
            """
            name: no
            shape: round
            standing-time: 250ms
            mode: 0600
            nails: 7
            painted: true
            words: [yes, 0123, "", 'a, b']
            boxes:
              - name: a
              - {name: b, size: 1B}
            lock:
              code: 0123
              max-tries: 9
            owner: "me"
            spare:
            """);
    assertThat(read)
        .isEqualTo(
            new Shed(
                "no",
                Shape.ROUND,
                Duration.ofMillis(250),
                new Mode(0600),
                7,
                true,
                List.of("yes", "0123", "", "a, b"),
                List.of(new Box("a", new ByteSize(65536)), new Box("b", new ByteSize(1))),
                new Lock(Secret.of("0123"), 9),
                "me",
                new Lock(Secret.of("open"), 3)));
  }

  @Test
  void section_withAllItsKeysCommentedOut_hasItsDefaults() throws ConfigException {
    assertThat(shed("lock:\n  # max-tries: 4\n").lock().maxTries()).isEqualTo(3);
  }

  @Test
  void unknownKey_nearAKnownOne_isCorrected() {
    failure("name: a\nlock:\n  max-trys: 4\n")
        .hasMessage("shed.yaml:3: lock.max-trys is not a known key; did you mean 'max-tries'?");
  }

  @Test
  void unknownKey_nearNone_namesTheKnownOnes() {
    failure("lock: {elephant: 4}")
        .hasMessage(
            "shed.yaml:1: lock.elephant is not a known key; known keys here: code, max-tries");
  }

  @Test
  void unknownKey_inAList_namesTheElement() {
    failure("boxes:\n  - name: a\n  - name: b\n    sice: 1B\n")
        .hasMessage("shed.yaml:4: boxes[1].sice is not a known key; did you mean 'size'?");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          shape: square      | shape must be one of round, six-sided, not 'square'
          shape: ROUND       | shape must be one of round, six-sided, not 'ROUND'
          standing-time: 10  | standing-time must be a duration such as 250ms, 10s, 10m, 1h or 2d, not '10'
          standing-time: -1s | standing-time must be a duration such as 250ms, 10s, 10m, 1h or 2d, not '-1s'
          mode: 999          | mode must be four octal digits, not '999'
          nails: many        | nails must be a whole number up to 9223372036854775807, not 'many'
          nails: 1.5         | nails must be a whole number up to 9223372036854775807, not '1.5'
          nails: 1_000       | nails must be a whole number up to 9223372036854775807, not '1_000'
          painted: yes       | painted must be true or false, not 'yes'
          words: one         | words must be a list such as [a, b], not a single value
          words: {a: b}      | words must be a list such as [a, b], not a section
          words: [a, [b]]    | words[1] must be a single value, not a list
          name: [a]          | name must be a single value, not a list
          name: {a: b}       | name must be a single value, not a section
          name:              | name has no value; leave the key out to have its default
          lock: 5            | lock must be a section of keys, not a single value
          boxes: [5]         | boxes[0] must be a section of keys, not a single value
          boxes: [{size: 1B}] | boxes[0].name is missing; it has no default
          lock: {max-tries: 3000000000} | lock.max-tries must be a whole number up to 2147483647, not '3000000000'
          lock: {max-tries: 0} | lock.max-tries must be 1 to 9, not 0
          lock: {max-tries: 7} | lock is refused: seven is not liked
          boxes: [{name: a, size: 1kB}] | boxes[0].size must be a size such as 512B, 64KiB, 4MiB or 1GiB, not '1kB'
          """)
  void badValue_isOneLineWithFileLineKeyAndWhatIsAllowed(String text, String problem) {
    failure(text).hasMessage("shed.yaml:1: " + problem);
  }

  @Test
  void everythingThatIsWrong_isTold_inTheFilesOrder() {
    failure(
            """
            nails: many
            boxes:
              - size: 1kB
              - {name: b, sice: 1B}
            lock: {max-tries: 0, code: 'a', elephant: 1}
            painted: perhaps
            nayls: 1
            """)
        .hasMessage(
            """
            shed.yaml:1: nails must be a whole number up to 9223372036854775807, not 'many'
            shed.yaml:3: boxes[0].name is missing; it has no default
            shed.yaml:3: boxes[0].size must be a size such as 512B, 64KiB, 4MiB or 1GiB, not '1kB'
            shed.yaml:4: boxes[1].sice is not a known key; did you mean 'size'?
            shed.yaml:5: lock.elephant is not a known key; known keys here: code, max-tries
            shed.yaml:5: lock.max-tries must be 1 to 9, not 0
            shed.yaml:6: painted must be true or false, not 'perhaps'
            shed.yaml:7: nayls is not a known key; did you mean 'nails'?""");
  }

  record Pair(
      @Key(doc = "One.", defaultValue = "1") int one,
      @Key(doc = "Two.", defaultValue = "2") int two) {
    Pair {
      Checks.within("one", one, 1, 9);
      Checks.within("two", two, 1, 9);
    }
  }

  @Test
  void everyValueThatARecordRefuses_isTold() {
    assertThatThrownBy(() -> loader.parse("pair.yaml", "two: 10\none: 11\n", Pair.class))
        .hasMessage(
            "pair.yaml:1: two must be 1 to 9, not 10\npair.yaml:2: one must be 1 to 9, not 11");
  }

  @Test
  void lines_areThoseOfTheKeysThatTheFileHas(@TempDir Path folder) throws Exception {
    Path file =
        Files.writeString(folder.resolve("a.yaml"), "a:\n  b: 1\n  c: {d: 2}\ne: [x]\nf:\n");
    assertThat(ConfigLoader.lines(file))
        .isEqualTo(Map.of("a", 2, "a.b", 2, "a.c", 3, "a.c.d", 3, "e", 4, "f", 5));
  }

  @Test
  void missingKey_namesTheFullPath() {
    assertThatThrownBy(() -> loader.parse("nest.yaml", "", Nest.class))
        .hasMessage("nest.yaml:1: inside.needed is missing; it has no default");
  }

  @Test
  void duplicateKey_namesBothLines() {
    failure("lock:\n  code: a\n  max-tries: 1\n  code: b\n")
        .hasMessage("shed.yaml:4: lock.code is there twice, first in line 2");
  }

  @Test
  void brokenYaml_isOneLineWithTheLineAndNoneOfItsContent() {
    failure("lock:\n  code: topsecret\n   max-tries: 1\n")
        .hasMessage("shed.yaml:3: is not valid YAML: mapping values are not allowed here");
    failure("lock: {code: \"topsecret\n").message().startsWith("shed.yaml:2: is not valid YAML: ");
    failure("lock: {code: !top!secret }").message().doesNotContain("top");
    failure("lock: {code: @topsecret }").message().doesNotContain("top");
    failure("lock: {code: topsecret\u0007 }").message().doesNotContain("top");
  }

  @Test
  void yamlThatIsCleverer_isRefused() {
    failure("lock: {code: *topsecret }")
        .hasMessage(
            "shed.yaml:1: lock.code has a YAML anchor or alias; put a value with '&' or '*' into"
                + " quotes");
    failure("lock: {code: &topsecret x}").message().contains("anchor").doesNotContain("top");
    failure("lock: {code: !topsecret x}").message().contains("tag").doesNotContain("top");
    failure("a: b\n---\na: b\n").hasMessageContaining("second YAML document");
    failure("- a\n").hasMessage("shed.yaml:1: must hold keys such as 'name: value', not a list");
    failure("? [a]\n: b\n").hasMessage("shed.yaml:1: has a key that is not a word");
    failure("name: " + "[".repeat(30)).hasMessageContaining("nested too deeply");
  }

  @Test
  void secret_thatIsRefused_isNotShown() {
    failure("lock: {code: [topsecret]}")
        .hasMessage("shed.yaml:1: lock.code must be a single value, not a list");
    failure("lock: {code: 'top${secret}'}")
        .message()
        .doesNotContain("top")
        .doesNotContain("secret");
    failure("lock: {code: 'top${secret'}")
        .message()
        .doesNotContain("top")
        .doesNotContain("secret}");
  }

  @Test
  void secret_showsItselfOnlyToWhoAsksByName() throws ConfigException {
    Lock lock = shed("lock: {code: topsecret}").lock();
    assertThat(lock.toString()).isEqualTo("Lock[code=***, maxTries=3]");
    assertThat(lock.code().reveal()).isEqualTo("topsecret");
  }

  @Test
  void reference_toAVariable_isPutIn() throws ConfigException {
    assertThat(shed("name: a-${env:SITE}-${hostname}").name()).isEqualTo("a-north-host-1");
    assertThat(shed("lock: {code: '${env:CODE}'}").lock().code()).isEqualTo(Secret.of("s3cret"));
    assertThat(shed("name: '$${env:SITE} $5 $$'").name()).isEqualTo("${env:SITE} $5 $$");
  }

  @Test
  void reference_thatLeadsNowhere_isNamed() {
    failure("name: ${env:ABSENT}")
        .hasMessage(
            "shed.yaml:1: name refers to ${env:ABSENT}, which is not set, not '${env:ABSENT}'");
    failure("name: ${file:/no/such}")
        .hasMessageContaining("refers to ${file:/no/such}, which can't be read (no such file)");
    failure("name: ${file:/dev/zero}").hasMessageContaining("longer than 65536 bytes");
    failure("name: ${SITE}").hasMessageContaining("write ${env:NAME}, ${file:/path}");
  }

  @Test
  void referredValue_thatIsBad_isNotShown() {
    failure("nails: ${env:CODE}")
        .hasMessage(
            "shed.yaml:1: nails must be a whole number up to 9223372036854775807, not"
                + " '${env:CODE}'");
  }

  @Test
  void reference_toAFile_isItsContentWithoutTheLastNewline(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("code"), "two\nlines\n\n");
    Files.writeString(folder.resolve("site"), "south\r\n");
    Path file = folder.resolve("shed.yaml");
    Files.writeString(
        file, "name: ${file:site}\nlock: {code: '${file:" + folder.resolve("code") + "}'}\n");
    Shed shed = loader.load(file, Shed.class);
    assertThat(shed.name()).isEqualTo("south");
    assertThat(shed.lock().code().reveal()).isEqualTo("two\nlines\n");
  }

  @Test
  void fileThatCannotBeRead_isOneLine(@TempDir Path folder) throws Exception {
    assertThatThrownBy(() -> loader.load(Path.of("/no/such.yaml"), Shed.class))
        .hasMessage("/no/such.yaml: can't be read (no such file)");
    assertThatThrownBy(() -> loader.load(folder, Shed.class))
        .hasMessage(folder + ": can't be read (Is a directory)");
    Path latin = folder.resolve("latin.yaml");
    Files.write(latin, new byte[] {'a', ':', ' ', (byte) 0xe4});
    assertThatThrownBy(() -> loader.load(latin, Shed.class))
        .hasMessage(latin + ": can't be read (not UTF-8 text)");
  }

  @Test
  void key_withControlCharacters_staysOneLine() {
    failure("\"a\\nb\": 1").message().doesNotContain("\n").contains("a?b");
  }

  record Tagged(@Key(doc = "The tags.", defaultValue = "site: north") Map<String, String> tags) {}

  private Tagged tagged(String text) throws ConfigException {
    return loader.parse("tags.yaml", text, Tagged.class);
  }

  @Test
  void map_isReadWithItsOwnKeysInTheirOrder() throws ConfigException {
    assertThat(tagged("").tags()).containsExactly(Map.entry("site", "north"));
    assertThat(tagged("tags: {}\n").tags()).isEmpty();
    assertThat(tagged("tags: {z: no, a_b: '${env:SITE}', m: 'x, y: z'}\n").tags())
        .containsExactly(
            Map.entry("z", "no"), Map.entry("a_b", "north"), Map.entry("m", "x, y: z"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          tags: [a, b]           | tags must be a map such as {name: value}, not a list
          tags: a                | tags must be a map such as {name: value}, not a single value
          tags: {a: [b]}         | tags.a must be a single value, not a list
          tags: {a: }            | tags.a has no value
          tags: {a: 1, a: 2}     | tags.a is there twice
          tags: {a: '${env:NO}'} | tags.a refers to ${env:NO}, which is not set
          """)
  void map_ofAnythingButNamesAndValues_isRefused(String text, String problem) {
    assertThatThrownBy(() -> tagged(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(problem);
  }
}
