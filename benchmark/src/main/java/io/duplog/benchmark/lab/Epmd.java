package io.duplog.benchmark.lab;

import java.util.List;
import java.util.Map;

/**
 * Erlang's port mapper. Without one of its own, the first RabbitMQ node would start a daemon that
 * outlives the lab, or use the one of the machine.
 */
final class Epmd {
  private static final String ADDRESS = "127.0.0.1";

  private final int port;
  private final Server server;

  Epmd(LabDirectory directory, int port) throws LabException {
    this.port = port;
    this.server =
        new Server(
            new Server.Launch(
                "epmd",
                List.of(
                    Programs.find("epmd").toString(),
                    "-port",
                    Integer.toString(port),
                    "-address",
                    ADDRESS),
                Map.of(),
                directory.make("epmd")),
            directory,
            () -> Probe.accepts(port));
  }

  Server server() {
    return server;
  }

  /** What makes an Erlang node use this one. */
  Map<String, String> environment() {
    return Map.of("ERL_EPMD_PORT", Integer.toString(port), "ERL_EPMD_ADDRESS", ADDRESS);
  }
}
