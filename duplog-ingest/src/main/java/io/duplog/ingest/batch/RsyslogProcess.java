package io.duplog.ingest.batch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Identifies the running rsyslog by a number, so that a shim knows whether its predecessor belonged
 * to the same one. The number is a hash of Linux' boot id, the process id and the process's start
 * time. A process id alone is not unique: it is reused, and is always the same in containers.
 */
final class RsyslogProcess {

  /** Number of an rsyslog that can't be identified. */
  static final long UNKNOWN = 0;

  private static final Path PROC = Path.of("/proc");

  /**
   * Indexes of fields in /proc/PID/stat, counted after the name, which may contain any character.
   */
  private static final int PARENT_FIELD = 1;

  private static final int START_TIME_FIELD = 19;

  private RsyslogProcess() {}

  /**
   * Returns the number of the rsyslog that started this process, or {@link #UNKNOWN} if /proc can't
   * be read.
   */
  static long parent() {
    return parent(PROC);
  }

  static long parent(Path proc) {
    try {
      String parent = stat(proc, "self").get(PARENT_FIELD);
      return hash(boot(proc) + " " + parent + " " + stat(proc, parent).get(START_TIME_FIELD));
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

  /** Returns the hash of a text as a number other than {@link #UNKNOWN}. */
  static long hash(String text) {
    byte[] digest = Resend.sha256().digest(text.getBytes(StandardCharsets.UTF_8));
    return ByteBuffer.wrap(digest).getLong() | 1;
  }
}
