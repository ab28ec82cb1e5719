package io.duplog.tls;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.parts.CertificateIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Makes a CA with {@code openssl}, and what it signs, as PEM files of a folder. */
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
   * Command for an expired certificate: x509 takes no date before today's since OpenSSL 3.5, and no
   * date at all before.
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

  /** Command that replaces both files at once, as a careful administrator does. */
  private static final String REPLACE = "mv %1$s.new.key %1$s.key; mv %1$s.new.pem %1$s.pem";

  private final Path folder;
  private final String name;

  /** Makes the CA with its own certificate in {@code NAME.pem}. */
  public Authority(Path folder, String name) {
    this.folder = folder;
    this.name = name;
    String itself = SIGN.formatted(name, "-signkey " + name + ".new.key");
    make(name, "basicConstraints=critical,CA:TRUE", itself);
  }

  private void make(String file, String extensions, String sign) {
    shell(REQUEST.formatted(file, extensions) + sign + REPLACE.formatted(file));
  }

  private void shell(String commands) {
    try {
      Process shell =
          new ProcessBuilder("sh", "-ec", commands)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .start();
      String said = new String(shell.getInputStream().readAllBytes(), UTF_8);
      if (shell.waitFor() != 0) {
        throw new IllegalStateException(commands + said);
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Signs a certificate, into {@code NAME.pem} and {@code NAME.key}.
   *
   * @param names host names and addresses that it is for
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
    make(file, extensions.isEmpty() ? "" : "subjectAltName=" + extensions, sign);
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

  /** Gives a server what was issued under a name: {@code ca.pem, server.pem, server.key}. */
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

  /**
   * Returns a client's section, which trusts this CA, and shows what was issued under this name.
   */
  public TlsConfig client(String file) {
    return new TlsConfig(path(name + ".pem"), path(file + ".pem"), path(file + ".key"));
  }

  /** Returns a client's section without a certificate of its own. */
  public TlsConfig client() {
    return new TlsConfig(path(name + ".pem"), null, null);
  }

  /** Returns a server's section, which asks for no certificate. */
  public ServerTlsConfig server(String file) {
    return new ServerTlsConfig(path(file + ".pem"), path(file + ".key"), null);
  }

  /** Returns a server's section that demands a certificate of this CA. */
  public ServerTlsConfig demandingServer(String file) {
    return new ServerTlsConfig(path(file + ".pem"), path(file + ".key"), path(name + ".pem"));
  }
}
