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

/** Command that reports what is wrong in an installation, its consequences, and what to change. */
@Command(
    name = "doctor",
    description = {
      "Look at an installation: what is wrong, what it will cause, what to change.",
      "Exit status: 0 without a problem, 1 with one (with --strict: or a warning), 2 where it could"
          + " not look."
    })
final class DoctorCommand implements Callable<Integer> {
  private static final Path RSYSLOG = Path.of("/etc/rsyslog.conf");

  @Option(names = "--config", paramLabel = "FILE", description = "duplog.yaml")
  private @Nullable Path config;

  @Option(
      names = "--rsyslog",
      paramLabel = "FILE",
      description =
          "An ingest node's rsyslog.conf; may be given again for another node's. Without it:"
              + " /etc/rsyslog.conf, where that starts a program.")
  private List<Path> rsyslog = new ArrayList<>();

  @Option(
      names = "--ingest-config",
      paramLabel = "FILE",
      description =
          "The shim's file; without it, the one that rsyslog's action names. Without --config, its"
              + " broker is looked at too.")
  private @Nullable Path ingestConfig;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Messages a second that senders log, for Redis's memory.")
  private long rate;

  @Option(
      names = "--management",
      paramLabel = "STREAM=URL",
      description =
          "A node's management plugin, such as syslog-a=http://user:password@node-a:15672; once for"
              + " each stream. A file of arguments, @FILE, keeps passwords from other users' eyes.")
  private Map<String, String> management = new LinkedHashMap<>();

  @Option(
      names = "--no-canary",
      description = "Send nothing at all, not even through a broker's queue of the doctor's own.")
  private boolean noCanary;

  @Option(
      names = "--canary",
      description =
          "Send one real message down each stream's queue, as the shims do, and one event into each"
              + " of Splunk's indexes by each URL. They stay in the merged stream, marked as canaries.")
  private boolean canary;

  @Option(
      names = "--canary-to",
      paramLabel = "HOST:PORT[/tcp]",
      description =
          "Send one real message by syslog, as a sender does; once for each node's rsyslog.")
  private List<String> canaryTo = new ArrayList<>();

  @Option(names = "--json", description = "For programs.")
  private boolean json;

  @Option(names = "--strict", description = "Exit status 1 for warnings too.")
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
