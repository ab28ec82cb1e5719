package io.duplog.status;

import com.google.common.io.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Files of the status page by URL path; read once from the jar. */
final class Page {
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Resource(String type, byte[] body) {}

  private final Map<String, Resource> resources = new HashMap<>();

  Page() {
    add("/", "index.html", "text/html; charset=utf-8");
    add("/page.css", "page.css", "text/css; charset=utf-8");
    add("/page.js", "page.js", "text/javascript; charset=utf-8");
    add("/icon.svg", "icon.svg", "image/svg+xml");
  }

  private void add(String path, String file, String type) {
    try {
      byte[] body = Resources.toByteArray(Resources.getResource(Page.class, file));
      resources.put(path, new Resource(type, body));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the file at a URL path; null if there is none. */
  @Nullable Resource find(String path) {
    return resources.get(path);
  }
}
