package io.duplog.cli;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.coverage.StatementConfig;
import io.duplog.senders.SenderList;
import io.duplog.statement.StatementKeys;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The command-line option {@code --config}, which names the bridge's configuration file. */
final class ConfigOption {
  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "The bridge's configuration file.")
  private Path path = Path.of("");

  Path path() {
    return path;
  }

  BridgeConfig load() throws ConfigException {
    return ConfigLoader.ofSystem().load(path, BridgeConfig.class);
  }

  /**
   * Reads the files that a configuration names and that a bridge needs to start. Certificates are
   * left out, because each connection reads them.
   *
   * @throws ConfigException if a file is invalid; the message names the problem
   */
  static void readFiles(BridgeConfig config) throws ConfigException {
    String senders = config.coverage().senderList();
    if (senders != null) {
      SenderList.read(Path.of(senders));
    }
    StatementConfig statements = config.coverage().statements();
    if (statements != null) {
      StatementKeys.privateKey(Path.of(statements.key()));
    }
  }
}
