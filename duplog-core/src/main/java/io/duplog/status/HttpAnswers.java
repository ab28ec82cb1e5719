package io.duplog.status;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Sends answers, with the headers that all of them have. */
final class HttpAnswers {
  static final String TEXT = "text/plain; charset=utf-8";
  static final String JSON = "application/json";

  /** Nothing from elsewhere, nothing inline, and no frame around it. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private HttpAnswers() {}

  static void send(
      Request request, Response response, Callback callback, int status, String type, String body) {
    send(request, response, callback, status, type, body.getBytes(StandardCharsets.UTF_8));
  }

  /** Holds up no thread: the callback is told when the reader has it, or has gone. */
  static void send(
      Request request, Response response, Callback callback, int status, String type, byte[] body) {
    prepare(response, type);
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
    boolean head = HttpMethod.HEAD.is(request.getMethod());
    response.write(true, head ? null : ByteBuffer.wrap(body), callback);
  }

  static void prepare(Response response, String type) {
    HttpFields.Mutable headers = response.getHeaders();
    headers.put("Content-Type", type);
    headers.put("Content-Security-Policy", POLICY);
    headers.put("X-Content-Type-Options", "nosniff");
    headers.put("X-Frame-Options", "DENY");
    headers.put("Referrer-Policy", "no-referrer");
    headers.put("Cross-Origin-Resource-Policy", "same-origin");
    headers.put("Cache-Control", "no-store");
  }
}
