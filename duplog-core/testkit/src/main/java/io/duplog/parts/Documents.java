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
 * Finds the configurations that README.md and the pages in {@code docs} show, in fences that say
 * only {@code yaml}. Another program's YAML says more there.
 */
public final class Documents {
  private static final Pattern BLOCK =
      Pattern.compile("^```yaml\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern OF_A_SHIM =
      Pattern.compile("^(stream|broker|omprog|batch|heartbeat):", Pattern.MULTILINE);
  private static final Pattern FROM_A_FILE = Pattern.compile("\\$\\{file:[^}]*}");

  private Documents() {}

  /**
   * A configuration, or some of its sections.
   *
   * @param page where it stands
   * @param yaml what it says, with "secret" for whatever comes from a file, and a word of its own
   *     for each "…" that readers fill in
   */
  public record Block(String page, String yaml) {
    private boolean isOfAShim() {
      return OF_A_SHIM.matcher(yaml).find();
    }

    /** Whether it has this section. */
    public boolean has(String section) {
      return yaml.startsWith(section + ":") || yaml.contains("\n" + section + ":");
    }
  }

  /** Returns the configurations of the shim. */
  public static List<Block> ofShims() {
    return all().filter(Block::isOfAShim).toList();
  }

  /** Returns the configurations of the bridge. */
  public static List<Block> ofBridges() {
    return all().filter(block -> !block.isOfAShim()).toList();
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

  private static Stream<Block> all() {
    return pages().stream()
        .flatMap(
            page ->
                BLOCK
                    .matcher(Deployed.read(page))
                    .results()
                    .map(block -> new Block(name(page), filledIn(block.group(1)))));
  }

  private static String name(Path page) {
    return Deployed.checkout().relativize(page).toString();
  }

  private static String filledIn(String shown) {
    String yaml = FROM_A_FILE.matcher(shown).replaceAll("secret");
    for (int word = 1; yaml.contains("…"); word++) {
      yaml = yaml.replaceFirst("…", "filled-in-" + word);
    }
    return yaml;
  }
}
