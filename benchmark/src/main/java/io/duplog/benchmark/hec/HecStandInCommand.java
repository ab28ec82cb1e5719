package io.duplog.benchmark.hec;

import io.duplog.collector.HecSettings;
import io.duplog.collector.Index;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code hec-stand-in}, which runs a stand-in for Splunk until the process ends. */
@Command(
    name = "hec-stand-in",
    description = {
      "Stands in for Splunk's HTTP Event Collector: answers as it does, and appends the text of"
          + " each event to a file.",
      "Faults are switched on while it runs:"
          + " curl -X POST 'http://127.0.0.1:ADMIN/fault?fault=answer&code=9&times=5'"
    })
public final class HecStandInCommand implements Callable<Integer> {
  private static final int FAILED = 1;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "Where to listen (default: ${DEFAULT-VALUE}).")
  private String host = "127.0.0.1";

  @Option(
      names = "--port",
      paramLabel = "P",
      description = "The port (default: ${DEFAULT-VALUE}; 0 for any that is free).")
  private int port = 8088;

  @Option(
      names = "--admin-port",
      paramLabel = "P",
      description = "The port on 127.0.0.1 where faults are switched (default: none).")
  private @Nullable Integer adminPort;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Gets a line an event (default: events are only counted).")
  private @Nullable Path out;

  @Option(
      names = "--token",
      paramLabel = "T",
      description = "What requests have to show (default: ${DEFAULT-VALUE}).")
  private String token = "00000000-0000-0000-0000-000000000000";

  @Option(names = "--acknowledge", description = "Give acknowledgement ids, and want channels.")
  private boolean acknowledge;

  @Option(
      names = "--index",
      paramLabel = "NAME",
      description = "An index that there is; may be repeated (default: any).")
  private List<String> indexes = List.of();

  @Override
  public Integer call() throws IOException, InterruptedException {
    HecSettings settings =
        new HecSettings(token, acknowledge, Set.copyOf(indexes), HecSettings.MAX_BYTES);
    Index index = out == null ? events -> {} : new FileIndex(out);
    try (HecServer server = new HecServer(host, port, settings, index)) {
      AdminEndpoint admin = adminPort == null ? null : AdminEndpoint.start(server, adminPort);
      say("listens on " + server.uri());
      if (admin != null) {
        say("takes faults on http://127.0.0.1:" + admin.port() + "/fault");
      }
      Runtime.getRuntime().addShutdownHook(new Thread(() -> say(summary(server)), "summary"));
      new CountDownLatch(1).await();
      return 0;
    } catch (BindException e) {
      say("can't listen on port " + port + ": " + e.getMessage());
      return FAILED;
    }
  }

  private static String summary(HecServer server) {
    return "%,d events in %,d requests".formatted(server.events(), server.collector.requests());
  }

  private void say(String line) {
    spec.commandLine().getOut().println("hec-stand-in: " + line);
  }
}
