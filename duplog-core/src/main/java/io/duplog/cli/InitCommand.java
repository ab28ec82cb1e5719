package io.duplog.cli;

import io.duplog.setup.Deployment;
import io.duplog.setup.HostFolders;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Command that writes, for each host of a deployment, its files and a script that installs them.
 */
@Command(
    name = "init",
    description = {
      "Write a folder for each host of a deployment: its files, its packages, and the script"
          + " 'install', which installs, checks and starts what runs there.",
      "Run it again to change the deployment: passwords, certificates and edited files are kept. Options may"
          + " also stand in a file: duplog init @FILE."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    exitCodeListHeading = "Exit status:%n",
    exitCodeList = {"0:written", "1:a file can't be read or written", "2:an option is wrong"})
final class InitCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FOLDER", description = "Where to write the folders of the hosts.")
  private Path folder = Path.of("");

  @Option(
      names = "--node",
      paramLabel = "STREAM=HOST",
      required = true,
      description = "An ingest node: the name of its stream, and its host. Two or more.")
  private Map<String, String> nodes = new LinkedHashMap<>();

  @Option(names = "--redis", paramLabel = "HOST", required = true, description = "Redis's host.")
  private String redis = "";

  @Option(
      names = "--bridge",
      paramLabel = "HOST",
      description = "A bridge's host (default: each node has a bridge).")
  private List<String> bridges = new ArrayList<>();

  @Option(
      names = "--bulk",
      description = "Let rsyslog hand over a transaction at a time, for high rates.")
  private boolean bulk;

  @Option(
      names = "--tls",
      description =
          "Encrypt what bridges speak with RabbitMQ and Redis, by certificates of a CA in"
              + " FOLDER/ca. Needs the program openssl.")
  private boolean tls;

  @Option(
      names = "--hec",
      paramLabel = "URL",
      description =
          "Deliver into Splunk's HTTP Event Collector; more than one URL if it has several"
              + " (default: into the file /var/log/duplog/merged.log).")
  private List<String> hec = new ArrayList<>();

  @Option(names = "--hec-token", paramLabel = "FILE", description = "File with HEC's token.")
  private @Nullable Path hecToken;

  @Option(
      names = "--hec-ca",
      paramLabel = "FILE",
      description = "File with the CA of HEC's certificate (default: those that Java trusts).")
  private @Nullable Path hecCa;

  @Option(
      names = "--packages",
      paramLabel = "FOLDER",
      description = "Where the packages are (default: beside the jar of this program).")
  private @Nullable Path packages;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Deployment deployment = deployment();
    try {
      List<String> edited = HostFolders.write(deployment, folder, packages());
      edited.forEach(
          file -> out.printf("kept %s, which was edited; compare it with %s.new%n", file, file));
    } catch (IOException e) {
      spec.commandLine().getErr().println("duplog: " + e.getMessage());
      return 1;
    }
    out.printf(
        "Written: %s%nNext: %s/install-all copies each folder to its host by ssh, and installs and"
            + " starts there what it has. Keep the folder: it has the passwords.%n",
        String.join(", ", deployment.hosts()), folder);
    out.flush();
    return 0;
  }

  private Deployment deployment() {
    if (hec.isEmpty() != (hecToken == null)) {
      throw new ParameterException(spec.commandLine(), "--hec and --hec-token go together");
    }
    try {
      return new Deployment(
          nodes,
          bridges.isEmpty() ? List.copyOf(nodes.values()) : bridges,
          redis,
          hecToken == null ? null : new Deployment.Hec(hec, hecToken, hecCa),
          bulk,
          tls);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private Path packages() {
    Path jar = Path.of(System.getProperty("java.class.path")).toAbsolutePath();
    return packages != null ? packages : jar.resolveSibling("");
  }
}
