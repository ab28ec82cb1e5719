package io.duplog.cli.route;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.SinkConfig;
import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.deliver.route.Routing;
import io.duplog.deliver.route.RoutingConfig;
import io.duplog.deliver.route.RoutingConfig.Rule;
import io.duplog.deliver.route.RoutingConfig.RuleFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options of {@code duplog route} that say which routing rules to try: those of a bridge's
 * configuration, or of files.
 */
final class RuleSource {
  @Option(names = "--config", paramLabel = "FILE", description = "The bridge's duplog.yaml.")
  private @Nullable Path config;

  @Option(
      names = "--rules",
      paramLabel = "FILE",
      description =
          "Rule file to try instead of --config. Repeat it for several files; they apply in the"
              + " order given. Everything else has its default, except the time zone, which is UTC.")
  private List<Path> files = new ArrayList<>();

  /**
   * The opened routing.
   *
   * @param ruleLocations the file and line of each rule
   * @param hasTopics whether rules may set topics, because the sink is Kafka or is not known
   * @param topic the topic of messages for which no rule sets one, or null if it is not known
   */
  record Opened(
      Routing routing, List<String> ruleLocations, boolean hasTopics, @Nullable String topic) {}

  /**
   * Reads the configuration or the rule files, and the files that they include.
   *
   * @param sink the name of the sink whose rules to try, or null for the first one with rules
   * @throws ConfigException if one of them is invalid; the message names the problem
   */
  Opened open(@Nullable String sink) throws ConfigException {
    List<String> ruleLocations = new ArrayList<>();
    SinkConfig ofBridge = config == null ? null : ofBridge(config, sink, ruleLocations);
    RoutingConfig section = ofBridge == null ? ofFiles() : Objects.requireNonNull(ofBridge.rules());
    for (Path file : files) {
      addRuleLocations(file, "rules", ruleLocations);
    }
    for (String file : section.include()) {
      addRuleLocations(Path.of(file), "rules", ruleLocations);
    }
    String topic = ofBridge == null ? null : ofBridge.topic();
    return new Opened(
        new Routing(section).open(), ruleLocations, ofBridge == null || topic != null, topic);
  }

  private static SinkConfig ofBridge(Path config, @Nullable String name, List<String> ruleLocations)
      throws ConfigException {
    BridgeConfig bridge = ConfigLoader.ofSystem().load(config, BridgeConfig.class);
    for (Map.Entry<String, SinkConfig> each : bridge.allSinks().entrySet()) {
      SinkConfig sink = each.getValue();
      RoutingConfig rules = sink.rules();
      if (rules != null && (name == null || name.equals(each.getKey()))) {
        String key = bridge.sink() == null ? "sinks." + each.getKey() : "sink";
        addRuleLocations(config, key + "." + sink.rulesKey() + ".rules", ruleLocations);
        return sink;
      }
    }
    throw ConfigException.at(
        config.toString(),
        0,
        name == null ? "sink.hec" : "sinks." + name,
        (name == null ? "is missing, and no other sink has rules" : "is missing, or has no rules")
            + "; --rules tries a rule file without it");
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

  private static void addRuleLocations(Path file, String key, List<String> ruleLocations)
      throws ConfigException {
    Map<String, Integer> lines = ConfigLoader.lines(file);
    for (int i = 0; lines.containsKey(key + "[" + i + "]"); i++) {
      ruleLocations.add(file + ":" + lines.get(key + "[" + i + "]"));
    }
  }
}
