package io.duplog.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.benchmark.lab.ChildProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a published table is marked as outdated if the programs, and not other files, have
 * changed since.
 */
class CheckoutTest {
  private @TempDir Path folder;

  @Test
  void isOlder_programsChanged_isTrueButNotForOtherChanges() throws Exception {
    Checkout checkout = new Checkout(folder);
    assertThat(checkout.build()).isEqualTo("?");
    ChildProcess.run(folder, List.of("git", "init", "-q"));
    write("duplog-core/bridge/src/main/java/io/duplog/bridge/Bridge.java", "1");
    commit();
    String first = checkout.build();
    assertThat(first).matches("[0-9a-f]{8}");

    write("docs/guarantees.md", "2");
    write("duplog-core/bridge/src/main/java/io/duplog/doctor/Doctor.java", "2");
    commit();
    String second = checkout.build();
    assertThat(second).matches("[0-9a-f]{8}").isNotEqualTo(first);
    assertThat(checkout.isOlder(first)).isFalse();

    write("duplog-core/bridge/src/main/java/io/duplog/bridge/Bridge.java", "3");
    String changed = checkout.build();
    assertThat(changed).isEqualTo(second + " and changes");
    assertThat(checkout.isOlder(changed)).isTrue();
    assertThat(checkout.isOlder(second)).isTrue();

    commit();
    assertThat(checkout.isOlder(second)).isTrue();
    assertThat(checkout.isOlder(checkout.build())).isFalse();
  }

  private void write(String file, String text) throws Exception {
    Files.createDirectories(folder.resolve(file).getParent());
    Files.writeString(folder.resolve(file), text);
  }

  private void commit() throws Exception {
    ChildProcess.run(folder, List.of("git", "add", "-A"));
    ChildProcess.run(
        folder,
        List.of(
            "git", "-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-qm", "x"));
  }
}
