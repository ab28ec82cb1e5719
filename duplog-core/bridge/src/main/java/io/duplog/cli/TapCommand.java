package io.duplog.cli;

import io.duplog.observe.JsonValue;
import io.duplog.observe.Printable;
import io.duplog.process.Signals;
import io.duplog.status.StatusException;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command {@code duplog tap}: prints the messages that a running bridge delivers to its sink,
 * until SIGINT.
 */
@Command(
    name = "tap",
    description = {
      "Watch the messages that a running bridge sends; Ctrl-C ends it.",
      "Prints a line of metadata for each message, then the payload as it is sent. The bridge"
          + " needs status.tap: true. It shows at most 100 messages a second."
    },
    exitCodeListHeading = "Exit status:%n",
    exitCodeList = {"0:it was ended", "1:no bridge answers, or it has no tap"},
    footerHeading = "Examples:%n",
    footer = {"  duplog tap --sender 10.1.0.0/16", "  duplog tap --sourcetype cisco:* --number 10"})
final class TapCommand implements Callable<Integer> {
  @Mixin private PageOptions page = new PageOptions();

  @Option(
      names = "--sender",
      paramLabel = "SENDER",
      description =
          "Only messages from this address, network (10.1.0.0/16) or host name. * matches any"
              + " characters, ? matches one.")
  private @Nullable String sender;

  @Option(
      names = "--sourcetype",
      paramLabel = "PATTERN",
      description = "Only messages with this sourcetype. * matches any characters, ? matches one.")
  private @Nullable String sourcetype;

  @Option(
      names = "--sink",
      paramLabel = "NAME",
      description = "Show messages as this sink sends them. Without it, the first sink counts.")
  private @Nullable String sink;

  @Option(names = "--sample", paramLabel = "N", description = "Only every Nth matching message.")
  private @Nullable Integer sample;

  @Option(
      names = "--number",
      paramLabel = "N",
      description = "End after N messages, or after 15 minutes.")
  private long number = Long.MAX_VALUE;

  @Option(names = "--json", description = "Print one JSON object per message.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  private volatile boolean isEndRequested;

  @Override
  public Integer call() throws StatusException {
    Map<String, @Nullable Object> words = new TreeMap<>();
    words.put("sender", sender);
    words.put("sourcetype", sourcetype);
    words.put("sample", sample);
    words.put("sink", sink);
    PrintWriter out = spec.commandLine().getOut();
    try (BufferedReader lines = page.reader().tap(words)) {
      // noticed within half a second, because the bridge sends a line at least that often
      Signals.on("INT", () -> isEndRequested = true);
      boolean over = false;
      // The reader of a pipe may have ended. The two writers don't share their error state, so both
      // are checked.
      for (long shown = 0;
          !over
              && !isEndRequested
              && shown < number
              && !out.checkError()
              && !System.out.checkError(); ) {
        String line = lines.readLine();
        if (line == null) {
          throw new EOFException("it broke off");
        }
        if (!line.isEmpty()) {
          JsonValue value = JsonValue.parse(line);
          out.println(json ? Printable.escaped(line) : text(value));
          shown += value.at("payload").exists() ? 1 : 0;
          over = value.at("end").exists();
        }
      }
      return 0;
    } catch (IOException e) {
      throw new StatusException(
          "the tap has ended, since the bridge has, or is not there any more: " + e.getMessage(),
          e);
    }
  }

  /**
   * Formats a line of the tap for people. All lines except message payloads begin with {@code #}.
   */
  private static String text(JsonValue line) {
    if (line.at("notShown").exists()) {
      return "# ... %,.0f not shown".formatted(line.at("notShown").number());
    }
    Map<?, ?> members = line.value() instanceof Map<?, ?> map ? map : Map.of();
    String beside =
        members.entrySet().stream()
            .filter(member -> !member.getKey().equals("payload"))
            .filter(member -> member.getValue() != null && !member.getValue().equals(""))
            .map(member -> member.getKey() + "=" + member.getValue())
            .collect(Collectors.joining(" "));
    Object payload = members.get("payload");
    return "# "
        + Printable.escaped(beside)
        + (payload == null ? "" : "\n" + Printable.escaped(payload.toString()));
  }
}
