package io.duplog.cli;

import io.duplog.config.ConfigException;
import io.duplog.statement.StatementCheck;
import io.duplog.statement.StatementTable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command {@code duplog statement}: verifies and adds up the signed hourly statements in a
 * folder, without a running bridge.
 */
@Command(
    name = "statement",
    description =
        "Verify and add up the signed statements of completeness that bridges write. Needs only the"
            + " folder with the statements.",
    footerHeading = "Examples:%n",
    footer = {
      "  duplog statement verify /var/lib/duplog/statements --key statements.pub.pem",
      "  duplog statement sum /var/lib/duplog/statements --from 2026-11-01T00:00:00Z"
    },
    synopsisSubcommandLabel = "COMMAND")
final class StatementCommand {
  /** Options that select the statements for both subcommands. */
  static final class Hours {
    @Parameters(paramLabel = "FOLDER", description = "Folder with the statements.")
    private Path folder = Path.of("");

    @Option(
        names = "--from",
        paramLabel = "TIME",
        description =
            "Beginning of the first hour, such as 2026-11-01T00:00:00Z (default: of the first"
                + " statement).")
    private @Nullable Instant from;

    @Option(
        names = "--until",
        paramLabel = "TIME",
        description = "End of the last hour (default: of the last statement).")
    private @Nullable Instant until;
  }

  @Spec private CommandSpec spec = CommandSpec.create();

  @Command(
      name = "verify",
      description = {
        "Find statements that were altered, removed, moved or forged.",
        "With --from or --until, the statement of each hour must exist, including the first and"
            + " the last."
      },
      exitCodeListHeading = "Exit status:%n",
      exitCodeList = {
        "0:all statements are right",
        "1:a statement is wrong or missing",
        "2:a file can't be read"
      },
      footerHeading = "Example:%n",
      footer = "  duplog statement verify /var/lib/duplog/statements --key statements.pub.pem")
  int verify(
      @Mixin Hours hours,
      @Option(
              names = "--key",
              paramLabel = "FILE",
              required = true,
              description = "PEM file with the public key. Repeat it if the key was changed.")
          List<Path> keys)
      throws ConfigException {
    StatementCheck check = StatementCheck.of(hours.folder, keys, hours.from, hours.until);
    PrintWriter out = spec.commandLine().getOut();
    check.notes().forEach(note -> out.println("note: " + note));
    check.problems().forEach(problem -> out.println("WRONG: " + problem));
    out.println(check.summary());
    out.println(
        check.problems().isEmpty()
            ? "nothing was altered, removed in between, moved or forged"
            : check.problems().size() + " things are wrong");
    return check.problems().isEmpty() ? 0 : 1;
  }

  @Command(
      name = "sum",
      description = "Add up the statements of some hours. Does not verify them.",
      exitCodeListHeading = "Exit status:%n",
      exitCodeList = {"0:done", "2:a file can't be read"},
      footerHeading = "Example:%n",
      footer = "  duplog statement sum /var/lib/duplog/statements --from 2026-11-01T00:00:00Z")
  int sum(@Mixin Hours hours) throws ConfigException {
    PrintWriter out = spec.commandLine().getOut();
    out.print(StatementTable.of(hours.folder, hours.from, hours.until));
    out.flush();
    return 0;
  }
}
