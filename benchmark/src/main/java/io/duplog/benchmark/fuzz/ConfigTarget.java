package io.duplog.benchmark.fuzz;

import io.duplog.config.ByteSize;
import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.config.Key;
import io.duplog.config.Secret;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The reader of configuration files, with keys of every type that there is. */
final class ConfigTarget implements Target {
  private static final ConfigLoader LOADER = ConfigLoader.of(Map.of("NAME", "value"), "host");

  /** Keys of every type. */
  record Everything(
      @Key(doc = "Text.", defaultValue = "${hostname}") String name,
      @Key(doc = "Number.", defaultValue = "3") int count,
      @Key(doc = "Number.", defaultValue = "3") long total,
      @Key(doc = "Flag.", defaultValue = "true") boolean flag,
      @Key(doc = "Time.", defaultValue = "250ms") Duration pause,
      @Key(doc = "Size.", defaultValue = "4MiB") ByteSize size,
      @Key(doc = "Secret.", defaultValue = "${env:NAME}") Secret password,
      @Key(doc = "Optional.") @Nullable String optional,
      @Key(doc = "List.", defaultValue = "a,b") List<String> names,
      @Key(doc = "Section.") Section section,
      @Key(doc = "List of sections.", defaultValue = "") List<Section> sections) {}

  /** A section. */
  record Section(@Key(doc = "Choice.", defaultValue = "one") Choice choice) {
    enum Choice {
      ONE,
      TWO
    }
  }

  @Override
  public String name() {
    return "configuration";
  }

  @Override
  public List<byte[]> samples() {
    String whole =
        """
        # everything
        name: ${hostname}-${env:NAME}
        count: 17
        total: -5
        flag: false
        pause: 10m
        size: 64MiB
        password: "$${secret"
        optional: 'text: with a colon'
        names: [a, "b", c]
        section: {choice: two}
        sections:
          - choice: one
          - {choice: two}
        """;
    String anchors =
        """
        name: &a x
        optional: *a
        names: !!set {a, b}
        """;
    String deep = "names: " + "[".repeat(40) + "]".repeat(40) + "\n";
    return List.of(whole, anchors, deep).stream()
        .map(text -> text.getBytes(StandardCharsets.UTF_8))
        .toList();
  }

  @Override
  public boolean read(byte[] input) throws Exception {
    try {
      LOADER.parse("fuzz.yaml", new String(input, StandardCharsets.UTF_8), Everything.class);
      return true;
    } catch (ConfigException e) {
      String message = String.valueOf(e.getMessage());
      if (!message.lines().allMatch(line -> line.startsWith("fuzz.yaml"))) {
        throw new IllegalStateException("an error that names no line of the file: " + message, e);
      }
      return false;
    }
  }
}
