package io.duplog.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests that the generated reference of a configuration contains every key with its default, its
 * type and its meaning.
 */
class ReferenceTest {
  enum Colour {
    RED,
    DARK_GREEN
  }

  record Inner(
      @Key(doc = "How long.", defaultValue = "10m") Duration howLong,
      @Key(doc = "How large.", defaultValue = "4MiB") ByteSize howLarge) {}

  record Element(
      @Key(doc = "Its name.", example = "a") String name,
      @Key(doc = "Its port.", defaultValue = "514", unit = "port") int port) {}

  record AllKinds(
      @Key(doc = "Any text.", defaultValue = "") String text,
      @Key(doc = "Said with \"quotes\".", defaultValue = "- \"a\": b") String odd,
      @Key(doc = "The colour.", defaultValue = "dark-green") Colour colour,
      @Key(doc = "The words.", defaultValue = "a, b") List<String> words,
      @Key(doc = "The elements.") List<Element> elements,
      @Key(doc = "The guests.", defaultValue = "") List<Element> guests,
      @Key(doc = "The tags.", defaultValue = "") Map<String, String> tags,
      @Key(doc = "The labels.", defaultValue = "a: b, c: d") Map<String, String> labels,
      @Key(doc = "A section.") Inner inner,
      @Key(doc = "Said to nobody.", example = "x") @Nullable Secret secret,
      @Key(
              doc =
                  "So long a text that it does not fit into one line of the reference, and so is"
                      + " wrapped at a space.",
              defaultValue = "false")
          boolean flag) {}

  record Twins(
      @Key(doc = "A section.") Inner inner,
      @Key(doc = "Another.", sameAs = "inner") @Nullable Inner other) {}

  record Undocumented(String text) {}

  @Test
  void of_sectionWithTheKeysOfAnother_namesThatOne() {
    assertThat(Reference.of(Twins.class, ""))
        .endsWith("  how-large: 4MiB\n\n# Another.\n# other: # The same keys as inner.\n");
  }

  @Test
  void of_record_hasEveryKeyWithDefaultTypeAndMeaning() {
    assertThat(Reference.of(AllKinds.class, "Where it belongs.\n"))
        .isEqualTo(
            """
            # Where it belongs.
            #
            # Write only the keys that you change. Each key below has its default. A key without a default is
            # marked "required" and has an example, or is marked "optional" and commented out.
            #
            # duration: 250ms, 10s, 10m, 1h, 2d       size: 512B, 64KiB, 4MiB, 1GiB
            # Any value may be ${env:NAME} or ${file:/path}, or contain ${hostname}.

            # Any text. (text)
            text: ""

            # Said with "quotes". (text)
            odd: "- \\"a\\": b"

            # The colour. (one of red, dark-green)
            colour: dark-green

            # The words. (list of text)
            words: [a, b]

            # The elements.
            elements:
                # Its name. (text, required)
              - name: a
                # Its port. (port)
                port: 514

            # The guests.
            guests: []
            #     # Its name. (text, required)
            #   - name: a
            #     # Its port. (port)
            #     port: 514

            # The tags. (map of text)
            tags: {}

            # The labels. (map of text)
            labels: {a: b, c: d}

            # A section.
            inner:
              # How long. (duration)
              how-long: 10m
              # How large. (size)
              how-large: 4MiB

            # Said to nobody. (secret, optional)
            # secret: x

            # So long a text that it does not fit into one line of the reference, and so is wrapped at a
            # space. (true or false)
            flag: false
            """);
  }

  @Test
  void of_componentWithoutKeyAnnotation_throws() {
    assertThatThrownBy(() -> Reference.of(Undocumented.class, "")).hasMessageContaining("@Key");
    assertThatThrownBy(() -> ConfigLoader.of(Map.of(), "h").parse("f", "", Undocumented.class))
        .hasMessageContaining("@Key");
  }
}
