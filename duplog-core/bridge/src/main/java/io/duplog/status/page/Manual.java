package io.duplog.status.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.html.HtmlEscapers;
import com.google.common.io.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Emphasis;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.text.TextContentRenderer;
import org.jspecify.annotations.Nullable;

/**
 * Serves the documents of Duplog as HTML below the status page, so that a link to one works without
 * a network. A document is rendered when it is first requested, and then kept. Pictures and files
 * outside of docs are not in the jar: links to them become plain text. May be used from any thread.
 */
final class Manual {
  /** Path of the documents on the page. */
  static final String PATH = "/docs/";

  /** A document's name without its suffix: nothing that could leave the folder. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9-]+(?:/[A-Za-z0-9-]+)?");

  private static final List<Extension> EXTENSIONS =
      List.of(TablesExtension.create(), HeadingAnchorExtension.create());
  private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
  private static final HtmlRenderer HTML =
      HtmlRenderer.builder().extensions(EXTENSIONS).escapeHtml(true).build();
  private static final TextContentRenderer TEXT = TextContentRenderer.builder().build();

  private final Map<String, byte[]> rendered = new ConcurrentHashMap<>();
  private final String template = text("document.html");

  /**
   * Returns a document as a page of HTML.
   *
   * @param name such as {@code runbook} or {@code splunk/app}
   * @return null if there is no such document
   */
  byte @Nullable [] find(String name) {
    return isThere(name) ? rendered.computeIfAbsent(name, this::render) : null;
  }

  private static boolean isThere(String name) {
    return NAME.matcher(name).matches() && resource("docs/" + name + ".md") != null;
  }

  private byte[] render(String name) {
    Node document = PARSER.parse(text("docs/" + name + ".md"));
    Adaptation adaptation = new Adaptation(name);
    document.accept(adaptation);
    return template
        .replace("{root}", name.contains("/") ? "../../" : "../")
        .replace("{title}", HtmlEscapers.htmlEscaper().escape(adaptation.title))
        .replace("{body}", HTML.render(document))
        .getBytes(UTF_8);
  }

  private static @Nullable URL resource(String file) {
    return Manual.class.getResource(file);
  }

  private static String text(String file) {
    URL resource = resource(file);
    if (resource == null) {
      throw new IllegalArgumentException(file);
    }
    try {
      return Resources.toString(resource, UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes a document of the checkout one of the page: its links lead to other such documents. */
  private static final class Adaptation extends AbstractVisitor {
    private final URI self;
    private String title = "";

    Adaptation(String name) {
      this.self = URI.create(PATH + name);
    }

    @Override
    public void visit(Heading heading) {
      if (title.isEmpty()) {
        title = TEXT.render(heading).strip();
      }
      visitChildren(heading);
    }

    @Override
    public void visit(Image image) {
      visitChildren(image);
      replace(image, new Emphasis("*"));
    }

    /** The comments that name a figure's table are for the tests. */
    @Override
    public void visit(HtmlInline html) {
      if (html.getLiteral().startsWith("<!--")) {
        html.unlink();
      }
    }

    @Override
    public void visit(Link link) {
      visitChildren(link);
      String target = link.getDestination();
      if (target.startsWith("#") || target.contains("://")) {
        return;
      }
      String[] parts = target.split("#", 2);
      String path = self.resolve(parts[0]).getPath();
      if (path.startsWith(PATH)
          && path.endsWith(".md")
          && isThere(path.substring(PATH.length(), path.length() - ".md".length()))) {
        String page = parts[0].substring(0, parts[0].length() - ".md".length());
        link.setDestination(parts.length == 1 ? page : page + "#" + parts[1]);
      } else {
        while (link.getFirstChild() != null) {
          link.insertBefore(link.getFirstChild());
        }
        link.unlink();
      }
    }

    private static void replace(Node old, Node replacement) {
      while (old.getFirstChild() != null) {
        replacement.appendChild(old.getFirstChild());
      }
      old.insertBefore(replacement);
      old.unlink();
    }
  }
}
