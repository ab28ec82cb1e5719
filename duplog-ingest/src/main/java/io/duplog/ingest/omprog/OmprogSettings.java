package io.duplog.ingest.omprog;

import io.duplog.config.ByteSize;
import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.wire.BatchLimits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The configuration section {@code omprog} of a shim that rsyslog's omprog starts. The values must
 * match the parameters of rsyslog's action.
 */
public record OmprogSettings(
    @Key(
            doc =
                "confirm: rsyslog's action has useTransactions and confirmMessages."
                    + " transactions: it has useTransactions only. lines: it has neither. Without"
                    + " confirm, the action must not have killUnresponsive, and messages may be"
                    + " lost when the shim or RabbitMQ fails.",
            defaultValue = "confirm")
        Mode mode,
    @Key(doc = "beginTransactionMark of rsyslog's action.", defaultValue = "BEGIN TRANSACTION")
        String beginMark,
    @Key(doc = "commitTransactionMark of rsyslog's action.", defaultValue = "COMMIT TRANSACTION")
        String commitMark,
    @Key(
            doc =
                "Whether each line begins with the sender's address and one space, as by"
                    + " the template \"%fromhost-ip:F,37:1% %rawmsg%\\n\". If false, the address"
                    + " is not compared, and you must choose marks that no sender can guess. The"
                    + " same on all nodes.",
            defaultValue = "true")
        boolean senderPrefix,
    @Key(
            doc =
                "Maximum length of a line, including the sender's address. The rest of a"
                    + " longer line is cut off; the shim counts and logs that. Set at least"
                    + " rsyslog's maxMessageSize plus 48 bytes.",
            defaultValue = "1MiB")
        ByteSize maxMessage,
    @Key(
            doc =
                "How long a COMMIT waits for RabbitMQ. After that the transaction fails,"
                    + " and rsyslog sends it again. On SIGTERM, the shim waits as long for the"
                    + " end of a transaction. If listen is set, more than 35s needs a longer"
                    + " TimeoutStopSec in duplog-ingest.service.",
            defaultValue = "30s")
        Duration patience,
    @Key(
            doc =
                "Interval of the dots that keep rsyslog waiting for an answer. Set much"
                    + " less than the action's confirmTimeout (rsyslog's default: 10 s).",
            defaultValue = "1s")
        Duration keepAlive,
    @Key(
            doc =
                "Minimum time from a COMMIT to the answer that it failed. It keeps rsyslog"
                    + " before 8.2608 from trying again without a pause.",
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
