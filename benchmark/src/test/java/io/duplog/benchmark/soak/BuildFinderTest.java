package io.duplog.benchmark.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.benchmark.lab.ChildProcess;
import io.duplog.rig.LabException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the command {@code soak} finds a build's jars in a folder, or builds them once from a
 * git revision.
 */
class BuildFinderTest {
  private static final String BUILD_SHIM =
      """
      mkdir -p duplog-ingest/target duplog-core/target
      echo shim > duplog-ingest/target/duplog-ingest.jar
      """;
  private static final String BUILD_BOTH = BUILD_SHIM + "cp what duplog-core/target/duplog.jar";

  @TempDir private Path folder;
  private final List<String> progress = new ArrayList<>();
  private String commit = "";

  @BeforeEach
  void createRepository() throws Exception {
    Files.writeString(folder.resolve("what"), "bridge");
    git("init -q");
    git("add what");
    git("-c user.name=x -c user.email=x@example.com commit -q -m x");
    git("tag v1");
    commit = git("rev-parse v1").strip();
  }

  private String git(String words) throws Exception {
    return ChildProcess.run(folder, List.of("sh", "-c", "git " + words));
  }

  private Build find(String given, String maven) throws LabException, InterruptedException {
    return new BuildFinder(
            folder, folder.resolve("cache"), List.of("sh", "-c", maven), progress::add)
        .find(given);
  }

  @Test
  void find_folderWithBothJars_usesItAndFingerprintsBytes() throws Exception {
    List<String> fingerprints = new ArrayList<>();
    for (String name : List.of("x", "y", "z")) {
      Path jars = Files.createDirectory(folder.resolve(name));
      Files.writeString(jars.resolve("duplog-ingest.jar"), "shim");
      Files.writeString(jars.resolve("duplog.jar"), name.equals("z") ? "other" : "bridge");
      Build build = find(jars.toString(), "exit 1");
      assertThat(build.shim()).isEqualTo(jars.resolve("duplog-ingest.jar"));
      assertThat(build.bridge()).isEqualTo(jars.resolve("duplog.jar"));
      fingerprints.add(build.fingerprint());
    }
    assertThat(fingerprints.get(0)).matches("[0-9a-f]{12}").isEqualTo(fingerprints.get(1));
    assertThat(fingerprints.get(2)).isNotEqualTo(fingerprints.get(0));
    assertThat(progress).isEmpty();
  }

  @Test
  void find_revision_buildsOnceInTemporaryWorktree() throws Exception {
    Build build = find("v1", BUILD_BOTH);

    assertThat(build.origin()).isEqualTo(commit);
    assertThat(build.shim()).hasContent("shim");
    assertThat(build.bridge()).hasContent("bridge");
    assertThat(folder.resolve("cache").toFile().list()).containsExactly(commit);
    assertThat(git("worktree list").lines()).hasSize(1);
    assertThat(progress).containsExactly("building v1 (" + commit + ")");
    assertThat(find("v1", "exit 1")).isEqualTo(build);
  }

  @Test
  void find_revisionDoesNotBuild_leavesNoFiles() throws Exception {
    assertThatThrownBy(() -> find("v1", "echo BUILD FAILURE; exit 1"))
        .isInstanceOf(LabException.class)
        .hasMessageContaining("BUILD FAILURE");
    assertThatThrownBy(() -> find("v1", BUILD_SHIM)).hasMessageContaining("duplog.jar");
    assertThat(folder.resolve("cache")).isEmptyDirectory();
    assertThat(git("worktree list").lines()).hasSize(1);
  }
}
