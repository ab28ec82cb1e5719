package io.duplog.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.rig.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program by the start script that its package installs, for tests. Its whole output is in
 * one file.
 */
public final class StartScript implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(3);
  private static final String START_MARKER = "begun";

  private final Path outputFile;
  private final Process process;

  /**
   * Starts the program.
   *
   * @param script path in the folder {@code deploy}
   * @param jar the installed jar, as the script names it
   * @param main class to run instead of the jar's
   */
  public StartScript(Path folder, String script, String jar, String main, String... arguments)
      throws IOException {
    String text = Deployed.text(script);
    String classPathOption = "-cp " + System.getProperty("java.class.path") + " " + main;
    assertThat(text).contains("\nJAVA=java\n", "\nset -eu\n", "-jar " + jar);
    text = text.replace("\nJAVA=java\n", "\nJAVA=" + Programs.java() + "\n");
    text = text.replace("-jar " + jar, classPathOption);
    text = text.replace("\nset -eu\n", "\nset -eu\necho " + START_MARKER + "\n");
    text =
        text.replace(
            "$(id -u)", "$(echo nobody)"); // The script would otherwise switch to another user.
    outputFile = folder.resolve("said");
    List<String> command = new ArrayList<>(List.of("/bin/sh"));
    command.add(Files.writeString(folder.resolve("script"), text).toString());
    command.addAll(Arrays.asList(arguments));
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(outputFile.toFile())
            .start();
    awaitSaid(START_MARKER);
  }

  /** Waits until the program's output contains a text. */
  public void awaitSaid(String text) {
    await()
        .atMost(TIMEOUT)
        .until(() -> Files.readString(outputFile).contains(text) || !process.isAlive());
    assertThat(outputFile).content().contains(text);
  }

  /** Sends signals repeatedly, and returns the sending process. */
  public Process bombard() throws IOException {
    String loop = "while kill -HUP $0 && kill -USR1 $0; do sleep 0.01; done";
    return new ProcessBuilder("/bin/sh", "-c", loop, Long.toString(process.pid()))
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** Returns the program, which is the script's own process. */
  public Process process() {
    return process;
  }

  /** Waits until the program ends by itself, and returns its exit status. */
  public int awaitEnd() throws InterruptedException {
    assertThat(process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
