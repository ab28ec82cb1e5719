package io.duplog.benchmark.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildFinderTest {
  private static final String COMMIT = "3a53b85f00000000000000000000000000000000";

  @TempDir private Path folder;
  private final FakeCommands commands = new FakeCommands();
  private final List<String> progress = new ArrayList<>();

  /** A git that knows one revision, and a Maven that makes the jars where it is started. */
  private static final class FakeCommands implements Commands {
    private final List<String> seen = new ArrayList<>();
    private boolean mavenFails;
    private boolean mavenForgetsTheBridge;

    @Override
    public String run(Path where, List<String> command) throws SoakException {
      String line = String.join(" ", command);
      seen.add(line);
      if (line.startsWith("git rev-parse")) {
        if (!line.endsWith(" v1^{commit}")) {
          throw new SoakException("'" + line + "' has ended with status 1");
        }
        return COMMIT + "\n";
      }
      if (command.get(0).equals("mvn")) {
        if (mavenFails) {
          throw new SoakException("'mvn' has ended with status 1:\nBUILD FAILURE");
        }
        write(where.resolve("duplog-ingest/target/duplog-ingest.jar"), "shim");
        if (!mavenForgetsTheBridge) {
          write(where.resolve("duplog-core/target/duplog.jar"), "bridge");
        }
      }
      return "";
    }
  }

  private static void write(Path file, String content) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private BuildFinder finder() {
    return new BuildFinder(commands, folder, folder.resolve("cache"), progress::add);
  }

  private List<String> kept() throws IOException {
    try (Stream<Path> content = Files.list(folder.resolve("cache"))) {
      return content
          .map(path -> path.getFileName().toString())
          .filter(name -> !name.startsWith("work-"))
          .toList();
    }
  }

  @Test
  void folderWithBothJars_isTakenAsItIs() throws Exception {
    write(folder.resolve("x/duplog-ingest.jar"), "shim");
    write(folder.resolve("x/duplog.jar"), "bridge");

    Build build = finder().find(folder.resolve("x").toString());

    assertThat(build.shim()).isEqualTo(folder.resolve("x/duplog-ingest.jar"));
    assertThat(build.bridge()).isEqualTo(folder.resolve("x/duplog.jar"));
    assertThat(commands.seen).isEmpty();
  }

  @Test
  void revision_isBuiltInAWorktree_whichIsRemovedAgain() throws Exception {
    Build build = finder().find("v1");

    assertThat(build.origin()).isEqualTo(COMMIT);
    assertThat(build.shim()).hasContent("shim");
    assertThat(build.bridge()).hasContent("bridge");
    assertThat(commands.seen).hasSize(4);
    String work = commands.seen.get(1).replaceFirst(".* (\\S+) " + COMMIT, "$1");
    assertThat(commands.seen)
        .containsExactly(
            "git rev-parse --verify --quiet v1^{commit}",
            "git worktree add --detach --force " + work + " " + COMMIT,
            "mvn -B -q -P programs -pl duplog-core,duplog-ingest package",
            "git worktree remove --force " + work);
    assertThat(kept()).containsExactly(COMMIT);
    assertThat(progress).containsExactly("building v1 (" + COMMIT + ")");
  }

  @Test
  void revision_thatWasBuiltBefore_isNotBuiltAgain() throws Exception {
    Build first = finder().find("v1");
    commands.seen.clear();

    assertThat(finder().find("v1")).isEqualTo(first);
    assertThat(commands.seen).containsExactly("git rev-parse --verify --quiet v1^{commit}");
  }

  @Test
  void revisionThatDoesNotBuild_leavesNothing() throws Exception {
    commands.mavenFails = true;

    assertThatThrownBy(() -> finder().find("v1"))
        .isInstanceOf(SoakException.class)
        .hasMessageContaining("BUILD FAILURE");
    assertThat(commands.seen.get(3)).startsWith("git worktree remove --force ");
    assertThat(kept()).isEmpty();
  }

  @Test
  void buildWithoutAJar_isNotKept() throws Exception {
    commands.mavenForgetsTheBridge = true;

    assertThatThrownBy(() -> finder().find("v1")).hasMessageContaining("has not made duplog.jar");
    assertThat(kept()).isEmpty();
  }

  @Test
  void neitherFolderNorRevision_isSaidSo() {
    assertThatThrownBy(() -> finder().find("v2"))
        .isInstanceOf(SoakException.class)
        .hasMessageContaining("'v2' is neither a folder with duplog-ingest.jar and duplog.jar nor");
  }

  @Test
  void fingerprint_isThatOfTheBytes() throws Exception {
    for (String name : List.of("x", "y", "z")) {
      write(folder.resolve(name + "/duplog-ingest.jar"), "shim");
      write(folder.resolve(name + "/duplog.jar"), name.equals("z") ? "other" : "bridge");
    }
    List<String> prints = new ArrayList<>();
    for (String name : List.of("x", "y", "z")) {
      prints.add(finder().find(folder.resolve(name).toString()).fingerprint());
    }
    assertThat(prints.get(0)).matches("[0-9a-f]{12}").isEqualTo(prints.get(1));
    assertThat(prints.get(2)).isNotEqualTo(prints.get(0));
  }
}
