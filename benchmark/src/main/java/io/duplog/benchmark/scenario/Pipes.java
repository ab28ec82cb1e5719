package io.duplog.benchmark.scenario;

import io.duplog.benchmark.lab.IngestNode;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.PipedShim;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** Opens the connections through which a load is sent to a lab's streams. */
final class Pipes {
  /** The sender's address and a space, which rsyslog's template puts before each message. */
  static final String SENDER = "10.1.2.3 ";

  private Pipes() {}

  /** Starts a shim for each stream, and returns the shim's standard input for each stream. */
  static List<List<OutputStream>> intoShims(Lab lab) throws LabException {
    List<List<OutputStream>> streams = new ArrayList<>();
    for (IngestNode node : lab.nodes()) {
      PipedShim shim = lab.startShim(node, PipedShim.Mode.LINES);
      streams.add(List.of(shim.input()));
    }
    return streams;
  }

  /** Opens {@code connections} TCP connections to each receiver, each of which gets one stream. */
  static List<List<OutputStream>> overTcp(List<InetSocketAddress> receivers, int connections)
      throws IOException {
    List<List<OutputStream>> streams = new ArrayList<>();
    for (InetSocketAddress receiver : receivers) {
      List<OutputStream> ofNode = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        Socket socket = new Socket(receiver.getAddress(), receiver.getPort());
        ofNode.add(socket.getOutputStream());
      }
      streams.add(ofNode);
    }
    return streams;
  }
}
