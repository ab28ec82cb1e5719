package io.duplog.parts;

import com.rabbitmq.client.ConnectionFactory;
import io.duplog.rig.LoneServer;
import io.duplog.rig.RabbitMqProcess;
import io.duplog.rig.Server;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs a RabbitMQ for a test, with the configuration, users and policies of {@code
 * deploy/rabbitmq}. Queues and persistent messages survive {@link #stop()} and {@link #kill()}.
 */
public final class RabbitMq extends LoneServer {
  /** User of the shim. */
  public static final String INGEST_USER = "duplog-ingest";

  public static final String INGEST_PASSWORD = "password-of-ingest";

  /** User of a bridge. */
  public static final String BRIDGE_USER = "duplog-bridge";

  public static final String BRIDGE_PASSWORD = "password-of-bridge";

  /** User with all permissions, for the test itself. */
  private static final String GUEST_DEFINITIONS =
      """
      {
        "users": [{"name": "guest", "password": "guest", "tags": ["administrator"]}],
        "permissions": [
          {"user": "guest", "vhost": "/", "configure": ".*", "write": ".*", "read": ".*"}
        ]
      }
      """;

  private static final String TLS_SETTINGS =
      """
      listeners.ssl.default = 127.0.0.1:%d
      ssl_options.cacertfile = %s/ca.pem
      ssl_options.certfile = %2$s/server.pem
      ssl_options.keyfile = %2$s/server.key
      ssl_options.versions.1 = tlsv1.3
      ssl_options.versions.2 = tlsv1.2
      ssl_options.verify = verify_peer
      ssl_options.fail_if_no_peer_cert = true
      """;

  private final Server epmd;
  private final RabbitMqProcess node;
  private final Path certificates = unchecked(() -> directory().make("certificates"));
  private final int tlsPort;

  private RabbitMq(boolean isEncrypted) {
    tlsPort = isEncrypted ? freePort() : 0;
    int port = freePort();
    int epmdPort = freePort();
    write("definitions", "90-test.json", GUEST_DEFINITIONS);
    Path duplog =
        write(
            "definitions",
            "60-duplog.json",
            Deployed.text("rabbitmq/definitions.json")
                .replace("@INGEST_PASSWORD@", INGEST_PASSWORD)
                .replace("@BRIDGE_PASSWORD@", BRIDGE_PASSWORD));
    String configuration =
        Deployed.text("rabbitmq/rabbitmq.conf")
                .replace("listeners.tcp.default = 5672", "")
                // The tests don't depend on this machine's disk.
                .replace("disk_free_limit.absolute = 2GB", "disk_free_limit.absolute = 50MB")
            + "load_definitions = %s\n".formatted(duplog.getParent())
            + (isEncrypted ? TLS_SETTINGS.formatted(tlsPort, certificates) : "");
    epmd = unchecked(() -> RabbitMqProcess.epmd(directory(), epmdPort));
    node =
        unchecked(
            () ->
                new RabbitMqProcess(
                    // Bridges distinguish brokers by their names.
                    "rabbit-" + port, directory(), epmdPort, port, freePort(), configuration));
  }

  /**
   * Starts a node. It accepts connections of {@link #INGEST_USER} and {@link #BRIDGE_USER} with
   * their deployed permissions. It also accepts the user guest, password guest, with all
   * permissions in the virtual host /.
   */
  public static RabbitMq started() {
    RabbitMq broker = new RabbitMq(false);
    broker.startAll(broker.epmd, broker.server());
    return broker;
  }

  /**
   * Starts a node that also accepts TLS connections of clients with a certificate of this CA.
   *
   * @param certificate name of the node's certificate, which is issued here, because it must
   *     contain the node's address
   */
  public static RabbitMq encrypted(CertificateIssuer ca, String certificate) {
    RabbitMq broker = new RabbitMq(true);
    ca.issue(certificate, broker.host()).copyTo(broker.certificates, certificate);
    broker.startAll(broker.epmd, broker.server());
    broker.ctl("await_startup"); // The port for TLS is opened after the other one.
    return broker;
  }

  /**
   * Makes the running node present another certificate, and trust this CA, from the next
   * connection.
   */
  public void show(CertificateIssuer ca, String certificate) {
    ca.copyTo(certificates, certificate);
    ctl("eval", "ssl:clear_pem_cache().");
  }

  @Override
  protected Server server() {
    return node.server();
  }

  public int tlsPort() {
    return tlsPort;
  }

  public int port() {
    return node.port();
  }

  /** Returns the part of a bridge's configuration with the node's address and login. */
  public String asBridge() {
    return "host: %s, port: %d, user: %s, password: %s"
        .formatted(host(), port(), BRIDGE_USER, BRIDGE_PASSWORD);
  }

  /** Returns a factory of plain connections to this node, without automatic recovery. */
  public ConnectionFactory connections() {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(host());
    factory.setPort(port());
    factory.setAutomaticRecoveryEnabled(false);
    return factory;
  }

  /**
   * Stops the broker inside the Erlang machine, which is faster than {@link #stop()} and looks the
   * same to clients.
   */
  public void stopApp() {
    ctl("stop_app");
  }

  /** Ends {@link #stopApp()} and waits until the node accepts connections. */
  public void startApp() {
    ctl("start_app");
  }

  /** Runs rabbitmqctl and returns its output, without banners. */
  public String ctl(String... arguments) {
    return unchecked(() -> node.control(arguments));
  }

  /**
   * Sets a policy for queues, such as {"max-length":10,"overflow":"reject-publish"}. It replaces
   * their previous one. The definition must not contain spaces.
   */
  public void policy(String name, String queuePattern, String definition) {
    // The test's policy has priority over all others, including those of deploy/rabbitmq.
    String options = "--priority 3 --apply-to queues";
    ctl("set_policy %s %s %s %s".formatted(options, name, queuePattern, definition).split(" ", -1));
  }

  /** Returns the number of a queue's messages, both ready and unacknowledged ones. */
  public long depth(String queue) {
    return depth(List.of(queue));
  }

  /** Returns the number of several queues' messages. */
  public long depth(List<String> queues) {
    return unchecked(() -> node.depth(queues));
  }

  /** Closes every client's connection, with this reason. */
  public void closeConnections(String reason) {
    ctl("close_all_connections", reason);
  }

  /** Raises the memory alarm, which blocks all publishers. */
  public void raiseAlarm() {
    ctl("set_vm_memory_high_watermark", "0");
  }

  /** Ends {@link #raiseAlarm()}. */
  public void clearAlarm() {
    ctl("set_vm_memory_high_watermark", "0.4");
  }
}
