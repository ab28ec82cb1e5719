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
                "Absolute path of the folder for statements. Every bridge writes a complete set"
                    + " (docs/statements.md).",
            example = "/var/lib/duplog/statements")
        String folder,
    @Key(
            doc =
                "PEM file with the Ed25519 key that signs them; the same on all bridges. Made with"
                    + " `openssl genpkey -algorithm ed25519`.",
            example = "/etc/duplog/statements.key")
        String key) {

  public StatementConfig {
    Checks.absolutePath("folder", folder);
    Checks.absolutePath("key", key);
  }
}
