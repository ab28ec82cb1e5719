package io.duplog.rig;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** A POSIX signal that tests send to a server, for example to kill it or to stop it for a while. */
public enum Signal {
  /** Ends the process at once. */
  KILL,
  /** Requests an orderly end of the process. */
  TERM,
  /** Stops the process, whose connections stay open. */
  STOP,
  /** Continues a stopped process. */
  CONT;

  /**
   * Sends the signal to all processes at once, except those that have ended meanwhile.
   *
   * @param processes processes of the lab's servers or of their children, and no others
   */
  public void send(Collection<ProcessHandle> processes) throws LabException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("kill", "-" + name()));
    processes.stream()
        .filter(ProcessHandle::isAlive)
        .map(process -> Long.toString(process.pid()))
        .forEach(command::add);
    if (command.size() == 2) {
      return;
    }
    try {
      // A failure only means that a process has just ended, so the status is ignored.
      new ProcessBuilder(command)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new LabException(this + " can't be sent: " + e.getMessage(), e);
    }
  }
}
