package io.duplog.cli;

import com.google.common.primitives.Bytes;
import io.duplog.config.ConfigException;
import io.duplog.config.ConfigLoader;
import io.duplog.deliver.hec.HecSinkConfig;
import io.duplog.deliver.route.Routing;
import io.duplog.deliver.route.RoutingConfig;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A dry run of the routing: what each line of the standard input would get. Sends nothing. */
@Command(
    name = "route",
    description = {
      "Show the time, host and metadata that each message would get.",
      "Reads messages from the standard input, one a line, as the senders write them.",
      "Or compares samples with what is expected: exit status 1 where one gets something else, 2"
          + " where a file is not right."
    },
    mixinStandardHelpOptions = true)
final class RouteCommand implements Callable<Integer> {
  @Mixin private ConfigOption config = new ConfigOption();

  @ArgGroup private @Nullable Sender sender;

  @Option(
      names = "--expect",
      paramLabel = "FILE",
      description =
          "Try the lines of this file, each an expected sourcetype, a tab and a message; # begins a"
              + " comment.")
  private @Nullable Path expected;

  @Option(
      names = "--overlaps",
      description =
          "With --expect: also name each sample for which another rule would give something else.")
  private boolean tellOverlaps;

  @Spec private CommandSpec spec = CommandSpec.create();

  private final InputStream input;
  private final Clock clock;

  /** One of the two, or neither. */
  static final class Sender {
    @Option(
        names = "--sender",
        paramLabel = "ADDRESS",
        description = "The address that all lines come from.")
    private String address = "";

    @Option(
        names = "--with-sender",
        description = "Each line begins with its sender's address and a space.")
    private boolean inLine;
  }

  RouteCommand() {
    this(System.in, Clock.systemUTC());
  }

  RouteCommand(InputStream input, Clock clock) {
    this.input = new BufferedInputStream(input);
    this.clock = clock;
  }

  @Override
  public Integer call() throws ConfigException, IOException {
    if (tellOverlaps && expected == null) {
      throw new ParameterException(spec.commandLine(), "--overlaps needs --expect");
    }
    Routing routing = new Routing(section()).open();
    List<String> places = places();
    PrintWriter err = spec.commandLine().getErr();
    long bySender =
        routing.rules().stream().filter(rule -> !rule.match().sender().isEmpty()).count();
    if (sender == null && bySender > 0) {
      err.println(
          "no sender is known, so that no rule with the condition sender matches (%d of %d): say it with --sender or --with-sender"
              .formatted(bySender, routing.rules().size()));
      err.flush();
    }
    PrintWriter out = spec.commandLine().getOut();
    if (expected != null) {
      boolean all =
          new RuleSamples(routing, places, tellOverlaps, out)
              .tryAll(expected, prefix(), data -> textStart(data, prefix()), clock.millis());
      return all && !out.checkError() ? 0 : 1;
    }
    RoutedLine routed = new RoutedLine(routing, places);
    byte[] prefix = prefix();
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    line.writeBytes(prefix);
    long number = 0;
    int next = input.read();
    while (next >= 0) {
      if (next != '\n') {
        line.write(next);
      }
      int following = input.read();
      if (next == '\n' || following < 0) {
        byte[] data = line.toByteArray();
        out.println(routed.describe(++number, data, textStart(data, prefix), clock.millis()));
        line.reset();
        line.writeBytes(prefix);
      }
      next = following;
    }
    return out.checkError() ? 1 : 0;
  }

  /** File and line of each rule. */
  private List<String> places() throws ConfigException {
    List<String> places = new ArrayList<>();
    addPlaces(config.path(), "sink.hec.routing.rules", places);
    for (String file : section().include()) {
      addPlaces(Path.of(file), "rules", places);
    }
    return places;
  }

  private static void addPlaces(Path file, String key, List<String> places) throws ConfigException {
    Map<String, Integer> lines = ConfigLoader.lines(file);
    for (int i = 0; lines.containsKey(key + "[" + i + "]"); i++) {
      places.add(file + ":" + lines.get(key + "[" + i + "]"));
    }
  }

  private RoutingConfig section() throws ConfigException {
    HecSinkConfig hec = config.load().sink().hec();
    if (hec == null) {
      throw new ParameterException(spec.commandLine(), config.path() + " has no section sink.hec");
    }
    return hec.routing();
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
