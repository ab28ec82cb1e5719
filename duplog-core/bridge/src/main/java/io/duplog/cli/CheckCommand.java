package io.duplog.cli;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.IgnoredKeys;
import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.deliver.hec.HecSinkConfig;
import io.duplog.deliver.route.SenderZone;
import io.duplog.doctor.Check;
import io.duplog.doctor.Doctor;
import io.duplog.doctor.Finding;
import io.duplog.doctor.Findings;
import io.duplog.doctor.FindingsText;
import io.duplog.doctor.Severity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The command {@code duplog check}: runs those of the doctor's checks that a bridge has to pass
 * before it starts.
 */
@Command(
    name = "check",
    description = "Validate a bridge's configuration, and try every connection.",
    exitCodeListHeading = "Exit status:%n",
    exitCodeList = {
      "0:everything works",
      "1:there is a problem",
      "2:the command line or the configuration is wrong"
    },
    footerHeading = "Example:%n",
    footer = "  duplog check --config /etc/duplog/duplog.yaml")
final class CheckCommand implements Callable<Integer> {
  @Mixin private ConfigOption config = new ConfigOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws ConfigException {
    BridgeConfig bridge = config.load();
    ConfigOption.readFiles(bridge);
    FindingsText text = new FindingsText(spec.commandLine().getOut());
    List<Finding> all = Doctor.examine(checks(config.path(), bridge), text::print);
    text.end("check", all);
    return Severity.PROBLEM.count(all) > 0 ? 1 : 0;
  }

  static List<Check> checks(Path file, BridgeConfig bridge) throws ConfigException {
    @Nullable HecSinkConfig hec = bridge.firstHec();
    List<Check> checks = new ArrayList<>();
    checks.add(
        new FileCheck(
            file,
            IgnoredKeys.of(bridge, ConfigLoader.lines(file)),
            hec == null ? null : hec.routing().timeZone()));
    checks.addAll(Checkup.beforeStart(bridge));
    return checks;
  }

  /**
   * Checks a valid configuration file for probable mistakes.
   *
   * @param ignoredKeys a line for each key that the bridge ignores
   * @param zone the time zone of times without a zone, or null if the sink reads no times
   */
  record FileCheck(Path file, List<String> ignoredKeys, @Nullable SenderZone zone)
      implements Check {

    @Override
    public String subject() {
      return "configuration " + file;
    }

    @Override
    public void examine(Findings findings) {
      findings.ok("every key and value can be used");
      for (String line : ignoredKeys) {
        findings.warning(
            line, "what the key says has no effect", "take it out, or choose what it belongs to");
      }
      if (zone != null) {
        findings.ok("zone of times that name none: " + zone.id());
        if (zone.hazard() != null) {
          findings.warning(zone.hazard(), "", "");
        }
      }
    }
  }
}
