package io.duplog.benchmark.drive;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.common.base.Utf8;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.LinkedHashMultiset;
import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import io.duplog.collector.RawParser;
import io.duplog.config.ConfigException;
import io.duplog.deliver.SinkException;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code hec-foreign}: sends messages with unusual bytes to another project's HTTP
 * Event Collector, and checks that it stored them unaltered.
 */
@Command(
    name = "hec-foreign",
    description = {
      "Sends messages with unusual bytes through the HEC sink to another collector, with and"
          + " without gzip, and compares them event by event with those that it stored.",
      "Reads the events from Splunk's search API (--search). Or reads the file of an"
          + " OpenTelemetry collector, or VictoriaLogs' answer to a query (--received), like"
          + " benchmark/src/test/foreign/try-foreign."
    })
public final class HecForeignCommand implements Callable<Integer> {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int MESSAGES_PER_BATCH = 500;
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long POLL_MILLIS = 500;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--url", required = true, description = "The collector's URL.")
  private String url = "";

  @Option(
      names = "--token",
      paramLabel = "FILE",
      description = "File with the collector's token (default: the token 'any').")
  private @Nullable Path tokenFile;

  @Option(
      names = "--received",
      description = "Source of the stored events: file:/path or http://host:port/path.")
  private @Nullable URI receivedSource;

  @Option(
      names = "--search",
      paramLabel = "URL",
      description = "Splunk's management port, such as https://splunk:8089.")
  private @Nullable URI searchUrl;

