package io.duplog.parts;

import io.duplog.rig.LoneServer;
import io.duplog.rig.Server;
import io.duplog.rig.TinyproxyProcess;
import java.nio.file.Files;

/** Runs an HTTP proxy on this machine. */
public final class Tinyproxy extends LoneServer {
  private final int port = freePort();
  private final Server server;

  /** Starts it, with lines of its configuration that say whom it serves; empty for all. */
  public Tinyproxy(String access) {
    server = unchecked(() -> TinyproxyProcess.server(directory(), port, access));
    startAll(server);
  }

  /** Sets who may use it from its next start on. */
  public void setAccess(String access) {
    unchecked(() -> TinyproxyProcess.server(directory(), port, access));
  }

  /** Returns its URL, as in a bridge's configuration. */
  public String url() {
    return "http://" + host() + ":" + port;
  }

  /** Returns what it has logged so far. */
  public String log() {
    return unchecked(() -> Files.readString(server.log()));
  }

  @Override
  protected Server server() {
    return server;
  }
}
