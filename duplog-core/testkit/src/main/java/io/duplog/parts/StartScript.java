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
 * Runs a program by its installed start script, with the classes of this build in place of the
 * installed jar. Its whole output is in one file.
 */
public final class StartScript implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String BEGUN = "begun";

  private final Path said;
  private final Process process;

  /**
   * Starts it.
   *
   * @param script in the folder {@code deploy}
   * @param jar the installed jar, as the script names it
   * @param main in place of the jar's
   */
  public StartScript(Path folder, String script, String jar, String main, String... arguments)
      throws IOException {
    String text = Deployed.text(script);
    String here = "-cp " + System.getProperty("java.class.path") + " " + main;
    assertThat(text).contains("\nJAVA=java\n", "\nset -eu\n", "-jar " + jar);
    text = text.replace("\nJAVA=java\n", "\nJAVA=" + Programs.java() + "\n");
    text = text.replace("-jar " + jar, here);
    text = text.replace("\nset -eu\n", "\nset -eu\necho " + BEGUN + "\n");
    text = text.replace("$(id -u)", "$(echo nobody)"); // it would become another user
    said = folder.resolve("said");
    List<String> command = new ArrayList<>(List.of("/bin/sh"));
    command.add(Files.writeString(folder.resolve("script"), text).toString());
    command.addAll(Arrays.asList(arguments));
    process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    awaitSaid(BEGUN);
  }

  /** Waits until the program has said this. */
  public void awaitSaid(String words) {
    await()
        .atMost(PATIENCE)
        .until(() -> Files.readString(said).contains(words) || !process.isAlive());
    assertThat(said).content().contains(words);
  }

  /** Sends signals without end, and returns what does it. */
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

  /** Waits until it ends by itself, and returns its exit status. */
  public int awaitEnd() throws InterruptedException {
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
