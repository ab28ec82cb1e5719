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
 * The command {@code hec-foreign}, which sends odd messages to another project's HTTP Event
 * Collector, and compares them with what that one has stored.
 */
@Command(
    name = "hec-foreign",
    description = {
      "Sends messages with all kinds of bytes through the HEC sink to another collector, with and"
          + " without gzip, and compares event by event what that one kept.",
      "Reads what Splunk has by its search API (--search). Or understands the file of an"
          + " OpenTelemetry collector, and VictoriaLogs' answer to a query (--received), as"
          + " benchmark/src/test/foreign/try-foreign gives them."
    })
public final class HecForeignCommand implements Callable<Integer> {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int BATCH = 500;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long POLL_MILLIS = 500;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--url", required = true, description = "The collector's URL.")
  private String url = "";

  @Option(
      names = "--token",
      paramLabel = "FILE",
      description = "File with the collector's token (default: the token 'any').")
  private @Nullable Path token;

  @Option(
      names = "--received",
      description = "Where to read what it has: file:/path or http://host:port/path.")
  private @Nullable URI received;

  @Option(
      names = "--search",
      paramLabel = "URL",
      description = "Splunk's management port, such as https://splunk:8089.")
  private @Nullable URI search;

  @Option(
      names = "--search-token",
      paramLabel = "FILE",
      description = "File with an authentication token of a user who may search all indexes.")
  private @Nullable Path searchToken;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description = "File with the CA of both ports (default: those that Java trusts).")
  private @Nullable String ca;

  @Option(
      names = "--messages",
      paramLabel = "N",
      description = "How many each way (default: ${DEFAULT-VALUE}).")
  private int messages = 10_000;

  @Option(names = "--endpoint", split = ",", description = "Default: ${DEFAULT-VALUE}")
  private List<String> endpoints = List.of("event", "raw");

  @Option(names = "--acknowledge", description = "Wait for its acknowledgements.")
  private boolean acknowledge;

  private @Nullable SplunkSearch splunk;

  @Override
  public Integer call() throws IOException, InterruptedException, ConfigException, SinkException {
    if ((search == null) != (searchToken == null) || (search == null) == (received == null)) {
      throw new ParameterException(
          spec.commandLine(), "give --received, or --search and --search-token");
    }
    if (search != null && searchToken != null) {
      splunk = new SplunkSearch(search, Files.readString(searchToken).strip(), ca);
      say("Splunk " + splunk.version());
    }
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
    if (splunk != null) {
      // Splunk keeps what earlier runs have sent.
      run += "-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
    }
    List<byte[]> sent = OddMessages.of(run, messages, 1);
    long refused;
    try (DrivenSink sink =
        new DrivenSink(
            "urls: [\"%s\"]\ntoken: \"%s\"\nendpoint: %s\ncompression: %s\nacknowledge: %b\n%s"
                .formatted(
                    url,
                    token == null ? "any" : Files.readString(token).strip(),
                    endpoint,
                    compression,
                    acknowledge,
                    ca == null ? "" : "tls: {ca: \"%s\"}\n".formatted(ca)),
            100)) {
      for (int i = 0; i < sent.size(); i += BATCH) {
        List<byte[]> part = sent.subList(i, Math.min(sent.size(), i + BATCH));
        if (!sink.deliver(part, PATIENCE_NANOS)) {
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
    Multiset<String> expected = LinkedHashMultiset.create();
    sent.forEach(message -> expected.add(shown(message)));
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    Multiset<String> kept = kept(run);
    while (kept.size() < expected.size() && System.nanoTime() - deadline < 0) {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      kept = kept(run);
    }
    Multiset<String> lost = Multisets.difference(expected, kept);
    Multiset<String> unknown = Multisets.difference(kept, expected);
    say(
        "%-16s sent=%d lost=%d doubled-or-altered=%d refused=%d"
            .formatted(run, expected.size(), lost.size(), unknown.size(), refused));
    if (!lost.isEmpty()) {
      say("  missing: " + lost.iterator().next());
      unknown.stream().findFirst().ifPresent(text -> say("  instead: " + text));
    }
    return lost.isEmpty() && unknown.isEmpty() && refused == 0;
  }

  /**
   * Returns the texts of a run as often as the collector has stored them. The collector writes a
   * JSON object on each line, with one event or many.
   */
  private Multiset<String> kept(String run) throws IOException {
    Multiset<String> kept = HashMultiset.create();
    String mark = " " + run + " ";
    for (String line : splunk == null ? lines() : splunk.find("app: " + run)) {
      if (!line.endsWith("}")) {
        continue; // an incomplete line
      }
      JsonNode object = JSON.readTree(line);
      for (String name : List.of("stringValue", "_msg", "_raw")) { // the last is Splunk's
        for (JsonNode one : object.findValues(name)) {
          String text = shown(bytes(one.asText()));
          if (text.contains(mark)) {
            kept.add(text);
          }
        }
      }
    }
    return kept;
  }

  private List<String> lines() throws IOException {
    try (InputStream in = Objects.requireNonNull(received).toURL().openStream()) {
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
