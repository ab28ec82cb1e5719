package io.duplog.doctor.rsyslog;

import io.duplog.doctor.Findings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the installed version of rsyslog, and reports whether it fits Duplog. */
final class RsyslogVersion {
  private static final Pattern VERSION = Pattern.compile("rsyslogd\\s+(\\d+)\\.(\\d+)");
  private static final int OLDEST_TRIED = 2302;
  private static final int PAUSES = 2608;

  private RsyslogVersion() {}

  /**
   * Returns the first line of {@code rsyslogd -v} on this host.
   *
   * @return null if there is no rsyslogd
   */
  static @Nullable String ofThisHost() {
    // Users other than root may not have the folders of the last two in their PATH.
    return Stream.of("rsyslogd", "/usr/sbin/rsyslogd", "/sbin/rsyslogd")
        .map(RsyslogVersion::said)
        .flatMap(Optional::stream)
        .findFirst()
        .orElse(null);
  }

  private static Optional<String> said(String program) {
    try {
      Process process = new ProcessBuilder(program, "-v").redirectErrorStream(true).start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return Optional.of(said.lines().findFirst().orElse(""));
    } catch (IOException e) {
      return Optional.empty(); // no such program
    }
  }

  /**
   * Returns the release, such as 2302 of {@code rsyslogd 8.2302.0}; 0 of a major version before 8.
   */
  static OptionalInt release(@Nullable String said) {
    Matcher matcher = VERSION.matcher(said == null ? "" : said);
    if (!matcher.find()) {
      return OptionalInt.empty();
    }
    int major = Integer.parseInt(matcher.group(1));
    int release = Integer.parseInt(matcher.group(2));
    return OptionalInt.of(major > 8 ? Integer.MAX_VALUE : major < 8 ? 0 : release);
  }

  static void judge(@Nullable String said, Findings findings) {
    Matcher matcher = VERSION.matcher(said == null ? "" : said);
    OptionalInt found = release(said);
    if (found.isEmpty() || !matcher.find()) {
      findings.notChecked(
          said == null ? "rsyslogd is not on this host" : "rsyslogd -v says '" + said + "'",
          "run rsyslogd -v on the ingest node; it must be 8.2302 or newer");
      return;
    }
    String version = matcher.group(1) + "." + matcher.group(2);
    int release = found.getAsInt();
    if (release < OLDEST_TRIED) {
      findings.warning(
          "rsyslogd is " + version + ", which is older than the versions tested with the shim",
          "its omprog may not support transactions and confirmation",
          "use 8.2302 or newer");
    } else {
      findings.ok(
          "rsyslogd is "
              + version
              + (release < PAUSES
                  ? "; before 8.2608 it repeats a failed transaction without a pause, and the shim"
                      + " pauses instead (omprog.failure-pause)"
                  : ""));
    }
  }
}
