package io.duplog.parts;

import com.rabbitmq.client.ConnectionFactory;
import io.duplog.rig.LoneServer;
import io.duplog.rig.RabbitMqProcess;
import io.duplog.rig.Server;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs a RabbitMQ node with the configuration, users and policies of {@code deploy/rabbitmq}.
 * Queues and persistent messages outlive {@link #stop()} and {@link #kill()}.
 */
public final class RabbitMq extends LoneServer {
  /** User that the shim logs in as. */
  public static final String INGEST_USER = "duplog-ingest";

  public static final String INGEST_PASSWORD = "password-of-ingest";

  /** User that a bridge logs in as. */
  public static final String BRIDGE_USER = "duplog-bridge";

  public static final String BRIDGE_PASSWORD = "password-of-bridge";

  /** User who may do everything, for the test itself. */
  private static final String GUEST =
      """
      {
        "users": [{"name": "guest", "password": "guest", "tags": ["administrator"]}],
        "permissions": [
          {"user": "guest", "vhost": "/", "configure": ".*", "write": ".*", "read": ".*"}
        ]
      }
      """;

  private static final String TLS =
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

  private RabbitMq(boolean encrypted) {
    tlsPort = encrypted ? freePort() : 0;
    int port = freePort();
    int epmdPort = freePort();
    write("definitions", "90-test.json", GUEST);
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
                // what this machine has is no concern of the tests
                .replace("disk_free_limit.absolute = 2GB", "disk_free_limit.absolute = 50MB")
            + "load_definitions = %s\n".formatted(duplog.getParent())
            + (encrypted ? TLS.formatted(tlsPort, certificates) : "");
    epmd = unchecked(() -> RabbitMqProcess.epmd(directory(), epmdPort));
    node =
        unchecked(
            () ->
                new RabbitMqProcess(
                    // bridges tell brokers apart by their names
                    "rabbit-" + port, directory(), epmdPort, port, freePort(), configuration));
  }

  /**
   * Starts a node that takes connections of {@link #INGEST_USER} and {@link #BRIDGE_USER} with what
   * they may do, and of guest, password guest, who may do everything, in the virtual host /.
   */
  public static RabbitMq started() {
    RabbitMq broker = new RabbitMq(false);
    broker.startAll(broker.epmd, broker.server());
    return broker;
  }

  /**
   * Starts a node that also takes TLS connections of those who show a certificate of this CA.
   *
   * @param certificate of the CA's; made here, since the node's address has to be in it
   */
  public static RabbitMq encrypted(CertificateIssuer ca, String certificate) {
    RabbitMq broker = new RabbitMq(true);
    ca.issue(certificate, broker.host()).copyTo(broker.certificates, certificate);
    broker.startAll(broker.epmd, broker.server());
    broker.ctl("await_startup"); // the port for TLS is opened after the other one
    return broker;
  }

  /** Has the running node show another certificate, and trust this CA, from the next connection. */
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

  /** Returns a bridge's configuration of where the node is, and as whom to log in. */
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

  /** Stops the broker inside the Erlang machine: quicker than {@link #stop()}, to clients alike. */
  public void stopApp() {
    ctl("stop_app");
  }

  /** Ends {@link #stopApp()} and waits until the node takes connections. */
  public void startApp() {
    ctl("start_app");
  }

  /** Runs rabbitmqctl and returns what it prints, without banners. */
  public String ctl(String... arguments) {
    return unchecked(() -> node.control(arguments));
  }

  /**
   * Sets a policy for queues, in place of the one they have, such as
   * {"max-length":10,"overflow":"reject-publish"}. The definition must not contain spaces.
   */
  public void policy(String name, String queuePattern, String definition) {
    // Of all policies, those of deploy/rabbitmq among them, the one of the test counts.
    String options = "--priority 3 --apply-to queues";
    ctl("set_policy %s %s %s %s".formatted(options, name, queuePattern, definition).split(" ", -1));
  }

  /** Returns the number of a queue's messages, whether ready or delivered and not acknowledged. */
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

  /** Raises the memory alarm: whoever publishes is blocked. */
  public void raiseAlarm() {
    ctl("set_vm_memory_high_watermark", "0");
  }

  /** Ends {@link #raiseAlarm()}. */
  public void clearAlarm() {
    ctl("set_vm_memory_high_watermark", "0.4");
  }
}
