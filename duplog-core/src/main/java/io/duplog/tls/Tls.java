package io.duplog.tls;

import com.google.common.net.InetAddresses;
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
 * TLS of one hop. Its context stays the same for ever; the files are looked at in every handshake,
 * and read again when they were replaced. Ones that can't be used then, half-written perhaps,
 * change nothing: what was read before stays in use. TLS 1.3 and 1.2 only; names are always
 * verified.
 *
 * <p>Nothing is read before it is needed, so that a missing file is that hop's trouble alone. Safe
 * for any thread.
 */
public final class Tls {
  private static final Logger log = LoggerFactory.getLogger(Tls.class);
  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

  /**
   * A resumed session skips the certificates, so that neither a replaced file nor an expiry would
   * be seen. The JDK can't go without sessions; a second is its shortest time for them.
   */
  private static final int SESSION_SECONDS = 1;

  private final String hop;
  private final TlsConfig files;
  private final boolean asServer;
  private final RecurringWarning trouble;
  private final SSLContext context;

  /** Null until the files could be read for the first time. */
  private volatile @Nullable Credentials credentials;

  /** For a handshake that began with these. */
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
   * Of a hop on which we are the client.
   *
   * @param hop as it stands in log lines: {@code broker syslog-a 10.0.0.1:5671}
   */
  public static Tls ofClient(String hop, TlsConfig config) {
    return new Tls(hop, config, false);
  }

  /** Of a hop on which we are the server. */
  public static Tls ofServer(String hop, ServerTlsConfig config) {
    return new Tls(hop, config.files(), true);
  }

  /**
   * The context, for as many connections as are wanted, together with {@link #parameters}.
   *
   * @throws IOException where the files could not be read so far; the message is one line that
   *     names the file and what is wrong with it
   */
  public SSLContext context() throws IOException {
    load();
    return context;
  }

  /**
   * The same, whose engines verify this name, and send it as SNI with {@link #parametersFor},
   * whatever they are made for: for a client that is given one of the name's addresses.
   */
  public SSLContext contextFor(String host) throws IOException {
    return isAddress(host) ? context() : NamedContext.of(context(), host);
  }

  /** As {@link #parameters}, of such a context. */
  public SSLParameters parametersFor(String host) {
    SSLParameters parameters = parameters();
    if (!isAddress(host)) {
      parameters.setServerNames(List.of(new SNIHostName(host)));
    }
    return parameters;
  }

  private static boolean isAddress(String host) {
    return InetAddresses.isUriInetAddress(host);
  }

  /** What every connection has to be given: the protocols, and whom to verify. */
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
   * Makes sockets of a client that have the parameters already. Making one throws an {@link
   * IOException} as {@link #context} does.
   */
  public SSLSocketFactory sockets() {
    return new ClientSockets(this);
  }

  /**
   * Why a connection did not come about or broke, in a clause whose subject is the other side:
   * {@code its certificate expired on 2026-11-20T08:00:00Z}.
   *
   * @param failure as the connection threw it
   * @return null where TLS has nothing to do with it
   */
  public @Nullable String reason(Throwable failure) {
    return TlsFailure.inWords(failure, this);
  }

  /**
   * What to add to the words for a connection that the other side has closed without a reason. What
   * it says of our certificate, or of none, gets lost if it hangs up while we still write; with TLS
   * 1.3 the handshake is over for us by then. Empty if it never asked for a certificate.
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

  /** Called when the other side asks for our certificate in a handshake. */
  void markAsked() {
    asked = true;
  }

  /** Whether the other side has asked for our certificate in any handshake so far. */
  boolean isAsked() {
    return asked;
  }

  /** Our own certificate as it is in use; null where we have none, or have not read it yet. */
  @Nullable X509Certificate ownCertificate() {
    Credentials now = current();
    return now == null || now.chain().isEmpty() ? null : now.chain().get(0);
  }

  /** Its file; null where we have none. */
  @Nullable String ownFile() {
    return files.certificate();
  }

  SSLParameters parametersOfJava() {
    return context.getSupportedSSLParameters();
  }

  /** Whom we trust: the file. */
  String caInWords() {
    return files.ca() == null ? "what Java trusts; set tls.ca" : files.ca();
  }

  /** What the files hold, or held when they could be read last; null where they never could. */
  @Nullable Credentials current() {
    try {
      return load();
    } catch (IOException e) {
      return null; // who asks for the context is told why
    }
  }

  /** Throws only where the files could never be read. */
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

  /** Of this handshake, which may have begun before the files were replaced. */
  @Nullable Credentials byAlias(String alias) {
    for (Credentials each : new @Nullable Credentials[] {credentials, earlier}) {
      if (each != null && each.alias().equals(alias)) {
        return each;
      }
    }
    return null;
  }
}
