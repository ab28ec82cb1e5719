package io.duplog.benchmark.deploy;

import static org.awaitility.Awaitility.await;

import io.duplog.benchmark.peer.Installation;
import io.duplog.benchmark.peer.PeerPackages;
import io.duplog.rig.LabException;
import io.duplog.rig.Ports;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Runs a syslog-ng that receives lines by TCP and forwards them, for tests of moving from syslog-ng
 * to Duplog.
 */
final class SyslogNg implements AutoCloseable {
  private final int port;
  private final Process process;

  /**
   * Starts a syslog-ng with one source, {@code s_net}.
   *
   * @param folder folder for its files
   * @param destination the other lines of its configuration, which forward the messages of the
   *     source
   */
  SyslogNg(Path folder, String destination) throws LabException, IOException {
    Installation installation = PeerPackages.installation();
    port = new Ports().next();
    Path configuration = folder.resolve("syslog-ng.conf");
    Files.writeString(
        configuration,
        """
        @version: %s
        source s_net {
          network(ip("127.0.0.1") port(%d) transport("tcp") flags(store-raw-message));
        };
        %s"""
            .formatted(
                installation.configVersion(),
                port,
                destination.replace("reliable(yes)", "reliable(yes) dir(\"" + folder + "\")")));
    ProcessBuilder builder =
        new ProcessBuilder(installation.command(configuration, folder)).inheritIO();
    builder.environment().putAll(installation.environment());
    process = builder.start();
  }

  /** Waits until the source listens, and returns a connection to it. */
  Socket connect(Duration atMost) {
    return await()
        .atMost(atMost)
        .ignoreException(ConnectException.class)
        .until(() -> new Socket(InetAddress.getLoopbackAddress(), port), socket -> true);
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }
}
