package io.duplog.tls;

import com.google.common.net.InetAddresses;
import io.duplog.config.Hosts;
import io.duplog.observe.RecurringWarning;
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
 * TLS of one hop, which is all connections to one server, or to this process as a server. The
 * context stays the same for ever. The files are looked at in every handshake, and read again if
 * they were replaced. If the new files can't be used, perhaps because they are half-written, what
 * was read before stays in use. Only TLS 1.3 and 1.2 are spoken, and names are always verified.
 *
 * <p>Nothing is read before it is needed, so that a missing file affects this hop only. Safe for
 * any thread.
 *
 * @see "docs/decisions/configuration.md#tls"
 */
public final class Tls {
  private static final Logger log = LoggerFactory.getLogger(Tls.class);
  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

  /**
   * Lifetime of a TLS session. A resumed session skips the certificates, so that neither a replaced
   * file nor an expiry would be noticed. The JDK can't do without sessions, and a second is their
   * shortest lifetime.
   */
  private static final int SESSION_SECONDS = 1;

  private final String hop;
  private final TlsConfig files;
  private final boolean asServer;
  private final RecurringWarning trouble;
  private final SSLContext context;

  /** Content of the files as last read; null until they could be read for the first time. */
  private volatile @Nullable Credentials credentials;

  /**
   * Content of the files before their last replacement, for handshakes that began with it; null if
   * the files were not replaced so far.
   */
  private volatile @Nullable Credentials earlier;

  private volatile boolean asked;

  private int generation; // guarded by this

