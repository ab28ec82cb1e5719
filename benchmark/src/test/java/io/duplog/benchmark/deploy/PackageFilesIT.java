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

/** Tests what the build made, with the distribution's tools on this machine. */
class PackageFilesIT {
  /** Pattern of mode, owner, and the path without what stands before its first folder. */
  private static final Pattern LISTED =
      Pattern.compile("(?m)^(-\\S+)\\s+(\\S+)\\s+\\d+\\s+\\S+\\s+\\S+\\s+\\.?/?(\\S+)$");

  @Test
  void lintian_findsNothing() throws Exception {
    assertThat(
            output(
                "lintian",
                "--fail-on=error,warning",
                "--suppress-tags=initial-upload-closes-no-bugs",
                DebianPackage.BRIDGE.file().toString(),
                DebianPackage.INGEST.file().toString()))
        .doesNotContainPattern("(?m)^[EW]: ");
  }

  @ParameterizedTest
  @EnumSource
  void archive_hasTheFilesOfThePackage(DebianPackage made) throws Exception {
    List<String> ofPackage = files(output("dpkg-deb", "--contents", made.file().toString()));
    List<String> ofArchive =
        new ArrayList<>(files(output("tar", "-tvzf", made.archive().toString())));
    // The package's postinst makes it, from the one in /usr/share.
    ofArchive.removeIf(file -> file.endsWith("etc/rsyslog.d/60-duplog.conf.disabled"));

    assertThat(ofArchive).isNotEmpty().containsExactlyInAnyOrderElementsOf(ofPackage);
    assertThat(ofPackage).allMatch(file -> file.contains(" root/root "));
  }

  private static List<String> files(String listing) {
    return LISTED
        .matcher(listing)
        .results()
        .map(file -> file.group(1) + " " + file.group(2) + " " + file.group(3))
        .toList();
  }

  /** Another licence would have failed the build. */
  @ParameterizedTest
  @EnumSource
  void billOfMaterials_namesWhatTheLicencesName(DebianPackage made) throws Exception {
    String folder = "usr/share/doc/" + made.title() + "/";
    String bill = inArchive(made, folder + made.title() + ".cdx.json");
    String licences = inArchive(made, folder + "THIRD-PARTY.txt");

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

  private static String inArchive(DebianPackage made, String path) throws Exception {
    return output("tar", "-xzOf", made.archive().toString(), path);
  }

  private static String output(String... command) throws LabException {
    return ChildProcess.run(Path.of("/"), List.of(command));
  }
}
