package io.duplog.observe;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages to systemd by its program {@code systemd-notify}, because systemd's socket takes
 * datagrams and Java 17 has none for local sockets. Each call runs a process for a few
 * milliseconds, a few times a minute. The unit needs {@code NotifyAccess=all}.
 */
public final class SystemdNotify {
  private static final Logger log = LoggerFactory.getLogger(SystemdNotify.class);

  /** Longest wait for {@code systemd-notify}, which exits when systemd has read the message. */
  private static final long PATIENCE_SECONDS = 10;

  private final RecurringWarning trouble =
      new RecurringWarning(log, "systemd-notify", System::nanoTime);

  /**
   * Sends assignments, and waits until systemd has read them. A failure is logged, because systemd
   * will end a program that it can't hear.
   */
  public void say(List<String> assignments) {
    List<String> command = new ArrayList<>();
    command.add("systemd-notify");
    command.addAll(assignments);
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        failed("no answer in " + PATIENCE_SECONDS + " s");
      } else if (process.exitValue() != 0) {
        failed("exit status " + process.exitValue());
      } else {
        trouble.recovered();
      }
    } catch (IOException e) {
      failed(e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void failed(String cause) {
    trouble.occurred(
        "systemd-notify failed (%s): systemd does not hear that this program is alive, and will start it again"
            .formatted(cause));
  }
}
