package io.duplog.benchmark.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the downloaded packages of syslog-ng are unpacked so that it finds its libraries, and
 * that error messages omit URLs.
 */
class PeerPackagesTest {
  @Test
  void ofUnpacked_librariesInSeveralFolders_setsLibraryPath(@TempDir Path root) throws Exception {
    Files.createDirectories(root.resolve("usr/lib/syslog-ng/3.38"));
    Files.createDirectories(root.resolve("lib/x86_64-linux-gnu"));
    Files.createFile(root.resolve("usr/lib/syslog-ng/libsyslog-ng-3.38.so.0.0.0"));
    Files.createFile(root.resolve("lib/x86_64-linux-gnu/libpcre.so.3"));

    assertThat(Installation.ofUnpacked(root).environment())
        .isEqualTo(
            Map.of(
                "SYSLOGNG_PREFIX",
                root + "/usr",
                "LD_LIBRARY_PATH",
                root + "/lib/x86_64-linux-gnu:" + root + "/usr/lib/syslog-ng"));
  }

  @Test
  void lastLine_containsUrl_omitsUrl() {
    assertThat(PeerPackages.lastLine("one\nE: no http://host/file\n")).isEqualTo("E: no ...");
    assertThat(PeerPackages.lastLine("")).isEmpty();
  }
}
