package io.duplog.benchmark.lab;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * The shim of one ingest node: how it is configured, and how rsyslog's configuration names it.
 * rsyslog starts it, so there is no server to start here.
 */
final class Shim implements OmprogProgram {
  private static final int MARK_BYTES = 16;

  private final String beginMark = "BEGIN " + unguessable();
  private final String commitMark = "COMMIT " + unguessable();
  private final String stream;
  private final LabDirectory directory;
  private final Path jar;
  private final int brokerPort;
  private final Tuning tuning;
  private final boolean confirming;
  private final Path home;
  private final Path configuration;

  /**
   * @param confirming whether rsyslog waits for its answers
   */
  Shim(
      String stream,
      LabDirectory directory,
      Path jar,
      int brokerPort,
      boolean confirming,
      Tuning tuning)
      throws LabException {
    this.stream = stream;
    this.directory = directory;
    this.jar = jar;
    this.brokerPort = brokerPort;
    this.tuning = tuning;
    this.confirming = confirming;
    this.home = directory.make(stream);
    this.configuration = configuration("shim.yaml", confirming ? "confirm" : "transactions");
  }

  /** Writes a configuration file for a mode, and returns where it is. */
  private Path configuration(String name, String mode) throws LabException {
    Settings settings =
        Settings.NONE
            .with("stream", stream)
            .with("broker.host", "127.0.0.1")
            .with("broker.port", Integer.toString(brokerPort))
            .with("broker.user", RabbitMq.USER)
            .with("broker.password", RabbitMq.PASSWORD)
            .with("omprog.mode", mode)
            .with("omprog.begin-mark", '"' + beginMark + '"')
            .with("omprog.commit-mark", '"' + commitMark + '"')
            .with(tuning.shimSettings());
    return LabDirectory.write(home.resolve(name), settings.toYaml());
  }

  /** With the options that the packages start it with: the first compiler is enough for a shim. */
  private List<String> command(Path configurationFile) {
    return JavaCommand.of(
        tuning.shim().heapMegabytes(),
        directory,
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-jar",
            jar.toString(),
            "--config",
            configurationFile.toString()));
  }

  @Override
  public String parameters(Path output) {
    List<String> lines = new ArrayList<>();
    lines.add("binary=\"%s\"".formatted(String.join(" ", command(configuration))));
    lines.add("useTransactions=\"on\" confirmMessages=\"%s\"".formatted(confirming ? "on" : "off"));
    lines.add(
        "beginTransactionMark=\"%s\" commitTransactionMark=\"%s\""
            .formatted(beginMark, commitMark));
    if (confirming) {
      lines.add("killUnresponsive=\"on\" reportFailures=\"on\"");
    }
    lines.add("output=\"%s\"".formatted(output));
    return String.join("\n      ", lines);
  }

  /**
   * The same shim without an rsyslog, as a child of this process.
   *
   * @param number tells several of one node apart
   */
  PipedShim piped(PipedShim.Mode mode, int number) throws LabException {
    String name = "shim-%s-%d".formatted(stream, number);
    Path file = configuration(name + ".yaml", mode.configured());
    Server server =
        new Server(
            new Server.Launch(name, command(file), Map.of(), home, new Server.Stdio.Piped()),
            directory,
            () -> true);
    return new PipedShim(server, beginMark, commitMark);
  }

  private static String unguessable() {
    byte[] bytes = new byte[MARK_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
