package io.duplog.benchmark.fuzz;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Feeds random bytes to the reader of the bridge's configuration file, as one target of the fuzz
 * test.
 */
final class ConfigTarget implements Target {
  private static final ConfigLoader LOADER = ConfigLoader.of(Map.of("NAME", "value"), "host");

  @Override
  public List<byte[]> samples() {
    String completeFile =
        """
        # keys of every type
        name: ${hostname}-${env:NAME}
        streams:
          - {name: a, host: a, user: 'text: with a colon', password: "$${secret"}
          - name: b
            host: b
            user: u
            password: p
            queues: [one, "two"]
        receive: {prefetch: 17, prefetch-bytes: 64MiB}
        settle: {hold-limit: 10m}
        dedup: {redis: {host: r}}
        sink: {type: hec, hec: {urls: ["http://s:8088"], token: t, acknowledge: true}}
        """;
    String smallFile =
        """
        streams:
          - {name: a, host: a, user: u, password: p}
          - {name: b, host: b, user: u, password: p}
        dedup: {redis: {host: r}}
        sink: {type: file, file: {path: /x}}
        """;
    String unusualYaml = "name: &a x\nstreams: *a\nsink: !!set {a, b}\n";
    String deepNesting = "streams: " + "[".repeat(40) + "]".repeat(40) + "\n";
    return Stream.of(completeFile, smallFile, unusualYaml, deepNesting)
        .map(text -> text.getBytes(StandardCharsets.UTF_8))
        .toList();
  }

  @Override
  public boolean read(byte[] input) throws Exception {
    try {
      LOADER.parse("fuzz.yaml", new String(input, StandardCharsets.UTF_8), BridgeConfig.class);
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
