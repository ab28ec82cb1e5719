package io.duplog.parts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the sample configurations in the documents, so that tests can check that they are valid.
 * Their fences have only the word {@code yaml}. The fence of another program's YAML has more words.
 */
public final class Documents {
  private static final Pattern YAML_BLOCK =
      Pattern.compile("^```yaml\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern SHIM_SECTION =
      Pattern.compile("^(stream|broker|omprog|batch|heartbeat|hec):", Pattern.MULTILINE);
  private static final Pattern FILE_REFERENCE = Pattern.compile("\\$\\{file:[^}]*}");

  private Documents() {}

  /**
   * A configuration, or some of its sections.
   *
   * @param page path of the page
   * @param yaml the text. A value from a file is replaced with "secret". Each "…" that readers fill
   *     in is replaced with a different word.
   */
  public record Block(String page, String yaml) {
    private boolean isForShim() {
      return SHIM_SECTION.matcher(yaml).find();
    }

    /** Whether the configuration has this section. */
    public boolean has(String section) {
      return yaml.startsWith(section + ":") || yaml.contains("\n" + section + ":");
    }
  }

  /** Returns the configurations of the shim. */
  public static List<Block> ofShims() {
    return allBlocks().filter(Block::isForShim).toList();
  }

  /** Returns the configurations of the bridge. */
  public static List<Block> ofBridges() {
    return allBlocks().filter(block -> !block.isForShim()).toList();
  }

  /** Returns README.md and all pages in docs. */
  public static List<Path> pages() {
    Path checkout = Deployed.checkout();
    List<Path> pages = new ArrayList<>(List.of(checkout.resolve("README.md")));
    try (Stream<Path> below = Files.walk(checkout.resolve("docs"))) {
      below.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return pages;
  }

  private static Stream<Block> allBlocks() {
    return pages().stream()
        .flatMap(
            page ->
                YAML_BLOCK
                    .matcher(Deployed.read(page))
                    .results()
                    .map(block -> new Block(pathOf(page), fillIn(block.group(1)))));
  }

  private static String pathOf(Path page) {
    return Deployed.checkout().relativize(page).toString();
  }

  private static String fillIn(String shownYaml) {
    String yaml = FILE_REFERENCE.matcher(shownYaml).replaceAll("secret");
    for (int word = 1; yaml.contains("…"); word++) {
      yaml = yaml.replaceFirst("…", "filled-in-" + word);
    }
    return yaml;
  }
}
