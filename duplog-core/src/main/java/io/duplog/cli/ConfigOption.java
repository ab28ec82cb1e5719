package io.duplog.cli;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Command-line option {@code --config}, which names the bridge's configuration file. */
final class ConfigOption {
  @Option(names = "--config", required = true, paramLabel = "FILE", description = "duplog.yaml")
  private Path path = Path.of("");

  Path path() {
    return path;
  }

  BridgeConfig load() throws ConfigException {
    return ConfigLoader.ofSystem().load(path, BridgeConfig.class);
  }
}
