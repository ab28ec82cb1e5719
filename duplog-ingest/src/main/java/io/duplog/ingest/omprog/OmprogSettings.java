package io.duplog.ingest.omprog;

import io.duplog.config.ByteSize;
import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.wire.BatchLimits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The configuration section {@code omprog} of a shim that rsyslog's omprog starts. It must match
 * the parameters of rsyslog's action.
 */
public record OmprogSettings(
    @Key(
            doc =
                "confirm where the action has useTransactions and confirmMessages on; transactions"
                    + " where it has useTransactions alone; lines where it has neither, both without"
                    + " killUnresponsive. Only with confirm is a transaction over when RabbitMQ has confirmed it.",
            defaultValue = "confirm")
        Mode mode,
    @Key(doc = "The action's beginTransactionMark.", defaultValue = "BEGIN TRANSACTION")
        String beginMark,
    @Key(doc = "The action's commitTransactionMark.", defaultValue = "COMMIT TRANSACTION")
        String commitMark,
    @Key(
            doc =
                "Whether each line begins with the sender's address and one space, as the template"
                    + " \"%fromhost-ip:F,37:1% %rawmsg%\\n\" makes it. Without it the address is no part of"
                    + " a message's identity, and the marks must be such that no sender can guess"
                    + " them.",
            defaultValue = "true")
        boolean senderPrefix,
    @Key(
            doc =
                "Longest line, the sender's address included. What a longer one has more is cut"
                    + " off, counted and logged. At least rsyslog's maxMessageSize and 48 bytes.",
            defaultValue = "1MiB")
        ByteSize maxMessage,
    @Key(
            doc =
                "How long a COMMIT waits for RabbitMQ before it fails and rsyslog has to send the"
                    + " transaction again; and how long a program that is told to end waits for the"
                    + " end of a transaction. If listen is set, more than 35s needs a longer TimeoutStopSec"
                    + " in duplog-ingest.service.",
            defaultValue = "30s")
        Duration patience,
    @Key(
            doc =
                "How often a waiting rsyslog gets a dot that keeps it waiting. Well below the"
                    + " action's confirmTimeout, which is 10 s unless set.",
            defaultValue = "1s")
        Duration keepAlive,
    @Key(
            doc =
                "Shortest time from a COMMIT to the answer that it failed. rsyslog before 8.2608"
                    + " tries again without a pause of its own.",
            defaultValue = "1s")
        Duration failurePause) {

  /**
   * Maximum number of keep-alive dots before an answer, because omprog reads at most 4,095 bytes in
   * total.
   */
  private static final int MAX_DOTS = 3_500;

  public OmprogSettings {
    checkMark("begin-mark", beginMark);
    checkMark("commit-mark", commitMark);
    if (beginMark.equals(commitMark)) {
      throw Checks.refuse("commit-mark", "must differ from begin-mark");
    }
    if (!senderPrefix && mode != Mode.LINES && (isDefault(beginMark) || isDefault(commitMark))) {
      throw Checks.refuse(
          isDefault(beginMark) ? "begin-mark" : "commit-mark",
          "must be one that no sender can guess where sender-prefix is false");
    }
    Checks.within(
        "max-message",
        maxMessage,
        new ByteSize(256),
        new ByteSize(BatchLimits.DEFAULT.maxMessageBytes()));
    Checks.positive("patience", patience);
    Checks.positive("keep-alive", keepAlive);
    Checks.positive("failure-pause", failurePause);
    if (!keepsAlive(patience.plus(failurePause), keepAlive)) {
      throw Checks.refuse(
          "patience", "must be shorter: rsyslog reads at most " + MAX_DOTS + " keep-alive dots");
    }
  }

  /** Whether rsyslog reads enough keep-alive dots for a wait of this length. */
  public boolean keepsAlive(Duration wait) {
    return keepsAlive(wait, keepAlive);
  }

  private static boolean keepsAlive(Duration wait, Duration keepAlive) {
    return wait.dividedBy(keepAlive) <= MAX_DOTS;
  }

  private static void checkMark(String key, String mark) {
    Checks.notBlank(key, mark);
    if (mark.indexOf('\n') >= 0 || mark.getBytes(StandardCharsets.UTF_8).length > 256) {
      throw Checks.refuse(key, "must be one line of at most 256 bytes");
    }
  }

  /** Whether the mark is a default mark of rsyslog, which every sender may know. */
  private static boolean isDefault(String mark) {
    return mark.equals("BEGIN TRANSACTION") || mark.equals("COMMIT TRANSACTION");
  }
}
