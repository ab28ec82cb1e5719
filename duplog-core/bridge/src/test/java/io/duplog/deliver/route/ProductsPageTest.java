package io.duplog.deliver.route;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import io.duplog.parts.Deployed;
import io.duplog.parts.Documents;
import io.duplog.parts.Generated;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Tests the table of docs/splunk/products.md: it is made of the rules, their comments, and the
 * first sample of each product.
 */
class ProductsPageTest {
  private static final Path RULES =
      Deployed.checkout().resolve("deploy/splunk/rules/products.yaml");
  private static final Path SAMPLES =
      Deployed.checkout().resolve("deploy/splunk/rules/products.tsv");
  private static final String HEADING = "## The table\n";

  private static final Pattern COMMENT = Pattern.compile("  # (?!==)(.*)");
  private static final Pattern PROGRAMS = Pattern.compile("program: \\[([^]]*)]");
  private static final Pattern TEXTS = Pattern.compile("message: '((?:[^']|'')*)'");
  private static final Pattern SOURCETYPE = Pattern.compile("sourcetype: \"([^\"]*)\"");
  private static final Pattern ADD_ON =
      Pattern.compile("; ([^;]*(?:[Aa]dd-[Oo]n|App for|TA-)[^;.]*(?:\\(\\d+\\))?)");
  private static final Pattern NUMBER = Pattern.compile("more than \\d+ products(?: and formats)?");
  private static final Splitter ITEMS = Splitter.on(',').trimResults().omitEmptyStrings();
  private static final int SHOWN_ITEMS = 4;
  private static final int SHOWN_LENGTH = 160;

  /** The rules that stand below one comment. */
  private static final class Product {
    final StringBuilder comment = new StringBuilder();
    final StringBuilder rules = new StringBuilder();
    String sample = "";

    String row() {
      Matcher addOn = ADD_ON.matcher(comment);
      boolean hasAddOn = addOn.find();
      String name = hasAddOn ? addOn.replaceFirst("") : comment.toString();
      return "| %s | %s | %s | %s | %s |\n"
          .formatted(
              escaped(name.replaceFirst("[.;]$", "")),
              recognition(),
              list(all(SOURCETYPE)),
              hasAddOn ? escaped(addOn.group(1)) : "",
              code(sample));
    }

    private Set<String> all(Pattern pattern) {
      Set<String> found = new LinkedHashSet<>();
      pattern.matcher(rules).results().forEach(each -> found.add(each.group(1)));
      return found;
    }

    private String recognition() {
      Set<String> programs = new LinkedHashSet<>();
      for (String names : all(PROGRAMS)) {
        ITEMS.split(names.replaceAll("[\"'\\s]+", "")).forEach(programs::add);
      }
      boolean hasNone = programs.remove("-");
      List<String> parts = new ArrayList<>();
      if (!programs.isEmpty()) {
        parts.add("program " + list(programs));
      }
      Set<String> texts = all(TEXTS);
      texts.removeIf(text -> text.contains("](")); // DocumentsTest would take it for a link.
      if (!texts.isEmpty()) {
        parts.add((hasNone ? "no program, text " : "text ") + list(texts));
      }
      return String.join("; ", parts);
    }
  }

  private static String list(Set<String> items) {
    String shown =
        items.stream().limit(SHOWN_ITEMS).map(ProductsPageTest::code).collect(joining(", "));
    int more = items.size() - SHOWN_ITEMS;
    return more > 0 ? shown + " and %d more".formatted(more) : shown;
  }

  private static String code(String text) {
    String shown =
        text.length() <= SHOWN_LENGTH ? text : text.substring(0, SHOWN_LENGTH).strip() + " …";
    String clean = escaped(shown.replace("\t", "    ").replaceAll("[\\p{Cc}\\p{Cf}]", "."));
    if (clean.isEmpty()) {
      return "";
    }
    return clean.contains("`") ? "`` " + clean + " ``" : "`" + clean + "`";
  }

  private static String escaped(String text) {
    return text.replace("|", "\\|");
  }

  /**
   * Returns the products; the product of each rule is in the list of the same order as the rules.
   */
  private static List<Product> products(List<Product> ofRules) throws Exception {
    List<Product> products = new ArrayList<>();
    boolean isInComment = false;
    for (String line : Files.readAllLines(RULES)) {
      Matcher comment = COMMENT.matcher(line);
      if (comment.matches()) {
        if (!isInComment) {
          products.add(new Product());
        }
        Product last = products.get(products.size() - 1);
        last.comment.append(last.comment.isEmpty() ? "" : " ").append(comment.group(1));
        isInComment = true;
      } else if (!products.isEmpty() && !line.startsWith("  #")) {
        isInComment = false;
        Product last = products.get(products.size() - 1);
        last.rules.append(line).append('\n');
        if (line.startsWith("  - ")) {
          ofRules.add(last);
        }
      }
    }
    products.removeIf(product -> !product.rules.toString().contains("sourcetype"));
    return products;
  }

  private static String table() throws Exception {
    List<Product> ofRules = new ArrayList<>();
    List<Product> products = products(ofRules);
    Routing routing =
        new Routing(RoutingConfigTest.parse("include: [%s]".formatted(RULES.toAbsolutePath())))
            .open();
    assertThat(ofRules).hasSameSizeAs(routing.rules());
    EventMetadata metadata = new EventMetadata(routing);
    for (String line : Files.readAllLines(SAMPLES)) {
      if (!line.startsWith("#")) {
        String message = line.substring(line.indexOf('\t') + 1);
        byte[] data = message.getBytes(StandardCharsets.UTF_8);
        metadata.read(data, 0, 0, data.length, 0);
        Product product = ofRules.get(metadata.route().rule() - 1);
        product.sample = product.sample.isEmpty() ? message : product.sample;
      }
    }
    String head =
        """

        | vendor, product | recognised by | sourcetype | Splunk add-on | a sample line |
        |---|---|---|---|---|
        """;
    return products.stream().map(Product::row).collect(joining("", head, ""));
  }

  @Test
  void generatedTable_isMadeOfTheRulesAndSamples() throws Exception {
    String page = Deployed.page("splunk/products.md");
    String made = page.substring(0, page.indexOf(HEADING) + HEADING.length()) + table();
    Generated.assertCurrent("docs/splunk/products.md", made);
  }

  @Test
  void numberOfProducts_isThatOfTheTable_whereverItIsNamed() throws Exception {
    int hundreds = (products(new ArrayList<>()).size() - 1) / 100 * 100;
    String number = "more than %d products and formats".formatted(hundreds);

    List<String> numbers = new ArrayList<>();
    numbers.addAll(numbers(Deployed.text("reference/duplog.yaml")));
    for (Path page : Documents.pages()) {
      numbers.addAll(numbers(Files.readString(page)));
    }

    assertThat(numbers).hasSizeGreaterThanOrEqualTo(5).containsOnly(number);
  }

  private static List<String> numbers(String text) {
    return NUMBER
        .matcher(text.replaceAll("[\\s#]+", " "))
        .results()
        .map(MatchResult::group)
        .toList();
  }
}
