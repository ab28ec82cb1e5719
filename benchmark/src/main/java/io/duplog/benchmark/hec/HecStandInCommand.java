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

/**
 * The command {@code hec-stand-in}: runs a stand-in for Splunk's HTTP Event Collector until the
 * process ends.
 */
@Command(
    name = "hec-stand-in",
    description = {
      "Simulates Splunk's HTTP Event Collector: gives the same answers, and appends the text of"
          + " each event to a file.",
      "Add faults while it runs:"
          + " curl -X POST 'http://127.0.0.1:ADMIN/fault?fault=answer&code=9&times=5'"
    })
public final class HecStandInCommand implements Callable<Integer> {
  private static final int FAILED = 1;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "Address to listen on (default: ${DEFAULT-VALUE}).")
  private String host = "127.0.0.1";

  @Option(
      names = "--port",
      paramLabel = "P",
      description = "Port to listen on (default: ${DEFAULT-VALUE}; 0 for any free port).")
  private int port = 8088;

  @Option(
      names = "--admin-port",
      paramLabel = "P",
      description = "Port on 127.0.0.1 for the control of faults (default: none).")
  private @Nullable Integer adminPort;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "File to which each event is written as a line (default: events are only counted).")
  private @Nullable Path outputFile;

  @Option(
      names = "--token",
      paramLabel = "T",
      description = "Token that requests must have (default: ${DEFAULT-VALUE}).")
  private String token = "00000000-0000-0000-0000-000000000000";

  @Option(
      names = "--acknowledge",
      description = "Return acknowledgement ids, and require channels.")
  private boolean isAcknowledging;

  @Option(
      names = "--index",
      paramLabel = "NAME",
      description = "Name of an existing index; may be repeated (default: any).")
  private List<String> indexNames = List.of();

  @Override
  public Integer call() throws IOException, InterruptedException {
    HecSettings settings =
        new HecSettings(token, isAcknowledging, Set.copyOf(indexNames), HecSettings.MAX_BYTES);
    Index index = outputFile == null ? events -> {} : new FileIndex(outputFile);
    try (HecServer server = new HecServer(host, port, settings, index)) {
      AdminEndpoint admin = adminPort == null ? null : AdminEndpoint.start(server, adminPort);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> print(summary(server)), "summary"));
      print("listens on " + server.uri());
      if (admin != null) {
        print("takes faults on http://127.0.0.1:" + admin.port() + "/fault");
      }
      new CountDownLatch(1).await();
      return 0;
    } catch (BindException e) {
      print("can't listen on port " + port + ": " + e.getMessage());
      return FAILED;
    }
  }

  private static String summary(HecServer server) {
    return "%,d events in %,d requests".formatted(server.events(), server.collector.requests());
  }

  private void print(String line) {
    spec.commandLine().getOut().println("hec-stand-in: " + line);
  }
}
