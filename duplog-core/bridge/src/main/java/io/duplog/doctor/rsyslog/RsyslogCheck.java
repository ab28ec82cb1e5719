package io.duplog.doctor.rsyslog;

import io.duplog.config.ConfigException;
import io.duplog.doctor.Check;
import io.duplog.doctor.Findings;
import io.duplog.doctor.ShimSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks an ingest node's rsyslog: its version, and whether its configuration fits the shim.
 *
 * @param file rsyslog.conf
 * @param shimsFile the shim's file, or null for the one that the action's command line or the
 *     service names
 * @param version output of {@code rsyslogd -v}, or null if it is not known
 */
public record RsyslogCheck(Path file, @Nullable Path shimsFile, Supplier<@Nullable String> version)
    implements Check {
  /** The file that duplog-ingest.service names. */
  private static final Path INSTALLED = Path.of("/etc/duplog/duplog-ingest.yaml");

  private static final Pattern SHIMS_FILE = Pattern.compile("--config[= ]+(\\S+)");

  /** Creates a check that uses the version of the rsyslogd on this host. */
  public static RsyslogCheck ofThisHost(Path file, @Nullable Path shimsFile) {
    return new RsyslogCheck(file, shimsFile, RsyslogVersion::ofThisHost);
  }

  /** Whether the configuration file can be read and has an action that may be the shim's. */
  public static boolean isOfIngestNode(Path file) {
    try {
      RsyslogConfig config = RsyslogConfig.read(file);
      return !config.actions("omprog").isEmpty() || !listening(config).isEmpty();
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public String subject() {
    return "rsyslog, " + file;
  }

  @Override
  public void examine(Findings findings) {
    RsyslogConfig config;
    try {
      config = RsyslogConfig.read(file);
    } catch (IOException e) {
      String cause = e instanceof NoSuchFileException ? "no such file" : "can't be read: " + e;
      findings.notChecked(file + ": " + cause, "name the right file with --rsyslog");
      return;
    }
    String said = version.get();
    RsyslogVersion.judge(said, findings);
    config
        .troubles()
        .forEach(line -> findings.notChecked(line, "run this as root, and check rsyslogd -N1"));
    InputRules.judge(config, findings);
    List<Statement> actions = shims(config);
    if (actions.isEmpty()) {
      findings.problem(
          "no action sends messages to duplog-ingest",
          "this node's stream stays empty",
          "an action(type=\"omprog\" binary=\"… duplog-ingest.jar …\") as in Duplog's"
              + " 60-duplog.conf");
    }
    for (Statement action : actions) {
      ShimAction shims = new ShimAction(config, action, settings(action, findings));
      ActionRules.judge(shims, findings);
      EngineRule.judge(shims, RsyslogVersion.release(said), findings);
    }
    if (actions.stream().map(each -> each.get("server", "")).distinct().count() < actions.size()) {
      findings.warning(
          actions.size() + " actions send messages to the shim",
          "a message that reaches several of them is counted several times",
          "use one action per node");
    }
  }

  /** Returns the actions that send to a shim that listens, which demands this user's name. */
  private static List<Statement> listening(RsyslogConfig config) {
    return config.actions("omelasticsearch").stream()
        .filter(each -> each.get("uid", "").equals("duplog"))
        .toList();
  }

  /** Returns the actions of a node's own rsyslog, or those of a collector that sends by HEC. */
  private static List<Statement> shims(RsyslogConfig config) {
    List<Statement> own =
        Stream.concat(started(config).stream(), listening(config).stream()).toList();
    return own.isEmpty() ? config.all("action").stream().filter(HecRules::isHec).toList() : own;
  }

  /**
   * Returns the actions whose command mentions duplog; if there are none, a single program counts
   * as a wrapper of the shim.
   */
  private static List<Statement> started(RsyslogConfig config) {
    List<Statement> programs = config.actions("omprog");
    List<Statement> named =
        programs.stream().filter(each -> each.get("binary", "").contains("duplog")).toList();
    return named.isEmpty() && programs.size() == 1 ? programs : named;
  }

  private @Nullable ShimSettings settings(Statement action, Findings findings) {
    Path path = shimsFile;
    if (HecRules.isHec(action)) {
      return null; // a collector's rsyslog, whose host has no shim
    }
    if (path == null && action.get("binary") == null && Files.exists(INSTALLED)) {
      path = INSTALLED;
    }
    Matcher named = SHIMS_FILE.matcher(action.get("binary", ""));
    if (path == null && named.find() && Files.exists(Path.of(named.group(1)))) {
      path = Path.of(named.group(1));
    }
    if (path == null) {
      return null;
    }
    try {
      return ShimSettings.load(path);
    } catch (ConfigException e) {
      findings.notChecked(
          "the shim's file: " + String.valueOf(e.getMessage()).replace("\n", "; "),
          "run duplog-ingest --check as the user of rsyslog");
      return null;
    }
  }
}
