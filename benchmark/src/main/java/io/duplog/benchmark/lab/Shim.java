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
            omprog:
              mode: confirm
              begin-mark: "%s"
              commit-mark: "%s"
            """
                .formatted(stream, brokerPort, beginMark, commitMark));
  }

  @Override
  public String parameters(Path output) {
    return """
    binary="%s -Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData \
    -Djava.io.tmpdir=%s -jar %s --config %s"
      useTransactions="on" confirmMessages="on"
      beginTransactionMark="%s" commitTransactionMark="%s"
      forceSingleInstance="on" output="%s"\
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
