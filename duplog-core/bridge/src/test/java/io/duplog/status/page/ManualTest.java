package io.duplog.status.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.observe.Runbook;
import io.duplog.parts.Deployed;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the documents which a bridge serves contain only links that work there. */
class ManualTest {
  private static final Pattern LINK = Pattern.compile("<a href=\"([^\"]*)\"");

  private final Manual manual = new Manual();

  private static List<String> names() throws IOException {
    Path docs = Deployed.checkout().resolve("docs");
    try (Stream<Path> top = Files.list(docs);
        Stream<Path> splunk = Files.list(docs.resolve("splunk"))) {
      return Stream.concat(top, splunk)
          .map(file -> docs.relativize(file).toString())
          .filter(file -> file.endsWith(".md"))
          .map(file -> file.replaceFirst("\\.md$", ""))
          .toList();
    }
  }

  private String html(String name) {
    return new String(Objects.requireNonNull(manual.find(name), name), UTF_8);
  }

  @Test
  void eachLink_ofEachDocument_leadsToADocument_andToAHeadingInIt() throws Exception {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (String name : names()) {
      URI self = URI.create("/docs/" + name);
      String body = html(name).replaceFirst("(?s)^.*<main", "");
      for (String link :
          LINK.matcher(body).results().map((MatchResult match) -> match.group(1)).toList()) {
        URI target = self.resolve(link);
        String page = target.getPath();
        if (target.getHost() != null) {
          continue;
        }
        links++;
        if (!page.startsWith("/docs/")
            || manual.find(page.substring("/docs/".length())) == null
            || (target.getFragment() != null
                && !html(page.substring("/docs/".length()))
                    .contains("id=\"" + target.getFragment() + "\""))) {
          broken.add(name + ": " + link);
        }
      }
    }
    assertThat(broken).isEmpty();
    assertThat(links).isGreaterThan(200);
  }

  @ParameterizedTest
  @EnumSource
  void runbook_hasItsSection(Runbook runbook) {
    String[] place = runbook.place().split("#", 2);

    assertThat(html(place[0])).contains("id=\"" + place[1] + "\"");
  }

  /** The policy of the page allows nothing inline, and pictures are not in the jar. */
  @Test
  void document_hasNothingInline_noPicture_andNoLinkOutOfTheFolder() throws Exception {
    for (String name : names()) {
      assertThat(html(name))
          .as(name)
          .doesNotContain("<img", "style=", "<script", "href=\"../../deploy")
          .contains("<title>");
    }
    assertThat(html("coverage")).contains("<title>").contains("<table>");
    assertThat(html("operations")).contains("href=\"../page.css\"");
    assertThat(html("splunk/app")).contains("href=\"../../page.css\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "none", "../index", "..", "splunk", "splunk/", "decisions/status", "a/b/c"})
  void otherName_isNoDocument(String name) {
    assertThat(manual.find(name)).isNull();
  }
}
