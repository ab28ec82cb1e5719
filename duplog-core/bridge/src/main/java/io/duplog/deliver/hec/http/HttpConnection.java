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
 * A kept-alive HTTP/1.1 connection with its own cookies, so that a load balancer with sticky
 * cookies keeps the sender at one indexer. The only class that uses the JDK's HTTP client.
 */
public final class HttpConnection implements Connection {
  /** Beginning of the JDK's message if a proxy does not open a tunnel; the HTTP status follows. */
  private static final String NO_TUNNEL = "Tunnel failed, got:";

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
   * @param connectTimeout how long connecting may take
   * @param timeout how long a whole exchange may take
   * @param tls trusted certificates and our own one; null if the URL is not https
   * @param proxy the proxy on the way; null to use what Java's own settings say
   * @param executor runs short tasks of the exchange
   * @throws IOException if a file for TLS can't be read; the message is a line that names it
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
    List<String> own = new ArrayList<>(proxy == null ? List.of() : proxy.secrets());
    own.add(token.reveal());
    this.secrets = new OwnSecrets(own);
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
    // The body publisher copies the bytes, so the sender may reuse them even if an exchange was
    // cancelled.
    Reply reply = exchange(() -> request(post));
    if (mayDislikeCookies(reply)) {
      cookies.forget();
    }
    return reply;
  }

  /**
   * Whether a reply is an error by a proxy or load balancer that may be due to our cookies. An
   * error after which the channel is kept does not count, because the channel's indexer is found by
   * cookies.
   */
  private static boolean mayDislikeCookies(Reply reply) {
    return reply.status() / 100 != 2
        && !AnswerReader.isUncounted(reply)
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
    String host = destination.host();
    if (host != null) {
      request.header("Host", host);
    }
    if (proxy != null && proxy.authorization() != null) {
      request.header("Proxy-Authorization", proxy.authorization());
    }
    return request;
  }

  /**
   * Performs the exchange with the current address; tries further addresses if it is unreachable.
   */
  private Reply exchange(Supplier<HttpRequest> request) throws IOException {
    long since = System.nanoTime();
    for (int tried = 1; ; tried++) {
      try {
        return exchange(request.get());
      } catch (UnsentException e) {
        boolean more = isUnreached(e) && tried < destination.next();
        if (!more || System.nanoTime() - since > timeout.toNanos()) {
          throw e;
        }
      }
    }
  }

  private Reply exchange(HttpRequest request) throws IOException {
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(request, head -> new BoundedBody(limit(head)));
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
      String words = inWords(failure);
      throw isUnconnected(failure) ? new UnsentException(words, e) : new IOException(words, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    } finally {
      answer.cancel(true); // closes the connection if the exchange isn't over
    }
  }

  /**
   * Returns the number of response bytes after which the connection is closed. For a plain http URL
   * via a proxy that is the whole body. A proxy may close such a connection after an answer without
   * saying so (tinyproxy does), and the next request would fail.
   */
  private int limit(HttpResponse.ResponseInfo head) {
    return proxy != null && url.startsWith("http:")
        ? (int)
            Math.min(
                Reply.LONGEST_BODY,
                head.headers().firstValueAsLong("Content-Length").orElse(Reply.LONGEST_BODY))
        : Reply.LONGEST_BODY;
  }

  private static boolean isUnconnected(Throwable failure) {
    return isUnreached(failure)
        || Throwables.getCausalChain(failure).stream()
            .anyMatch(
                cause ->
                    cause instanceof SSLHandshakeException
                        || String.valueOf(cause.getMessage()).startsWith(NO_TUNNEL));
  }

  private static boolean isUnreached(Throwable failure) {
    return Throwables.getCausalChain(failure).stream().anyMatch(ConnectException.class::isInstance);
  }

  private String inWords(Throwable failure) {
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
        return "no connection within the time for that";
      }
      if (tls == null && (cause instanceof EOFException || cause instanceof ProtocolException)) {
        // A TLS server hangs up on a request in plain text, or answers with an alert.
        return "it hung up or answered something else than HTTP; if it speaks TLS, use https://";
      }
      if (cause instanceof ConnectException) {
        // The client sometimes loses the system's message.
        String words = cause.getMessage() == null ? "Connection refused" : cause.getMessage();
        return proxy == null ? words : "the proxy: " + words;
      }
    }
    String message = failure.getMessage();
    // The client's message repeats the whole of an invalid status line, hence the excerpt.
    String words =
        message == null
            ? failure.getClass().getSimpleName()
            : AnswerReader.excerpt(message, secrets);
    if (words.startsWith(NO_TUNNEL)) {
      return words.replace(NO_TUNNEL, "the proxy answers CONNECT with")
          + ": check its login, and whether it allows and reaches this host and port";
    }
    // With TLS 1.3 our handshake ends before the server checks our certificate, so any failure may
    // be due to that.
    return tls == null ? words : words + tls.hint();
  }

  @Override
  public void close() {
    // The client closes its connection when it is garbage collected, or idle for long enough.
  }

  /** Reads the first bytes of a body and then ends the exchange, because a body may be endless. */
  private static final class BoundedBody implements BodySubscriber<byte[]> {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private final int limit;
    private Flow.@Nullable Subscription subscription;

    BoundedBody(int limit) {
      this.limit = limit;
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
        byte[] part = new byte[Math.min(buffer.remaining(), limit - bytes.size())];
        buffer.get(part);
        bytes.writeBytes(part);
      }
      if (bytes.size() >= limit && subscription != null) {
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
