package io.duplog.status.page;

import com.google.common.io.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Serves the files of the status page from the jar, by their URL paths. The files are read once
 * from the jar. May be used from any thread.
 */
public final class Page {
  /** Folder of the library that draws the trends; the version is that of the pom. */
  private static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/dist/";

  private static final String HTML = "text/html; charset=utf-8";
  private static final String STYLE = "text/css; charset=utf-8";
  private static final String SCRIPT = "text/javascript; charset=utf-8";

  /** A file with its media type. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Resource(String type, byte[] body) {}

  private final Map<String, Resource> resources = new HashMap<>();
  private final Manual manual = new Manual();

  /** Reads the files. */
  public Page() {
    add("/", "index.html", HTML);
    add("/page.css", "page.css", STYLE);
    add("/icon.svg", "icon.svg", "image/svg+xml");
    add("/uplot.css", UPLOT + "uPlot.min.css", STYLE);
    add("/uplot.js", UPLOT + "uPlot.iife.min.js", SCRIPT);
    for (String script : new String[] {"page", "words", "flow", "tables", "trends"}) {
      add("/" + script + ".js", script + ".js", SCRIPT);
    }
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
  public @Nullable Resource find(String path) {
    if (!path.startsWith(Manual.PATH)) {
      return resources.get(path);
    }
    byte[] document = manual.find(path.substring(Manual.PATH.length()));
    return document == null ? null : new Resource(HTML, document);
  }
}