  private Tls(String hop, TlsConfig files, boolean asServer) {
    this.hop = hop;
    this.files = files;
    this.asServer = asServer;
    this.trouble = new RecurringWarning(log, "TLS of " + hop, System::nanoTime);
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
   * Creates the TLS for connections on which this process is the client.
   *
   * @param hop the name of these connections in log lines, such as {@code broker syslog-a
   *     10.0.0.1:5671}
   */
  public static Tls ofClient(String hop, TlsConfig config) {
    return new Tls(hop, config, false);
  }

  /** Creates the TLS for connections on which this process is the server. */
  public static Tls ofServer(String hop, ServerTlsConfig config) {
    return new Tls(hop, config.files(), true);
  }

  /**
   * Returns the context for any number of connections, to be used together with {@link
   * #parameters}.
   *
   * @throws IOException if the files could not be read so far; the message is one line that names
   *     the file and what is wrong with it
   */
  public SSLContext context() throws IOException {
    load();
    return context;
  }

  /**
   * Returns a context whose engines verify the given host's name, even if they are made for one of
   * the host's addresses. With {@link #parametersFor} they also send the name as SNI.
   */
  public SSLContext contextFor(String host) throws IOException {
    return isAddress(host) ? context() : NamedContext.of(context(), Hosts.withoutDot(host));
  }

  /**
   * Returns the {@link #parameters} with the host's name as SNI, unless it is an address. A dot
   * that ends a full name is left out, as RFC 6066 wants.
   */
  public SSLParameters parametersFor(String host) {
    SSLParameters parameters = parameters();
    if (!isAddress(host)) {
      try {
        parameters.setServerNames(List.of(new SNIHostName(Hosts.withoutDot(host))));
      } catch (IllegalArgumentException e) {
        return parameters; // a name that can't be sent; verifying it fails, and says so
      }
    }
    return parameters;
  }

  private static boolean isAddress(String host) {
    return InetAddresses.isUriInetAddress(host) || InetAddresses.isInetAddress(host);
  }

  /**
   * Returns the parameters that every connection must be given: the protocols, and what to verify.
   */
  public SSLParameters parameters() {
    SSLParameters parameters = new SSLParameters();
    parameters.setProtocols(PROTOCOLS);
    if (asServer) {
      parameters.setNeedClientAuth(files.ca() != null);
    } else {
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
    }
    return parameters;
  }

  /**
   * Returns a factory of client sockets that have {@link #parameters} already, and the SNI if they
   * are made with the host's name. Making a socket throws an {@link IOException} if the files could
   * not be read so far.
   */
  public SSLSocketFactory sockets() {
    return new ClientSockets(this, null);
  }

  /**
   * Returns a factory like {@link #sockets()} for sockets that are connected to this host later.
   */
  public SSLSocketFactory socketsTo(String host) {
    return new ClientSockets(this, host);
  }

  /**
   * Returns why a connection failed, in a clause whose subject is the other side, such as {@code
   * its certificate expired on 2026-11-20T08:00:00Z}.
   *
   * @param failure the exception that the connection threw
   * @return null if TLS has nothing to do with the failure
   */
  public @Nullable String reason(Throwable failure) {
    return TlsFailure.inWords(failure, this);
  }

  /**
   * Returns what to add to the error of a connection that the other side closed without a reason;
   * empty if the other side never asked for a certificate. The other side's alert about this
   * process's certificate is lost if the other side closes while this process still writes. With
   * TLS 1.3 the handshake is already over for this process by then.
   */
  public String hint() {
    if (!asked) {
      return "";
    }
    X509Certificate own = ownCertificate();
    if (own == null) {
      return "; it asks for a client certificate, and tls.certificate is not set";
    }
    Instant until = own.getNotAfter().toInstant();
    return until.isBefore(Instant.now())
        ? "; our certificate " + files.certificate() + " expired on " + until
        : "; it may refuse our certificate " + files.certificate();
  }

  /** Called when the other side asks for this process's certificate in a handshake. */
  void markAsked() {
    asked = true;
  }

  /** Whether the other side has asked for this process's certificate in any handshake so far. */
  boolean isAsked() {
    return asked;
  }

  /** Returns this process's current certificate; null if none is configured or could be read. */
  @Nullable X509Certificate ownCertificate() {
    Credentials now = current();
    return now == null || now.chain().isEmpty() ? null : now.chain().get(0);
  }

  /** Returns the path of this process's certificate file; null if none is configured. */
  @Nullable String ownFile() {
    return files.certificate();
  }

  SSLParameters parametersOfJava() {
    return context.getSupportedSSLParameters();
  }

  /**
   * Returns the path of the file of trusted CAs; if none is configured, a phrase for Java's CAs.
   */
  String caInWords() {
    return files.ca() == null ? "what Java trusts; set tls.ca" : files.ca();
  }

  /**
   * Returns what the files hold, or held when they could be read last; null if they could never be
   * read.
   */
  @Nullable Credentials current() {
    try {
      return load();
    } catch (IOException e) {
      return null; // context() throws the reason
    }
  }

  /**
   * Returns the files' content, read anew if they were replaced; throws if they could never be
   * read.
   */
  private Credentials load() throws IOException {
    Credentials known = credentials;
    if (known != null && known.stamps().equals(Credentials.stamps(files))) {
      trouble.recovered(); // the earlier files may be back
      return known;
    }
    return reload();
  }

  private synchronized Credentials reload() throws IOException {
    Credentials known = credentials;
    if (known != null && known.stamps().equals(Credentials.stamps(files))) {
      return known; // another thread was faster
    }
    try {
      Credentials fresh = Credentials.read(files, "own-" + ++generation);
      earlier = known;
      credentials = fresh;
      trouble.recovered();
      if (known != null) {
        log.info("TLS of {}: the files were replaced, new connections use the new ones", hop);
      }
      return fresh;
    } catch (IOException e) {
      if (known == null) {
        throw e;
      }
      trouble.occurred(
          "TLS of "
              + hop
              + ": "
              + e.getMessage()
              + ": what was read before stays in use, the files are read again at the next"
              + " connection");
      return known;
    }
  }

  /**
   * Returns the credentials of a handshake, even if the files were replaced since it began; null if
   * they were replaced twice.
   */
  @Nullable Credentials byAlias(String alias) {
    for (Credentials each : new @Nullable Credentials[] {credentials, earlier}) {
      if (each != null && each.alias().equals(alias)) {
        return each;
      }
    }
    return null;
  }
}
