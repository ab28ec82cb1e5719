package io.duplog.cli;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Option with the bridge's configuration file, which most commands need. */
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
