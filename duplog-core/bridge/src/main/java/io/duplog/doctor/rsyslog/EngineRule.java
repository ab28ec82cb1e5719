package io.duplog.doctor.rsyslog;

import io.duplog.doctor.Findings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Judges where rsyslog stores waiting messages on disk, and which of them a crash would lose.
 * Searches this host for the queue's files.
 *
 * @see "docs/decisions/rsyslog.md#rsyslog-disk-queue"
 */
final class EngineRule {
  /** The release from which on rsyslog has the segmented engine. */
  private static final int SEGMENTED = 2608;

  /** The release from which on rsyslog that ends in order keeps what its workers have under way. */
  private static final int ENDS_WHOLE = 2606;

  private static final long MIN_ON_DISK = 1_000_000;

  /** A queue of an action holds as many messages unless it says otherwise. */
  private static final long DEFAULT_SIZE = 1_000;

  private EngineRule() {}

  /**
   * @param release rsyslog's, such as 2302, or empty if it is not known
   */
  static void judge(ShimAction action, OptionalInt release, Findings findings) {
    String file = action.text("queue.filename");
    if (file == null || action.queueType().equals("direct")) {
      return;
    }
    if (action.isDurable()) {
      durable(action, file, release, findings);
    } else {
      findings.ok(
          "the queue's engine: "
              + engine(action, file, release)
              + ". If rsyslog is killed while the broker is unavailable, it loses the queue's messages in"
              + " memory"
              + (release.orElse(0) < ENDS_WHOLE
                  ? "; if it ends cleanly, up to two transactions"
                  : "")
              + advice(release));
    }
  }

  private static void durable(
      ShimAction action, String file, OptionalInt release, Findings findings) {
    long size = action.number("queue.size", DEFAULT_SIZE);
    Path classic = spooled(action, file + ".qi");
    if (release.orElse(SEGMENTED) < SEGMENTED) {
      findings.problem(
          "queue.type is segmentedDisk, which rsyslog 8.%d does not support%s"
              .formatted(release.getAsInt(), action.at()),
          "rsyslog runs the action without a queue: while the broker is unavailable, this whole rsyslog"
              + " stops, and its messages in memory are lost when it ends",
          "use rsyslog 8.2608 or newer, or the queue of Duplog's 60-duplog.conf (init without"
              + " --durable-queue)");
    } else if (classic != null && Files.exists(classic)) {
      findings.problem(
          "queue.type is segmentedDisk, and %s of the classic engine is there%s"
              .formatted(classic, action.at()),
          "rsyslog rejects the queue when it starts, and then none of its messages reaches Duplog"
              + " through this node",
          "go back to the queue of Duplog's 60-duplog.conf until its messages are delivered; end"
              + " rsyslog, and change the type when that file no longer exists");
    } else if (size < MIN_ON_DISK) {
      findings.warning(
          "queue.size is %d%s, but the queue is only on disk".formatted(size, action.at()),
          "the queue is full at that number of messages, however much space the disk has",
          "queue.size=\"20000000\"; queue.maxDiskSpace is the limit");
    } else {
      findings.ok(
          "the queue's engine: segmented, with every message on disk until the broker has it. If"
              + " rsyslog is killed, it loses none of them"
              + (release.isEmpty() ? "; this needs rsyslog 8.2608 or newer" : ""));
    }
  }

  private static String engine(ShimAction action, String file, OptionalInt release) {
    if (release.isEmpty()) {
      return "classic; from rsyslog 8.2608 on segmented, if the queue is a new one";
    }
    if (release.getAsInt() < SEGMENTED || action.queueType().equals("disk")) {
      return "classic";
    }
    return switch (action.action().get("queue.diskQueueType", "auto").toLowerCase(Locale.ROOT)) {
      case "disk" -> "classic";
      case "segmenteddisk" -> "segmented";
      default ->
          isClassic(action, file)
              ? "classic, since files of an older rsyslog are there, whose messages are delivered;"
                  + " it becomes segmented with queue.diskQueueAutoUpgrade=\"on\""
              : "segmented";
    };
  }

  /** Whether rsyslog has noted that it goes on with a classic queue, or will once it starts. */
  private static boolean isClassic(ShimAction action, String file) {
    Path noted = spooled(action, file + ".da-engine");
    Path classic = spooled(action, file + ".qi");
    try {
      if (noted != null && Files.exists(noted)) {
        return Files.readString(noted).strip().endsWith(" disk");
      }
      return classic != null && Files.exists(classic);
    } catch (IOException e) {
      return false; // a user who may not read it
    }
  }

  /**
   * Returns where a file of the queue is on this host, or null if the configuration has no folder.
   */
  private static @Nullable Path spooled(ShimAction action, String name) {
    Statement global = action.config().global("workDirectory");
    String folder = action.text("queue.spoolDirectory");
    if (folder == null && global != null) {
      folder = global.get("workDirectory");
    }
    return folder == null ? null : Path.of(folder, name);
  }

  private static String advice(OptionalInt release) {
    if (release.orElse(0) >= SEGMENTED) {
      return ". With 'duplog init --durable-queue' it would lose nothing";
    }
    return ". An upgrade of rsyslog delivers the messages that wait on disk; 8.2608 and newer can keep"
        + " all messages there ('duplog init --durable-queue')";
  }
}
