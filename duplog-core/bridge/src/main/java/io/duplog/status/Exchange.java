package io.duplog.status;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * One HTTP request to the status page and its answer, with the headers that all answers have.
 *
 * @param end called when the client has the answer, or has disconnected
 */
record Exchange(Request request, Response response, Callback end) {
  static final String TEXT = "text/plain; charset=utf-8";
  static final String JSON = "application/json";
  static final String JSON_LINES = "application/x-ndjson";

  /** Content security policy: only the page's own files and requests, no inline code, no frames. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  void send(int status, String type, String body) {
    send(status, type, body.getBytes(StandardCharsets.UTF_8));
  }

  /** Sends a complete response without blocking the thread. */
  void send(int status, String type, byte[] body) {
    begin(status, type);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
    boolean head = HttpMethod.HEAD.is(request.getMethod());
    response.write(true, head ? null : ByteBuffer.wrap(body), end);
  }

  /** Sets the status and the headers of the response; the caller writes the body. */
  void begin(int status, String type) {
    response.setStatus(status);
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
