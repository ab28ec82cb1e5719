package io.duplog.tls;

import com.google.common.net.InetAddresses;
import io.duplog.config.Hosts;
import io.duplog.observe.Trouble;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Provides TLS for the connections of one configuration section, and uses replaced certificate
 * files without a restart. Checks the certificate files in every handshake, and reads them again if
 * they were replaced. If the new files are invalid, for example half-written, the previous content
 * stays in use. Permits only TLS 1.3 and 1.2, and always verifies names. The context object never
 * changes.
 *
 * <p>Reads the files when the first connection needs them, so that a missing file affects only this
 * hop. Thread-safe.
 *
 * @see "docs/decisions/configuration.md#tls"
 */
public final class Tls {
  private static final Logger log = LoggerFactory.getLogger(Tls.class);
  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

  /**
   * Lifetime of a TLS session. A resumed session skips the certificates, and therefore ignores
   * replaced files and expired certificates. The JDK can't turn sessions off; one second is the
   * minimum.
   */
  private static final int SESSION_SECONDS = 1;

  private final String hop;
  private final TlsConfig files;
  private final boolean isServer;
  private final Trouble readWarning;
  private final SSLContext context;

  /**
   * Content of the files when they were last read successfully, or null before the first success.
   */
  private volatile @Nullable Credentials credentials;

  /**
   * Content of the files before they were last replaced, for handshakes that started with it; null
   * if the files have never been replaced.
   */
  private volatile @Nullable Credentials previousCredentials;

  private volatile boolean certificateRequested;

  private int generation; // guarded by this

  private Tls(String hop, TlsConfig files, boolean isServer) {
    this.hop = hop;
    this.files = files;
    this.isServer = isServer;
    this.readWarning = new Trouble(log, "TLS of " + hop, System::nanoTime);
    try {
      context = SSLContext.getInstance("TLS");
      context.init(
          new KeyManager[] {new FreshKeys(this)}, new TrustManager[] {new FreshTrust(this)}, null);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java installation has no TLS", e);
    }
    context.getClientSessionContext().setSessionTimeout(SESSION_SECONDS);
    context.getServerSessionContext().setSessionTimeout(SESSION_SECONDS);
  }

  /**
   * Creates TLS for connections on which this process is the client.
   *
   * @param hop the name of these connections in log lines, such as {@code broker syslog-a
   *     10.0.0.1:5671}
   */
  public static Tls ofClient(String hop, TlsConfig config) {
    return new Tls(hop, config, false);
  }

  /** Creates TLS for connections on which this process is the server. */
  public static Tls ofServer(String hop, ServerTlsConfig config) {
    return new Tls(hop, config.files(), true);
  }

  /**
   * Returns the context for all connections. Callers must also set the {@link #parameters}.
   *
   * @throws IOException if the files have never been read successfully; the message is one line
   *     with the file and its problem
   */
  public SSLContext context() throws IOException {
    load();
    return context;
  }

  /**
   * Returns a context whose engines verify a host's name, even if they are created for one of the
   * host's addresses. The engines also send the name as SNI if they have the parameters of {@link
   * #parametersFor}.
   */
  public SSLContext contextFor(String host) throws IOException {
    return isAddress(host) ? context() : NamedContext.of(context(), Hosts.withoutDot(host));
  }

  /**
   * Returns the {@link #parameters} with the host's name as SNI, unless the host is an address.
   * Removes a trailing dot from the name, as RFC 6066 requires.
   */
  public SSLParameters parametersFor(String host) {
    SSLParameters parameters = parameters();
    if (!isAddress(host)) {
      try {
        parameters.setServerNames(List.of(new SNIHostName(Hosts.withoutDot(host))));
      } catch (IllegalArgumentException e) {
        return parameters; // this name can't be sent; its verification fails and reports it
      }
    }
    return parameters;
  }

  private static boolean isAddress(String host) {
    return InetAddresses.isUriInetAddress(host) || InetAddresses.isInetAddress(host);
  }

  /**
   * Returns the parameters that every connection needs: the protocols and the required
   * verifications.
   */
  public SSLParameters parameters() {
    SSLParameters parameters = new SSLParameters();
    parameters.setProtocols(PROTOCOLS);
    if (isServer) {
      parameters.setNeedClientAuth(files.ca() != null);
    } else {
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
    }
    return parameters;
  }

