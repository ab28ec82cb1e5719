package io.duplog.cli;

import io.duplog.config.ConfigException;
import io.duplog.deliver.archive.ArchiveCheck;
import io.duplog.observe.Printable;
import io.duplog.statement.StatementCheck;
import io.duplog.statement.StatementTable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command {@code duplog statement}: verifies and adds up the signed hourly statements in a
 * folder, and verifies an archive, without a running bridge.
 */
@Command(
    name = "statement",
    description =
        "Verify and add up the signed statements of completeness that bridges write, and verify an"
            + " archive. Needs only their folders.",
    footerHeading = "Examples:%n",
    footer = {
      "  duplog statement verify /var/lib/duplog/statements --key statements.pub.pem",
      "  duplog statement sum /var/lib/duplog/statements --from 2026-11-01T00:00:00Z"
    },
    synopsisSubcommandLabel = "COMMAND")
final class StatementCommand {
  /** Options that select the hours for both subcommands. */
  static final class Hours {
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

  /** Difference that clocks may have, so that a file counts if it is this near to the period. */
  private static final Duration CLOCK_MARGIN = Duration.ofMinutes(1);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Command(
      name = "verify",
      description = {
        "Find statements that were altered, removed, moved or forged.",
        "With --from or --until, the statement of each hour must exist, including the first and"
            + " the last.",
        "With --archive, also find files of an archive that were removed, truncated or altered, and"
            + " compare its messages with those that the statements say were delivered. Without"
            + " FOLDER, check only the archive."
      },
      exitCodeListHeading = "Exit status:%n",
      exitCodeList = {
        "0:all statements and files are right",
        "1:a statement or file is wrong or missing",
        "2:a file can't be read"
      },
      footerHeading = "Example:%n",
      footer = {
        "  duplog statement verify /var/lib/duplog/statements --key statements.pub.pem",
        "  duplog statement verify --archive /var/lib/duplog/archive"
      })
  int verify(
      @Parameters(
              paramLabel = "FOLDER",
              arity = "0..1",
              description = "Folder with the statements. Needs --key.")
          @Nullable Path folder,
      @Mixin Hours hours,
      @Option(
              names = "--key",
              paramLabel = "FILE",
              description = "PEM file with the public key. Repeat it if the key was changed.")
          @Nullable List<Path> keys,
      @Option(
              names = "--archive",
              paramLabel = "DIR",
              description = "Folder of an archive, which the sink of type archive writes.")
          @Nullable Path archive)
      throws ConfigException {
    if ((folder == null) != (keys == null) || (folder == null && archive == null)) {
      throw new ParameterException(
          spec.commandLine(), "give FOLDER together with --key, or --archive, or both");
    }
    Verdict verdict = new Verdict(spec.commandLine().getOut());
    StatementCheck statements =
        folder == null || keys == null
            ? null
            : StatementCheck.of(folder, keys, hours.from, hours.until);
    if (statements != null) {
      verdict.add(statements.notes(), statements.problems(), statements.summary());
    }
    if (archive != null) {
      ArchiveCheck files = ArchiveCheck.of(archive, hours.from, hours.until);
      verdict.add(files.notes(), files.problems(), files.summary());
      if (statements != null) {
        compare(statements, files, verdict);
      }
    }
    return verdict.end();
  }

  /** Prints what is wrong, and counts it. */
  private static final class Verdict {
    private final PrintWriter out;
    private int problems;

    Verdict(PrintWriter out) {
      this.out = out;
    }

    void add(List<String> notes, List<String> problemsFound, String summary) {
      notes.forEach(note -> out.println("note: " + note));
      problemsFound.forEach(problem -> out.println("WRONG: " + problem));
      out.println(summary);
      problems += problemsFound.size();
    }

    int end() {
      out.println(
          problems == 0
              ? "nothing was altered, removed in between, moved or forged"
              : problems + " things are wrong");
      return problems == 0 ? 0 : 1;
    }
  }

  /**
   * Compares the number of messages that each bridge stated as delivered with the number in its
   * files. The files may have more, because a message was written twice or was refused by another
   * sink. The files must not have fewer, apart from messages that were written before the first
   * hour began.
   */
  private static void compare(StatementCheck statements, ArchiveCheck files, Verdict verdict) {
    for (ArchiveCheck.Written written : files.written()) {
      StatementCheck.Delivered stated =
          statements.delivered(written.bridge(), written.from(), written.until());
      if (stated == null) {
        verdict.add(
            List.of("no statement covers the files of " + Printable.of(written.bridge())),
            List.of(),
            "nothing to compare for " + Printable.of(written.bridge()));
        continue;
      }
      long archived =
          files.messages(
              written.bridge(),
              stated.from().minus(CLOCK_MARGIN),
              stated.until().plus(CLOCK_MARGIN));
      String counts =
          "%s from %s to %s: %,d delivered, %,d in the archive's files of that time"
              .formatted(
                  Printable.of(written.bridge()),
                  stated.from(),
                  stated.until(),
                  stated.copies(),
                  archived);
      long missing = stated.copies() - stated.inFlight() - archived;
      verdict.add(
          stated.laterCopies() == 0
              ? List.of()
              : List.of(
                  "%,d messages were delivered after the last closed file of %s, and are not compared"
                      .formatted(stated.laterCopies(), Printable.of(written.bridge()))),
          missing <= 0
              ? List.of()
              : List.of(
                  "at least %,d messages of %s are not in the archive"
                      .formatted(missing, Printable.of(written.bridge()))),
          counts);
    }
  }

  @Command(
      name = "sum",
      description = "Add up the statements of some hours. Does not verify them.",
      exitCodeListHeading = "Exit status:%n",
      exitCodeList = {"0:done", "2:a file can't be read"},
      footerHeading = "Example:%n",
      footer = "  duplog statement sum /var/lib/duplog/statements --from 2026-11-01T00:00:00Z")
  int sum(
      @Parameters(paramLabel = "FOLDER", description = "Folder with the statements.") Path folder,
      @Mixin Hours hours)
      throws ConfigException {
    PrintWriter out = spec.commandLine().getOut();
    out.print(StatementTable.of(folder, hours.from, hours.until));
    out.flush();
    return 0;
  }
}
