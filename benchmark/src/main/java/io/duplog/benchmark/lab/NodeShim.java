package io.duplog.benchmark.lab;

import io.duplog.benchmark.load.HecPath;
import io.duplog.rig.LabDirectory;
import io.duplog.rig.LabException;
import io.duplog.rig.Probe;
import io.duplog.rig.RabbitMqProcess;
import io.duplog.rig.Server;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Configures the shim of a lab's ingest node, and the rsyslog action that hands it messages.
 * rsyslog starts the shim itself, unless the shim listens.
 */
public final class NodeShim {
  /** The command in 60-duplog.conf. */
  private static final String DEPLOYED_COMMAND =
      "/usr/bin/duplog-ingest --config /etc/duplog/duplog-ingest.yaml";

  /** Parameters of 60-duplog.conf that apply only to a shim that confirms. */
  private static final List<String> CONFIRMATION_PARAMETERS =
      List.of("killUnresponsive=\"on\"", "confirmTimeout=\"30000\"", "reportFailures=\"on\"");

  private static final String LISTEN_PASSWORD = "not-secret";

  /** Token of the clients of HTTP Event Collector. */
  public static final String HEC_TOKEN = "lab-token";

  private final String stream;
  private final LabDirectory directory;
  private final LabPlan plan;
  private final int brokerPort;
  private final Path home;
  private final Path configuration;
  private final int listenPort;
  private final @Nullable Certificate certificate;
  private final @Nullable Server listeningServer;

  NodeShim(String stream, LabDirectory directory, LabPlan plan, int brokerPort, int listenPort)
      throws LabException {
    this.listenPort = listenPort;
    this.stream = stream;
    this.directory = directory;
    this.plan = plan;
    this.brokerPort = brokerPort;
    this.home = directory.make(stream);
    this.certificate = plan.hasEncryptedClients ? new Certificate(home) : null;
    this.configuration = writeConfiguration("shim.yaml", mode());
    boolean listens =
        plan.ingest == LabPlan.Ingest.RSYSLOG_BULK || plan.ingest == LabPlan.Ingest.HEC;
    this.listeningServer = listens ? newListeningServer() : null;
  }

  private Server newListeningServer() {
    List<String> command = new ArrayList<>(command(configuration));
    command.add("--listen");
    return new Server(
        new Server.Launch("shim-" + stream, command, Map.of(), home),
        directory,
        () -> Probe.accepts(listenPort));
  }

  /** Returns the server of a shim that listens, or null if rsyslog starts the shim. */
  public @Nullable Server listeningServer() {
    return listeningServer;
  }

  /** Returns the URL that clients of HTTP Event Collector connect to, without a path. */
  public URI hecUrl() {
    return URI.create("http://127.0.0.1:" + listenPort);
  }

  /**
   * Returns a client of HTTP Event Collector. It accepts only the shim's newest certificate, if the
   * plan has encryption.
   */
  public HecPath newHecPath() {
    return new HecPath(
        () ->
            certificate == null
                ? new Socket(InetAddress.getLoopbackAddress(), listenPort)
                : certificate.connect(listenPort),
        HEC_TOKEN,
        "10.1.2.3");
  }

  /**
   * Replaces the files of the certificate that the shim shows to clients.
   *
   * @throws NullPointerException if the plan has no encryption
   */
  public void replaceCertificate() throws LabException {
    Objects.requireNonNull(certificate, "this lab has no certificate").replace();
  }

  private String mode() {
    return switch (plan.ingest) {
      case RSYSLOG, RSYSLOG_BULK, HEC, STDIN -> "confirm";
      case RSYSLOG_UNCONFIRMED -> "transactions";
      case RSYSLOG_LINES -> "lines";
    };
  }

  /** Writes the shim's configuration file for a mode of omprog, and returns the file's path. */
  private Path writeConfiguration(String name, String mode) throws LabException {
    Map<String, String> settings = new HashMap<>();
    settings.put("stream", stream);
    settings.put("broker.host", "127.0.0.1");
    settings.put("broker.port", Integer.toString(brokerPort));
    settings.put("broker.user", RabbitMqProcess.USER);
    settings.put("broker.password", RabbitMqProcess.PASSWORD);
    settings.put("broker.queue-count", Integer.toString(plan.tuning.queues()));
    settings.put("broker.queue-type", plan.queueType);
    settings.put("omprog.mode", mode);
    if (plan.ingest == LabPlan.Ingest.HEC) {
      settings.put("hec.listen", "127.0.0.1:" + listenPort);
      settings.put("hec.tokens", "[{name: lab, token: " + HEC_TOKEN + "}]");
      if (certificate != null) {
        settings.putAll(certificate.settings());
      }
    } else {
      settings.put("listen.port", Integer.toString(listenPort));
      settings.put("listen.password", LISTEN_PASSWORD);
    }
    settings.putAll(plan.tuning.shim());
    return LabDirectory.write(home.resolve(name), Tuning.configuration(settings));
  }

  private List<String> command(Path file) {
    if (plan.publisher != null) {
      return directory.java(
          LabJars.javaOptions("duplog"), LabJars.program(plan.publisher, List.of(brokerPort)));
    }
    List<String> options = new ArrayList<>(LabJars.javaOptions("duplog-ingest"));
    if (plan.ingest == LabPlan.Ingest.HEC) {
      options.remove("-XX:TieredStopAtLevel=1"); // as the start script does
    }
    return directory.java(
        options, List.of("-jar", plan.jars.shim().toString(), "--config", file.toString()));
  }

  /**
   * Returns the installed configuration of rsyslog, with the action that hands over to this shim.
   *
   * @param output file for the standard error of a shim that rsyslog starts
   */
  String rsyslogConfiguration(Path output) throws LabException {
    if (listeningServer != null) {
      String text = LabJars.text("60-duplog-bulk.conf");
      text = Rsyslog.replace(text, "serverport=\"516\"", "serverport=\"%d\"".formatted(listenPort));
      return Rsyslog.replace(
          text, "pwd=`cat /etc/duplog/listen.password`", "pwd=\"%s\"".formatted(LISTEN_PASSWORD));
    }
    String text = LabJars.text("60-duplog.conf");
    text = Rsyslog.replace(text, DEPLOYED_COMMAND, String.join(" ", command(configuration)));
    text = Rsyslog.replace(text, "/var/log/duplog-ingest.log", output.toString());
    if (!mode().equals("confirm")) {
      text = Rsyslog.replace(text, "confirmMessages=\"on\"", "confirmMessages=\"off\"");
      for (String parameter : CONFIRMATION_PARAMETERS) {
        text = Rsyslog.replace(text, parameter, "");
      }
    }
    return mode().equals("lines")
        ? Rsyslog.replace(text, "useTransactions=\"on\"", "useTransactions=\"off\"")
        : text;
  }

  /**
   * Prepares another process of this shim as a child of this program, without an rsyslog.
   *
   * @param number distinguishes several such shims of one node
   */
  PipedShim newPipedShim(PipedShim.Mode mode, int number) throws LabException {
    String name = "shim-%s-%d".formatted(stream, number);
    List<String> command =
        command(writeConfiguration(name + ".yaml", mode.name().toLowerCase(Locale.ROOT)));
    Server server =
        new Server(
            new Server.Launch(name, command, Map.of(), home, Redirect.PIPE), directory, () -> true);
    return new PipedShim(server);
  }
}
