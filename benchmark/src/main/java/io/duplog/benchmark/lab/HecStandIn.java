package io.duplog.benchmark.lab;

import io.duplog.benchmark.lab.proxy.FaultyProxy;
import io.duplog.rig.LabDirectory;
import io.duplog.rig.LabException;
import io.duplog.rig.Ports;
import io.duplog.rig.Probe;
import io.duplog.rig.Server;
import io.duplog.rig.TinyproxyProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Runs the stand-in for Splunk of a lab as a separate process. */
public final class HecStandIn {
  /** Names of the measured stand-in and of a second one. */
  public static final String FIRST = "hec";

  static final String SECOND = "second-hec";

  private static final String OUTPUT_FILE = "merged.log";

  /**
   * Time in seconds that a bridge waits for an acknowledgement before it sends the events again.
   */
  public static final int ACK_TIMEOUT_SECONDS = 10;

  /** Java options with a small heap, which limits the number of requests in memory. */
  private static final List<String> JAVA_OPTIONS = List.of("-Xmx256m", "-XX:+UseSerialGC");

  public static final String TOKEN = "7f0c2a9e-4a53-4d34-9d0b-1c5d2e8f6a10";

  private static final Duration ADMIN_TIMEOUT = Duration.ofSeconds(5);

  private final int port;
  private final int adminPort;
  private final Path output;
  private final boolean isAcknowledging;
  private final Server server;
  private final int proxyPort;
  private final @Nullable Server proxy;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /**
   * Prepares the process. Starts nothing.
   *
   * @param name name of the process and of its folder
   * @param sink kind of HEC; one of the kinds puts an HTTP proxy in front
   */
  public HecStandIn(String name, LabDirectory directory, Ports ports, LabPlan.Sink sink)
      throws LabException {
    this.port = ports.next();
    this.adminPort = ports.next();
    this.isAcknowledging = sink == LabPlan.Sink.HEC_ACKNOWLEDGED;
    this.proxyPort = sink == LabPlan.Sink.HEC_BY_PROXY ? ports.next() : 0;
    this.proxy =
        proxyPort == 0 ? null : TinyproxyProcess.server(directory, proxyPort, "MaxClients 500");
    Path home = directory.make(name);
    this.output = home.resolve(OUTPUT_FILE);
    this.server =
        new Server(
            new Server.Launch(name, command(directory), Map.of(), home),
            directory,
            () -> Probe.accepts(port) && Probe.accepts(adminPort));
  }

  /**
   * Puts symbolic links into a lab's directory, so that its stand-ins write their output into
   * another folder. Must be called before the stand-ins start.
   */
  public static void writeInto(Path folder, Path lab) throws IOException {
    for (String name : List.of(FIRST, SECOND)) {
      Path home = Files.createDirectories(lab.resolve(name));
      Files.createSymbolicLink(home.resolve(OUTPUT_FILE), folder.resolve(name + ".log"));
    }
  }

  private List<String> command(LabDirectory directory) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-cp",
                LabJars.classPath(),
                "io.duplog.benchmark.BenchmarkMain",
                "hec-stand-in",
                "--port=" + port,
                "--admin-port=" + adminPort,
                "--token=" + TOKEN,
                "--out=" + output));
    if (isAcknowledging) {
      arguments.add("--acknowledge");
    }
    return directory.java(JAVA_OPTIONS, arguments);
  }

  public int port() {
    return port;
  }

  /** Returns the file to which the stand-in writes each indexed event as one line. */
  public Path output() {
    return output;
  }

  public Server server() {
    return server;
  }

  /**
   * Returns the HTTP proxy between bridges and the stand-in. Throws NullPointerException if there
   * is none.
   */
  public Server proxy() {
    return Objects.requireNonNull(proxy, "this lab has no HTTP proxy");
  }

  /** Returns the stand-in's server, and the HTTP proxy if there is one. */
  public List<Server> servers() {
    return proxy == null ? List.of(server) : List.of(server, proxy);
  }

  /**
   * Adds a fault to those that are active.
   *
   * @param parameters query string for the stand-in's admin port, such as {@code
   *     fault=answer&code=9&millis-long=60000}
   * @throws IOException if the stand-in refuses the parameters, or does not answer
   */
  public void fault(String parameters) throws IOException, InterruptedException {
    sendAdminRequest("POST", "?" + parameters);
  }

  /** Ends all faults of the stand-in, which then accepts connections and acknowledges at once. */
  public void clearFaults() throws IOException, InterruptedException {
    sendAdminRequest("DELETE", "");
  }

  private void sendAdminRequest(String method, String query)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:%d/fault%s".formatted(adminPort, query)))
            .timeout(ADMIN_TIMEOUT)
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build();
    HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException("the HEC stand-in refuses " + query + ": " + answer.body().strip());
    }
  }

  /**
   * Returns the keys and values of a bridge's configuration for this sink, without the section that
   * they are in.
   *
   * @param connectPort port of the stand-in, or of its {@link FaultyProxy}
   */
  Map<String, String> settings(int connectPort) {
    Map<String, String> settings = new HashMap<>();
    settings.put("type", "hec");
    settings.put("hec.urls", "[\"http://127.0.0.1:%d\"]".formatted(connectPort));
    settings.put("hec.token", '"' + TOKEN + '"');
    if (proxy != null) {
      settings.put("hec.proxy.url", "\"http://127.0.0.1:%d\"".formatted(proxyPort));
    }
    if (isAcknowledging) {
      settings.put("hec.acknowledge", "true");
      settings.put("hec.ack-poll", "200ms");
      settings.put("hec.ack-timeout", ACK_TIMEOUT_SECONDS + "s");
    }
    return settings;
  }
}
