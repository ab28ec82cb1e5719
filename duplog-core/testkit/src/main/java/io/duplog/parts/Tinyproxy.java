package io.duplog.parts;

import io.duplog.rig.LoneServer;
import io.duplog.rig.Server;
import io.duplog.rig.TinyproxyProcess;
import java.nio.file.Files;

/** Runs an HTTP proxy for tests of connections through a proxy. */
public final class Tinyproxy extends LoneServer {
  private final int port = freePort();
  private final Server server;

  /** Starts the proxy. Lines of its configuration define its permitted clients; empty for all. */
  public Tinyproxy(String access) {
    server = unchecked(() -> TinyproxyProcess.server(directory(), port, access));
    startAll(server);
  }

  /** Sets the permitted clients from the next start on. */
  public void setAccess(String access) {
    unchecked(() -> TinyproxyProcess.server(directory(), port, access));
  }

  /** Returns the proxy's URL, as in a bridge's configuration. */
  public String url() {
    return "http://" + host() + ":" + port;
  }

  /** Returns the log so far. */
  public String log() {
    return unchecked(() -> Files.readString(server.log()));
  }

  @Override
  protected Server server() {
    return server;
  }
}
