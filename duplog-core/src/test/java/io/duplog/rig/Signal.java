package io.duplog.rig;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** A POSIX signal to processes of the lab. */
public enum Signal {
  /** The process ends where it stands. */
  KILL,
  /** The process is asked to end in order. */
  TERM,
  /** The process stands still, and its connections stay open. */
  STOP,
  /** A process that stands still goes on. */
  CONT;

  /**
   * Sends it to all at once. A process that has ended meanwhile is left out.
   *
   * @param processes of the lab's servers or their children only
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
      // Its status tells of a process that has just ended: no news.
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
