package io.duplog.coverage;

import io.duplog.config.Checks;
import io.duplog.config.Key;
import org.jspecify.annotations.Nullable;

/**
 * The configuration section {@code coverage}, which says whether and how missed messages are
 * counted.
 */
public record CoverageConfig(
    @Key(
            doc =
                "Whether the bridges count which stream misses which messages. The counts"
                    + " are stored in Redis.",
            defaultValue = "true")
        boolean enabled,
    @Key(
            doc =
                "Maximum number of senders that are counted separately; the others are"
                    + " counted together. Each takes about 30 bytes in Redis for each bridge and"
                    + " each of 17 periods. The same on all bridges; you may restart them one"
                    + " after another.",
            defaultValue = "1000",
            unit = "senders")
        int senders,
    @Key(
            doc =
                "Percentage of missed messages, of all or of one sender's, above which a"
                    + " stream needs attention.",
            defaultValue = "1",
            unit = "percent")
        int warnPercent,
    @Key(
            doc =
                "Maximum number of senders in the inventory that `duplog senders` shows."
                    + " Each takes about 600 bytes in Redis and 2,000 in each bridge.",
            defaultValue = "20000",
            unit = "senders")
        int inventory,
    @Key(
            doc =
                "Absolute path of the file with the senders that you expect: see"
                    + " docs/senders.md. A running bridge reads a changed file within 10 s. A"
                    + " file with an error is not used, and the log says why.",
            example = "/etc/duplog/senders.yaml")
        @Nullable String senderList,
    @Key(
            doc =
                "Writes a signed statement of completeness each hour. Without this"
                    + " section, none are written. The same on all bridges; you may restart them"
                    + " one after another.",
            whereWanted = true)
        @Nullable StatementConfig statements) {

  public CoverageConfig {
    Checks.within("senders", senders, 10, 20_000);
    Checks.within("warn-percent", warnPercent, 1, 100);
    Checks.within("inventory", inventory, 10, 100_000);
    Checks.absolutePath("sender-list", senderList);
    if (!enabled && statements != null) {
      throw Checks.refuse(
          "statements", "must be left out if enabled is false: nothing is compared");
    }
  }
}
