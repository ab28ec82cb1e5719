package io.duplog.bridge;

import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.doctor.Check;
import io.duplog.doctor.Doctor;
import io.duplog.doctor.JsonReport;
import io.duplog.doctor.Report;
import io.duplog.doctor.Tally;
import io.duplog.doctor.TextReport;
import io.duplog.doctor.rsyslog.RsyslogCheck;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Looks at an installation, and says what is wrong, what it will cause, and what to change. */
@Command(
    name = "doctor",
    description = {
      "Look at an installation: what is wrong, what it will cause, what to change.",
      "Exit status: 0 without a problem, 1 with one (with --strict: or a warning), 2 where it could"
          + " not look."
    },
    mixinStandardHelpOptions = true)
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
      description = "The shim's file; without it, the one that rsyslog's action names.")
  private @Nullable Path ingestConfig;

  @Option(names = "--json", description = "For programs.")
  private boolean json;

  @Option(names = "--strict", description = "Exit status 1 for warnings too.")
  private boolean strict;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws ConfigException {
    List<Check> checks = new ArrayList<>();
    ofNode(checks);
    if (config != null) {
      BridgeConfig settings = ConfigLoader.ofSystem().load(config, BridgeConfig.class);
      assert settings != null;
    }
    if (checks.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "give --config, --rsyslog, or both");
    }
    PrintWriter out = spec.commandLine().getOut();
    Report report = json ? new JsonReport(out) : new TextReport(out);
    Tally tally = new Doctor(checks).examine(report);
    return tally.problems() > 0 || (strict && tally.warnings() > 0) ? 1 : 0;
  }

  private void ofNode(List<Check> checks) {
    if (rsyslog.isEmpty() && RsyslogCheck.isOfIngestNode(RSYSLOG)) {
      checks.add(RsyslogCheck.ofThisHost(RSYSLOG, ingestConfig));
    }
    rsyslog.forEach(file -> checks.add(RsyslogCheck.ofThisHost(file, ingestConfig)));
  }
}
