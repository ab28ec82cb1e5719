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

/** Tests that the doctor warns of certificates that expire soon. */
class CertificateCheckTest {
  @TempDir private Path folder;
  private Authority ca;

  @BeforeEach
  void issue() {
    ca = new Authority(folder, "ca").issue("client");
  }

  private String look(String file, boolean trusted, int daysAgo) {
    CertificateFile certificate = new CertificateFile(ca.path(file), trusted);
    Instant now = Instant.now().minus(Duration.ofDays(daysAgo));
    return String.join("\n", Told.by(new CertificateCheck(certificate, () -> now)::examine));
  }

  @Test
  void certificate_isJudgedByItsEnd() {
    ca.issueExpired("late");

    assertThat(look("client.pem", false, 60)).matches("OK \\| it is valid until 20.*Z.*");
    assertThat(look("client.pem", false, 0)).startsWith("WARNING | it expires on 20");
    assertThat(look("late.pem", false, 0)).startsWith("PROBLEM | it expired on 20");
    assertThat(look("none.pem", true, 0)).startsWith("PROBLEM | ").contains("none.pem");
  }

  @Test
  void chain_endsWithItsFirst_andCasWithTheirLast() throws Exception {
    ca.issueExpired("late");
    Files.writeString(Path.of(ca.path("both.pem")), ca.text("late.pem") + ca.text("client.pem"));

    assertThat(look("both.pem", false, 0)).startsWith("PROBLEM");
    assertThat(look("both.pem", true, 0)).startsWith("WARNING");
  }
}
