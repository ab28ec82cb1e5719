package io.duplog.collector;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Splitter;
import com.google.common.base.Strings;
import java.net.URI;
import java.net.URLDecoder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the query parameters of a URL that a test's server received. If a name occurs several
 * times, the last value counts.
 */
public final class Parameters {
  private Parameters() {}

  public static Map<String, String> of(URI uri) {
    Map<String, String> parameters = new HashMap<>();
    String query = Strings.nullToEmpty(uri.getRawQuery());
    for (String pair : Splitter.on('&').omitEmptyStrings().split(query)) {
      List<String> parts = Splitter.on('=').limit(2).splitToList(pair);
      parameters.put(
          URLDecoder.decode(parts.get(0), UTF_8),
          parts.size() < 2 ? "" : URLDecoder.decode(parts.get(1), UTF_8));
    }
    return parameters;
  }
}
