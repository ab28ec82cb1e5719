package io.duplog.benchmark.drive;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.common.base.Utf8;
import io.duplog.benchmark.hec.RawParser;
import io.duplog.config.ConfigException;
import io.duplog.deliver.SinkException;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command {@code hec-foreign}, which sends odd messages to another project's HTTP Event
 * Collector, and compares them with what that one has stored.
 */
@Command(
    name = "hec-foreign",
    description = {
      "Sends messages with all kinds of bytes through the HEC sink to another collector, with and"
          + " without gzip, and compares event by event what that one kept.",
      "Understands the file of an OpenTelemetry collector, and VictoriaLogs' answer to a query."
          + " benchmark/src/test/foreign/try-foreign does it all."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class HecForeignCommand implements Callable<Integer> {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int MESSAGES = 10_000;
  private static final int BATCH = 500;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long POLL_MILLIS = 200;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--url", required = true, description = "The collector's URL.")
  private String url = "";

  @Option(
      names = "--received",
      required = true,
      description = "Where to read what it has: file:/path or http://host:port/path.")
  private URI received = URI.create("");

  @Option(names = "--endpoint", split = ",", description = "Default: ${DEFAULT-VALUE}")
  private List<String> endpoints = List.of("event", "raw");

  @Option(names = "--acknowledge", description = "Wait for its acknowledgements.")
  private boolean acknowledge;

  @Override
  public Integer call() throws IOException, InterruptedException, ConfigException, SinkException {
    boolean exact = true;
    for (String endpoint : endpoints) {
      for (String compression : new String[] {"none", "gzip"}) {
        exact &= isExact(endpoint, compression);
      }
    }
    return exact ? 0 : 1;
  }

  private boolean isExact(String endpoint, String compression)
      throws IOException, InterruptedException, ConfigException, SinkException {
    String run = endpoint + "-" + compression + (acknowledge ? "-ack" : "");
    List<byte[]> sent = OddMessages.of(run, MESSAGES, 1);
    long refused;
    try (DrivenSink sink =
        new DrivenSink(
            "urls: [\"%s\"]\ntoken: any\nendpoint: %s\ncompression: %s\nacknowledge: %b\n"
                .formatted(url, endpoint, compression, acknowledge),
            100)) {
      for (int i = 0; i < sent.size(); i += BATCH) {
        List<byte[]> part = sent.subList(i, Math.min(sent.size(), i + BATCH));
        if (!sink.deliver(DrivenSink.batch(part), PATIENCE_NANOS)) {
          throw new IOException(url + " does not accept events");
        }
      }
      if (!sink.drain(PATIENCE_NANOS)) {
        throw new IOException(url + " has not accepted everything");
      }
      refused = sink.refused();
    }
    return compare(run, sent, refused);
  }

  private boolean compare(String run, List<byte[]> sent, long refused)
      throws IOException, InterruptedException {
    List<String> expected = sent.stream().map(HecForeignCommand::shown).toList();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    Map<String, Integer> kept = kept(run);
    while (count(kept) < expected.size() && System.nanoTime() - deadline < 0) {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      kept = kept(run);
    }
    long lost = 0;
    String firstLost = "";
    for (String text : expected) {
      if (kept.merge(text, -1, Integer::sum) < 0) {
        firstLost = lost++ == 0 ? text : firstLost;
      }
    }
    long unknown = kept.values().stream().filter(left -> left > 0).mapToInt(left -> left).sum();
    say(
        "%-16s sent=%d lost=%d doubled-or-altered=%d refused=%d"
            .formatted(run, expected.size(), lost, unknown, refused));
    if (lost > 0) {
      say("  missing: " + firstLost);
      kept.entrySet().stream()
          .filter(left -> left.getValue() > 0)
          .findFirst()
          .ifPresent(left -> say("  instead: " + left.getKey()));
    }
    return lost == 0 && unknown == 0 && refused == 0;
  }

  private static int count(Map<String, Integer> kept) {
    return kept.values().stream().mapToInt(value -> value).sum();
  }

  /**
   * Returns how often the collector has stored each text of a run. The collector writes a JSON
   * object on each line, with one event or many.
   */
  private Map<String, Integer> kept(String run) throws IOException {
    Map<String, Integer> kept = new HashMap<>();
    String mark = " " + run + " ";
    for (String line : lines()) {
      if (!line.endsWith("}")) {
        continue; // an incomplete line
      }
      JsonNode object = JSON.readTree(line);
      for (String name : List.of("stringValue", "_msg")) { // OpenTelemetry, VictoriaLogs
        for (JsonNode one : object.findValues(name)) {
          String text = shown(bytes(one.asText()));
          if (text.contains(mark)) {
            kept.merge(text, 1, Integer::sum);
          }
        }
      }
    }
    return kept;
  }

  private List<String> lines() throws IOException {
    try (InputStream in = received.toURL().openStream()) {
      return List.of(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1).split("\n", -1));
    } catch (FileNotFoundException e) {
      return List.of(); // nothing is stored yet
    }
  }

  /**
   * Returns the bytes of a text that was decoded as ISO 8859-1, because a message to /raw need not
   * be UTF-8. A character above U+00FF was a JSON escape, and becomes UTF-8.
   */
  private static byte[] bytes(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); i++) {
      char one = text.charAt(i);
      if (one < 0x100) {
        bytes.write(one);
      } else { // a JSON escape
        bytes.writeBytes(String.valueOf(one).getBytes(StandardCharsets.UTF_8));
      }
    }
    return bytes.toByteArray();
  }

  /**
   * Returns the text that the sink sends for a message. If the message is not UTF-8, the sink also
   * escapes each backslash before an x.
   */
  private static String shown(byte[] message) {
    byte[] text =
        Utf8.isWellFormed(message)
            ? message
            : new String(message, StandardCharsets.ISO_8859_1)
                .replace("\\x", "\\x5Cx")
                .getBytes(StandardCharsets.ISO_8859_1);
    return RawParser.text(text, 0, text.length);
  }

  private void say(String line) {
    spec.commandLine().getOut().println(line);
  }
}
