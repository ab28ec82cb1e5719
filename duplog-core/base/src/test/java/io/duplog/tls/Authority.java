package io.duplog.tls;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.parts.CertificateIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Creates a certificate authority for tests with {@code openssl}, and issues certificates as PEM
 * files in a folder.
 */
public final class Authority implements CertificateIssuer {
  private static final String REQUEST =
      """
      openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=%1$s \
          -keyout %1$s.new.key -out %1$s.csr
      echo '%2$s' >%1$s.ext
      """;

  private static final String SIGN =
      """
      openssl x509 -req -in %1$s.csr -extfile %1$s.ext -days 2 %2$s -out %1$s.new.pem
      """;

  /**
   * Command for an expired certificate. Since OpenSSL 3.5, x509 accepts no date before today; older
   * versions accept no date at all.
   */
  private static final String SIGN_EXPIRED =
      """
      printf '%%s\\n' [ca] default_ca=of [of] database=index.txt unique_subject=no rand_serial=yes \
          new_certs_dir=. default_md=sha256 policy=any [any] commonName=supplied >ca.cnf
      touch index.txt
      openssl ca -batch -notext -config ca.cnf -in %1$s.csr -extfile %1$s.ext \
          -cert %2$s.pem -keyfile %2$s.key -startdate 20260101000000Z \
          -enddate $(date -u -d yesterday +%%Y%%m%%d%%H%%M%%SZ) -out %1$s.new.pem
      """;

  /** Command that replaces key and certificate by renaming, as a careful administrator does. */
  private static final String REPLACE = "mv %1$s.new.key %1$s.key; mv %1$s.new.pem %1$s.pem";

  private final Path folder;
  private final String name;

  /** Creates the CA with its certificate in {@code NAME.pem}. */
  public Authority(Path folder, String name) {
    this.folder = folder;
    this.name = name;
    String selfSign = SIGN.formatted(name, "-signkey " + name + ".new.key");
    create(name, "basicConstraints=critical,CA:TRUE", selfSign);
  }

  private void create(String file, String extensions, String sign) {
    shell(REQUEST.formatted(file, extensions) + sign + REPLACE.formatted(file));
  }

  private void shell(String commands) {
    try {
      Process shell =
          new ProcessBuilder("sh", "-ec", commands)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .start();
      String output = new String(shell.getInputStream().readAllBytes(), UTF_8);
      if (shell.waitFor() != 0) {
        throw new IllegalStateException(commands + output);
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Issues a certificate in {@code FILE.pem} with its key in {@code FILE.key}.
   *
   * @param names host names and addresses in the certificate
   */
  @Override
  public Authority issue(String file, String... names) {
    String signer = "-CA %1$s.pem -CAkey %1$s.key".formatted(name);
    return issue(file, SIGN.formatted(file, signer), names);
  }

  /** Issues a certificate that was valid until yesterday. */
  public Authority issueExpired(String file, String... names) {
    return issue(file, SIGN_EXPIRED.formatted(file, name), names);
  }

  private Authority issue(String file, String sign, String... names) {
    String extensions =
        Arrays.stream(names)
            .map(
                each ->
                    each.startsWith("DNS:") || each.startsWith("URI:")
                        ? each
                        : (each.matches("[0-9.]+") ? "IP:" : "DNS:") + each)
            .collect(Collectors.joining(","));
    create(file, extensions.isEmpty() ? "" : "subjectAltName=" + extensions, sign);
    return this;
  }

  /** Returns the content of a file. */
  public String text(String file) {
    try {
      return Files.readString(folder.resolve(file));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Copies a certificate, its key and the CA to a server's folder as {@code server.pem, server.key,
   * ca.pem}.
   */
  @Override
  public void copyTo(Path server, String file) {
    shell(
        "mkdir -p %1$s; cp %2$s.pem %1$s/ca.pem; cp %3$s.pem %1$s/server.pem; cp %3$s.key %1$s/server.key"
            .formatted(server, name, file));
  }

  /** Returns the path of a file. */
  public String path(String file) {
    return folder.resolve(file).toString();
  }

  /** Returns a client's section that trusts this CA and has an issued certificate. */
  public TlsConfig client(String file) {
    return new TlsConfig(path(name + ".pem"), path(file + ".pem"), path(file + ".key"));
  }

  /** Returns a client's section that trusts this CA and has no certificate. */
  public TlsConfig client() {
    return new TlsConfig(path(name + ".pem"), null, null);
  }

  /** Returns a server's section that requests no client certificate. */
  public ServerTlsConfig server(String file) {
    return new ServerTlsConfig(path(file + ".pem"), path(file + ".key"), null);
  }

  /** Returns a server's section that requires a client certificate from this CA. */
  public ServerTlsConfig demandingServer(String file) {
    return new ServerTlsConfig(path(file + ".pem"), path(file + ".key"), path(name + ".pem"));
  }
}
