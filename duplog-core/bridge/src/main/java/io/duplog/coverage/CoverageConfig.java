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
                "Whether to count which stream misses which messages. The counts lie beside the"
                    + " digests.",
            defaultValue = "true")
        boolean enabled,
    @Key(
            doc =
                "Most senders to tell apart, about 30 bytes each in the store for each bridge and"
                    + " each of the seventeen periods being counted. The rest are shown together."
                    + " The same for all bridges.",
            defaultValue = "1000",
            unit = "senders")
        int senders,
    @Key(
            doc =
                "A stream needs attention if it missed more than this percentage of the messages,"
                    + " or of one sender's.",
            defaultValue = "1",
            unit = "percent")
        int warnPercent,
    @Key(
            doc =
                "Most senders in the inventory that `duplog senders` shows, about 600 bytes"
                    + " each in the store and 2,000 in each bridge.",
            defaultValue = "20000",
            unit = "senders")
        int inventory,
    @Key(
            doc =
                "File that says which senders are expected, by its full path (docs/senders.md). A"
                    + " running bridge reads a changed file within 10 s; one with an error changes"
                    + " nothing but for a warning.",
            example = "/etc/duplog/senders.yaml")
        @Nullable String senderList,
    @Key(
            doc =
                "Statements of completeness, one an hour, signed: none are written unless this"
                    + " section is there. The same on all bridges.",
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
