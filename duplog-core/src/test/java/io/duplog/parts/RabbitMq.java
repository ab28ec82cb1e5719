package io.duplog.parts;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.duplog.tls.Authority;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/**
 * A RabbitMQ node with the configuration, users and policies of {@code deploy/rabbitmq}. Queues and
 * persistent messages outlive {@link #stop()} and {@link #kill()}.
 */
public final class RabbitMq extends Part {
  /** What the shim logs in as. */
  public static final String INGEST_USER = "duplog-ingest";

  public static final String INGEST_PASSWORD = "password-of-ingest";

  /** What a bridge logs in as. */
  public static final String BRIDGE_USER = "duplog-bridge";

  public static final String BRIDGE_PASSWORD = "password-of-bridge";

  private static final int PORT = 5672;
  private static final int TLS_PORT = 5671;

  /** Of all policies, those of {@code deploy/rabbitmq} among them, the one of the test counts. */
  private static final String ABOVE_DEPLOYED = "3";

  /** Busy waiting would take the processor from the others on a small machine. */
  private static final String SERVER =
      "env RABBITMQ_PID_FILE=/tmp/rabbitmq.pid"
          + " RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS=\"+sbwt none +sbwtdcpu none +sbwtdio none\""
          + " rabbitmq-server";

  /** Erlang's, with the cookie of the node, which is another user's. */
  private static final String EVALUATE =
      "echo \"$0\" | erl_call -R -sname rabbit -c $(cat /var/lib/rabbitmq/.erlang.cookie) -e";

  private static final Pattern EVALUATED = Pattern.compile("\\{ok, *(\\d+)}");

  /** What {@code rabbitmqctl list_queues} shows as their messages, summed up. */
  private static final String DEPTHS =
      """
      lists:sum([
        begin
          {ok, Queue} = rabbit_amqqueue:lookup(rabbit_misc:r(<<"/">>, queue, Name)),
          [{messages, Messages}] = rabbit_amqqueue:info(Queue, [messages]),
          Messages
        end || Name <- [%s]])""";

  private static final String ENCRYPTED =
      """
      loopback_users = none
      listeners.ssl.default = %d
      ssl_options.cacertfile = /etc/rabbitmq/ca.pem
      ssl_options.certfile = /etc/rabbitmq/broker.pem
      ssl_options.keyfile = /etc/rabbitmq/broker.key
      ssl_options.versions.1 = tlsv1.3
      ssl_options.versions.2 = tlsv1.2
      ssl_options.verify = verify_peer
      ssl_options.fail_if_no_peer_cert = true
      """
          .formatted(TLS_PORT);

  private RabbitMq() {
    super("DUPLOG_RABBITMQ_IMAGE");
    run("mkdir", "-p", "/etc/rabbitmq/conf.d", "/etc/rabbitmq/definitions");
    write("/etc/rabbitmq/conf.d/60-duplog.conf", Deployed.text("rabbitmq/rabbitmq.conf"));
    write(
        "/etc/rabbitmq/definitions/60-duplog.json",
        Deployed.text("rabbitmq/definitions.json")
            .replace("@INGEST_PASSWORD@", INGEST_PASSWORD)
            .replace("@BRIDGE_PASSWORD@", BRIDGE_PASSWORD));
    write(
        "/etc/rabbitmq/conf.d/90-test.conf",
        """
        # for the test itself, which logs in from outside
        loopback_users = none
        # what this machine has is no concern of the tests
        disk_free_limit.absolute = 50MB
        load_definitions = /etc/rabbitmq/definitions
        """);
    write(
        "/etc/rabbitmq/definitions/90-test.json",
        """
        {
          "users": [{"name": "guest", "password": "guest", "tags": ["administrator"]}],
          "permissions": [
            {"user": "guest", "vhost": "/", "configure": ".*", "write": ".*", "read": ".*"}
          ]
        }
        """);
  }

  /**
   * A new node that takes connections of {@link #INGEST_USER} and {@link #BRIDGE_USER} with what
   * they may do, and of guest, password guest, who may do everything, in the virtual host /.
   */
  public static RabbitMq started() {
    RabbitMq broker = new RabbitMq();
    broker.start();
    return broker;
  }

