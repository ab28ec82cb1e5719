package io.duplog.benchmark.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.benchmark.lab.ChildProcess;
import io.duplog.rig.LabException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that the built Debian packages have no lintian error, and that packages and archives
 * contain the right files and licences.
 */
class PackageFilesIT {
  /** Pattern of mode, owner, and the path without leading "./" or "/". */
  private static final Pattern LISTED_FILE =
      Pattern.compile("(?m)^(-\\S+)\\s+(\\S+)\\s+\\d+\\s+\\S+\\s+\\S+\\s+\\.?/?(\\S+)$");

  @Test
  void packages_checkedByLintian_haveNoErrorsOrWarnings() throws Exception {
    assertThat(
            run(
                "lintian",
                "--fail-on=error,warning",
                "--suppress-tags=initial-upload-closes-no-bugs",
                DebianPackage.BRIDGE.file().toString(),
                DebianPackage.INGEST.file().toString()))
        .doesNotContainPattern("(?m)^[EW]: ");
  }

  @ParameterizedTest
  @EnumSource
  void archive_listed_hasFilesOfPackage(DebianPackage debianPackage) throws Exception {
    List<String> packageFiles =
        files(run("dpkg-deb", "--contents", debianPackage.file().toString()));
    List<String> archiveFiles =
        new ArrayList<>(files(run("tar", "-tvzf", debianPackage.archive().toString())));
    // The package's postinst creates this file, from the one in /usr/share.
    archiveFiles.removeIf(file -> file.endsWith("etc/rsyslog.d/60-duplog.conf.disabled"));

    assertThat(archiveFiles).isNotEmpty().containsExactlyInAnyOrderElementsOf(packageFiles);
    assertThat(packageFiles).allMatch(file -> file.contains(" root/root "));
  }

  private static List<String> files(String listing) {
    return LISTED_FILE
        .matcher(listing)
        .results()
        .map(file -> file.group(1) + " " + file.group(2) + " " + file.group(3))
        .toList();
  }

  /** The bill of materials must match the licences. Another licence would have failed the build. */
  @ParameterizedTest
  @EnumSource
  void billOfMaterials_components_haveLicences(DebianPackage debianPackage) throws Exception {
    String folder = "usr/share/doc/" + debianPackage.title() + "/";
    String bill = readFromArchive(debianPackage, folder + debianPackage.title() + ".cdx.json");
    String licences = readFromArchive(debianPackage, folder + "THIRD-PARTY.txt");

    Matcher components = Pattern.compile("pkg:maven/([^/\"]+)/([^@\"]+)@").matcher(bill);
    assertThat(
            components
                .results()
                .map(part -> part.group(1) + ":" + part.group(2))
                .filter(part -> !part.startsWith("io.duplog:"))
                .distinct()
                .toList())
        .contains("com.rabbitmq:amqp-client")
        .allMatch(part -> licences.contains("(" + part + ":"), "has a licence");
  }

  private static String readFromArchive(DebianPackage debianPackage, String path) throws Exception {
    return run("tar", "-xzOf", debianPackage.archive().toString(), path);
  }

  private static String run(String... command) throws LabException {
    return ChildProcess.run(Path.of("/"), List.of(command));
  }
}
