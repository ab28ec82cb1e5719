package io.duplog.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.tls.Authority;
import io.duplog.tls.CertificateFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the authority issues is valid for two days. */
class CertificateCheckTest {
  @TempDir private Path folder;
  private Authority ca;

  @BeforeEach
  void issue() {
    ca = new Authority(folder, "ca").issue("client");
  }

  private static Finding look(CertificateFile file, Duration ago) {
    Findings findings = new Findings(file.path());
    new CertificateCheck(file, () -> Instant.now().minus(ago)).examine(findings);
    assertThat(findings.list()).hasSize(1);
    return findings.list().get(0);
  }

  @Test
  void certificate_thatLastsForMonths_isWell() {
    Finding found = look(new CertificateFile(ca.path("client.pem"), false), Duration.ofDays(60));
    assertThat(found.severity()).isEqualTo(Severity.OK);
    assertThat(found.what()).matches("it is valid until 20.*Z");
  }

  @Test
  void certificate_thatEndsWithinAMonth_isWarnedOf() {
    Finding found = look(new CertificateFile(ca.path("client.pem"), false), Duration.ZERO);
    assertThat(found.severity()).isEqualTo(Severity.WARNING);
    assertThat(found.what()).startsWith("it ends on 20");
  }

  @Test
  void certificate_thatEnded_isAProblem() {
    ca.issueExpired("late");
    Finding found = look(new CertificateFile(ca.path("late.pem"), false), Duration.ZERO);
    assertThat(found.severity()).isEqualTo(Severity.PROBLEM);
    assertThat(found.what()).startsWith("it ended on 20");
  }

  @Test
  void file_thatIsNotThere_isAProblem_thatNamesIt() {
    Finding found = look(new CertificateFile(ca.path("none.pem"), true), Duration.ZERO);
    assertThat(found.severity()).isEqualTo(Severity.PROBLEM);
    assertThat(found.what()).contains("none.pem");
  }

  @Test
  void chain_endsWithItsFirst_andCasWithTheirLast() throws Exception {
    ca.issueExpired("late");
    Path both = folder.resolve("both.pem");
    Files.writeString(both, ca.text("late.pem") + ca.text("client.pem"));

    assertThat(look(new CertificateFile(both.toString(), false), Duration.ZERO).severity())
        .isEqualTo(Severity.PROBLEM);
    assertThat(look(new CertificateFile(both.toString(), true), Duration.ZERO).severity())
        .isEqualTo(Severity.WARNING);
  }
}
