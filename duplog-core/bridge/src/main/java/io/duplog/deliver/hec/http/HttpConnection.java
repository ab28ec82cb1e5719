package io.duplog.deliver.hec.http;

import com.google.common.base.Throwables;
import io.duplog.config.Secret;
import io.duplog.deliver.hec.answer.AnswerReader;
import io.duplog.deliver.hec.answer.OwnSecrets;
import io.duplog.deliver.hec.answer.Reply;
import io.duplog.deliver.hec.answer.ReplyBody;
import io.duplog.tls.Tls;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * Sends HEC requests over a lasting HTTP connection, with its own cookies for load balancers with
 * sticky sessions. A load balancer then keeps the sender on one indexer. The only class that uses
 * the JDK's HTTP client. Not thread-safe. Belongs to the sender's thread.
 */
public final class HttpConnection implements Connection {
  /** Prefix of the JDK's message if a proxy does not open a tunnel; the HTTP status follows. */
  private static final String TUNNEL_FAILED = "Tunnel failed, got:";

  static {
    // Closes idle connections after 30 s, before load balancers and firewalls drop them silently,
    // because a request on a dropped connection would fail.
    if (System.getProperty("jdk.httpclient.keepalive.timeout") == null) {
      System.setProperty("jdk.httpclient.keepalive.timeout", "30");
    }
  }

  private final String url;
  private final String authorization;
  private final OwnSecrets secrets;
  private final Duration timeout;
  private final @Nullable Tls tls;
  private final ProxyConfig.@Nullable Hop proxy;
  private final Destination destination;
  private final Cookies cookies;
  private final HttpClient client;

  /**
   * @param url the collector's URL without a slash at its end
   * @param connectTimeout the maximum time to connect
   * @param timeout the maximum time of a whole exchange
   * @param tls the trusted certificates and the client's own one, or null if the URL is not https
   * @param proxy the proxy in front of the URL, or null to use Java's own settings
   * @param executor runs short tasks of the exchange
   * @throws IOException if a TLS file can't be read; the message names it
   */
  public HttpConnection(
      String url,
      Secret token,
      Duration connectTimeout,
      Duration timeout,
      @Nullable Tls tls,
      ProxyConfig.@Nullable Hop proxy,
      Executor executor)
      throws IOException {
    this.url = url;
    this.proxy = proxy;
    this.authorization = "Splunk " + token.reveal();
    List<String> ownSecrets = new ArrayList<>(proxy == null ? List.of() : proxy.secrets());
    ownSecrets.add(token.reveal());
    this.secrets = new OwnSecrets(ownSecrets);
    this.timeout = timeout;
    this.tls = tls;
    this.destination = new Destination(url, proxy);
    URI parsed = URI.create(url);
    this.cookies = new Cookies(parsed, System::currentTimeMillis, System::nanoTime);
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(connectTimeout)
            .cookieHandler(cookies)
            .proxy(destination)
            .executor(executor);
    if (tls != null) {
      builder
          .sslContext(tls.contextFor(parsed.getHost()))
          .sslParameters(tls.parametersFor(parsed.getHost()));
    }
    this.client = builder.build();
  }

  @Override
  public Reply post(Post post) throws IOException {
    // The body publisher copies the bytes, so the sender may reuse them even if the exchange was
    // cancelled.
    Reply reply = exchange(() -> request(post));
    if (mayRejectCookies(reply)) {
      cookies.clear();
    }
    return reply;
  }

  /**
   * Whether a reply is an error from a proxy or load balancer that may be due to the cookies. An
   * error after which the channel is kept does not count, because the cookies lead to the channel's
   * indexer.
   */
  private static boolean mayRejectCookies(Reply reply) {
    return reply.status() / 100 != 2
        && !AnswerReader.hasNoAckId(reply)
        && ReplyBody.of(reply.body()).code() < 0;
  }

  private HttpRequest request(Post post) {
    HttpRequest.Builder request =
        request(post.path())
            .POST(BodyPublishers.ofByteArray(post.body(), 0, post.length()))
            .header("Content-Type", "application/json; charset=utf-8");
    if (post.compressed()) {
      request.header("Content-Encoding", "gzip");
    }
    if (post.channel() != null) {
      request.header("X-Splunk-Request-Channel", post.channel());
    }
    return request.build();
  }

  @Override
  public Reply get(String path) throws IOException {
    return exchange(() -> request(path).GET().build());
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(destination.uri(path))
            .header("Authorization", authorization)
            .header("User-Agent", "duplog");
    String host = destination.hostHeader();
    if (host != null) {
      request.header("Host", host);
    }
    if (proxy != null && proxy.authorization() != null) {
      request.header("Proxy-Authorization", proxy.authorization());
    }
    return request;
  }

