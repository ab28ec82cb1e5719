package io.duplog.doctor;

import io.duplog.tls.CertificateFile;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * Checks how long the certificates in a file remain valid.
 *
 * @param clock {@code Instant::now}, or a test's clock
 */
public record CertificateCheck(CertificateFile file, Supplier<Instant> clock) implements Check {
  private static final Duration SOON = Duration.ofDays(30);
  private static final String REMEDY = "replace the file; no restart is needed";

  @Override
  public String subject() {
    return (file.trusted() ? "CAs " : "certificate ") + file.path();
  }

  @Override
  public void examine(Findings findings) {
    Instant end;
    try {
      end = file.validUntil();
    } catch (IOException e) {
      findings.problem(
          String.valueOf(e.getMessage()), "the next connection that needs it fails", REMEDY);
      return;
    }
    Instant now = clock.get();
    if (end.isBefore(now)) {
      findings.problem("it expired on " + end, "new connections that need it fail", REMEDY);
    } else if (end.isBefore(now.plus(SOON))) {
      findings.warning(
          "it expires on " + end, "new connections that need it will then fail", REMEDY);
    } else {
      findings.ok("it is valid until " + end);
    }
  }
}
