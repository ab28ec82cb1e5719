package io.duplog.cli;

import io.duplog.status.StateReader;
import io.duplog.status.StatusException;
import io.duplog.tls.TlsConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The command-line options with the URL and the certificates for a running bridge's status page.
 */
final class PageOptions {
  private static final String DEFAULT_URL = "http://127.0.0.1:8514";

  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = DEFAULT_URL,
      description =
          "URL of the bridge's status page (default: ${DEFAULT-VALUE}). Use https if status.tls is"
              + " set.")
  private String url = DEFAULT_URL;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description = "For https: PEM file of the CAs to trust (default: the CAs that Java trusts).")
  private @Nullable Path ca;

  @Option(
      names = "--certificate",
      paramLabel = "FILE",
      description = "For https: PEM file of the client certificate, if the page demands one.")
  private @Nullable Path certificate;

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description = "PEM file of its private key (PKCS#8).")
  private @Nullable Path key;

  StateReader reader() throws StatusException {
    if (url.startsWith("http:") && (ca != null || certificate != null || key != null)) {
      throw new StatusException(
          "--ca, --certificate and --key need a --url that begins with https", null);
    }
    try {
      return new StateReader(url, new TlsConfig(file(ca), file(certificate), file(key)));
    } catch (IllegalArgumentException e) {
      throw new StatusException("--certificate and --key must be given together", e);
    }
  }

  private static @Nullable String file(@Nullable Path path) {
    return path == null ? null : path.toAbsolutePath().toString();
  }
}
