package io.duplog.cli;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.doctor.Check;
import io.duplog.doctor.ClockCheck;
import io.duplog.doctor.Doctor;
import io.duplog.doctor.Finding;
import io.duplog.doctor.FindingsJson;
import io.duplog.doctor.FindingsText;
import io.duplog.doctor.Management;
import io.duplog.doctor.Severity;
import io.duplog.doctor.SyslogCanary;
import io.duplog.doctor.rsyslog.RsyslogCheck;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code duplog doctor}: reports the problems of an installation, their consequences
 * and their remedies.
 */
@Command(
    name = "doctor",
    description = {
      "Examine an installation: show what is wrong, what it causes, and what to change.",
      "By default it sends test messages through queues of its own only."
    },
    exitCodeListHeading = "Exit status:%n",
    exitCodeList = {
      "0:there is no problem",
      "1:there is a problem; with --strict, also if there is a warning",
      "2:the installation can't be examined"
    },
    footerHeading = "Examples:%n",
    footer = {
      "  duplog doctor --config /etc/duplog/duplog.yaml",
      "  duplog doctor --rsyslog /etc/rsyslog.conf --ingest-config /etc/duplog/duplog-ingest.yaml"
    })
final class DoctorCommand implements Callable<Integer> {
  private static final Path RSYSLOG = Path.of("/etc/rsyslog.conf");

  @Option(names = "--config", paramLabel = "FILE", description = "The bridge's configuration file.")
  private @Nullable Path config;

  @Option(
      names = "--rsyslog",
      paramLabel = "FILE",
      description =
          "An ingest node's rsyslog.conf; repeat it for other nodes. Default: /etc/rsyslog.conf if"
              + " it starts a shim.")
  private List<Path> rsyslog = new ArrayList<>();

  @Option(
      names = "--ingest-config",
      paramLabel = "FILE",
      description =
          "The shim's configuration file. Default: the file that rsyslog's action names. Without"
              + " --config, the shim's broker is examined too.")
  private @Nullable Path ingestConfig;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Expected messages per second, to estimate Redis's memory.")
  private long rate;

  @Option(
      names = "--management",
      paramLabel = "STREAM=URL",
      description =
          "URL of a node's management plugin, such as syslog-a=http://user:password@node-a:15672."
              + " Repeat it for each stream. To hide passwords from other users, put the"
              + " options into a file and pass @FILE.")
  private Map<String, String> management = new LinkedHashMap<>();

  @Option(names = "--no-canary", description = "Send no test message at all.")
  private boolean noCanary;

  @Option(
      names = "--canary",
      description =
          "Send one real message through each stream's queue, as shims do, and one event to each"
              + " index of Splunk through each URL. They stay in the merged stream, marked as"
              + " canaries.")
  private boolean canary;

  @Option(
      names = "--canary-to",
      paramLabel = "HOST:PORT[/tcp]",
      description =
          "Send one real syslog message to this address, as a sender does. Repeat it for each node.")
  private List<String> canaryTo = new ArrayList<>();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Option(names = "--strict", description = "Also exit with 1 if there are warnings.")
  private boolean strict;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws ConfigException {
    checkOptions();
    List<Check> checks = new ArrayList<>();
    if (rsyslog.isEmpty() && RsyslogCheck.isOfIngestNode(RSYSLOG)) {
      rsyslog = List.of(RSYSLOG);
    }
    rsyslog.forEach(file -> checks.add(RsyslogCheck.ofThisHost(file, ingestConfig)));
    Checkup checkup =
        new Checkup(
            managements(),
            rate,
            canaries(),
            targets(),
            UUID.randomUUID().toString().substring(0, 8),
            new ClockCheck());
    if (config != null) {
      checks.addAll(checkup.of(ConfigLoader.ofSystem().load(config, BridgeConfig.class)));
    } else if (ingestConfig != null) {
      checks.addAll(checkup.ofShim(ingestConfig));
    }
    if (checks.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "give --config, or on an ingest node --rsyslog or --ingest-config");
    }
    PrintWriter out = spec.commandLine().getOut();
    FindingsText text = new FindingsText(out);
    List<Finding> all = Doctor.examine(checks, json ? finding -> {} : text::print);
    if (json) {
      FindingsJson.print(all, out);
    } else {
      text.end("doctor", all);
    }
    boolean warned = strict && Severity.WARNING.count(all) > 0;
    return Severity.PROBLEM.count(all) > 0 || warned ? 1 : 0;
  }

  private void checkOptions() {
    if (noCanary && (canary || !canaryTo.isEmpty())) {
      throw new ParameterException(
          spec.commandLine(), "--no-canary sends nothing: leave out --canary and --canary-to");
    }
    if (config == null && (canary || !canaryTo.isEmpty() || rate != 0 || !management.isEmpty())) {
      throw new ParameterException(
          spec.commandLine(), "--canary, --canary-to, --rate and --management need --config");
    }
    for (Path file : rsyslog) {
      if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
        throw new ParameterException(spec.commandLine(), "--rsyslog " + file + " can't be read");
      }
    }
  }

  private Checkup.Canaries canaries() {
    if (noCanary) {
      return Checkup.Canaries.NONE;
    }
    return canary ? Checkup.Canaries.REAL : Checkup.Canaries.APART;
  }

  private Map<String, Management> managements() {
    Map<String, Management> plugins = new LinkedHashMap<>();
    management.forEach(
        (stream, url) -> plugins.put(stream, parsed("--management", () -> Management.at(url))));
    return plugins;
  }

  private List<SyslogCanary.Target> targets() {
    return canaryTo.stream()
        .map(text -> parsed("--canary-to", () -> SyslogCanary.Target.parse(text)))
        .toList();
  }

  private <T> T parsed(String option, Supplier<T> parser) {
    try {
      return parser.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), option + " " + e.getMessage());
    }
  }
}
