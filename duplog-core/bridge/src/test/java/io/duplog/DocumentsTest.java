package io.duplog;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.parts.Deployed;
import io.duplog.parts.Documents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that every link, heading, class, test and figure that the documents name exists. */
class DocumentsTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```$");
  private static final Pattern TEST_CLASS = Pattern.compile("`([A-Z]\\w+(?:Test|IT|Contract))`");
  private static final Pattern PAGE =
      Pattern.compile("(?<=@see \")docs/[^\"]+|\\bdocs/[\\w/-]+\\.md(?:#[\\w-]+)?");

  private static Stream<Path> documents() {
    Path checkout = Deployed.checkout();
    return Stream.concat(
        Documents.pages().stream(),
        Stream.of("ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
            .map(checkout::resolve));
  }

  private static List<String> found(
      Pattern pattern, Path document, Function<MatchResult, String> part) {
    return pattern.matcher(text(document)).results().map(part).toList();
  }

  @Test
  void link_leadsToAFile_andToAHeadingInIt() {
    List<String> broken = new ArrayList<>();
    documents()
        .forEach(
            document -> {
              for (String link : found(LINK, document, match -> match.group(1))) {
                if (!link.contains("://") && !isThere(document, link)) {
                  broken.add(document.getFileName() + ": " + link);
                }
              }
            });
    assertThat(broken).isEmpty();
  }

  private static boolean isThere(Path document, String link) {
    String[] parts = link.split("#", 2);
    Path target = parts[0].isEmpty() ? document : document.resolveSibling(parts[0]);
    return Files.exists(target) && (parts.length == 1 || anchors(target).contains(parts[1]));
  }

  /** Returns the anchors that GitHub makes of a document's headings. */
  private static Set<String> anchors(Path document) {
    String prose = CODE.matcher(text(document)).replaceAll("");
    return HEADING
        .matcher(prose)
        .results()
        .map(match -> match.group(1).toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1"))
        .map(heading -> heading.replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  @Test
  void testThatIsNamed_isThere() throws IOException {
    Set<String> named = new TreeSet<>();
    documents().forEach(each -> named.addAll(found(TEST_CLASS, each, match -> match.group(1))));
    try (Stream<Path> files = Files.walk(Deployed.checkout())) {
      files.forEach(file -> named.remove(file.getFileName().toString().replace(".java", "")));
    }
    assertThat(named).isEmpty();
  }

  @Test
  void pageThatAClassNames_isThere_withItsHeading() throws IOException {
    Path checkout = Deployed.checkout();
    Set<String> named = new TreeSet<>();
    try (Stream<Path> files = Files.walk(checkout)) {
      files
          .filter(file -> file.toString().endsWith(".java"))
          .forEach(file -> named.addAll(found(PAGE, file, MatchResult::group)));
    }
    assertThat(named).isNotEmpty().allMatch(page -> isThere(checkout.resolve("README.md"), page));
  }

  @Test
  void figureWithItsTable_isWhatTheTableSays() {
    Figures figures = new Figures(Deployed.checkout().resolve("benchmark"));
    assertThat(ofAll(figures::wrong)).isEmpty();
  }

  /** Decisions are left out, because they record the measurements of their day. */
  @Test
  void figureBesideALinkToResults_namesItsTable() {
    assertThat(ofAll(Figures::untied)).allMatch(figure -> figure.startsWith("docs/decisions/"));
  }

  /** Returns what a finder finds in all documents, each finding with its document. */
  private static List<String> ofAll(Function<String, List<String>> finder) {
    Path checkout = Deployed.checkout();
    return documents()
        .flatMap(
            page ->
                finder.apply(text(page)).stream()
                    .map(found -> checkout.relativize(page) + ": " + found))
        .toList();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
