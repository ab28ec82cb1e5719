package io.duplog.benchmark.hec;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.URLDecoder;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parameters of a URL. */
final class Parameters {
  private Parameters() {}

  static Map<String, String> of(URI uri) {
    return of(uri.getRawQuery());
  }

  static Map<String, String> of(@Nullable String query) {
    Map<String, String> parameters = new HashMap<>();
    if (query == null || query.isEmpty()) {
      return parameters;
    }
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      String value = equals < 0 ? "" : pair.substring(equals + 1);
      parameters.put(URLDecoder.decode(name, UTF_8), URLDecoder.decode(value, UTF_8));
    }
    return parameters;
  }
}
