package io.duplog.rig;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs the HTTP proxy tinyproxy in a lab. */
public final class TinyproxyProcess {
  private TinyproxyProcess() {}

  public static boolean isInstalled() {
    try {
      return Programs.find("tinyproxy") != null;
    } catch (LabException e) {
      return false;
    }
  }

  /**
   * Returns the proxy, not yet started.
   *
   * @param access lines of the configuration, such as {@code BasicAuth user password}
   */
  public static Server server(LabDirectory directory, int port, String access) throws LabException {
    Path home = directory.make("tinyproxy");
    Path file =
        LabDirectory.write(
            home.resolve("tinyproxy.conf"),
            "Port %d\nListen 127.0.0.1\nLogLevel Connect\n%s\n".formatted(port, access));
    return new Server(
        new Server.Launch(
            "tinyproxy",
            List.of(Programs.find("tinyproxy").toString(), "-d", "-c", file.toString()),
            Map.of(),
            home),
        directory,
        () -> Probe.accepts(port));
  }
}
