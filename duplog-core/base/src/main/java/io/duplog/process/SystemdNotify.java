package io.duplog.process;

import io.duplog.observe.Trouble;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a notification to systemd, by running the program {@code systemd-notify}. systemd's local
 * socket accepts only datagrams, which Java 17 does not support for local sockets. Each call runs a
 * process for a few milliseconds; there are a few calls per minute. The unit needs {@code
 * NotifyAccess=all}.
 */
public final class SystemdNotify {
  private static final Logger log = LoggerFactory.getLogger(SystemdNotify.class);

  /**
   * Maximum wait for {@code systemd-notify}, which exits when systemd has read the notification.
   */
  private static final long TIMEOUT_SECONDS = 10;

  private final Trouble notifyWarning = new Trouble(log, "systemd-notify", System::nanoTime);

  /**
   * Sends assignments, and waits until systemd has read them. Logs a failure, because systemd
   * restarts a program that does not report to it.
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
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        failed("no answer in " + TIMEOUT_SECONDS + " s");
      } else if (process.exitValue() != 0) {
        failed("exit status " + process.exitValue());
      } else {
        notifyWarning.recovered();
      }
    } catch (IOException e) {
      failed(e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void failed(String cause) {
    notifyWarning.occurred(
        "systemd-notify failed (%s): systemd does not hear that this program is alive, and will start it again"
            .formatted(cause));
  }
}
