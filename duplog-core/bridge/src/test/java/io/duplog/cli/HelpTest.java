package io.duplog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.parts.Deployed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Tests that the help of every command lists valid examples and its exit statuses. */
class HelpTest {
  private static Stream<CommandLine> commands() {
    Set<CommandLine> all = new LinkedHashSet<>();
    collect(Main.commandLine(), all);
    return all.stream();
  }

  private static void collect(CommandLine command, Set<CommandLine> all) {
    all.add(command);
    command.getSubcommands().values().forEach(each -> collect(each, all));
  }

  private static List<String> examples(CommandLine command) {
    List<String> examples = new ArrayList<>();
    for (String line : command.getCommandSpec().usageMessage().footer()) {
      // A pipe may feed the command or take its output; two spaces begin a remark.
      String own = line.strip().replaceFirst("^.*\\| (?=duplog )", "");
      examples.add(own.replaceFirst(" {2,}.*", "").replaceFirst(" \\| .*", ""));
    }
    return examples;
  }

  @ParameterizedTest
  @MethodSource("commands")
  void help_endsWithExamples_thatTheProgramAccepts(CommandLine command) {
    assertThat(examples(command)).as(command.getCommandName()).isNotEmpty();
    for (String example : examples(command)) {
      String[] words = example.split(" +", -1);
      assertThat(example).startsWith(command.getCommandSpec().qualifiedName());
      CommandLine duplog = Main.commandLine();
      duplog.parseArgs(Stream.of(words).skip(1).toArray(String[]::new)); // throws if it is wrong
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void help_namesExitStatuses_andNeitherPlaceholdersNorTheJar(CommandLine command) {
    String help = command.getUsageMessage(CommandLine.Help.Ansi.OFF);

    assertThat(help).doesNotContain("<arg", "duplog.jar");
    if (command.getSubcommands().isEmpty()) {
      assertThat(help).as(command.getCommandName()).contains("Exit status:", "\n  0   ");
    }
  }

  /** A program that is asked for one command leaves the others out. */
  @ParameterizedTest
  @MethodSource("commands")
  void help_isTheSame_ifOtherCommandsAreLeftOut(CommandLine command) {
    String[] words = command.getCommandSpec().qualifiedName().split(" ", -1);
    CommandLine lone = Main.commandLine(Arrays.copyOfRange(words, 1, words.length));
    for (String word : List.of(words).subList(1, words.length)) {
      assertThat(lone.getSubcommands()).containsKey(word);
      lone = lone.getSubcommands().get(word);
    }

    assertThat(lone.getUsageMessage(CommandLine.Help.Ansi.OFF))
        .isEqualTo(command.getUsageMessage(CommandLine.Help.Ansi.OFF));
  }

  @Test
  void manualPage_hasEveryCommand_andNoOther() {
    String page = Deployed.text("debian/bridge/files/duplog.1").replace("\\-", "-");
    Set<String> commands = Main.commandLine().getSubcommands().keySet();

    assertThat(page.substring(page.indexOf(".SH COMMANDS"), page.indexOf(".SH SIGNALS")))
        .contains(commands.stream().map(".TP\n.B %s\n"::formatted).toList());
    assertThat(words("(?m)^\\.B duplog ([a-z-]+)", page))
        .containsExactlyInAnyOrderElementsOf(commands);
  }

  private static Set<String> words(String pattern, String text) {
    Set<String> found = new LinkedHashSet<>();
    Pattern.compile(pattern).matcher(text).results().forEach(each -> found.add(each.group(1)));
    return found;
  }

  @ParameterizedTest
  @MethodSource("commands")
  void help_listsEverySubcommand(CommandLine command) {
    String help = command.getUsageMessage(CommandLine.Help.Ansi.OFF);

    for (String subcommand : command.getSubcommands().keySet()) {
      assertThat(help).contains("\n  " + subcommand + " ");
    }
  }
}
