package io.duplog.cli.route;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.deliver.hec.HecSinkConfig;
import io.duplog.deliver.route.Routing;
import io.duplog.deliver.route.RoutingConfig;
import io.duplog.deliver.route.RoutingConfig.Rule;
import io.duplog.deliver.route.RoutingConfig.RuleFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options with the routing rules for a dry run: a bridge's configuration, or rule files. */
final class RuleSource {
  @Option(names = "--config", paramLabel = "FILE", description = "The bridge's duplog.yaml.")
  private @Nullable Path config;

  @Option(
      names = "--rules",
      paramLabel = "FILE",
      description =
          "A rule file, instead of a configuration; again for more, in their order. All else is as"
              + " in a configuration that says nothing about it, but for the time zone: UTC.")
  private List<Path> files = new ArrayList<>();

  /** The opened routing, with the file and line of each of its rules. */
  record Opened(Routing routing, List<String> places) {}

  /**
   * Reads the configuration or the rule files, and the files that they include.
   *
   * @throws ConfigException that names what is wrong in one of them
   */
  Opened open() throws ConfigException {
    List<String> places = new ArrayList<>();
    RoutingConfig section = config == null ? ofFiles() : ofBridge(config);
    if (config != null) {
      addPlaces(config, "sink.hec.routing.rules", places);
    }
    for (Path file : files) {
      addPlaces(file, "rules", places);
    }
    for (String file : section.include()) {
      addPlaces(Path.of(file), "rules", places);
    }
    return new Opened(new Routing(section).open(), places);
  }

  private static RoutingConfig ofBridge(Path config) throws ConfigException {
    HecSinkConfig hec = ConfigLoader.ofSystem().load(config, BridgeConfig.class).sink().hec();
    if (hec == null) {
      throw ConfigException.at(
          config.toString(),
          0,
          "sink.hec",
          "is missing, and no other sink has rules; --rules tries a rule file without it");
    }
    return hec.routing();
  }

  private RoutingConfig ofFiles() throws ConfigException {
    ConfigLoader loader = ConfigLoader.ofSystem();
    RoutingConfig defaults = loader.parse("--rules", "time-zone: UTC", RoutingConfig.class);
    List<Rule> rules = new ArrayList<>();
    for (Path file : files) {
      rules.addAll(loader.load(file, RuleFile.class).rules());
    }
    return new RoutingConfig(defaults.timeZone(), defaults.defaults(), rules, List.of(), null);
  }

  private static void addPlaces(Path file, String key, List<String> places) throws ConfigException {
    Map<String, Integer> lines = ConfigLoader.lines(file);
    for (int i = 0; lines.containsKey(key + "[" + i + "]"); i++) {
      places.add(file + ":" + lines.get(key + "[" + i + "]"));
    }
  }
}
