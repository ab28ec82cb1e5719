package io.duplog.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.rig.Programs;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that the built duplog-benchmark.jar runs its commands that need no server, as
 * docs/guarantees.md shows them.
 */
class ProgramIT {
  @ParameterizedTest
  @CsvSource({"simulate --seeds 3, seeds=3", "chaos --list, kill-shim", "--help, simulate"})
  void command_runFromJar_succeeds(String arguments, String expectedText) throws Exception {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(Programs.java().toString(), "-jar", "target/duplog-benchmark.jar"));
    command.addAll(List.of(arguments.split(" ")));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).contains(expectedText);
  }
}
