package io.duplog.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that a YAML configuration file is read into records, and that each mistake in it is
 * reported without showing secrets.
 */
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
      Checks.notBlank("code", code.reveal());
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
      @Key(doc = "The tags.", defaultValue = "site: north") Map<String, String> tags,
      @Key(doc = "The lock.") Lock lock,
      @Key(doc = "Who owns it.") @Nullable String owner,
      @Key(doc = "Another lock.") @Nullable Lock spare) {}

  record NeededKey(@Key(doc = "Needed.", example = "x") String needed) {}

  record Urls(@Key(doc = "URLs.", example = "http://h") List<String> urls) {
    Urls {
      Checks.distinctNames("urls", urls);
      urls.forEach(url -> Checks.url("urls", url, "http://h", "http"));
    }
  }

  record Nest(@Key(doc = "Inside.") NeededKey inside) {}

  private final ConfigLoader loader =
      ConfigLoader.of(Map.of("CODE", "s3cret", "SITE", "north"), "host-1");

  private Shed parseShed(String text) throws ConfigException {
    return loader.parse("shed.yaml", text, Shed.class);
  }

  @Test
  void parse_emptyFile_hasAllDefaults() throws ConfigException {
    for (String nothing : List.of("", "# nothing but a comment\n", "---\n")) {
      assertThat(parseShed(nothing))
          .hasToString(
              "Shed[name=host-1, shape=SIX_SIDED, standingTime=PT10M, mode=Mode[bits=416],"
                  + " nails=5000000000, painted=false, words=[one, two], boxes=[],"
                  + " tags={site=north}, lock=Lock[code=***, maxTries=3], owner=null, spare=null]");
    }
    assertThat(parseShed("").lock().code().reveal()).isEqualTo("open");
  }

  @Test
  void parse_fileWithAllKeys_readsEachValueAsWritten() throws ConfigException {
    Shed read =
        parseShed(
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
            tags: {z: no, a_b: '${env:SITE}', m: 'x, y: z'}
            lock:
              code: 0123
              max-tries: 9
            owner: "me"
            spare:
            """);
    assertThat(read)
        .hasToString(
            "Shed[name=no, shape=ROUND, standingTime=PT0.25S, mode=Mode[bits=384], nails=7,"
                + " painted=true, words=[yes, 0123, , a, b], boxes=[Box[name=a, size=64KiB],"
                + " Box[name=b, size=1B]], tags={z=no, a_b=north, m=x, y: z},"
                + " lock=Lock[code=***, maxTries=9], owner=me,"
                + " spare=Lock[code=***, maxTries=3]]");
    assertThat(read.words()).containsExactly("yes", "0123", "", "a, b");
    assertThat(read.lock().code().reveal()).isEqualTo("0123");
    assertThat(parseShed("tags: {}\n").tags()).isEmpty();
  }

  /** The target of a reference may be a secret, even if the key is not meant for secrets. */
  @Test
  void parse_refusedValueWithReference_errorShowsReferenceInsteadOfTarget() {
    ConfigLoader loaderWithSecret = ConfigLoader.of(Map.of("URL", "https://h/SECRET"), "host-1");
    String text = "urls: ['${env:URL}', '${env:URL}']\n";
    assertThatThrownBy(() -> loaderWithSecret.parse("a.yaml", text, Urls.class))
        .hasMessage("a.yaml:1: urls must not have '${env:URL}' twice");
    assertThatThrownBy(() -> loaderWithSecret.parse("a.yaml", "urls: ['${env:URL}:x']", Urls.class))
        .hasMessage(
            "a.yaml:1: urls must be like http://h, not '${env:URL}:x': it must begin with"
                + " http://");
    assertThatThrownBy(
            () -> loaderWithSecret.parse("a.yaml", "{urls:https://h/SECRET}", Urls.class))
        .hasMessageStartingWith("a.yaml:1: urls needs a space after its colon")
        .hasMessageNotContaining("SECRET");
  }

  @Test
  void parse_sectionWithAllKeysCommentedOut_hasDefaults() throws ConfigException {
    assertThat(parseShed("lock:\n  # max-tries: 4\n").lock().maxTries()).isEqualTo(3);
  }

  /** {@code ⏎} means a line break in the file or the error. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          name: a⏎lock:⏎  max-trys: 4         | 3: lock.max-trys is not a known key; did you mean 'max-tries'?
          lock: {elephant: 4}                     | 1: lock.elephant is not a known key; known keys here: code, max-tries
          boxes:⏎  - name: a⏎  - name: b⏎    sice: 1B | 4: boxes[1].sice is not a known key; did you mean 'size'?
          shape: square                 | 1: shape must be one of round, six-sided, not 'square'
          shape: ROUND                  | 1: shape must be one of round, six-sided, not 'ROUND'
          standing-time: 10             | 1: standing-time must be a duration such as 250ms, 10s, 10m, 1h or 2d, not '10'
          standing-time: -1s            | 1: standing-time must be a duration such as 250ms, 10s, 10m, 1h or 2d, not '-1s'
          mode: 999                     | 1: mode must be four octal digits, not '999'
          nails: many                   | 1: nails must be a whole number up to 9223372036854775807, not 'many'
          nails: 1.5                    | 1: nails must be a whole number up to 9223372036854775807, not '1.5'
          nails: 1_000                  | 1: nails must be a whole number up to 9223372036854775807, not '1_000'
          nails: ${env:CODE}            | 1: nails must be a whole number up to 9223372036854775807, not '${env:CODE}'
          painted: yes                  | 1: painted must be true or false, not 'yes'
          words: one                    | 1: words must be a list such as [a, b], not a single value
          words: {a: b}                 | 1: words must be a list such as [a, b], not a section
          words: [a, [b]]               | 1: words[1] must be a single value, not a list
          name: [a]                     | 1: name must be a single value, not a list
          name: {a: b}                  | 1: name must be a single value, not a section
          name:                         | 1: name has no value; leave the key out to have its default
          name: ${env:ABSENT}           | 1: name refers to ${env:ABSENT}, which is not set, not '${env:ABSENT}'
          name: ${file:/no/such}        | 1: name refers to ${file:/no/such}, which can't be read (no such file), not '${file:/no/such}'
          name: ${file:/dev/zero}       | 1: name refers to ${file:/dev/zero}, which can't be read (longer than 65536 bytes), not '${file:/dev/zero}'
          name: ${SITE}                 | 1: name has a '${' that begins no reference; write ${env:NAME}, ${file:/path} or ${hostname}, and $${ for a plain ${, not '${SITE}'
          lock: 5                       | 1: lock must be a section of keys, not a single value
          lock: {max-tries: 3000000000} | 1: lock.max-tries must be a whole number up to 2147483647, not '3000000000'
          lock: {max-tries: 0}          | 1: lock.max-tries must be 1 to 9, not 0
          lock: {max-tries: 7}          | 1: lock is refused: seven is not liked
          lock:⏎  max-tries: 0⏎  code: '' | 2: lock.max-tries must be 1 to 9, not 0⏎3: lock.code must not be empty
          lock:⏎  code: a⏎  max-tries: 1⏎  code: b | 4: lock.code is there twice, first in line 2
          boxes: [5]                    | 1: boxes[0] must be a section of keys, not a single value
          boxes: [{size: 1B}]           | 1: boxes[0].name is missing; it has no default
          boxes: [{name: a, size: 1kB}] | 1: boxes[0].size must be a size such as 512B, 64KiB, 4MiB or 1GiB, not '1kB'
          tags: [a, b]                  | 1: tags must be a map such as {name: value}, not a list
          tags: a                       | 1: tags must be a map such as {name: value}, not a single value
          tags: {a: [b]}                | 1: tags.a must be a single value, not a list
          tags: {a: }                   | 1: tags.a has no value; leave the key out to have its default
          tags: {a: 1, a: 2}            | 1: tags.a is there twice, first in line 1
          tags: {a: '${env:NO}'}        | 1: tags.a refers to ${env:NO}, which is not set, not '${env:NO}'
          lock:⏎  code: secret⏎   max-tries: 1 | 3: is not valid YAML: mapping values are not allowed here
          a: b⏎---⏎a: b             | 2: has a second YAML document; one file is one document
          - a                           | 1: must hold keys such as 'name: value', not a list
          ? [a]⏎: b                   | 1: has a key that is not a word
          "a\\nb": 1                 | 1: a?b is not a known key; known keys here: name, shape, standing-time, mode, nails, painted, words, boxes, tags, lock, owner, spare
          """)
  void parse_invalidValue_errorIsOneLineWithFileLineKeyAndAllowedValues(
      String text, String problems) {
    assertThatThrownBy(() -> parseShed(text.replace('⏎', '\n')))
        .isInstanceOf(ConfigException.class)
        .hasMessage("shed.yaml:" + problems.replace("⏎", "\nshed.yaml:"));
  }

  /** The error must not show a secret, whatever the problem is. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          lock: {code: [topsecret]}    | lock.code must be a single value, not a list
          lock: {code: 'top${secret}'} | begins no reference
          lock: {code: 'top${secret'}  | begins no reference
          lock: {code: *topsecret }    | lock.code has a YAML anchor or alias; put a value with '&' or '*' into quotes
          lock: {code: &topsecret x}   | anchor
          lock: {code: !topsecret x}   | tag
          lock: {code: "topsecret      | is not valid YAML
          lock: {code: !top!secret }   | is not valid YAML
          lock: {code: @topsecret }    | is not valid YAML
          """)
  void parse_refusedSecret_errorDoesNotShowIt(String text, String problem) {
    assertThatThrownBy(() -> parseShed(text + "\n"))
        .hasMessageContaining(problem)
        .hasMessageNotContainingAny("top", "secret");
  }

  @Test
  void parse_controlCharactersOrDeepNesting_isRefused() {
    assertThatThrownBy(() -> parseShed("lock: {code: topsecret\u0007 }"))
        .hasMessage("shed.yaml: has characters that YAML does not allow");
    assertThatThrownBy(() -> parseShed("name: " + "[".repeat(30)))
        .hasMessageContaining("nested too deeply");
  }

  @Test
  void parse_severalProblems_areReportedInTheFilesOrder() {
    assertThatThrownBy(
            () ->
                parseShed(
                    """
                    nails: many
                    boxes:
                      - size: 1kB
                      - {name: b, sice: 1B}
                    lock: {max-tries: 0, code: 'a', elephant: 1}
                    painted: perhaps
                    nayls: 1
                    """))
        .hasMessage(
            """
            shed.yaml:1: nails must be a whole number up to 9223372036854775807, not 'many'
            shed.yaml:3: boxes[0].name is missing; it has no default
            shed.yaml:3: boxes[0].size must be a size such as 512B, 64KiB, 4MiB or 1GiB, not '1kB'
            shed.yaml:4: boxes[1].sice is not a known key; did you mean 'size'?
            shed.yaml:5: lock.elephant is not a known key; known keys here: code, max-tries
            shed.yaml:5: lock.max-tries must be 1 to 9, not 0
            shed.yaml:6: painted must be true or false, not 'perhaps'
            shed.yaml:7: nayls is not a known key; did you mean 'nails'?\
            """);
  }

  @Test
  void lines_file_returnsTheLineOfEachKey(@TempDir Path folder) throws Exception {
    Path file =
        Files.writeString(folder.resolve("a.yaml"), "a:\n  b: 1\n  c: {d: 2}\ne: [x]\nf:\n");
    assertThat(ConfigLoader.lines(file))
        .isEqualTo(Map.of("a", 2, "a.b", 2, "a.c", 3, "a.c.d", 3, "e", 4, "e[0]", 4, "f", 5));
  }

  @Test
  void parse_missingKey_errorHasFullPath() {
    assertThatThrownBy(() -> loader.parse("nest.yaml", "", Nest.class))
        .hasMessage("nest.yaml:1: inside.needed is missing; it has no default");
  }

  @Test
  void parse_referenceToVariable_isReplaced() throws ConfigException {
    assertThat(parseShed("name: a-${env:SITE}-${hostname}").name()).isEqualTo("a-north-host-1");
    assertThat(parseShed("lock: {code: '${env:CODE}'}").lock().code())
        .isEqualTo(new Secret("s3cret"));
    assertThat(parseShed("name: '$${env:SITE} $5 $$'").name()).isEqualTo("${env:SITE} $5 $$");
  }

  @Test
  void parse_referenceToFile_isReplacedByContentWithoutLastNewline(@TempDir Path folder)
      throws Exception {
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
  void load_unreadableFile_errorIsOneLine(@TempDir Path folder) throws Exception {
    assertThatThrownBy(() -> loader.load(Path.of("/no/such.yaml"), Shed.class))
        .hasMessage("/no/such.yaml: can't be read (no such file)");
    assertThatThrownBy(() -> loader.load(folder, Shed.class))
        .hasMessage(folder + ": can't be read (Is a directory)");
    Path latin = folder.resolve("latin.yaml");
    Files.write(latin, new byte[] {'a', ':', ' ', (byte) 0xe4});
    assertThatThrownBy(() -> loader.load(latin, Shed.class))
        .hasMessage(latin + ": can't be read (not UTF-8 text)");
  }
}
