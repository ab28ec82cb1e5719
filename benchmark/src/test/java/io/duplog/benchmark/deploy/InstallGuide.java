package io.duplog.benchmark.deploy;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.base.Splitter;
import io.duplog.parts.Deployed;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Finds the code blocks for Debian in the pages of docs that install a pair and change it. Their
 * fence names, after {@code sh}, the hosts on which to run them.
 */
final class InstallGuide {
  private static final Pattern COMMAND = Pattern.compile("(?m)^(?!done)\\S");
  private static final Pattern FENCED_BLOCK = Pattern.compile("(?ms)^ *```(.*?)$\n(.*?)^ *```$");

  /**
   * A block of commands.
   *
   * @param place hosts on which to run the block
   */
  record Block(String place, String text) {
    /** Returns the number of commands to type. A loop or a file that is written counts as one. */
    long commands() {
      return COMMAND.matcher(text.replaceAll("(?ms)(<<'END'$).*?^END$", "$1")).results().count();
    }
  }

  private InstallGuide() {}

  /**
   * Returns the blocks of a section, including those of its subsections.
   *
   * @param page file in docs
   * @throws IllegalStateException if there are none
   */
  static List<Block> blocks(String page, String section) {
    List<Block> blocks =
        Splitter.on("\n## ")
            .splitToStream(Deployed.page(page))
            .filter(text -> text.startsWith(section + "\n"))
            .flatMap(text -> FENCED_BLOCK.matcher(text).results())
            .map(block -> new Block(block.group(1).replaceFirst("^sh ", ""), block.group(2)))
            .toList();
    checkState(!blocks.isEmpty(), "docs/%s has no block below '%s'", page, section);
    return blocks;
  }
}
