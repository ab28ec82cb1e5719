package io.duplog.cli;

import io.duplog.observe.JsonObject;
import io.duplog.status.StatusEvents;
import io.duplog.status.StatusException;
import io.duplog.status.StatusText;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The command {@code duplog status}: prints the state of a running bridge once, with an exit status
 * for scripts.
 */
@Command(
    name = "status",
    description = "Show the state of a running bridge.",
    exitCodeOnExecutionException = 2,
    exitCodeListHeading = "Exit status:%n",
    exitCodeList = {
      "0:all components work",
      "1:a component needs attention or is degraded",
      "2:a component is down, or no bridge answers"
    },
    footerHeading = "Examples:%n",
    footer = {"  duplog status", "  duplog status --url https://bridge-2:8514 --ca ca.pem"})
final class StatusCommand implements Callable<Integer> {
  @Mixin private PageOptions page = new PageOptions();

  @Option(names = "--json", description = "Print the whole state document.")
  private boolean json;

  @Option(
      names = "--events",
      description = "Print the events that sink.hec.report sends to Splunk, one per line.")
  private boolean events;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws StatusException {
    String document = page.reader().read();
    StatusText look = StatusText.at(document);
    PrintWriter out = spec.commandLine().getOut();
    if (events) {
      StatusEvents.of(document, Instant.now().minusSeconds(120))
          .forEach(event -> out.println(JsonObject.render(event)));
    } else {
      out.print(json ? document + "\n" : look.text());
    }
    out.flush();
    return look.exitStatus();
  }
}