  /**
   * Returns a factory of client sockets that already have the {@link #parameters}, and SNI if they
   * are created with the host's name. Creating a socket throws an {@link IOException} if the files
   * have never been read successfully.
   */
  public SSLSocketFactory sockets() {
    return new ClientSockets(this, null);
  }

  /**
   * Returns a factory like {@link #sockets()} for sockets that are later connected to the given
   * host.
   */
  public SSLSocketFactory socketsTo(String host) {
    return new ClientSockets(this, host);
  }

  /**
   * Returns the reason why a connection failed, as a clause whose subject is the peer, such as
   * {@code its certificate expired on 2026-11-20T08:00:00Z}.
   *
   * @param failure the exception that the connection threw
   * @return the reason, or null if TLS is not the cause of the failure
   */
  public @Nullable String reason(Throwable failure) {
    return TlsFailure.inWords(failure, this);
  }

  /**
   * Returns a hint for a connection that the peer closed without a reason. The hint is empty if the
   * peer has never requested a certificate. If the peer closes the connection while this process is
   * writing, the peer's alert about the certificate is lost. In TLS 1.3, this process has already
   * completed the handshake by then.
   */
  public String hint() {
    if (!certificateRequested) {
      return "";
    }
    X509Certificate certificate = ownCertificate();
    if (certificate == null) {
      return "; it asks for a client certificate, and tls.certificate is not set";
    }
    Instant expiry = certificate.getNotAfter().toInstant();
    return expiry.isBefore(Instant.now())
        ? "; our certificate " + files.certificate() + " expired on " + expiry
        : "; it may refuse our certificate " + files.certificate();
  }

  /** Called when the peer requests this process's certificate in a handshake. */
  void markAsked() {
    certificateRequested = true;
  }

  /** Whether the peer has requested this process's certificate in any handshake. */
  boolean isAsked() {
    return certificateRequested;
  }

  /**
   * Returns this process's current certificate, or null if no certificate is configured or
   * readable.
   */
  @Nullable X509Certificate ownCertificate() {
    Credentials now = current();
    return now == null || now.chain().isEmpty() ? null : now.chain().get(0);
  }

  /** Returns the path of this process's certificate file, or null if no file is configured. */
  @Nullable String ownFile() {
    return files.certificate();
  }

  SSLParameters parametersOfJava() {
    return context.getSupportedSSLParameters();
  }

  /**
   * Returns the path of the file with the trusted CAs, or a phrase for Java's CAs if no file is
   * configured.
   */
  String caInWords() {
    return files.ca() == null ? "what Java trusts; set tls.ca" : files.ca();
  }

  /**
   * Returns the files' content from the last successful read, or null if they have never been read
   * successfully.
   */
  @Nullable Credentials current() {
    try {
      return load();
    } catch (IOException e) {
      return null; // context() reports the reason
    }
  }

  /**
   * Returns the files' content, after reading them again if they were replaced. Throws an exception
   * if they have never been read successfully.
   */
  private Credentials load() throws IOException {
    Credentials lastCredentials = credentials;
    if (lastCredentials != null && lastCredentials.stamps().equals(Credentials.stamps(files))) {
      readWarning.recovered(); // the previous files may have been restored
      return lastCredentials;
    }
    return reload();
  }

  private synchronized Credentials reload() throws IOException {
    Credentials lastCredentials = credentials;
    if (lastCredentials != null && lastCredentials.stamps().equals(Credentials.stamps(files))) {
      return lastCredentials; // another thread has already read the files
    }
    try {
      Credentials newCredentials = Credentials.read(files, "own-" + ++generation);
      previousCredentials = lastCredentials;
      credentials = newCredentials;
      readWarning.recovered();
      if (lastCredentials != null) {
        log.info("TLS of {}: the files were replaced, new connections use the new ones", hop);
      }
      return newCredentials;
    } catch (IOException e) {
      if (lastCredentials == null) {
        throw e;
      }
      readWarning.occurred(
          "TLS of "
              + hop
              + ": "
              + e.getMessage()
              + ": what was read before stays in use, the files are read again at the next"
              + " connection");
      return lastCredentials;
    }
  }

  /**
   * Returns the credentials with an alias that a handshake has chosen, or null if the files have
   * been replaced twice since.
   */
  @Nullable Credentials byAlias(String alias) {
    for (Credentials each : new @Nullable Credentials[] {credentials, previousCredentials}) {
      if (each != null && each.alias().equals(alias)) {
        return each;
      }
    }
    return null;
  }
}
