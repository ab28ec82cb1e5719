package io.duplog.cli;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.Splitter;
import io.duplog.setup.Deployment;
import io.duplog.setup.HostFolders;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command {@code duplog init}: writes the files for each host of a deployment, and a script
 * that installs them.
 */
@Command(
    name = "init",
    description = {
      "Create a folder for each host of a deployment. It contains the host's files and"
          + " packages, and the script 'install', which installs, checks and starts them.",
      "To change the deployment, run it again: passwords, certificates and edited files are"
          + " kept. Without --node it asks questions. @FILE reads options from a file."
    },
    sortOptions = false,
    exitCodeListHeading = "Exit status:%n",
    exitCodeList = {
      "0:the folders were written",
      "1:a file can't be read or written",
      "2:an option is wrong"
    },
    footerHeading = "Example:%n",
    footer =
        "  duplog init pair --node syslog-a=a.example.net --node syslog-b=b.example.net --redis"
            + " r.example.net")
final class InitCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FOLDER", description = "Folder for the hosts' folders.")
  private Path folder = Path.of("");

  @Option(
      names = "--node",
      paramLabel = "STREAM=HOST",
      description =
          "An ingest node: the name of its stream, and its host. Repeat it: two to eight nodes.")
  private List<String> nodes = new ArrayList<>();

  @Option(
      names = "--redis",
      paramLabel = "HOST",
      description =
          "Redis's host. Two hosts are a master and a replica with three sentinels. Six or more are"
              + " a Redis Cluster, which also needs --queues.")
  private List<String> redis = new ArrayList<>();

  @Option(
      names = "--sentinel",
      paramLabel = "HOST",
      description = "A sentinel's host; three in all (default: Redis's hosts and a node).")
  private List<String> sentinels = new ArrayList<>();

  @Option(
      names = "--queues",
      paramLabel = "NUMBER",
      description = "Number of queues of each node, up to 64 (default: ${DEFAULT-VALUE}).")
  private int queues = 1;

  @Option(
      names = "--bridge",
      paramLabel = "HOST",
      description = "A bridge's host (default: each node has a bridge).")
  private List<String> bridges = new ArrayList<>();

  @Option(
      names = "--bulk",
      paramLabel = "STREAM",
      description =
          "Use bulk mode on this node: rsyslog hands over whole transactions, for high rates.")
  private Set<String> bulk = new TreeSet<>();

  @Option(
      names = "--durable-queue",
      paramLabel = "STREAM",
      description =
          "Use a disk queue on this node: rsyslog 8.2608 or newer keeps each message on disk until"
              + " the broker has it.")
  private Set<String> durable = new TreeSet<>();

  @Option(
      names = "--tls",
      description =
          "Encrypt the connections to RabbitMQ and Redis. Creates a CA in FOLDER/ca; needs the"
              + " program openssl.")
  private boolean tls;

  @Option(
      names = "--hec",
      paramLabel = "URL",
      description =
          "URL of Splunk's HTTP Event Collector; repeat it if there are several. Default: deliver"
              + " to the file /var/log/duplog/merged.log.")
  private List<String> hec = new ArrayList<>();

  @Option(
      names = "--hec-token",
      paramLabel = "FILE",
      description = "File that contains the HEC token.")
  private @Nullable Path hecToken;

  @Option(
      names = "--hec-ca",
      paramLabel = "FILE",
      description = "File with the CA of HEC's certificate (default: the CAs that Java trusts).")
  private @Nullable Path hecCa;

  @Option(
      names = "--packages",
      paramLabel = "FOLDER",
      description =
          "Folder that contains the packages (default: the folder of this program's jar).")
  private @Nullable Path packages;

  private final Scanner input = new Scanner(System.in, Charset.defaultCharset());

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Deployment deployment = deployment();
    try {
      HostFolders.write(deployment, folder, packages()).forEach(out::println);
    } catch (IOException e) {
      spec.commandLine().getErr().println("duplog: " + e.getMessage());
      return 1;
    }
    out.printf(
        "Written: %s%nNext: %s/install-all copies each folder to its host by ssh, and installs and"
            + " starts there what it has. Keep the folder: it has the passwords.%n",
        String.join(", ", deployment.hosts()), folder);
    return 0;
  }

  /**
   * Asks the operator for the parameters of the deployment.
   *
   * @param terminal returns the answer to a question, or an empty answer at the end of the input
   */
  void askForDeployment(UnaryOperator<String> terminal) {
    for (String node = "-"; !node.isEmpty(); ) {
      node = terminal.apply("Ingest node %d, as STREAM=HOST".formatted(nodes.size() + 1));
      if (!node.isEmpty()) {
        nodes.add(node);
      }
    }
    redis.add(terminal.apply("Host of Redis"));
    String url = terminal.apply("URL of Splunk's HTTP Event Collector (nothing: into a file)");
    if (!url.isEmpty()) {
      hec.add(url);
      hecToken = Path.of(terminal.apply("File with HEC's token"));
    }
    tls = terminal.apply("TLS between the hosts (y or n)").startsWith("y");
  }

  private Deployment deployment() {
    if (nodes.isEmpty()) {
      askForDeployment(this::answer);
    }
    if (hec.isEmpty() != (hecToken == null)) {
      throw new ParameterException(spec.commandLine(), "--hec and --hec-token go together");
    }
    try {
      Map<String, String> hosts = hosts();
      return new Deployment(
          hosts,
          bridges.isEmpty() ? List.copyOf(hosts.values()) : bridges,
          Deployment.Redis.of(redis, sentinels, hosts.values()),
          queues,
          hecToken == null ? null : new Deployment.Hec(hec, hecToken, hecCa),
          bulk,
          durable,
          tls);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private String answer(String question) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(question + ": ");
    out.flush();
    return input.hasNextLine() ? input.nextLine().strip() : "";
  }

  private Map<String, String> hosts() {
    Map<String, String> hosts = new LinkedHashMap<>();
    for (String node : nodes) {
      List<String> parts = Splitter.on('=').limit(2).splitToList(node);
      checkArgument(parts.size() == 2, "'%s' is no STREAM=HOST", node);
      checkArgument(
          hosts.put(parts.get(0), parts.get(1)) == null,
          "two nodes have the stream '%s'",
          parts.get(0));
    }
    return hosts;
  }

  private Path packages() {
    Path jar = Path.of(System.getProperty("java.class.path")).toAbsolutePath();
    return packages != null ? packages : jar.resolveSibling("");
  }
}