  /**
   * A new node that also takes connections by TLS, of who shows a certificate of this CA.
   *
   * @param certificate of the CA's; made here, since the node's address has to be in it
   */
  public static RabbitMq encrypted(Authority ca, String certificate) {
    RabbitMq broker = new RabbitMq();
    ca.issue(certificate, broker.host());
    broker.write("/etc/rabbitmq/rabbitmq.conf", ENCRYPTED);
    broker.copyCertificates(ca, certificate);
    broker.start();
    return broker;
  }

  /** Has the running node show another certificate, and trust this CA, from the next connection. */
  public void show(Authority ca, String certificate) {
    copyCertificates(ca, certificate);
    ctl("eval", "ssl:clear_pem_cache().");
  }

  private void copyCertificates(Authority ca, String certificate) {
    write("/etc/rabbitmq/ca.pem", ca.text(ca.name() + ".pem"));
    write("/etc/rabbitmq/broker.pem", ca.text(certificate + ".pem"));
    write("/etc/rabbitmq/broker.key", ca.text(certificate + ".key"));
  }

  public int tlsPort() {
    return TLS_PORT;
  }

  public int port() {
    return PORT;
  }

  /** amqp://guest:guest@address:port */
  public String uri() {
    return "amqp://guest:guest@%s:%d".formatted(host(), PORT);
  }

  /** A factory of plain connections to this node, without automatic recovery. */
  public ConnectionFactory connections() {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(host());
    factory.setPort(PORT);
    factory.setAutomaticRecoveryEnabled(false);
    return factory;
  }

  /** Starts the node again and waits until it takes connections. */
  public void start() {
    launch(SERVER);
    awaitOpen();
  }

  /** Shuts the node down in order. Its port refuses connections afterwards. */
  public void stop() {
    ctl("shutdown");
  }

  /** Kills the Erlang machine, as a power cut would. Its port refuses connections afterwards. */
  public void kill() {
    run("sh", "-c", "kill -KILL $(cat /tmp/rabbitmq.pid)");
    run("sh", "-c", "while kill -0 $(cat /tmp/rabbitmq.pid) 2>/dev/null; do sleep 0.1; done");
  }

  /** Stops the broker inside the Erlang machine: quicker than {@link #stop()}, to clients alike. */
  public void stopApp() {
    ctl("stop_app");
  }

  /** Ends {@link #stopApp()} and waits until the node takes connections. */
  public void startApp() {
    ctl("start_app");
    awaitOpen();
  }

  /** Runs rabbitmqctl and returns what it prints, without banners. */
  public String ctl(String... arguments) {
    String[] command = new String[arguments.length + 2];
    command[0] = "rabbitmqctl";
    command[1] = "-q";
    System.arraycopy(arguments, 0, command, 2, arguments.length);
    return run(command);
  }

  /**
   * Sets a policy for queues, in place of the one they have, such as
   * {"max-length":10,"overflow":"reject-publish"}.
   */
  public void policy(String name, String queuePattern, String definition) {
    ctl(
        "set_policy",
        "--priority",
        ABOVE_DEPLOYED,
        "--apply-to",
        "queues",
        name,
        queuePattern,
        definition);
  }

  /** The messages of a queue, whether ready or delivered and not acknowledged. */
  public long depth(String queue) {
    return depth(List.of(queue));
  }

  /** Of several queues together, all of which have to be there. */
  public long depth(List<String> queues) {
    return evaluate(
        DEPTHS.formatted(
            queues.stream().map("<<\"%s\">>"::formatted).collect(Collectors.joining(","))));
  }

  /**
   * Has the node evaluate an Erlang expression whose value is a number. What rabbitmqctl does takes
   * a second of a processor each time, since it starts an Erlang machine of its own.
   */
  private long evaluate(String expression) {
    String answer = run("sh", "-c", EVALUATE, expression + ".").strip();
    Matcher number = EVALUATED.matcher(answer);
    if (!number.matches()) {
      throw new IllegalStateException("%s answers %s: %s".formatted(this, expression, answer));
    }
    return Long.parseLong(number.group(1));
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

  private void awaitOpen() {
    Awaitility.await(this + " takes connections")
        .atMost(PATIENCE)
        .ignoreExceptionsMatching(e -> e instanceof IOException || e instanceof TimeoutException)
        .until(this::opens);
  }

  private boolean opens() throws IOException, TimeoutException {
    try (Connection connection = connections().newConnection()) {
      return connection.isOpen();
    }
  }
}