  /**
   * Performs the exchange with the current address, and with further ones if that is unreachable.
   */
  private Reply exchange(Supplier<HttpRequest> request) throws IOException {
    long since = System.nanoTime();
    for (int tried = 1; ; tried++) {
      try {
        return exchange(request.get());
      } catch (UnsentException e) {
        boolean hasMore = isUnreachable(e) && tried < destination.useNextAddress();
        if (!hasMore || System.nanoTime() - since > timeout.toNanos()) {
          throw e;
        }
      }
    }
  }

  private Reply exchange(HttpRequest request) throws IOException {
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(request, head -> new BoundedBody(maxBytes(head)));
    try {
      HttpResponse<byte[]> response = answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      return new Reply(
          response.statusCode(),
          response.headers().firstValue("Retry-After").orElse(null),
          response.headers().firstValue("Location").orElse(null),
          response.headers().firstValue("Date").orElse(null),
          response.body(),
          secrets);
    } catch (TimeoutException e) {
      throw new IOException("no answer within " + timeout.toMillis() + " ms", e);
    } catch (ExecutionException e) {
      Throwable failure = Objects.requireNonNullElse(e.getCause(), e);
      String words = describe(failure);
      throw isUnconnected(failure) ? new UnsentException(words, e) : new IOException(words, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    } finally {
      answer.cancel(true); // closes the connection if the exchange hasn't ended
    }
  }

  /**
   * Returns the number of response bytes after which the connection is closed. This number is the
   * whole body for an http URL via a proxy. A proxy may close such a connection after an answer
   * without announcing it (tinyproxy does), and the next request would fail.
   */
  private int maxBytes(HttpResponse.ResponseInfo head) {
    return proxy != null && url.startsWith("http:")
        ? (int)
            Math.min(
                Reply.MAX_BODY_BYTES,
                head.headers().firstValueAsLong("Content-Length").orElse(Reply.MAX_BODY_BYTES))
        : Reply.MAX_BODY_BYTES;
  }

  private static boolean isUnconnected(Throwable failure) {
    return isUnreachable(failure)
        || Throwables.getCausalChain(failure).stream()
            .anyMatch(
                cause ->
                    cause instanceof SSLHandshakeException
                        || String.valueOf(cause.getMessage()).startsWith(TUNNEL_FAILED));
  }

  private static boolean isUnreachable(Throwable failure) {
    return Throwables.getCausalChain(failure).stream().anyMatch(ConnectException.class::isInstance);
  }

  private String describe(Throwable failure) {
    String reason = tls == null ? null : tls.reason(failure);
    if (reason != null) {
      return reason;
    }
    for (Throwable cause : Throwables.getCausalChain(failure)) {
      if (cause instanceof UnresolvedAddressException
          || cause.getCause() instanceof UnresolvedAddressException) {
        return (proxy == null ? "the host" : "the proxy") + "'s name can't be resolved";
      }
      if (cause instanceof HttpConnectTimeoutException) {
        return "no connection within connect-timeout";
      }
      if (tls == null && (cause instanceof EOFException || cause instanceof ProtocolException)) {
        // A TLS server closes the connection after a request in plain text, or answers with an
        // alert.
        return "it closed the connection or did not answer with HTTP; if it expects TLS, use"
            + " https://";
      }
      if (cause instanceof ConnectException) {
        // The client sometimes loses the operating system's message.
        String words = cause.getMessage() == null ? "Connection refused" : cause.getMessage();
        return proxy == null ? words : "the proxy: " + words;
      }
    }
    String message = failure.getMessage();
    // The client's message repeats an invalid status line completely, hence the excerpt.
    String words =
        message == null
            ? failure.getClass().getSimpleName()
            : AnswerReader.excerpt(message, secrets);
    if (words.startsWith(TUNNEL_FAILED)) {
      return words.replace(TUNNEL_FAILED, "the proxy answers CONNECT with")
          + ": check its login, and whether it allows and reaches this host and port";
    }
    // With TLS 1.3 the client's handshake ends before the server checks the client's certificate,
    // so
    // any failure may be due to that.
    return tls == null ? words : words + tls.hint();
  }

  @Override
  public void close() {
    // The client closes its connection when it is garbage-collected or has been idle long enough.
  }

  /** Reads the first bytes of a body and then ends the exchange, because a body may be endless. */
  private static final class BoundedBody implements BodySubscriber<byte[]> {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private final int maxBytes;
    private Flow.@Nullable Subscription subscription;

    BoundedBody(int maxBytes) {
      this.maxBytes = maxBytes;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
      return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription newSubscription) {
      subscription = newSubscription;
      newSubscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
      for (ByteBuffer buffer : buffers) {
        byte[] part = new byte[Math.min(buffer.remaining(), maxBytes - bytes.size())];
        buffer.get(part);
        bytes.writeBytes(part);
      }
      if (bytes.size() >= maxBytes && subscription != null) {
        subscription.cancel();
        onComplete();
      }
    }

    @Override
    public void onError(Throwable failure) {
      body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      body.complete(bytes.toByteArray());
    }
  }
}
