package io.duplog.parts;

import io.duplog.rig.LoneServer;
import io.duplog.rig.Probe;
import io.duplog.rig.Programs;
import io.duplog.rig.Server;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** An HTTP proxy as Debian has it, which forwards to this machine alone. */
public final class Tinyproxy extends LoneServer {
  private final int port = freePort();
  private final Server server;

  /**
   * Starts it.
   *
   * @param login such as {@code user password}; empty for none
   */
  public Tinyproxy(String login) {
    String settings =
        """
        Port %d
        Listen 127.0.0.1
        Allow 127.0.0.1
        MaxClients 50
        Timeout 60
        LogLevel Connect
        """
            .formatted(port);
    String access = login.isEmpty() ? "" : "BasicAuth " + login + "\n";
    Path file = write("tinyproxy", "tinyproxy.conf", settings + access);
    server =
        unchecked(
            () ->
                new Server(
                    new Server.Launch(
                        "tinyproxy",
                        List.of(Programs.find("tinyproxy").toString(), "-d", "-c", file.toString()),
                        Map.of(),
                        file.getParent()),
                    directory(),
                    () -> Probe.accepts(port)));
    startAll(server);
  }

  /** As a bridge is told it. */
  public String url() {
    return "http://" + host() + ":" + port;
  }

  /** What it has written so far. */
  public String log() {
    return unchecked(() -> Files.readString(server.log()));
  }

  @Override
  protected Server server() {
    return server;
  }
}
