package io.duplog.benchmark.scenario;

import io.duplog.benchmark.lab.IngestNode;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.PipedShim;
import io.duplog.benchmark.load.HecOutput;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** Opens the connections through which a load sends messages to a lab. */
final class Pipes {
  /** The sender's address and a space. Rsyslog's template puts them before each message. */
  static final String SENDER_PREFIX = "10.1.2.3 ";

  private Pipes() {}

  /** Starts a shim for each stream. Returns the shim's standard input for each stream. */
  static List<List<OutputStream>> openShimInputs(Lab lab) throws LabException {
    List<List<OutputStream>> streams = new ArrayList<>();
    for (IngestNode node : lab.nodes()) {
      PipedShim shim = lab.startShim(node, PipedShim.Mode.LINES);
      streams.add(List.of(shim.input()));
    }
    return streams;
  }

  /** Returns clients of HTTP Event Collector for each stream, each with its own connection. */
  static List<List<OutputStream>> openHecClients(Lab lab, int clients, int eventsPerRequest) {
    List<List<OutputStream>> streams = new ArrayList<>();
    for (IngestNode node : lab.nodes()) {
      List<OutputStream> nodeStreams = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        nodeStreams.add(new HecOutput(node.shim().newHecPath(), eventsPerRequest));
      }
      streams.add(nodeStreams);
    }
    return streams;
  }

  /**
   * Opens {@code connections} TCP connections to each receiver. Returns one stream for each of
   * them.
   */
  static List<List<OutputStream>> openTcpConnections(
      List<InetSocketAddress> receivers, int connections) throws IOException {
    List<List<OutputStream>> streams = new ArrayList<>();
    for (InetSocketAddress receiver : receivers) {
      List<OutputStream> nodeStreams = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        Socket socket = new Socket(receiver.getAddress(), receiver.getPort());
        nodeStreams.add(socket.getOutputStream());
      }
      streams.add(nodeStreams);
    }
    return streams;
  }
}
