package io.duplog.ingest.batch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Tells one rsyslog from another by a number, as Linux knows it: boot, process, and when that
 * process was started, in ticks since the boot. A process id alone is used again, and in containers
 * it is always the same.
 */
final class RsyslogProcess {

  /** Stands for an rsyslog that can't be told from another. */
  static final long UNKNOWN = 0;

  private static final Path PROC = Path.of("/proc");

  /** Fields of /proc/PID/stat behind the name, which may hold anything. */
  private static final int PARENT = 1;

  private static final int STARTED = 19;

  private RsyslogProcess() {}

  /** Returns the rsyslog that has started this process; {@link #UNKNOWN} if /proc does not tell. */
  static long parent() {
    return parent(PROC);
  }

  static long parent(Path proc) {
    try {
      String parent = stat(proc, "self").get(PARENT);
      return number(boot(proc) + " " + parent + " " + stat(proc, parent).get(STARTED));
    } catch (IOException | IndexOutOfBoundsException e) {
      return UNKNOWN;
    }
  }

  private static String boot(Path proc) throws IOException {
    return Files.readString(proc.resolve("sys/kernel/random/boot_id"));
  }

  private static List<String> stat(Path proc, String process) throws IOException {
    String line = Files.readString(proc.resolve(process).resolve("stat"));
    return List.of(line.substring(line.lastIndexOf(')') + 2).split(" ", -1));
  }

  /** Returns a number that stands for a text, and is not {@link #UNKNOWN}. */
  static long number(String text) {
    byte[] digest = Resend.sha256().digest(text.getBytes(StandardCharsets.UTF_8));
    return ByteBuffer.wrap(digest).getLong() | 1;
  }
}
