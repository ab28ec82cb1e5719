package io.duplog.benchmark.lab;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The shim of one ingest node, as rsyslog's configuration names it. rsyslog starts it, so there is
 * no server to start here.
 */
final class Shim implements OmprogProgram {
  private static final int MARK_BYTES = 16;

  private final String beginMark = "BEGIN " + unguessable();
  private final String commitMark = "COMMIT " + unguessable();
  private final Path configuration;
  private final LabDirectory directory;
  private final Path jar;

  Shim(String stream, LabDirectory directory, Path jar, int brokerPort) throws LabException {
    this.directory = directory;
    this.jar = jar;
    this.configuration =
        LabDirectory.write(
            directory.make(stream).resolve("shim.yaml"),
            """
            stream: %s
            broker:
              host: 127.0.0.1
              port: %d
              user: %s
              password: %s
            omprog:
              mode: confirm
              begin-mark: "%s"
              commit-mark: "%s"
            """
                .formatted(
                    stream, brokerPort, RabbitMq.USER, RabbitMq.PASSWORD, beginMark, commitMark));
  }

  @Override
  public String parameters(Path output) {
    return """
    binary="%s -Xmx48m -XX:+UseSerialGC -XX:-UsePerfData \
    -Djava.io.tmpdir=%s -jar %s --config %s"
      useTransactions="on" confirmMessages="on"
      beginTransactionMark="%s" commitTransactionMark="%s"
      reportFailures="on" output="%s"\
    """
        .formatted(
            Programs.java(),
            directory.temporary(),
            jar,
            configuration,
            beginMark,
            commitMark,
            output);
  }

  private static String unguessable() {
    byte[] bytes = new byte[MARK_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