  @Option(
      names = "--search-token",
      paramLabel = "FILE",
      description = "File with an authentication token of a user who may search all indexes.")
  private @Nullable Path searchTokenFile;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description = "File with the CA of both ports (default: those that Java trusts).")
  private @Nullable String caFile;

  @Option(
      names = "--messages",
      paramLabel = "N",
      description =
          "Number of messages for each endpoint and compression (default: ${DEFAULT-VALUE}).")
  private int messageCount = 10_000;

  @Option(
      names = "--endpoint",
      split = ",",
      description = "Endpoints to use (default: ${DEFAULT-VALUE}).")
  private List<String> endpoints = List.of("event", "raw");

  @Option(names = "--acknowledge", description = "Wait for the collector's acknowledgements.")
  private boolean isAcknowledging;

  private @Nullable SplunkSearch splunk;

  @Override
  public Integer call() throws IOException, InterruptedException, ConfigException, SinkException {
    if ((searchUrl == null) != (searchTokenFile == null)
        || (searchUrl == null) == (receivedSource == null)) {
      throw new ParameterException(
          spec.commandLine(), "specify --received, or --search and --search-token");
    }
    if (searchUrl != null && searchTokenFile != null) {
      splunk = new SplunkSearch(searchUrl, Files.readString(searchTokenFile).strip(), caFile);
      print("Splunk " + splunk.version());
    }
    boolean allExact = true;
    for (String endpoint : endpoints) {
      for (String compression : new String[] {"none", "gzip"}) {
        allExact &= isExact(endpoint, compression);
      }
    }
    return allExact ? 0 : 1;
  }

  private boolean isExact(String endpoint, String compression)
      throws IOException, InterruptedException, ConfigException, SinkException {
    String run = endpoint + "-" + compression + (isAcknowledging ? "-ack" : "");
    if (splunk != null) {
      // Splunk keeps the messages of earlier runs.
      run += "-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
    }
    List<byte[]> sent = OddMessages.of(run, messageCount, 1);
    long refused;
    try (DrivenSink sink =
        new DrivenSink(
            "urls: [\"%s\"]\ntoken: \"%s\"\nendpoint: %s\ncompression: %s\nacknowledge: %b\n%s"
                .formatted(
                    url,
                    tokenFile == null ? "any" : Files.readString(tokenFile).strip(),
                    endpoint,
                    compression,
                    isAcknowledging,
                    caFile == null ? "" : "tls: {ca: \"%s\"}\n".formatted(caFile)),
            100)) {
      for (int i = 0; i < sent.size(); i += MESSAGES_PER_BATCH) {
        List<byte[]> part = sent.subList(i, Math.min(sent.size(), i + MESSAGES_PER_BATCH));
        if (!sink.deliver(part, TIMEOUT_NANOS)) {
          throw new IOException(url + " does not accept events");
        }
      }
      if (!sink.drain(TIMEOUT_NANOS)) {
        throw new IOException(url + " has not accepted everything");
      }
      refused = sink.refused();
    }
    return compare(run, sent, refused);
  }

  private boolean compare(String run, List<byte[]> sent, long refused)
      throws IOException, InterruptedException {
    Multiset<String> expected = LinkedHashMultiset.create();
    sent.forEach(message -> expected.add(sentText(message)));
    long deadline = System.nanoTime() + TIMEOUT_NANOS;
    Multiset<String> storedTexts = storedTexts(run);
    while (storedTexts.size() < expected.size() && System.nanoTime() - deadline < 0) {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      storedTexts = storedTexts(run);
    }
    Multiset<String> lost = Multisets.difference(expected, storedTexts);
    Multiset<String> unknown = Multisets.difference(storedTexts, expected);
    print(
        "%-16s sent=%d lost=%d doubled-or-altered=%d refused=%d"
            .formatted(run, expected.size(), lost.size(), unknown.size(), refused));
    if (!lost.isEmpty()) {
      print("  missing: " + lost.iterator().next());
      unknown.stream().findFirst().ifPresent(text -> print("  instead: " + text));
    }
    return lost.isEmpty() && unknown.isEmpty() && refused == 0;
  }

  /**
   * Returns the texts of a run as often as the collector has stored them. The collector writes a
   * JSON object on each line, with one event or many.
   */
  private Multiset<String> storedTexts(String run) throws IOException {
    Multiset<String> storedTexts = HashMultiset.create();
    String runMarker = " " + run + " ";
    for (String line : splunk == null ? readLines() : splunk.find("app: " + run)) {
      if (!line.endsWith("}")) {
        continue; // The line is incomplete.
      }
      JsonNode object = JSON.readTree(line);
      for (String name : List.of("stringValue", "_msg", "_raw")) { // The last name is Splunk's.
        for (JsonNode character : object.findValues(name)) {
          String text = sentText(bytes(character.asText()));
          if (text.contains(runMarker)) {
            storedTexts.add(text);
          }
        }
      }
    }
    return storedTexts;
  }

  private List<String> readLines() throws IOException {
    try (InputStream in = Objects.requireNonNull(receivedSource).toURL().openStream()) {
      return List.of(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1).split("\n", -1));
    } catch (FileNotFoundException e) {
      return List.of(); // No event is stored yet.
    }
  }

  /**
   * Returns the bytes of a text that was decoded as ISO 8859-1, because a message to /raw need not
   * be UTF-8. A character above U+00FF was a JSON escape, and becomes UTF-8.
   */
  private static byte[] bytes(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      if (character < 0x100) {
        bytes.write(character);
      } else { // The character was a JSON escape.
        bytes.writeBytes(String.valueOf(character).getBytes(StandardCharsets.UTF_8));
      }
    }
    return bytes.toByteArray();
  }

  /**
   * Returns the text that the sink sends for a message. If the message is not UTF-8, the sink also
   * escapes each backslash before an x.
   */
  private static String sentText(byte[] message) {
    byte[] text =
        Utf8.isWellFormed(message)
            ? message
            : new String(message, StandardCharsets.ISO_8859_1)
                .replace("\\x", "\\x5Cx")
                .getBytes(StandardCharsets.ISO_8859_1);
    return RawParser.text(text, 0, text.length);
  }

  private void print(String line) {
    spec.commandLine().getOut().println(line);
  }
}
