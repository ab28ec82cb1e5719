package io.duplog.deliver.syslogout;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.duplog.parts.CertificateIssuer;
import io.duplog.rig.LabDirectory;
import io.duplog.rig.LoneServer;
import io.duplog.rig.Probe;
import io.duplog.rig.Programs;
import io.duplog.rig.Server;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs an rsyslog that receives by TCP or TLS, and writes each message as a line of a file. */
public final class SyslogReceiver extends LoneServer {
  private static final String TLS =
      """
      global(
        defaultNetstreamDriver="gtls"
        defaultNetstreamDriverCAFile="%1$s/ca.pem"
        defaultNetstreamDriverCertFile="%1$s/server.pem"
        defaultNetstreamDriverKeyFile="%1$s/server.key")
      module(load="imtcp" streamDriver.name="gtls" streamDriver.mode="1"
        streamDriver.authMode="x509/certvalid")
      """;

  private final int port = freePort();
  private final Path output;
  private final Server server;

  /**
   * Starts rsyslog.
   *
   * @param issuer issuer of the certificate {@code receiver}, or null for TCP without TLS
   */
  public SyslogReceiver(@Nullable CertificateIssuer issuer) {
    Path home = unchecked(() -> directory().make("receiver"));
    output = home.resolve("received.log");
    server = unchecked(() -> server(home, issuer));
    startAll(server);
  }

  private Server server(Path home, @Nullable CertificateIssuer issuer) throws Exception {
    if (issuer != null) {
      issuer.copyTo(home.resolve("tls"), "receiver");
    }
    Path configuration =
        LabDirectory.write(
            home.resolve("rsyslog.conf"),
            (issuer == null ? "module(load=\"imtcp\")\n" : TLS.formatted(home.resolve("tls")))
                + """
                global(workDirectory="%1$s" maxMessageSize="64k")
                template(name="raw" type="string" string="%%rawmsg%%\\n")
                input(type="imtcp" address="127.0.0.1" port="%2$d")
                action(type="omfile" file="%3$s" template="raw" flushOnTXEnd="on")
                """
                    .formatted(home, port, output));
    // AppArmor may confine the installed program, by its path, to the machine's own files.
    Path program = home.resolve("rsyslogd");
    Files.copy(Programs.find("rsyslogd"), program);
    List<String> command =
        List.of(
            program.toString(),
            "-n",
            "-f",
            configuration.toString(),
            "-i",
            home.resolve("rsyslogd.pid").toString());
    Server.Launch launch = new Server.Launch("receiver", command, Map.of(), home);
    return new Server(launch, directory(), () -> Probe.accepts(port));
  }

  /** Returns the address for the sink. */
  public String address(String name) {
    return name + ":" + port;
  }

  /** Returns the received messages in their order. A line feed in one of them is not shown. */
  public List<String> received() {
    return unchecked(
        () -> Files.exists(output) ? Files.readAllLines(output, ISO_8859_1) : List.of());
  }

  @Override
  protected Server server() {
    return server;
  }
}
