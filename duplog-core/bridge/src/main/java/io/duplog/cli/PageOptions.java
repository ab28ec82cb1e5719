package io.duplog.cli;

import io.duplog.status.StateReader;
import io.duplog.status.StatusException;
import io.duplog.tls.TlsConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Command-line options with the URL and the certificates for a running bridge's status page. */
final class PageOptions {
  private static final String DEFAULT_URL = "http://127.0.0.1:8514";

  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = DEFAULT_URL,
      description =
          "Where the bridge's status page is (default: ${DEFAULT-VALUE}); https where it has a"
              + " status.tls.")
  private String url = DEFAULT_URL;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description =
          "For https: the PEM file of the CAs to trust; without it, those that Java does.")
  private @Nullable Path ca;

  @Option(
      names = "--certificate",
      paramLabel = "FILE",
      description = "For a page that demands one: our certificate, PEM.")
  private @Nullable Path certificate;

  @Option(names = "--key", paramLabel = "FILE", description = "Its private key, PEM, PKCS#8.")
  private @Nullable Path key;

  StateReader reader() throws StatusException {
    if (url.startsWith("http:") && (ca != null || certificate != null || key != null)) {
      throw new StatusException("--ca, --certificate and --key are for a --url of https", null);
    }
    try {
      return new StateReader(url, new TlsConfig(file(ca), file(certificate), file(key)));
    } catch (IllegalArgumentException e) {
      throw new StatusException("--certificate and --key belong together", e);
    }
  }

  private static @Nullable String file(@Nullable Path path) {
    return path == null ? null : path.toAbsolutePath().toString();
  }
}
