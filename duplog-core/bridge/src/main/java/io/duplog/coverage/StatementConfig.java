package io.duplog.coverage;

import io.duplog.config.Checks;
import io.duplog.config.Key;

/**
 * The configuration section {@code coverage.statements}, which says where signed hourly statements
 * are kept and how they are signed.
 */
public record StatementConfig(
    @Key(
            doc =
                "Absolute path of the folder for statements. Every bridge writes a"
                    + " complete set: see docs/statements.md.",
            example = "/var/lib/duplog/statements")
        String folder,
    @Key(
            doc =
                "Absolute path of a PEM file with the Ed25519 key that signs statements."
                    + " `openssl genpkey -algorithm ed25519` makes one. The same on all bridges;"
                    + " you may restart them one after another.",
            example = "/etc/duplog/statements.key")
        String key) {

  public StatementConfig {
    Checks.absolutePath("folder", folder);
    Checks.absolutePath("key", key);
  }
}
