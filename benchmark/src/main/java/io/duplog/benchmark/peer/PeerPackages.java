package io.duplog.benchmark.peer;

import io.duplog.benchmark.lab.ChildProcess;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.rig.Folders;
import io.duplog.rig.LabException;
import io.duplog.rig.Programs;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Downloads and unpacks syslog servers without installing them, because installing would replace
 * the machine's rsyslog. Root permissions are not needed.
 */
public final class PeerPackages {
  /**
   * Downloads and unpacks the daemon and the module with http(). Apt finds the dependencies that
   * are not installed.
   */
  private static final String FETCH_SYSLOG_NG =
      """
      apt-get --simulate --no-install-recommends install syslog-ng-core syslog-ng-mod-http >plan
      apt-get download $(sed -n 's/^Inst \\([^ ]*\\) .*/\\1/p' plan)
      mkdir root
      for package in *.deb; do dpkg -x "$package" root; done
      """;

  /**
   * Downloads and unpacks rsyslog with omhttp and all of their libraries, as if nothing were
   * installed. Debian 12 and 13 have no omhttp, so the packages are those of Debian unstable if apt
   * does not offer it. They come from the server from which apt takes Debian's other packages.
   */
  private static final String FETCH_RSYSLOG =
      """
      : >status
      set -- -o Dir::State::status="$PWD/status"
      if [ -z "$(apt-cache show rsyslog-http 2>/dev/null)" ]; then
        address=$(apt-get indextargets --format '$(REPO_URI) $(LABEL) $(COMPONENT)' 'Created-By: Packages' |
          sed -n 's/ Debian main$//p' | head -n 1)
        [ -n "$address" ] || { echo "apt offers no rsyslog-http and knows no source of Debian" >&2; exit 1; }
        echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $address unstable main" >unstable.list
        mkdir -p state/lists/partial cache/archives/partial
        set -- "$@" -o Dir::State="$PWD/state" -o Dir::Cache="$PWD/cache" -o Acquire::Languages=none \
          -o Dir::Etc::SourceList="$PWD/unstable.list" -o Dir::Etc::SourceParts=/dev/null
        apt-get "$@" -o APT::Sandbox::User=root update
      fi
      apt-get "$@" --simulate --no-install-recommends install rsyslog-http >plan
      apt-get "$@" download $(sed -n 's/^Inst \\([^ ]*\\) .*/\\1/p' plan)
      mkdir root
      for package in *.deb; do dpkg -x "$package" root; done
      # With the packages' own loader, because the machine's C library may be older.
      cat >root/rsyslogd <<'END'
      #!/bin/sh
      root=$(dirname "$(readlink -f "$0")")
      lib=$(echo "$root"/usr/lib/*-linux-gnu*)
      exec "$lib"/ld-linux-*.so.* --library-path "$lib" "$root/usr/sbin/rsyslogd" -M "$lib/rsyslog" "$@"
      END
      chmod 755 root/rsyslogd
      """;

  /**
   * Copies the broker of Kafka, and all that it needs, from Maven's repository. The version is that
   * of the tests.
   */
  private static final String FETCH_KAFKA =
      """
      checkout=../../../../..
      version=$(sed -n 's/^  <version>\\(.*\\)<\\/version>$/\\1/p' $checkout/pom.xml | head -n 1)
      cat >pom.xml <<END
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <modelVersion>4.0.0</modelVersion>
        <parent>
          <groupId>io.duplog</groupId>
          <artifactId>duplog</artifactId>
          <version>$version</version>
          <relativePath>$checkout/pom.xml</relativePath>
        </parent>
        <artifactId>kafka-of-the-lab</artifactId>
        <dependencies>
          <dependency>
            <groupId>org.apache.kafka</groupId>
            <artifactId>kafka_2.13</artifactId>
          </dependency>
        </dependencies>
      </project>
      END
      mvn -B -q dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory=root
      """;

  private PeerPackages() {}

  /**
   * Returns the installed syslog-ng if there is one. Otherwise, returns the one from packages,
   * which are kept in the build directory of this checkout.
   *
   * @throws LabException if syslog-ng is not installed, and its packages can't be downloaded; the
   *     message has the reason
   */
  public static Installation installation() throws LabException {
    try {
      return new Installation(Programs.find("syslog-ng"), Map.of());
    } catch (LabException e) {
      return Installation.ofUnpacked(findUnpacked("syslog-ng", FETCH_SYSLOG_NG));
    }
  }

  /**
   * Returns the program of an rsyslog with omhttp, whose packages are kept in the build directory
   * of this checkout.
   *
   * @throws LabException if the packages can't be downloaded; the message has the reason
   */
  static Path rsyslogWithOmhttp() throws LabException {
    return findUnpacked("rsyslog", FETCH_RSYSLOG).resolve("rsyslogd");
  }

  /**
   * Returns the folder with the jars of Kafka's broker, which are kept in the build directory of
   * this checkout.
   *
   * @throws LabException if Maven can't provide them; the message has the reason
   */
  public static Path kafkaJars() throws LabException {
    return findUnpacked("kafka", FETCH_KAFKA);
  }

  /**
   * Returns the directory with the unpacked packages. Downloads them first if it is missing.
   *
   * @param script fetches the packages and unpacks them into the folder {@code root}
   */
  private static Path findUnpacked(String product, String script) throws LabException {
    Path cache = LabJars.checkout().resolve("benchmark/target/peer-packages/" + product);
    Path root = cache.resolve("root");
    if (!Files.isDirectory(root)) {
      try {
        Files.createDirectories(cache);
        Path workFolder = Files.createTempDirectory(cache, "fetch-");
        try {
          fetch(product, script, workFolder);
          Files.move(workFolder.resolve("root"), root);
        } catch (FileAlreadyExistsException e) {
          // Another process was faster, and has unpacked the same packages.
        } finally {
          Folders.delete(workFolder);
        }
      } catch (IOException e) {
        throw new LabException(product + "'s packages can't be kept in " + cache + ": " + e, e);
      }
    }
    return root;
  }

  private static void fetch(String product, String script, Path workFolder) throws LabException {
    ChildProcess.Result result =
        ChildProcess.runAllowingFailure(workFolder, Map.of(), List.of("sh", "-ec", script));
    if (result.status() != 0) {
      throw new LabException(
          product + "'s packages can't be downloaded: " + lastLine(result.output()));
    }
  }

  /** Returns the last line of an output, without URLs, which might reveal a private mirror. */
  static String lastLine(String output) {
    return output.strip().replaceFirst("(?s).*\n", "").strip().replaceAll("\\S+://\\S+", "...");
  }
}
