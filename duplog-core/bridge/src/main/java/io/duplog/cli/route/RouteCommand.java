package io.duplog.cli.route;

import com.google.common.primitives.Bytes;
import io.duplog.config.ConfigException;
import io.duplog.deliver.route.RoutingConfig.Rule;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code duplog route}: shows the metadata that each line of standard input would get,
 * such as its sourcetype, index and topic, and whether rules would drop or mask it. Sends nothing.
 */
@Command(
    name = "route",
    description = {
      "Show the time, host and metadata that each message would get, and which rules drop or mask"
          + " it.",
      "Reads messages from the standard input, one per line, as senders write them. Sends"
          + " nothing. With --expect, compares samples with the expected result."
    },
    exitCodeListHeading = "Exit status:%n",
    exitCodeList = {
      "0:all samples are as expected, or there were no samples",
      "1:a sample gets something else",
      "2:a file or an option is wrong"
    },
    footerHeading = "Examples:%n",
    footer = {
      "  head -n 100 /var/log/syslog | duplog route --config /etc/duplog/duplog.yaml",
      "  duplog route --rules rules.yaml --expect samples.tsv"
    })
public final class RouteCommand implements Callable<Integer> {
  @ArgGroup(multiplicity = "1")
  private RuleSource rules = new RuleSource();

  @ArgGroup private @Nullable Sender sender;

  @Option(
      names = "--sink",
      paramLabel = "NAME",
      description =
          "With --config: the sink whose rules to try (default: the first one that has rules).")
  private @Nullable String sinkName;

  private static final int LINES_BETWEEN_CHECKS = 1_000;

  /** Maximum number of bytes to read from a line, as many as a shim forwards by default. */
  private static final int MAX_LINE_BYTES = 1 << 20;

  @Option(
      names = "--expect",
      paramLabel = "FILE",
      description =
          "File of samples. Each line has an expected sourcetype, a tab and a message; # begins a"
              + " comment. host=NAME, time=TIME, index=NAME, source=NAME and topic=NAME may follow"
              + " the sourcetype; - means none.")
  private @Nullable Path expected;

  @Option(
      names = "--overlaps",
      description =
          "With --expect: also show each sample to which another rule would give something else.")
  private boolean printsOverlaps;

  @Option(
      names = "--now",
      paramLabel = "TIME",
      converter = Rfc3339.class,
      description =
          "Time of receipt, such as 2026-11-24T10:15:00Z (default: now). It determines the year of"
              + " messages that have none.")
  private @Nullable Instant now;

  @Option(
      names = "--json",
      description =
          "Print one JSON object per message: the fields that rules match, and the result.")
  private boolean json;

  @Option(
      names = "--summary",
      description =
          "At the end, print the number of messages of each sourcetype to the standard error. With"
              + " --expect, print how many samples are as expected.")
  private boolean summary;

  @Spec private CommandSpec spec = CommandSpec.create();

  private final InputStream input;
  private final Clock clock;

  /** Options that define the source of the sender's address. The two options exclude each other. */
  static final class Sender {
    @Option(
        names = "--sender",
        paramLabel = "ADDRESS",
        description = "Sender's address of all lines.")
    private String address = "";

    @Option(
        names = "--with-sender",
        description = "Each line begins with its sender's address and a space.")
    private boolean inLine;
  }

  public RouteCommand() {
    this(System.in, Clock.systemUTC());
  }

  RouteCommand(InputStream input, Clock clock) {
    this.input = new BufferedInputStream(input);
    this.clock = clock;
  }

  @Override
  public Integer call() throws ConfigException, IOException {
    if (printsOverlaps && expected == null) {
      throw new ParameterException(spec.commandLine(), "--overlaps needs --expect");
    }
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    SourcetypeCounts counts = new SourcetypeCounts();
    boolean all = true;
    try {
      RuleSource.Opened opened = rules.open(sinkName);
      RoutedLine routed = new RoutedLine(opened);
      if (expected == null) {
        warnOfSenders(opened.routing().rules(), err);
        routeInput(routed, out, counts);
      } else {
        RuleSamples samples = new RuleSamples(expected, printsOverlaps || json, out, counts);
        List<RuleSamples.Sample> read = samples.read();
        warnOfSenders(opened.routing().rules(), err);
        for (RuleSamples.Sample sample : read) {
          readLine(routed, Bytes.concat(prefix(), sample.message()));
          samples.compare(sample, routed, json);
        }
        all = samples.allAsExpected();
        (json ? err : out).println(samples.summary(read.size()));
      }
    } catch (ConfigException e) {
      err.println("nothing is tried, since a file is not right:");
      throw e;
    }
    if (summary) {
      err.print(counts.table(expected != null));
      err.flush();
    }
    return all && !out.checkError() ? 0 : 1;
  }

  private void warnOfSenders(List<Rule> rules, PrintWriter err) {
    long bySender = rules.stream().filter(rule -> !rule.match().sender().isEmpty()).count();
    if (sender == null && bySender > 0) {
      err.println(
          "no sender is known, so that no rule with the condition sender matches (%d of %d): say it with --sender or --with-sender"
              .formatted(bySender, rules.size()));
    }
  }

  private void routeInput(RoutedLine routed, PrintWriter out, SourcetypeCounts counts)
      throws IOException {
    byte[] prefix = prefix();
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    line.writeBytes(prefix);
    long number = 0;
    int length = 0;
    int next = input.read();
    while (next >= 0) {
      if (next != '\n' && length++ < MAX_LINE_BYTES) {
        line.write(next);
      }
      int following = input.read();
      if (next == '\n' || following < 0) {
        readLine(routed, line.toByteArray());
        number++;
        if (length > MAX_LINE_BYTES) {
          spec.commandLine()
              .getErr()
              .println(
                  "line %d has %,d bytes; only the first %,d are tried, because a shim cuts longer messages"
                      .formatted(number, length, MAX_LINE_BYTES));
        }
        length = 0;
        out.println(json ? RoutedLine.render(routed.json(number)) : routed.text(number));
        counts.add(routed.route().sourcetype(), true);
        if (number % LINES_BETWEEN_CHECKS == 0 && out.checkError()) {
          return; // nobody reads on
        }
        line.reset();
        line.writeBytes(prefix);
      }
      next = following;
    }
  }

  private void readLine(RoutedLine routed, byte[] data) {
    routed.read(data, textStart(data, prefix()), now == null ? clock.millis() : now.toEpochMilli());
  }

  private byte[] prefix() {
    return sender == null || sender.inLine
        ? new byte[0]
        : (sender.address + " ").getBytes(StandardCharsets.UTF_8);
  }

  private int textStart(byte[] data, byte[] prefix) {
    return sender != null && sender.inLine ? Bytes.indexOf(data, (byte) ' ') + 1 : prefix.length;
  }
}
